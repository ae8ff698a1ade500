// header_source.hpp: the table of map headers as C has it, read and edited.
#pragma once
#include "core/result.hpp"
#include "formats/platinum/layout/tables.hpp"
#include "formats/platinum/sources/names.hpp"

namespace dio::platinum {

/// include/data/map_headers.h: `[MAP_HEADER_X] = { .areaDataArchiveID = area_data_000, ... },`.
class HeaderSource {
 public:
  /// Ids: layout.requires, layout.type.
  static Result<HeaderSource> read(std::string text, std::string path, const SourceNames&);
  const std::vector<MapHeader>& headers() const { return headers_; }
  /// The text with other headers: what differs has the name of its number, or else the number. Ids: layout.requires if
  /// the table has no place for it.
  Result<std::string> replace_headers(std::span<const MapHeader>, const SourceNames&) const;

 private:
  static constexpr size_t k_fields = 20;
  struct Entry {
    std::array<size_t, k_fields> begin{}, end{};  // of the values; 0: it is not there
  };
  std::string text_, path_;
  std::vector<MapHeader> headers_;
  std::vector<Entry> entries_;
};

}  // namespace dio::platinum

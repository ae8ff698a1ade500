// header_source.hpp: reads and edits the map header table in C source.
#pragma once
#include "core/result.hpp"
#include "formats/platinum/layout/tables.hpp"
#include "formats/platinum/sources/names.hpp"

namespace dio::platinum {

/// include/data/map_headers.h: `[MAP_HEADER_X] = { .areaDataArchiveID = area_data_000, ... },`.
class HeaderSource {
 public:
  /// Error ids: layout.requires, layout.type.
  static Result<HeaderSource> read(std::string text, std::string path, const SourceNames&);
  const std::vector<MapHeader>& headers() const { return headers_; }
  /// The text with other headers; a changed value is written as a name, or else as a number. Error ids: layout.requires
  /// if the table has no place for a value.
  Result<std::string> replace_headers(std::span<const MapHeader>, const SourceNames&) const;

 private:
  static constexpr size_t k_fields = 20;
  struct Entry {
    std::array<size_t, k_fields> begin{}, end{};  // positions of the values; 0: missing
  };
  std::string text_, path_;
  std::vector<MapHeader> headers_;
  std::vector<Entry> entries_;
};

}  // namespace dio::platinum

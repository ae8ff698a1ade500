#include "formats/fft/game/map_names.hpp"

#include <charconv>

#include "core/text_format.hpp"

namespace dio::fft {

namespace {

std::optional<u32> parse_number(std::string_view digits) {
  u32 n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return {};
  return n;
}

}  // namespace

PathParts split_map_path(std::string_view path) {
  const size_t start = path.rfind('/') + 1;  // 0 where there is none
  const std::string_view name = path.substr(start);
  return {path.substr(0, start), upper_case(name.substr(0, name.rfind(';')))};
}

std::optional<MapName> parse_map_name(std::string_view path) {
  constexpr size_t k_dot = 6;
  const std::string name = split_map_path(path).name;
  if (!name.starts_with("MAP") || name.size() < k_dot + 2 || name[k_dot] != '.') return {};
  const std::string_view all = name, behind = all.substr(k_dot + 1);
  const auto map = parse_number(all.substr(3, k_dot - 3)), file = parse_number(behind);
  if (!map || (!file && behind != "GNS")) return {};
  return MapName{name.substr(0, k_dot), *map, file};
}

}  // namespace dio::fft

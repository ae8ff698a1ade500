#include "core/safe_path.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "core/text_format.hpp"

namespace dio {
namespace {

std::string percent_encode(char c) { return {'%', "0123456789ABCDEF"[u8(c) >> 4], "0123456789ABCDEF"[u8(c) & 15]}; }

/// Names that are devices on some systems, with any extension.
bool is_reserved_device_name(std::string_view name) {
  const std::string stem = lower_case(name.substr(0, name.find('.')));
  if (stem == "con" || stem == "prn" || stem == "aux" || stem == "nul") return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem[3] >= '0' && stem[3] <= '9';
}

/// The first `forced` characters are always escaped.
std::string escape_path_component(std::string_view part, size_t forced) {
  if (part.empty()) return "%";
  if (!forced && is_reserved_device_name(part)) forced = 1;
  const bool only_dots = part.find_first_not_of('.') == part.npos;
  std::string out;
  for (size_t i = 0; i < part.size(); ++i) {
    const char c = part[i];
    const bool last = i + 1 == part.size();
    const bool bad = u8(c) < 0x20 || u8(c) > 0x7E ||
                     std::string_view("\\/:*?\"<>|%").find(c) != std::string_view::npos ||
                     (last && (c == '.' || c == ' ')) || only_dots;
    out += bad || i < forced ? percent_encode(c) : std::string(1, c);
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> escape_archive_paths(const std::vector<std::string>& paths) {
  struct UsedFileName {
    std::string_view part;  // of the archive
    bool is_folder;
    std::string safe;
  };
  std::map<std::string, UsedFileName, std::less<>> taken;  // by the folded path
  std::vector<std::string> out;
  out.reserve(paths.size());
  for (const std::string& path : paths) {
    std::string safe;
    for (std::string_view rest = path;;) {
      const size_t slash = rest.find('/');
      const std::string_view part = rest.substr(0, slash);
      const bool is_folder = slash != rest.npos;
      bool found = false;
      const bool is_system = safe.empty() && lower_case(part) == k_system_folder;
      for (size_t forced = is_system; forced <= part.size() && !found; ++forced) {
        const std::string name = (safe.empty() ? "" : safe + "/") + escape_path_component(part, forced);
        const auto [at, fresh] = taken.try_emplace(lower_case(name), UsedFileName{part, is_folder, name});
        if (fresh || (at->second.part == part && at->second.is_folder && is_folder)) {
          safe = at->second.safe;
          found = true;
        } else if (at->second.part == part) {
          break;  // an identical name, not one that differs only in case
        }
      }
      if (!found) {
        return refuse(
            "archives.names", {},
            {.message = "the path " + escape_control_chars(path) + " occurs twice, or is both a file and a folder"});
      }
      if (!is_folder) break;
      rest.remove_prefix(slash + 1);
    }
    out.push_back(std::move(safe));
  }
  return out;
}

std::optional<std::string> resolve_relative_path(std::string_view name) {
  std::string out;
  for (size_t at = 0; at <= name.size();) {
    const size_t slash = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, slash - at);
    for (const char c : part)
      if (u8(c) < 0x20 || c == '\\' || c == ':') return {};
    if (part == ".." || part.empty()) return {};
    if (part != ".") out += (out.empty() ? "" : "/") + std::string(part);
    at = slash + 1;
  }
  if (out.empty()) return {};
  return out;
}

std::string unescape_path(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    u8 c = 0;
    if (s[i] == '%' && i + 2 < s.size() && std::from_chars(&s[i + 1], &s[i + 1] + 2, c, 16).ptr == &s[i + 1] + 2) {
      out += char(c);
      i += 2;
    } else
      out += s[i];
  }
  return out;
}

}  // namespace dio

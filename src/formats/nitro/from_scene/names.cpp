#include "formats/nitro/from_scene/names.hpp"

#include "formats/nitro/layout/dictionary.hpp"

namespace dio::nitro {

std::string truncate_name(std::string_view wanted) {
  std::string name;
  for (const char c : wanted.substr(0, k_name_size)) name += c > ' ' && c < 0x7F ? c : '_';
  return name;
}

std::string Names::operator()(std::string_view wanted, std::string_view otherwise) {
  const std::string name = truncate_name(wanted.empty() ? otherwise : wanted);
  std::string out = name;
  for (u32 n = 1; !used_.insert(out).second; ++n) {
    const std::string number = "_" + std::to_string(n);
    out = name.substr(0, k_name_size - number.size()) + number;
  }
  changed_ += out != wanted;
  return out;
}

}  // namespace dio::nitro

#include "formats/nitro/from_scene/names.hpp"

#include "formats/nitro/layout/dictionary.hpp"

namespace dio::nitro {

std::string Names::operator()(std::string_view wanted, std::string_view otherwise) {
  std::string name;
  for (const char c : wanted.empty() ? otherwise : wanted)
    if (name.size() < k_name_size) name += c > ' ' && c < 0x7F ? c : '_';
  std::string out = name;
  for (u32 n = 1; !used_.insert(out).second; ++n) {
    const std::string number = "_" + std::to_string(n);
    out = name.substr(0, k_name_size - number.size()) + number;
  }
  changed_ += out != wanted;
  return out;
}

}  // namespace dio::nitro

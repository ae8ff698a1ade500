// info.cpp: a file in a dozen lines.
#include "formats/nitro/parts.hpp"

namespace dio::nitro {

static Value names_of(const auto& list) {
  Value v = Value::list();
  for (const auto& x : list) v.push(x.name);
  return v;
}
static Value info_of(const auto& file) {
  Value v = Value::object();
  v.add("animations", names_of(file.animations));
  return v;
}
Value info(const Nsbmd& f) {
  Value v = Value::object();
  v.add("models", names_of(f.models));
  return v;
}
Value info(const Nsbtx& f) {
  Value v = Value::object();
  v.add("textures", names_of(f.textures.textures));
  return v;
}
Value info(const Nsbca& f) { return info_of(f); }
Value info(const Nsbtp& f) { return info_of(f); }
Value info(const Nsbta& f) { return info_of(f); }
Value info(const Nsbma& f) { return info_of(f); }
Value info(const Nsbva& f) { return info_of(f); }

}  // namespace dio::nitro

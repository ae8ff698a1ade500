// info.cpp: a BRRES file in a few lines.
#include "formats/brres/parts.hpp"

namespace dio::brres {

Value info(const Brres& file) {
  Value v = Value::object();
  v.add("models", u64(file.models.size()));
  v.add("textures", u64(file.textures.size()));
  return v;
}

}  // namespace dio::brres

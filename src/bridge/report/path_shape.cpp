#include "bridge/report/path_shape.hpp"

#include <charconv>

#include "core/text_format.hpp"

namespace dio::report {

PathShape::PathShape(std::string_view path) : path_(path) {
  for (size_t open = path.find('['); open != path.npos; open = path.find('[', open + 1)) {
    const size_t close = path.find_first_not_of("0123456789", open + 1);
    if (close != path.npos && path[close] == ']' && close > open + 1) indices_.push_back({open + 1, close - open - 1});
  }
}

u64 PathShape::index_value(size_t index) const {
  u64 n = 0;
  if (index >= indices_.size()) return n;
  const auto [at, size] = indices_[index];
  std::from_chars(path_.data() + at, path_.data() + at + size, n);
  return n;
}

std::string PathShape::replace_index(size_t index, std::string_view instead) const {
  if (index >= indices_.size()) return std::string(path_);
  const auto [at, size] = indices_[index];
  return std::string(path_.substr(0, at)).append(instead).append(path_.substr(at + size));
}

std::string PathShape::with_index_placeholders() const {
  std::string out;
  size_t done = 0;
  for (const auto& [at, size] : indices_) {
    out.append(path_.substr(done, at - done)).append("#");  // not what `a[]` says
    done = at + size;
  }
  return out.append(path_.substr(done));
}

std::string diagnostic_key(const Diagnostic& d) {
  std::string key;
  // As in JSON, from which invalid UTF-8 does not return unchanged.
  for (const std::string& part :
       {d.place.file, d.id, PathShape(d.place.path).with_index_placeholders(), d.message, d.expected, d.found, d.hint})
    append_json_string(key, part);
  return key;
}

}  // namespace dio::report

#include "core/value.hpp"

#include <bit>

namespace dio {

const Value* Value::find(std::string_view name) const {
  if (kind_ != Kind::object) return nullptr;
  for (const auto& [key, value] : members_)
    if (key == name) return &value;
  return nullptr;
}

bool operator==(const Value& a, const Value& b) {
  if (a.kind_ != b.kind_) return false;
  switch (a.kind_) {
    case Value::Kind::null:
      return true;
    case Value::Kind::boolean:
      return a.boolean() == b.boolean();
    case Value::Kind::integer:
      return a.negative_ == b.negative_ && a.bits_ == b.bits_;
    case Value::Kind::real:
      return std::bit_cast<u64>(a.real_) == std::bit_cast<u64>(b.real_);
    case Value::Kind::text:
      return a.text_ == b.text_;
    case Value::Kind::list:
    case Value::Kind::object:
      return a.members_ == b.members_;
  }
  return false;
}

}  // namespace dio

#include "core/value.hpp"

#include <bit>
#include <cassert>
#include <cmath>

namespace dio {

// Created on first use, because values may be used before static initialisation ends.
const std::string& Value::empty_text() {
  static const std::string none;
  return none;
}
const std::vector<Value::Member>& Value::empty_members() {
  static const std::vector<Member> none;
  return none;
}

bool Value::is_whole_real() const {
  constexpr f64 k_exact = f64(u64(1) << 53);
  return kind_ == Kind::real && real_ == std::trunc(real_) && std::abs(real_) <= k_exact;
}

Value::Value(const Value& v)
    : line(v.line), column(v.column), kind_(v.kind_), negative_(v.negative_), single_(v.single_), bits_(v.bits_) {
  if (kind_ == Kind::text) text_ = new std::string(*v.text_);
  if (kind_ >= Kind::list) members_ = v.members_ ? new std::vector<Member>(*v.members_) : nullptr;
}

void Value::release() {
  if (kind_ == Kind::text)
    delete text_;
  else
    delete members_;
}

std::vector<Value::Member>& Value::members() {
  if (kind_ == Kind::null) *this = list();
  if (kind_ < Kind::list) {  // a lookup that fails: add and push need lists or objects
    assert(empty_members().empty());
    return const_cast<std::vector<Member>&>(empty_members());
  }
  if (!members_) members_ = new std::vector<Member>;
  return *members_;
}

const Value* Value::find(std::string_view name) const {
  if (kind_ != Kind::object) return nullptr;
  for (const auto& [key, value] : members())
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
      return a.text() == b.text();
    case Value::Kind::list:
    case Value::Kind::object:
      return a.members() == b.members();
  }
  return false;
}

}  // namespace dio

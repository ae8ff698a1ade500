// value.hpp: a tree of plain values, as JSON has them. Text is read and written by bridge/report/json.
#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

/// null, true/false, a whole number, a number with a fraction, a text, a list, or an object that keeps the order of its
/// members. Whole numbers are kept to 64 bits, with their sign.
class Value {
 public:
  enum class Kind : u8 { null, boolean, integer, real, text, list, object };
  using Member = std::pair<std::string, Value>;

  Value() = default;
  Value(bool b) : kind_(Kind::boolean), bits_(b) {}
  Value(std::signed_integral auto n) : kind_(Kind::integer), negative_(n < 0), bits_(static_cast<u64>(i64(n))) {}
  Value(std::unsigned_integral auto n) : kind_(Kind::integer), bits_(n) {}
  Value(f64 x) : kind_(Kind::real), real_(x) {}
  Value(f32 x) : kind_(Kind::real), single_(true), real_(x) {}
  Value(const char* s) : kind_(Kind::text), text_(s) {}
  Value(std::string_view s) : kind_(Kind::text), text_(s) {}
  Value(std::string s) : kind_(Kind::text), text_(std::move(s)) {}
  static Value list() { return of(Kind::list); }
  static Value object() { return of(Kind::object); }

  Kind kind() const { return kind_; }
  bool is(Kind k) const { return kind_ == k; }
  bool boolean() const { return bits_ != 0; }
  bool negative() const { return negative_; }  // a whole number below zero
  u64 bits() const { return bits_; }           // a whole number, two's complement
  bool is_single() const { return single_; }   // a real that came from 32 bits: printed with the digits those need
  f64 number() const { return kind_ == Kind::integer ? (negative_ ? f64(i64(bits_)) : f64(bits_)) : real_; }
  const std::string& text() const { return text_; }

  /// Elements of a list (their names are empty) or members of an object.
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  size_t size() const { return members_.size(); }
  /// The member of that name, or null.
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name) { return const_cast<Value*>(std::as_const(*this).find(name)); }
  /// The element at that place, or null.
  const Value* at(size_t i) const { return i < members_.size() ? &members_[i].second : nullptr; }
  /// Appends a member and returns it. Does not look for one of the same name.
  Value& add(std::string name, Value v) { return members_.emplace_back(std::move(name), std::move(v)).second; }
  /// Appends an element.
  Value& push(Value v) { return members_.emplace_back(std::string(), std::move(v)).second; }

  /// Where the value stood in the text it was read from: counted from 1; 0 where it was made otherwise.
  u32 line = 0, column = 0;

  /// Same kind and same content (reals by bit pattern; line and column are not content).
  friend bool operator==(const Value&, const Value&);

 private:
  static Value of(Kind k) {
    Value v;
    v.kind_ = k;
    return v;
  }
  Kind kind_ = Kind::null;
  bool negative_ = false, single_ = false;
  u64 bits_ = 0;
  f64 real_ = 0;
  std::string text_;
  std::vector<Member> members_;
};

}  // namespace dio

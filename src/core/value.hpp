// value.hpp: a tree of JSON-like values. core/json reads and writes the text.
#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"

namespace dio {

/// null, true/false, a whole number, a real number, a text, a list, or an object that keeps the order of its members.
/// Whole numbers have 64 bits and a sign. A value takes 24 bytes, because a file contains many of them.
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
  Value(const char* s) : Value(std::string(s)) {}
  Value(std::string_view s) : Value(std::string(s)) {}
  Value(std::string s) : kind_(Kind::text), text_(new std::string(std::move(s))) {}
  static Value list() { return Value(Kind::list); }
  static Value object() { return Value(Kind::object); }

  Value(const Value&);
  Value(Value&& v) noexcept { swap(v); }
  Value& operator=(Value v) noexcept {
    swap(v);
    return *this;
  }
  ~Value() {
    if (kind_ >= Kind::text) release();
  }

  Kind kind() const { return kind_; }
  bool is(Kind k) const { return kind_ == k; }
  bool boolean() const { return bits() != 0; }
  bool negative() const { return negative_; }  // a whole number below zero
  /// A whole number, two's complement; 0 for other kinds.
  u64 bits() const { return kind_ == Kind::integer || kind_ == Kind::boolean ? bits_ : 0; }
  bool is_single() const {
    return single_;
  }  // a real that came from 32 bits: printed with the digits that 32 bits need
  /// A real without a fraction that is small enough to be exact: other programs write a whole number as 1.0 or 1e3.
  bool is_whole_real() const;
  /// A number of either kind; 0 for other kinds.
  f64 number() const {
    if (kind_ == Kind::real) return real_;
    return kind_ == Kind::integer ? (negative_ ? f64(i64(bits_)) : f64(bits_)) : 0;
  }
  /// Empty for other kinds.
  const std::string& text() const { return kind_ == Kind::text ? *text_ : empty_text(); }

  /// Elements of a list (with empty names) or members of an object; null becomes a list.
  std::vector<Member>& members();
  const std::vector<Member>& members() const { return has_members() ? *members_ : empty_members(); }
  size_t size() const { return has_members() ? members_->size() : 0; }
  /// The member with that name, or null.
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name) { return const_cast<Value*>(std::as_const(*this).find(name)); }
  /// The element with that index, or null.
  const Value* at(size_t i) const { return i < size() ? &(*members_)[i].second : nullptr; }
  /// Appends a member and returns it. Does not check for an existing member of that name.
  Value& add(std::string name, Value v) {
    if (is(Kind::null)) *this = object();
    return members().emplace_back(std::move(name), std::move(v)).second;
  }
  /// Appends an element.
  Value& push(Value v) { return members().emplace_back(std::string(), std::move(v)).second; }

  /// Position in the parsed text, counted from 1; 0 if the value was not read from text.
  u32 line = 0, column = 0;

  /// Same kind and same content (reals by bit pattern; line and column are not content).
  friend bool operator==(const Value&, const Value&);

 private:
  static const std::string& empty_text();
  static const std::vector<Member>& empty_members();

  explicit Value(Kind k) : kind_(k), members_(nullptr) {}
  /// The storage of a list or an object, created with its first member.
  bool has_members() const { return kind_ >= Kind::list && members_; }
  void release();
  void swap(Value& v) noexcept {
    std::swap(kind_, v.kind_);
    std::swap(negative_, v.negative_);
    std::swap(single_, v.single_);
    std::swap(bits_, v.bits_);
    std::swap(line, v.line);
    std::swap(column, v.column);
  }
  Kind kind_ = Kind::null;
  bool negative_ = false, single_ = false;
  union {
    u64 bits_ = 0;
    f64 real_;
    std::string* text_;
    std::vector<Member>* members_;
  };
};

}  // namespace dio

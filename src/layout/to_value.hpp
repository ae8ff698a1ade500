// to_value.hpp: a document to values, as JSON has them: the inverse of Patch.
#pragma once
#include "core/value.hpp"
#include "layout/visitor.hpp"

namespace dio {

class ToValue final : public Visitor {
 public:
  explicit ToValue(u32 version = 0) : Visitor(Job::show, version) { open_.push_back({Value::object(), 0}); }

  /// Call after the walk.
  Value finish() { return std::move(open_.front().value); }

  void open(const Key&, Span::Kind) override;
  void close(const Key&) override;
  void number(const Key&, Number) override;
  void bytes(const Key&, Bytes&) override;
  void characters(const Key&, std::string&, TextForm, u64) override;
  void decimal_number(const Key& k, Number n, const char*) override { number(k, n); }
  bool bits_field(BitsField&) override;
  bool numbers(const Key&, List, Wire, u8 fraction) override;
  void inferred(const Key& k, Number n) override { number(k, n); }

 private:
  /// An object or a list that the walk is in. A second pass over it finds its members by name or place.
  struct Level {
    Value value;
    size_t at;  // in the one around it
    size_t next = 0;
  };
  std::vector<Level> open_;

  /// Where a member of that name is, or would be.
  size_t place_of(const Key&, std::string_view name);
  void enter(const Key&, std::string_view name, Span::Kind);
  void leave();
  void add(const Key&, Value);
};

}  // namespace dio

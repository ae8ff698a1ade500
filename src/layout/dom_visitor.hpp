// dom_visitor.hpp: converts a document to JSON-like values: the inverse of Patch.
#pragma once
#include "core/dom.hpp"
#include "layout/visitor.hpp"

namespace dio {

class DomVisitor final : public Visitor {
 public:
  /// Fills the value `at`, which becomes an object. The document must outlive the values: large texts and bytes are not
  /// copied.
  DomVisitor(Dom& dom, Dom::Id at, u32 version = 0) : Visitor(Job::show, version), dom_(dom) {
    dom_.set_tree(at, Dom::Kind::object);
    open_.push_back({at});
  }

  void open(const Key&, Span::Kind) override;
  void close(const Key&) override;
  void number(const Key&, Number) override;
  void bytes(const Key&, Raw) override;
  void characters(const Key&, std::string&, TextForm, u64) override;
  void decimal_number(const Key& k, Number n, const char*) override { number(k, n); }
  bool bits_field(BitsField&) override;
  bool numbers(const Key&, List, Wire, u8 fraction) override;
  void inferred(const Key& k, Number n) override { number(k, n); }

 private:
  /// An open object or list. A second pass finds its parts by name or index.
  struct Level {
    Dom::Id tree;
    Dom::Id last = 0;  // the part visited last
    u32 index = 0;     // of that, in a list
  };
  Dom& dom_;
  std::vector<Level> open_;

  Dom::Id find_or_add_member(std::string_view name);
  Dom::Id find_or_add_element(u32 index);
  void enter(Dom::Id, Span::Kind);
  void set(Dom::Id, Wire, u8 fraction, u64 raw);
  /// Creates a value without parts and fills it.
  void add_leaf(const Key&, auto&& fill);
};

}  // namespace dio

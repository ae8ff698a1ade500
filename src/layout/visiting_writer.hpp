// visiting_writer.hpp: a Writer with the interface of Visitor, like visiting_reader.hpp.
#pragma once
#include "layout/visitor.hpp"

namespace dio {

class VisitingWriter final : public Visitor {
 public:
  Writer w;

  VisitingWriter(std::endian order, u64 file_size, u8 filled_with = 0)
      : Visitor(Job::write), w(order, file_size, filled_with) {}

  u64 here() override { return w.here(); }
  bool good() override { return w.good(); }
  void open(const Key& k, Span::Kind kind) override { w.open(k, kind); }
  void close(const Key& k) override { w.close(k); }
  void number(const Key& k, Number n) override { put(n, k); }
  void bytes(const Key& k, Raw x) override { w.raw(k, x.view()); }
  void characters(const Key& k, std::string& x, TextForm form, u64 n) override { visit_text(w, k, x, form, n); }
  void decimal_number(const Key&, Number, const char* end) override;
  void fixed(const char* m, size_t n) override { w.fixed(m, n); }
  bool numbers(const Key&, List, Wire, u8 fraction) override;
  void bits_unit(Number n) override { put(n, ""); }
  void visit_count(const Key& k, Number n, List, u64) override { put(n, k); }
  void visit_implied_length(u64 n, List xs, u64 least) override;
  void fail(const char* expected) override { w.fail(expected); }
  void overflow(const Key& k) override { w.overflow(k); }
  void align(u64 a, u64 base = 0) override { w.align(a, base); }
  u64 jump_to(u64 base, const OffsetField& o) override { return w.jump(base + o.value() * o.unit); }
  void return_from_offset(u64 to, u64, const OffsetField&) override { w.back(to); }
  u64 jump(u64 position) override { return w.jump(position); }
  void back(u64 to) override { w.back(to); }
  using Visitor::back;
  using Visitor::jump;
  void enter_file(const Key& k, u64 n, std::optional<std::endian> order) override {
    files_.push_back(w.enter(k, n, order));
  }
  void leave_file() override;

 private:
  void put(Number, const Key&);
  std::vector<Writer::Window> files_;  // the files around the embedded file
};

}  // namespace dio

// visiting_reader.hpp: a Reader with the interface of Visitor: slower, but layouts are compiled for that interface
// anyway. Reads files where code size matters (walks.hpp), and is the base of Trace.
#pragma once
#include "layout/visitor.hpp"

namespace dio {

class VisitingReader : public Visitor {
 public:
  Reader r;

  VisitingReader(ByteView bytes, std::endian order, const LoadOptions& options = {})
      : VisitingReader(Job::read, bytes, order, options) {}

  u64 here() override { return r.here(); }
  u64 total() override { return r.total(); }
  bool good() override { return r.good(); }
  void version_changed(u32 v) override { r.version(v); }
  void open(const Key& k, Span::Kind kind) override { r.open(k, kind); }
  void close(const Key& k) override { r.close(k); }
  unsigned enter_record() override { return std::exchange(r.depth, 0); }
  void leave_record(unsigned depth) override { r.depth = depth; }
  bool may_enter(const Key&) override { return r.check_depth(); }
  void number(const Key&, Number n) override { r.number(n.at, n.size(), n.wire != Wire::fourcc); }
  void bytes(const Key& k, Raw raw) override {
    raw.visit([&](auto& x) { r.raw(k, x); });
  }
  void characters(const Key& k, std::string& x, TextForm form, u64 n) override { visit_text(r, k, x, form, n); }
  void decimal_number(const Key&, Number, const char* end) override;
  void fixed(const char* m, size_t n) override { r.fixed(m, n); }
  void bits_unit(Number n) override { r.number(n.at, n.size(), true); }
  bool bits_field(BitsField&) override { return good(); }
  bool numbers(const Key&, List, Wire, u8 fraction) override;
  void open_numbers(const Key&, List, Number) override {}
  void close_numbers(const Key&, Number) override {}
  void visit_implied_length(u64 n, List, u64 least) override;
  void visit_count(const Key&, Number, List, u64 least) override;
  void fail(const char* expected) override { r.fail(expected); }
  void align(u64 a, u64 base = 0) override { r.align(a, base); }
  u64 jump_to(u64 base, const OffsetField& o) override { return r.jump(base + o.value() * o.unit); }
  void return_from_offset(u64 to, u64, const OffsetField&) override { back(to); }
  u64 jump(u64 position) override { return r.jump(position); }
  void back(u64 to) override { r.back(to); }
  using Visitor::back;
  using Visitor::jump;
  bool is_pointed(const Key&, const OffsetField& o, bool) override { return o.value() != 0; }
  void peek_at(Number n) override { r.peek_at(n.at, n.size(), n.wire != Wire::fourcc); }
  ByteView ahead() override { return r.ahead(); }
  void begin_attempt() override;
  bool end_attempt(const Element* place) override;
  u64 at_most_left(u64 n) override { return std::min(n, r.left()); }
  void enter_file(const Key& k, u64 n, std::optional<std::endian> order) override {
    files_.push_back(r.enter(k, n, order));
  }
  void leave_file() override;
  const LoadOptions& options() override { return r.options(); }

 protected:
  VisitingReader(Job job, ByteView bytes, std::endian order, const LoadOptions& options)
      : Visitor(job), r(bytes, order, options) {}
  /// Gives a list the length that was read.
  void apply_count(Number, List, u64 least);

 private:
  /// The state that a failed attempt restores.
  struct Attempt {
    Reader::State reader;
    u32 version;
  };
  std::vector<Attempt> attempts_;
  std::vector<Reader::Window> files_;  // the files around the embedded file
};

}  // namespace dio

// trace.hpp: the slow reader: it knows where every value lies. It reads through a Reader and leaves a tree of spans.
#pragma once
#include "core/diagnostic.hpp"
#include "layout/spans.hpp"
#include "layout/visitor.hpp"

namespace dio {

class Trace final : public Visitor {
 public:
  Reader r;
  Spans spans;
  Diagnostics notes;  // doubts
  Diagnostic stop;    // meaningful if !good()

  Trace(ByteView bytes, std::endian order, const LoadOptions& options = {})
      : Visitor(Job::read), r(bytes, order, options) {
    spans.file = bytes;
  }

  u64 here() override { return r.here(); }
  u64 total() override { return r.total(); }
  bool good() override { return r.good(); }
  void version_changed(u32 v) override { r.version(v); }
  void open(Key, Span::Kind) override;
  void close(Key) override;
  unsigned enter_record() override { return std::exchange(r.depth, 0); }
  void leave_record(unsigned depth) override { r.depth = depth; }
  bool may_enter(Key) override;
  void number(Key, Number) override;
  void bytes(Key, Bytes&) override;
  void characters(Key, std::string&, TextForm, u64 n) override;
  void decimal_number(Key, Number, const char* end) override;
  void fixed(const char*, size_t) override;
  void bits_unit(Number) override;
  bool bits_field(BitsField&) override;
  bool numbers(Key, List, Wire, u8 fraction) override;
  void open_numbers(Key, List, Number) override;
  void close_numbers(Key, Number) override;
  void implied_list(u64 n, List, u64 least) override;
  void counted_by(Key, Number, List, u64 least) override;
  void fail(const char* expected) override;
  void align(u64 a, u64 base = 0) override { r.align(a, base); }
  u64 jump_to(u64 base, const OffsetField&) override;
  void come_back(u64 to, u64, const OffsetField&) override { back(to); }
  u64 jump(u64 position) override;
  void back(u64 to) override;
  using Visitor::back;
  using Visitor::jump;
  bool is_pointed(Key, const OffsetField& o, bool) override { return o.value() != 0; }
  void inferred(Key, Number) override;
  void peek_at(Number) override;
  ByteView ahead() override { return r.ahead(); }
  void begin_attempt() override;
  bool end_attempt(const Element* place) override;
  u64 at_most_left(u64 n) override { return std::min(n, r.left()); }
  std::optional<ByteView> upcoming(Key, u64 n) override;
  void enter_file(Key, u64 n, std::optional<std::endian>) override;
  void leave_file() override;

  const LoadOptions& options() override { return r.options(); }

  static Diagnostic describe_failure(const Failure&, ByteView file);

 private:
  struct Level {
    u32 visited = 0;     // the child visited last, so that a second pass over a list finds the next at once
    bool fresh = false;  // has no bytes yet
  };
  /// What a part that turns out to be none goes back to.
  struct Attempt {
    Reader::State reader;
    u32 version;
    size_t spans, notes;
    std::vector<Level> levels;
  };
  u32 now_ = 0;
  std::vector<Level> levels_{{}};            // of the open spans
  std::vector<const void*> homes_{nullptr};  // for each span: where its number is in the document
  std::vector<Attempt> attempts_;
  std::vector<Reader::Window> files_;  // around the file inside the file
  std::optional<u64> numbers_from_;    // in a list of numbers that has no span for each

  bool big() const { return r.swap == (std::endian::native == std::endian::little); }
  bool is_child(u32 span, const Key&, std::string_view part) const;
  bool may_have(const Key&) const;
  u32 append(Key, Span::Kind, u64 at, const void* home = nullptr);
  void link(u32 id);
  void forget_from(size_t n);
  void enter_child(Key, Span::Kind, std::string_view part, u64 at);
  void leave_child();
  Span* add(Key, Span::Kind, u64 from, const void* home = nullptr);
  void plain(Span&, Wire, u8 fraction) const;
  void plain(Span& s, Number n) const { plain(s, n.wire, n.fraction), s.raw = n.raw(); }
  void explain(Key);
  void explain(std::nullptr_t);
  void explain_at(u32 span);
};

}  // namespace dio

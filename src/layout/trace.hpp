// trace.hpp: the slow reader that records the position of every value: it reads with a Reader and builds a tree of
// spans.
#pragma once
#include "core/diagnostic.hpp"
#include "layout/path_tree.hpp"
#include "layout/spans.hpp"
#include "layout/visiting_reader.hpp"

namespace dio {

class Trace final : public VisitingReader {
 public:
  Spans spans;
  Diagnostics notes;  // doubts
  Diagnostic stop;    // valid if !good()

  Trace(ByteView bytes, std::endian order, const LoadOptions& options = {})
      : VisitingReader(Job::trace, bytes, order, options) {
    spans.file = bytes;
    only_ = options.only;
    if (!only_) {  // enough spans for a file of small fields; large files are mostly texels and the like
      const size_t expected = std::min<size_t>(bytes.size() / 3, 1 << 15) + 16;
      spans.all.reserve(expected);
      homes_.reserve(expected);
    }
  }

  /// The document was read from these bytes before, so records without wanted spans are not read again.
  void knows_document() { knows_records_ = only_ != nullptr; }

  void open(const Key&, Span::Kind) override;
  void close(const Key&) override;
  bool may_enter(const Key&) override;
  void number(const Key&, Number) override;
  void bytes(const Key&, Raw) override;
  void characters(const Key&, std::string&, TextForm, u64 n) override;
  void decimal_number(const Key&, Number, const char* end) override;
  void fixed(const char*, size_t) override;
  void bits_unit(Number) override;
  bool bits_field(BitsField&) override;
  bool numbers(const Key&, List, Wire, u8 fraction) override;
  void open_numbers(const Key&, List, Number) override;
  void close_numbers(const Key&, Number) override;
  void visit_implied_length(u64 n, List, u64 least) override;
  void visit_count(const Key&, Number, List, u64 least) override;
  void fail(const char* expected) override;
  u64 jump_to(u64 base, const OffsetField&) override;
  u64 jump(u64 position) override;
  void back(u64 to) override;
  using Visitor::back;
  using Visitor::jump;
  void inferred(const Key&, Number) override;
  void begin_attempt() override;
  bool end_attempt(const Element* place) override;
  std::optional<ByteView> peek_bytes(const Key&, u64 n) override;
  void enter_file(const Key&, u64 n, std::optional<std::endian>) override;

  static Diagnostic describe_failure(const Failure&, ByteView file);

 private:
  struct Level {
    u32 visited = 0;     // the child visited last, so that a second pass over a list finds the next child at once
    bool fresh = false;  // has no bytes yet
  };
  /// The state that a failed attempt restores.
  struct Attempt {
    size_t spans, notes;
    std::vector<Level> levels;
  };
  u32 now_ = 0;
  std::vector<Level> levels_{{}};            // of the open spans
  std::vector<const void*> homes_{nullptr};  // for each span: the address of its number in the document
  std::vector<Attempt> attempts_;
  const PathTree* only_ = nullptr;
  std::vector<u32> wanted_{PathTree::k_root};  // for `only`: the nodes of the open spans
  unsigned unwanted_ = 0;                      // open parts further down, which have no spans
  std::optional<u64> numbers_from_;            // inside a number list without spans for its elements

  bool big() const { return r.swap == (std::endian::native == std::endian::little); }
  bool wants(const Key&) override;
  void skip(u64 size) override { r.skip(size); }
  u32 find_wanted_node(const Key&, std::string_view part) const;
  bool is_child(u32 span, const Key&, std::string_view part) const;
  bool may_have_element(const Key&) const;
  u32 append(Key, Span::Kind, u64 at, const void* home = nullptr);
  void link_to_parent(u32 id);
  void truncate_spans(size_t n);
  void enter_child(Key, Span::Kind, std::string_view part, u64 at);
  void leave_child();
  /// Null if the walk has failed or no span is wanted.
  Span* add_span(Key, Span::Kind, u64 from, const void* home = nullptr);
  void set_number_type(Span&, Wire, u8 fraction) const;
  void set_number_type(Span& s, Number n) const { set_number_type(s, n.wire, n.fraction), s.raw = n.raw(); }
  void set_failure(const Key&);
  void set_failure(std::nullptr_t);
  void set_failure_at(u32 span);
};

}  // namespace dio

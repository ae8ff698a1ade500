// offset_assigner.hpp: gives every offset and derived field its canonical value. The order in which a layout visits
// parts is the canonical order of the file: the target of an offset is placed after the furthest byte so far. Rules for
// a layout: own fields before own `at`s; `derive` of a list before visiting it; bases from `here` or from fields that
// are already placed.
#pragma once
#include <map>
#include <utility>

#include "layout/key_path_tracker.hpp"
#include "layout/visitor.hpp"

namespace dio {

class OffsetAssigner final : public Visitor {
 public:
  enum class Mode : u8 {
    place,    // sets offsets and derived fields
    inspect,  // moves nothing; records which derived fields have their derived value
    follow    // moves nothing; sets the derived fields that had their derived value when inspected
  };

  Mode mode;
  u64 rest;  // placing: the number of bytes after the end; otherwise: the size of the file or of the embedded file
  u64 cursor = 0, high = 0, origin = 0;
  u64 content_end = 0;  // the end of the last described byte; bytes from there to `high` are padding
  KeyPathTracker trail;
  std::vector<bool> as_derived;
  size_t derived = 0;

  OffsetAssigner(Mode m, u64 tail_or_size) : Visitor(Job::place), mode(m), rest(tail_or_size) { skips_records_ = true; }

  u64 here() override { return cursor - origin; }
  u64 end() override { return high - origin; }
  u64 total() override { return placing() ? end() + rest : rest; }
  bool good() override { return !trail.refused(); }
  void open(const Key& k, Span::Kind) override { trail.open(k); }
  void close(const Key&) override { trail.close(); }
  void fail(const char* expected) override { trail.refuse("layout.requires", expected); }
  void overflow(const Key& k) override { trail.refuse("layout.overflow", "a value that fits in its field", k); }
  void too_large() override { trail.refuse("layout.overflow", "offsets and sizes that fit in their fields"); }
  u64 jump_to(u64 base, const OffsetField&) override;
  void return_from_offset(u64 to, u64 base, const OffsetField&) override;
  u64 jump(u64 position) override { return std::exchange(cursor, origin + position) - origin; }
  void back(u64 to) override { cursor = origin + to; }
  using Visitor::back;
  using Visitor::jump;
  bool is_pointed(const Key&, const OffsetField&, bool has) override;
  Derive next_derived() override;
  void record_comparison(bool same) override { as_derived.push_back(same); }
  void round(u64 base, u64 a) override { high += (a - (end() - base) % a) % a; }
  void align(u64 a, u64 base = 0) override;
  void number(const Key&, Number n) override { add_content(n.at, n.size()); }
  bool numbers(const Key&, List, Wire, u8) override;
  void bits_unit(Number n) override { add_content(n.at, n.size()); }
  void bytes(const Key&, Raw x) override { add_content(x.view().data(), x.view().size()); }
  void characters(const Key&, std::string&, TextForm, u64 n) override;
  void decimal_number(const Key&, Number, const char* end) override;
  void fixed(const char* m, size_t n) override { add_content(m, n); }
  void visit_count(const Key&, Number n, List, u64) override { add_content(n.at, n.size()); }
  void enter_file(const Key&, u64 n, std::optional<std::endian>) override;
  void leave_file() override;

 protected:
  void skip(u64 size) override { advance(size); }

 private:
  bool placing() const { return mode == Mode::place; }
  void set(const OffsetField&, u64);
  void advance(u64 size) {
    cursor += size;
    high = std::max(high, cursor);
    content_end = std::max(content_end, cursor);
  }
  void add_content(const void*, size_t);
  struct Shared {
    u64 high, content_end;
    std::string content;
  };
  std::vector<Shared> shared_;  // the open shared targets: the position before each, and the bytes so far
  std::map<std::pair<u64, std::string>, u64> pools_;
  struct Window {
    u64 origin, high, rest, start, n;
  };
  std::vector<Window> files_;  // the files around the embedded file
};

}  // namespace dio

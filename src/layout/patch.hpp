// patch.hpp: values (from JSON) to a document: finds each value by its name. Lists take their lengths from the values.
#pragma once
#include "core/diagnostic.hpp"
#include "core/value.hpp"
#include "layout/document.hpp"
#include "layout/visitor.hpp"

namespace dio {

class Patch final : public Visitor {
 public:
  Diagnostic stop;  // meaningful if !good()

  explicit Patch(const Value& root, u32 version = 0, Missing missing = Missing::none)
      : Visitor(Job::patch, version), missing_(missing) {
    descend({}, root);
  }

  bool good() override { return stop.id.empty(); }
  ~Patch() override;
  Patch(const Patch&) = delete;
  Patch& operator=(const Patch&) = delete;

  /// Call after the walk: a member that no layout uses is a mistake, most likely a misspelt name.
  void finish();

  void open(const Key&, Span::Kind) override;
  void close(const Key&) override;
  void fit_list(List) override;
  void number(const Key&, Number) override;
  bool numbers(const Key&, List, Wire, u8 fraction) override;
  void bytes(const Key&, Bytes&) override;
  void characters(const Key&, std::string&, TextForm, u64) override;
  void decimal_number(const Key& k, Number n, const char*) override { number(k, n); }
  bool bits_field(BitsField&) override;
  bool is_there(const Key&, bool) override;
  void inferred(const Key& k, Number n) override { number(k, n); }
  bool is_object(const Key&) override;
  void missing(const Key& k) override { need(k); }
  void refuse_coded(const Key&, const char* expected) override;
  void fail(const char* expected) override;

 private:
  /// The name of a member, or the place of an element.
  struct Part {
    std::string_view name;
    u64 index = ~u64(0);
    Part() = default;
    Part(std::string_view n) : name(n) {}
    Part(const char* n) : name(n) {}
    Part(const Key& k) : name(k.name ? std::string_view(k.name) : std::string_view()), index(k.index) {}
  };
  struct Level {
    Part part;
    const Value* value;
    size_t next = 0;  // where the next member is expected: JSON mostly has them in the order of the layout
  };
  std::vector<Level> stack_;
  const Value none_{};  // what is inside of what is missing
  const Missing missing_;
  bool left_out_ = false;  // whether a value was missing that may be

  bool may_miss(bool is_derived) const {
    return missing_ == Missing::any || (missing_ == Missing::derived && is_derived);
  }

  // Marks on values. Each is set once, and taken back in the end.
  static constexpr u8 k_asked_for = 1, k_entered = 2;
  static void unmark(const Value&);
  /// The first unused member of the values that were entered; its path then lies in `path`, reversed.
  struct Unused {
    const Value* value = nullptr;
    std::vector<Part> path;
  };
  static bool find_unused(const Value&, Unused&);

  Level& top() { return stack_.back(); }
  void descend(Part, const Value&);
  static u64 nowhere(const Key&);
  const Value* find(Part);
  const Value* find_here(Part);
  const Value* need(Part);
  /// The same; nothing, without a refusal, if the value may be missing.
  const Value* need(const Key&);
  const Value* need(Part, bool may_be_missing);
  void push(Part, Span::Kind, bool may_be_missing);
  void set(const Key&, const Value&, Number);
  void set_real(const Key&, const Value&, Number);
  /// A number; of a field with words also one of these.
  bool whole(Part, const Value&, i64&, const Words* = nullptr);
  void from_hex(Part, const Value&, Bytes&);
  static bool pattern(const Value&, size_t digits, u64&);
  void refuse(const char* id, Said, Part, const Value*);
  void refuse(const char* id, std::string expected, std::string found, Part, const Value*);
  void out_of_range(Part, const Value&, i64 low, i64 high);
  static std::string describe(const Value&);
};

}  // namespace dio

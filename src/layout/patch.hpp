// patch.hpp: converts values (from JSON) to a document by finding each value by its name. Lists get their lengths from
// the values.
#pragma once
#include "core/diagnostic.hpp"
#include "core/dom.hpp"
#include "layout/document.hpp"
#include "layout/visitor.hpp"

namespace dio {

class Patch final : public Visitor {
 public:
  Diagnostic stop;  // valid if !good()

  /// Enters the value `root`.
  explicit Patch(const Dom& dom, Dom::Id root, u32 version = 0, MissingValues missing = MissingValues::none)
      : Visitor(Job::patch, version), dom_(dom), missing_(missing), seen_(dom.count()) {
    makes_new_ = missing == MissingValues::any;
    enter_value({}, root);
  }

  bool good() override { return stop.id.empty(); }

  /// Call after the walk: reports a member that no layout uses, most likely a misspelt name.
  void refuse_unused_members();

  void open(const Key&, Span::Kind) override;
  void close(const Key&) override;
  void resize_list(List) override;
  void number(const Key&, Number) override;
  bool numbers(const Key&, List, Wire, u8 fraction) override;
  void bytes(const Key&, Raw) override;
  void characters(const Key&, std::string&, TextForm, u64) override;
  void decimal_number(const Key& k, Number n, const char*) override { number(k, n); }
  bool bits_field(BitsField&) override;
  bool is_present(const Key&, bool) override;
  void inferred(const Key& k, Number n) override { number(k, n); }
  bool is_object(const Key&) override;
  void report_missing(const Key& k) override { find_required(k); }
  void refuse_coded(const Key&, const char* expected) override;
  void fail(const char* expected) override;

 private:
  using Id = Dom::Id;
  using Kind = Dom::Kind;
  /// The name of a member, or the index of an element.
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
    Id value;
    Id last = 0;    // the last part that was found, because JSON usually has the order of the layout
    u64 index = 0;  // of that, in a list
  };
  const Dom& dom_;
  std::vector<Level> stack_;
  static constexpr Id k_missing = ~Id(0);  // stands for parts of a missing value
  const MissingValues missing_;
  bool left_out_ = false;  // whether an optional value was missing

  bool may_miss(bool is_derived) const {
    return missing_ == MissingValues::any || (missing_ == MissingValues::derived && is_derived);
  }

  static constexpr u8 k_asked_for = 1, k_entered = 2;
  std::vector<u8> seen_;  // for each value
  /// The first unused member of the entered values; its path is stored in `path`, reversed.
  struct Unused {
    Id value = 0;
    std::vector<Part> path;
  };
  bool find_unused(Id, Unused&) const;

  Level& top() { return stack_.back(); }
  void enter_value(Part, Id);
  static std::optional<u64> none_value(const Key&);
  Id find(Part);
  Id find_child(Part);
  Id find_required(Part);
  /// Same, but returns nothing, without an error, if the value may be missing.
  Id find_required(const Key&);
  Id find_required(Part, bool may_be_missing);
  void enter_required(Part, Span::Kind, bool may_be_missing);
  void set(const Key&, Id, Number);
  void set_real(const Key&, Id, Number);
  /// A number, or for a field with words one of the words.
  bool parse_integer(Part, Id, i64&, const EnumNames* = nullptr);
  void set_from_hex(Part, Id, Raw);
  static bool parse_hex_pattern(std::string_view, size_t digits, u64&);
  void refuse(const char* id, DiagnosticText, Part, Id);
  void refuse(const char* id, std::string expected, std::string found, Part, Id);
  void refuse_out_of_range(Part, Id, i64 low, i64 high);
  std::string describe(Id) const;
  std::string describe_text_position(Id) const;
};

}  // namespace dio

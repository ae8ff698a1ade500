// references.hpp: the references of a file: every number whose layout declares a reference, and its target.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "layout/reference.hpp"
#include "layout/spans.hpp"

namespace dio {

/// A number or a name in a file that refers to elements of a list, or to a game part.
struct ResolvedReference {
  SpanRef from;                          // the number or the name
  const Reference* reference = nullptr;  // its declaration in the layout
  u32 list = 0;                          // the span of the list; 0 if the file has none or the target is a game part
  u64 first = 0, count = 0;              // the elements, or the number of the game part; count 0 means no reference
  u32 count_span = 0;                    // for a run: the span of the element count

  bool is_run() const { return !reference->count.empty(); }
  bool is_by_name() const { return !reference->name.empty(); }
  bool is_part() const { return !reference->part.empty(); }
  bool leads_to(u64 index) const { return index >= first && index - first < count; }
};

/// The value of a number that means no reference; nothing if there is no such value.
std::optional<i64> none_value_of(const Span& number);

/// The declaration of a name shared by several files (Reference::shared); null for other texts.
const Reference* shared_name_reference(const Span&);

/// Whether a span equals another one or is inside it.
bool is_inside(const Spans&, u32 span, u32 around);

/// A name in a file that is shared by elements of several files.
struct SharedName {
  u32 span;
  std::string_view kind;  // material
  std::string name;
  bool defines;  // whether it is the name of the target element
};
/// The shared names inside a part of a file, in file order.
std::vector<SharedName> shared_names(const Spans&, const SpanRef& part);

/// A part that is kept as bytes and may refer to elements of a list.
struct OpaqueReferrer {
  u32 span, list;
};

/// All references of a file.
class References {
 public:
  explicit References(const Spans&);

  const std::vector<ResolvedReference>& all() const { return all_; }
  const std::vector<OpaqueReferrer>& opaque() const { return opaque_; }
  /// Whether all elements that it refers to exist. Game parts are not checked.
  bool exists(const ResolvedReference& r) const {
    return r.is_part() || (r.list && r.first + r.count <= spans_.length(r.list));
  }
  /// The target as a path: POTI.entries[3], ENPT.entries[4-9]; for a game part its id: land/12. Empty if there is no
  /// reference or the file lacks the list.
  std::string target(const ResolvedReference&) const;
  /// The references to an element of a list, in file order.
  std::vector<const ResolvedReference*> to(u32 list, u64 index) const;
  /// The references inside a part of the file, and the references from elsewhere to the part: to an element, to any
  /// element of a list, or into a structure. Values that refer to nothing are left out.
  struct OfPart {
    std::vector<const ResolvedReference*> out, in;
  };
  OfPart of(const SpanRef& part) const;
  /// The lists that can be targets of references.
  bool is_referred_to(u32 list) const { return by_list_.contains(list); }

 private:
  void add_reference(SpanRef, const Reference&, u64 value);
  void add_name_reference(u32 span, const Reference&);
  u32 find_target_list(u32 span, const Target&) const;
  /// The list inside an element; 0 if there is none.
  u32 find_inner_list(u32 list, u64 index, std::string_view inner) const;
  /// The element of a list whose member has a text; the length of the list if there is none.
  u64 find_element_by_name(u32 list, std::string_view member, std::string_view text) const;

  const Spans& spans_;
  std::vector<ResolvedReference> all_;
  std::vector<OpaqueReferrer> opaque_;
  std::map<u32, std::vector<u32>> by_list_;                               // indices of all_
  mutable std::map<std::pair<u32, const char*>, u32> lists_;              // by enclosing structure and path
  mutable std::map<std::pair<u32, u64>, u32> inner_lists_;                // by enclosing list and element
  mutable std::map<u32, std::map<std::string, u64, std::less<>>> names_;  // by list: the first element with a name
};

}  // namespace dio

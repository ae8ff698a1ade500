// references.hpp: who refers to whom in a file: every number whose layout states a reference, and where it leads.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "layout/reference.hpp"
#include "layout/spans.hpp"

namespace dio {

/// A number or a name in a file that refers to elements of a list, or to a part of the game.
struct ResolvedReference {
  SpanRef from;                          // the number, or the name
  const Reference* reference = nullptr;  // what its layout states
  u32 list = 0;                          // the span of the list; 0: the file has none, or it is a part of the game
  u64 first = 0, count = 0;              // the elements, or the number of the part; count 0: it leads nowhere
  u32 count_span = 0;                    // of a run: the span of the number of elements

  bool is_run() const { return !reference->count.empty(); }
  bool is_by_name() const { return !reference->name.empty(); }
  bool is_part() const { return !reference->part.empty(); }
  bool leads_to(u64 index) const { return index >= first && index - first < count; }
};

/// The value of a number that leads nowhere; nothing if there is none.
std::optional<i64> none_value_of(const Span& number);

/// What is stated of a text that is a name which files have in common (Reference::shared); null if it is none.
const Reference* shared_name_reference(const Span&);

/// Whether a span is another one, or inside it.
bool is_inside(const Spans&, u32 span, u32 around);

/// A name in a file that elements of several files have in common.
struct SharedName {
  u32 span;
  std::string_view kind;  // material
  std::string name;
  bool defines;  // it is the name of the element that the others mean
};
/// Those inside a part of a file, in its order.
std::vector<SharedName> shared_names(const Spans&, const SpanRef& part);

/// A part that is kept as bytes, and may refer to elements of a list.
struct OpaqueReferrer {
  u32 span, list;
};

/// All references of a file.
class References {
 public:
  explicit References(const Spans&);

  const std::vector<ResolvedReference>& all() const { return all_; }
  const std::vector<OpaqueReferrer>& opaque() const { return opaque_; }
  /// Whether all elements that it leads to exist. Parts of the game are not looked for.
  bool exists(const ResolvedReference& r) const {
    return r.is_part() || (r.list && r.first + r.count <= spans_.length(r.list));
  }
  /// The elements as a path: POTI.entries[3], ENPT.entries[4-9]; of a part of the game its id: land/12. Empty if it
  /// leads nowhere, or the file lacks the list.
  std::string target(const ResolvedReference&) const;
  /// Those that lead to an element of a list, in the order of the file.
  std::vector<const ResolvedReference*> to(u32 list, u64 index) const;
  /// Those inside a part of the file, and those from elsewhere that lead to the part: to an element, to any element of
  /// a list, or into a structure. References that lead nowhere are left out.
  struct OfPart {
    std::vector<const ResolvedReference*> out, in;
  };
  OfPart of(const SpanRef& part) const;
  /// The lists that something may lead to.
  bool is_referred_to(u32 list) const { return by_list_.contains(list); }

 private:
  void add_reference(SpanRef, const Reference&, u64 value);
  void add_name_reference(u32 span, const Reference&);
  u32 find_target_list(u32 span, const Target&) const;
  /// The list inside an element; 0 if there is none.
  u32 find_inner_list(u32 list, u64 index, std::string_view inner) const;
  /// The element of a list whose member has a text; the length of the list if none has.
  u64 find_element_by_name(u32 list, std::string_view member, std::string_view text) const;

  const Spans& spans_;
  std::vector<ResolvedReference> all_;
  std::vector<OpaqueReferrer> opaque_;
  std::map<u32, std::vector<u32>> by_list_;                               // indices of all_
  mutable std::map<std::pair<u32, const char*>, u32> lists_;              // by the structure around, and the path
  mutable std::map<std::pair<u32, u64>, u32> inner_lists_;                // by the list around, and the element
  mutable std::map<u32, std::map<std::string, u64, std::less<>>> names_;  // by list: the first element of a name
};

}  // namespace dio

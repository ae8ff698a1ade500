// reference.hpp: what the numbers of a layout lead to. A reference is stated once, as part of the vocabulary of a
// field; edits, comparisons and `dio refs` follow it in every format.
//
//   v(Key("object").words(k_index_into<"objects">), s.object);
//   v(Key("route").words(k_index_or<"POTI.entries", k_no_route>), s.route);   // 65535: none
//   v(Key("first_ref").words(k_run_of<"bvh_refs", "ref_count">), s.first_ref);
//   v(Key("clip").words(k_index_inside<"skins", "skin", "clips">), s.clip);            // skins[skin].clips[clip]
//   v(Key("prompt_canvas").words(k_named<"canvases">), s.prompt_canvas);               // the text is its name
//   v(Key("area_data_archive_id").words(k_part<"area">), s.area_data_archive_id);      // another file of the game
//   v(Key("name").words(k_by_name<"material">), s.name);                               // of an element of another file
#pragma once
#include <algorithm>
#include <span>
#include <string_view>

#include "layout/key.hpp"

namespace dio {

/// A list that a number can refer to.
struct Target {
  /// The path of the list, from the nearest enclosing structure that has such a path: POTI.entries.
  std::string_view list = {};
  /// Only for fields inside a structure with this name: ENPH.
  std::string_view in = {};
  /// Only if the neighbouring member with this name has this value: type, 3.
  std::string_view when = {};
  i64 is = 0;
  /// Instead of `list`, the list `inner` in one of its elements; the neighbouring member `by` holds the index of that
  /// element.
  std::string_view by = {}, inner = {};
};

/// The target of a number: the element with this index in a list. Values that have a word refer to nothing.
struct Reference {
  std::span<const Target> targets = {};  // the first target that applies counts
  /// The number is the start of a run of elements; this neighbouring member holds their number.
  std::string_view count = {};
  /// The value that refers to the first element; smaller values refer to nothing.
  u64 base = 0;
  /// The largest value that can be a reference.
  u64 most = ~u64(0);
  /// In a chain of elements of the same list: the previous or next element, or the element itself. Edits keep chains
  /// intact: removed elements are skipped, and added elements are linked on both sides.
  enum class Chain : u8 { none, previous, next, self } chain = Chain::none;
  /// The field is a text: it refers to the first element whose member with this name has the same text. After a slash:
  /// an element of the list `inner` in that element, by the same member.
  std::string_view name = {}, inner = {};
  /// The target is not in this file: the kind of game parts that the number counts (GamePart::kind). There are no
  /// targets.
  std::string_view part = {};
  /// A text shared by elements of several files, identified by this kind: material. An element that `defines` the text
  /// is the target of the others. There are no targets.
  std::string_view shared = {};
  bool defines = false;
  /// For bytes of unknown structure: they may contain numbers of elements of any of the targets.
  bool is_opaque = false;
};

/// The vocabulary of a field that refers to elements. `nowhere`: words for values that refer to nothing; edits write
/// the first one.
constexpr EnumNames leads_to(const Reference& reference, std::span<const EnumName> none_value = {}) {
  EnumNames w{none_value};
  w.refers = &reference;
  return w;
}

/// A text as a template argument.
template <size_t N>
struct FixedText {
  char text[N];
  consteval FixedText(const char (&s)[N]) { std::copy_n(s, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
};
template <FixedText List>
inline constexpr Target k_target[1] = {{.list = List.view()}};
template <FixedText List, FixedText Count = "">
inline constexpr Reference k_reference{.targets = k_target<List>, .count = Count.view()};

/// The vocabulary of an index into a list.
template <FixedText List>
inline constexpr EnumNames k_index_into = leads_to(k_reference<List>);
/// Same, with words for the values that refer to nothing.
template <FixedText List, const auto& NoneValue>
inline constexpr EnumNames k_index_or = leads_to(k_reference<List>, NoneValue);
/// The vocabulary of the first index of a run; `Count` is the neighbouring field with the number of elements.
template <FixedText List, FixedText Count>
inline constexpr EnumNames k_run_of = leads_to(k_reference<List, Count>);
template <FixedText List, FixedText Count, const auto& NoneValue>
inline constexpr EnumNames k_run_or = leads_to(k_reference<List, Count>, NoneValue);

/// The vocabulary of an index into a list inside an element of another list; `By` is the neighbouring field with the
/// index of that element.
template <FixedText List, FixedText By, FixedText NestedArchive>
inline constexpr Target k_target_inside[1] = {{.list = List.view(), .by = By.view(), .inner = NestedArchive.view()}};
template <FixedText List, FixedText By, FixedText NestedArchive>
inline constexpr Reference k_reference_inside{.targets = k_target_inside<List, By, NestedArchive>};
template <FixedText List, FixedText By, FixedText NestedArchive>
inline constexpr EnumNames k_index_inside = leads_to(k_reference_inside<List, By, NestedArchive>);
/// The vocabulary of an index that counts from 1; 0 refers to nothing.
inline constexpr EnumName k_zero_is_none[] = {{0, "none"}};
template <FixedText List>
inline constexpr Reference k_reference_from_1{.targets = k_target<List>, .base = 1};
template <FixedText List>
inline constexpr EnumNames k_index_from_1 = leads_to(k_reference_from_1<List>, k_zero_is_none);
/// The vocabulary of a text that is the name of an element.
template <FixedText List>
inline constexpr Reference k_name_reference{.targets = k_target<List>, .name = "name"};
template <FixedText List>
inline constexpr EnumNames k_named = leads_to(k_name_reference<List>);
/// The vocabulary of a number of a game part: land/12.
template <FixedText Kind>
inline constexpr Reference k_part_reference{.part = Kind.view()};
template <FixedText Kind>
inline constexpr EnumNames k_part = leads_to(k_part_reference<Kind>);
template <FixedText Kind, const auto& NoneValue>
inline constexpr EnumNames k_part_or = leads_to(k_part_reference<Kind>, NoneValue);

/// The vocabulary of bytes that may contain numbers of elements of these lists.
template <FixedText... Lists>
inline constexpr Target k_opaque_targets[] = {{.list = Lists.view()}...};
template <FixedText... Lists>
inline constexpr Reference k_opaque_reference{.targets = k_opaque_targets<Lists...>, .is_opaque = true};
template <FixedText... Lists>
inline constexpr EnumNames k_may_refer_to = leads_to(k_opaque_reference<Lists...>);

/// The vocabulary of a name used in several files, both where it is defined and where it is used.
template <FixedText Kind>
inline constexpr Reference k_defined_name{.shared = Kind.view(), .defines = true};
template <FixedText Kind>
inline constexpr Reference k_used_name{.shared = Kind.view()};
template <FixedText Kind>
inline constexpr EnumNames k_name_of = leads_to(k_defined_name<Kind>);
template <FixedText Kind>
inline constexpr EnumNames k_by_name = leads_to(k_used_name<Kind>);

inline constexpr EnumName k_no_u8[] = {{0xFF, "none"}}, k_no_u16[] = {{0xFFFF, "none"}}, k_minus_one[] = {{-1, "none"}};

}  // namespace dio

// dictionary.hpp: names and dictionaries, which all parts of a BRRES file have. Facts and their sources: README.md.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "layout/reference.hpp"
#include "layout/walk.hpp"

namespace dio::brres {

/// A position that a signed offset leads to.
constexpr u64 from(u64 base, i32 offset) { return base + u64(i64(offset)); }

/// What has a name: the offset of one in the pool of names, where its length stands before it.
struct Named {
  i32 name_offset = 0;
  u32 name_length = 0;
  std::string name = {};
};
inline constexpr Key k_name_offset = Key("name_offset").placement(), k_name = "name",
                     k_size = Key("size").unit("bytes").placement(),
                     k_model_offset = Key("model_offset").doc("from here to the model: negative").placement();

/// The name of `s`, after its own fields. Offsets of 0 lead to no name.
constexpr void visit_name(auto& v, u64 base, auto& s, const Key& name = k_name) {
  if (!s.name_offset) return;
  v.there(from(base, s.name_offset) - 4, [&] {
    v.derive(s.name_length, s.name.size());
    v(Key("name_length").unit("bytes").derived(), s.name_length);
    v.cstring(name, s.name);
  });
}

/// An entry of a dictionary, and a node of the tree to look it up in.
struct DictionaryEntry : Named {
  static constexpr u64 k_least_size = 16;
  u16 bit = 0, unused = 0, left = 0, right = 0;
  i32 data_offset = 0;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("bit").doc("which bit of the name to test: 8 times its character, plus its bit"), s.bit);
    v("unused", s.unused);
    v(Key("left").doc("the entry to go on with if the bit is 0, counted from 1; 0 is the root. One with a bit that is "
                      "not smaller ends the search"),
      s.left);
    v(Key("right").doc("the same if the bit is 1"), s.right);
    v(k_name_offset, s.name_offset);
    v(Key("data_offset").doc("from the dictionary to what has the name").placement(), s.data_offset);
  }
};

struct Dictionary {
  u32 size = 0;
  DictionaryEntry root;
  std::vector<DictionaryEntry> entries;
  static constexpr void layout(auto& v, auto& s) {
    const u64 start = v.here();
    v(k_size, s.size);
    v.count(u32{}, "count", s.entries);
    v("root", s.root);
    v("entries", s.entries);
    v.inside("root", [&] { visit_name(v, start, s.root); });
    v.each("entries", s.entries, [&](auto& e) { visit_name(v, start, e); });
  }
};

/// The size of a dictionary of that many entries.
constexpr u32 dictionary_size(size_t entries) { return u32(8 + 16 * (entries + 1)); }

/// The entry of that name as the games find it, by the tree; null if they do not.
const DictionaryEntry* find(const Dictionary&, std::string_view name);

/// Fills in the tree for the names of the entries, as the tools of the games do. False if two names are equal or one is
/// empty.
bool build_dictionary_tree(Dictionary&);

/// What the entries of a dictionary lead to, as the list `list`: `visit(x)` stands at the start of each.
constexpr void visit_entries(auto& v, u64 dictionary, auto& d, const Key& list, auto& xs, auto visit) {
  v.implied(d.entries.size(), xs);
  size_t i = 0;
  v.each(list, xs, [&](auto& x) {
    if (i < d.entries.size()) v.there(from(dictionary, d.entries[i++].data_offset), [&] { visit(x); });
  });
}

}  // namespace dio::brres

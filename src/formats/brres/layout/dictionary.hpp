// dictionary.hpp: names and dictionaries, used by all parts of a BRRES file. Facts and their sources: README.md.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "layout/reference.hpp"
#include "layout/walk.hpp"

namespace dio::brres {

/// The position at a signed offset.
constexpr u64 from(u64 base, i32 offset) { return base + u64(i64(offset)); }

/// A part with a name: the offset of the name in the name pool, where the name's length comes before it.
struct Named {
  i32 name_offset = 0;
  u32 name_length = 0;
  std::string name = {};
};
inline constexpr Key k_name_offset = Key("name_offset").placement(), k_name = "name",
                     k_size = Key("size").unit("bytes").placement(),
                     k_model_offset = Key("model_offset").doc("offset back to the model (negative)").placement();

/// Visits the name of `s`, after its own fields. An offset of 0 means no name, and so does one beyond the file: some
/// tools write it to the root entries of dictionaries, which games never read.
constexpr void visit_name(auto& v, u64 base, auto& s, const Key& name = k_name) {
  if (!s.name_offset) return;
  const bool is_beyond =
      v.growing() ? from(base, s.name_offset) >= v.total() : !v.is_about_values() && s.name.empty() && !s.name_length;
  if (is_beyond) return;
  v.there(from(base, s.name_offset) - 4, [&] {
    v.derive(s.name_length, s.name.size());
    v(Key("name_length").unit("bytes").derived(), s.name_length);
    v.cstring(name, s.name);
  });
}

/// An entry of a dictionary, which is also a node of its search tree.
struct DictionaryEntry : Named {
  static constexpr u64 k_least_size = 16;
  u16 bit = 0, unused = 0, left = 0, right = 0;
  i32 data_offset = 0;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("bit")
          .doc("the bit of the name to test: 8 times the character's index, plus the bit in the character")
          .placement(),
      s.bit);
    v("unused", s.unused);
    v(Key("left")
          .doc("next entry if the bit is 0, counted from 1; 0 is the root. An entry whose bit is not smaller "
               "ends the search")
          .placement(),
      s.left);
    v(Key("right").doc("next entry if the bit is 1, as in left").placement(), s.right);
    v(k_name_offset, s.name_offset);
    v(Key("data_offset").doc("offset of the named part, from the dictionary").placement(), s.data_offset);
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

/// The size of a dictionary with that many entries.
constexpr u32 dictionary_size(size_t entries) { return u32(8 + 16 * (entries + 1)); }

/// The entry with this name, found through the tree as in games; null if the tree misses it.
const DictionaryEntry* find(const Dictionary&, std::string_view name);

/// Builds the tree for the entries' names, as the games' own tools do. False if two names are equal or one is empty.
bool build_dictionary_tree(Dictionary&);

/// Visits the parts that a dictionary's entries lead to, as the list `list`; calls `visit(x)` at the start of each.
/// Values may have more parts, which get entries when the file is placed.
constexpr void visit_entries(auto& v, u64 dictionary, auto& d, const Key& list, auto& xs, auto visit) {
  v.implied(d.entries.size(), xs);
  size_t i = 0;
  v.each(list, xs, [&](auto& x) {
    if (i < d.entries.size())
      v.there(from(dictionary, d.entries[i++].data_offset), [&] { visit(x); });
    else if (v.is_about_values())
      visit(x);
  });
}

}  // namespace dio::brres

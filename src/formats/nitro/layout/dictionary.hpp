// dictionary.hpp: the resource dictionary of Nitro files: names, a Patricia tree to look them up, and a few bytes for
// each. Specification: README.md, "Dictionary".
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "layout/reference.hpp"
#include "layout/sizer.hpp"

namespace dio::nitro {

struct TreeNode {
  u8 bit, left, right, entry;
  static constexpr void layout(auto& v, auto& s) {
    v(Key("bit").doc(
          "bit of the name to test, counted from the lowest bit of the first byte; 1 goes right, 0 goes left"),
      s.bit);
    v(Key("left").doc("index of the next node; a node that is not deeper than this one is a leaf and gives its entry"),
      s.left);
    v("right", s.right);
    v(Key("entry").doc("index of the entry to compare the name with"), s.entry);
  }
  bool operator==(const TreeNode&) const = default;
};
static_assert(wire_size<TreeNode>() == 4);

inline constexpr u64 k_name_size = 16;  // no terminating NUL if all 16 bytes are used

/// Builds the tree over names like the game developers' tools; nothing if two names are equal.
std::optional<std::vector<TreeNode>> build_tree_nodes(const std::vector<std::string_view>& names);

inline std::optional<std::vector<TreeNode>> build_name_tree(const auto& entries) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const auto& e : entries) names.push_back(e.name);
  return build_tree_nodes(names);
}

/// The parts of a dictionary other than its entries.
struct Dictionary {
  u8 revision;
  u16 size, tree_offset, entries_offset, unit, names_offset;
  std::vector<TreeNode> tree;
};

inline constexpr Key k_name = Key("name").doc("at most 16 characters");
/// Names by which files refer to each other: animations to materials of models, models and patterns to textures.
inline constexpr Key k_material_name = k_name.words(k_name_of<"material">),
                     k_used_material = k_name.words(k_by_name<"material">),
                     k_texture_name = k_name.words(k_name_of<"texture">),
                     k_used_texture = k_name.words(k_by_name<"texture">),
                     k_palette_name = k_name.words(k_name_of<"palette">),
                     k_used_palette = k_name.words(k_by_name<"palette">);

/// Visits a dictionary: its own fields under `own`, its entries as the list `list`. `Entry::entry(v, e)` visits the
/// `Entry::k_unit` bytes of an entry; the name of the entry is visited as `name`.
template <class Entry>
constexpr void dictionary_layout(auto& v, Key own, auto& d, Key list, auto& entries, const Key& name = k_name) {
  const u64 start = v.here();
  v.inside(own, [&] {
    v("revision", d.revision);
    v.count(u8{}, "count", entries);
    v(Key("size").unit("bytes").placement(), d.size);
    v.derive(d.tree_offset, 8);
    v(Key("tree_offset").doc("always 8; the games ignore it").placement(), d.tree_offset);
    v(Key("entries_offset").placement(), d.entries_offset);
    v.derive(d.tree, [&] { return build_name_tree(entries); }, "unique names");
    v.implied(entries.size() + 1, d.tree);
    v(Key("tree").doc("search tree; games use it only for 16 or more entries").derived(), d.tree);
  });
  v.at(start, d.entries_offset, [&] {
    const u64 header = v.here();
    v.inside(own, [&] {
      v.derive(d.unit, Entry::k_unit);
      v(Key("unit").unit("bytes").doc("size of an entry"), d.unit);
      v.require(d.unit == Entry::k_unit, "a dictionary with entries of the right size");
      v(Key("names_offset").placement(), d.names_offset);
    });
    v.each(list, entries, [&](auto& e) { Entry::entry(v, e); });
    v.at(header, d.names_offset, [&] { v.each(list, entries, [&](auto& e) { v.text(k_name_size, name, e.name); }); });
  });
  v.derive(d.size, v.end() - start);
}

/// The 4 bytes of an entry in most dictionaries: an offset.
inline constexpr Key k_offset = Key("offset").placement();

/// The header of a file: all Nitro files start with it.
struct FileHeader {
  u16 byte_order, version;
  u32 size;
  u16 header_size, block_count;
};

template <size_t N>
constexpr void file_header_layout(auto& v, auto& h, const char (&magic)[N], u64 blocks) {
  v.inside("header", [&] {
    v.magic(magic);
    v.derive(h.byte_order, 0xFEFF);
    v(Key("byte_order").doc("0xFEFF: least significant byte first"), h.byte_order);
    v("version", h.version);
    v(Key("size").unit("bytes").doc("size of the file").placement(), h.size);
    v.derive(h.header_size, 16);
    v(Key("header_size").unit("bytes").derived(), h.header_size);
    v.derive(h.block_count, blocks);
    v("block_count", h.block_count);
  });
}

/// The header of a block.
struct Block {
  u32 offset, size;
  Dictionary dictionary;
};

/// A file with one block of `Entry`s: all kinds except NSBMD and NSBTX. The magics are the first four characters of the
/// file and of the block. `rest(start)` visits the data after the entries.
template <class Entry, size_t N, size_t M>
constexpr void animation_file_layout(auto& v, auto& s, const char (&magic)[N], const char (&block_magic)[M], Key list,
                                     auto& entries, auto rest) {
  file_header_layout(v, s.header, magic, 1);
  v(Key("block_offset").placement(), s.block.offset);
  v.at(0, s.block.offset, [&] {
    const u64 start = v.here();
    v.inside("block", [&] {
      v.magic(block_magic);
      v(Key("size").unit("bytes").placement(), s.block.size);
    });
    dictionary_layout<Entry>(v, "block.dictionary", s.block.dictionary, list, entries);
    v.each(list, entries, [&](auto& e) { v.at(start, to(e.offset).align(4), [&] { Entry::layout(v, e); }); });
    rest(start);
    v.derive(s.block.size, v.end() - start);
  });
  v.inside("header", [&] { v.derive(s.header.size, v.end()); });
}

}  // namespace dio::nitro

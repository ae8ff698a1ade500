// dictionary.cpp: looks names up in a dictionary's tree over the bits of names, and builds that tree.
#include "formats/brres/layout/dictionary.hpp"

#include "core/patricia.hpp"

namespace dio::brres {

static bool test_name_bit(std::string_view name, u16 bit) {
  const size_t at = bit >> 3;
  return at < name.size() && (u8(name[at]) >> (bit & 7) & 1);
}

const DictionaryEntry* find(const Dictionary& d, std::string_view name) {
  const auto node = [&](size_t i) { return i == 0 ? &d.root : i <= d.entries.size() ? &d.entries[i - 1] : nullptr; };
  const DictionaryEntry *above = &d.root, *at = node(d.root.left);
  while (at && at->bit < above->bit) {
    above = at;
    at = node(test_name_bit(name, at->bit) ? at->right : at->left);
  }
  return at && at != &d.root && at->name == name ? at : nullptr;
}

bool build_dictionary_tree(Dictionary& d) {
  std::vector<std::string_view> names;
  for (const DictionaryEntry& e : d.entries) names.push_back(e.name);
  const auto tree = build_patricia_tree(names);
  if (!tree) return false;
  const auto number = [](i32 child) { return u16(child + 1); };
  d.root.bit = 0xFFFF, d.root.left = number(tree->top), d.root.right = 0;
  for (size_t i = 0; i < d.entries.size(); ++i) {
    const PatriciaTree::Node& n = tree->nodes[i];
    d.entries[i].bit = u16(n.bit), d.entries[i].left = number(n.child[0]), d.entries[i].right = number(n.child[1]);
  }
  return true;
}

}  // namespace dio::brres

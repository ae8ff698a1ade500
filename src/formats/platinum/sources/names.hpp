// names.hpp: names of numbers in the sources of the decompilation: archive members, enum constants and C constants.
// README.md, "The decompilation", lists the origin of each name.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/file_tree.hpp"
#include "formats/platinum/sources/c_text.hpp"

namespace dio::platinum {

/// Names of one kind, with their numbers.
class NameTable {
 public:
  void add(std::string name, i64 number);
  std::optional<i64> number(std::string_view name) const;
  /// The first name of a number with the given prefix; empty if there is none.
  std::string_view name(i64 number, std::string_view prefix = {}) const;
  /// For a member list, one more than the last number.
  u32 next() const { return u32(names_.empty() ? 0 : names_.rbegin()->first + 1); }
  std::string source;  // the file with the names, for messages

 private:
  std::unordered_map<std::string, i64> numbers_;
  std::multimap<i64, std::string> names_;
};

enum class Space : u8 {
  headers,
  lands,
  matrices,
  areas,
  prop_sets,
  texture_sets,
  lights,
  props,
  events,
  scripts,
  encounters,
  messages,
  music,
  labels,
  weathers,
  cameras,
  backgrounds,
  constants,  // constants in map_headers.h and its includes
  facings,
  graphics,
  movements,
  trainer_types,
  trainers,
  flags
};
inline constexpr size_t k_spaces = size_t(Space::flags) + 1;

/// The names in a decompilation tree, read on demand, and names added by an edit.
class SourceNames {
 public:
  SourceNames(const FileTree& tree, std::string root) : tree_(&tree), root_(std::move(root)) {}
  const NameTable& table_of(Space) const;
  /// Adds a new member.
  void add(Space, std::string name, u32 number);
  /// The file with the names of a kind, below the root: generated/maps.txt.
  static std::string_view file_of(Space);

 private:
  NameTable load_table(Space) const;
  const FileTree* tree_;
  std::string root_;
  mutable std::array<std::optional<NameTable>, k_spaces> tables_;
};

/// The name of a member in C: prop_model_012_nsbmd for prop_model_012.nsbmd.
std::string to_c_identifier(std::string_view file);
/// The trimmed lines of a text, without empty ones.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace dio::platinum

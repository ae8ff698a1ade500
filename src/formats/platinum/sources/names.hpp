// names.hpp: what numbers are called in the sources of the decompilation: members of archives, constants of enums and
// of C. README.md, "The decompilation", says where each name comes from.
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

/// SourceNames of one kind, and their numbers.
class NameTable {
 public:
  void add(std::string name, i64 number);
  std::optional<i64> number(std::string_view name) const;
  /// The first name of a number that starts with `prefix`; empty if it has none.
  std::string_view name(i64 number, std::string_view prefix = {}) const;
  /// Of a list of members: one more than the last number.
  u32 next() const { return u32(names_.empty() ? 0 : names_.rbegin()->first + 1); }
  std::string source;  // the file that the names are in, for messages

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
  constants,  // those of map_headers.h itself, and of what it includes
  facings,
  graphics,
  movements,
  trainer_types,
  trainers,
  flags
};
inline constexpr size_t k_spaces = size_t(Space::flags) + 1;

/// The names of a tree of the decompilation, read when they are asked for; and those that an edit adds.
class SourceNames {
 public:
  SourceNames(const FileTree& tree, std::string root) : tree_(&tree), root_(std::move(root)) {}
  const NameTable& table_of(Space) const;
  /// A member that is new.
  void add(Space, std::string name, u32 number);
  /// Where the names of a kind are: generated/maps.txt, below the root.
  static std::string_view file_of(Space);

 private:
  NameTable load_table(Space) const;
  const FileTree* tree_;
  std::string root_;
  mutable std::array<std::optional<NameTable>, k_spaces> tables_;
};

/// What the build calls a member in C: prop_model_012_nsbmd for prop_model_012.nsbmd.
std::string to_c_identifier(std::string_view file);
/// The lines of a text, without their ends and without spaces around them; empty ones are left out.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace dio::platinum

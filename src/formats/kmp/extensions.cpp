// extensions.cpp: what LE-CODE and Pulsar add to courses. Sources: README.md.
#include <algorithm>

#include "formats/contract/reporter.hpp"
#include "formats/kmp/objects.hpp"
#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

std::string object_label(u16 id) {
  if (const ObjectKind* kind = object_kind(id)) return std::string(kind->name);
  if (is_lecode_object(id))
    if (const ObjectKind* kind = object_kind(id & k_object_of_lecode)) return std::string(kind->name) + " (LE-CODE)";
  if (is_lecode_definition(id))
    return text("LE-CODE definition (",
                id < k_lecode_or    ? "bits"
                : id < k_lecode_and ? "any condition"
                                    : "all conditions",
                ")");
  return "object " + format_hex(id, 3);
}

std::string fall_condition(const Area& a) {
  constexpr u8 k_fall = 10, k_by_key = 1;
  if (a.type != k_fall) return {};
  const u16 from = a.setting_1, to = a.setting_2;
  if (a.route == k_by_key && from <= 1) return text(from ? "except at key " : "at key ", to);
  if (a.route != k_no_link || (!from && !to)) return {};
  if (from == to) return "never";
  const auto [low, high] = std::minmax(from, to);
  return text(from < to ? "at " : "except at ", low + 1 == high ? "checkpoint " : "checkpoints ", low,
              low + 1 == high ? "" : text(" to ", high - 1));
}

}  // namespace dio::kmp

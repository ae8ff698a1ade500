// key.hpp: the description of a field in a layout: its name, meaning, unit, and words for its values.
#pragma once
#include <span>
#include <string_view>

#include "core/bytes.hpp"

namespace dio {

/// A word for a value of a field.
struct EnumName {
  i64 value;
  std::string_view word;
};

struct Reference;     // reference.hpp
struct TextEncoding;  // text_encoding.hpp

/// Words for the values of a field. `flags`: each value is a mask, and the field is a sum of masks. `values`: bits of
/// such a field that hold a number; words within these bits name numbers, not masks.
struct EnumNames {
  std::span<const EnumName> words;
  bool flags = false;
  u64 values = 0;
  const Reference* refers =
      nullptr;  // the number refers to an element of a list; its words mean no reference (255: none)
  const TextEncoding* encoding = nullptr;  // for a NUL-terminated text that is not UTF-8
  constexpr bool is_mask(const EnumName& w) const { return flags && (!values || (u64(w.value) & ~values) != 0); }
  constexpr std::string_view of(i64 value) const {
    for (const EnumName& w : words)
      if (w.value == value) return w.word;
    return {};
  }
};

/// The name of a field, or the index of an element, with its documentation. A name may be dotted: "textures.entries" is
/// the member `entries` of the member `textures`. All texts must live as long as the program.
struct Key {
  const char* name = nullptr;  // null for an element, which has an `index`
  const char* about = nullptr;
  const char* measure = nullptr;
  const EnumNames* vocabulary = nullptr;
  u32 index = 0;
  bool is_placement = false, is_derived = false;

  constexpr Key(const char* n) : name(n) {}
  static constexpr Key element(u64 i) { return Key(nullptr, u32(i)); }
  /// One sentence: what the field means.
  constexpr Key doc(const char* s) const {
    Key k = *this;
    k.about = s;
    return k;
  }
  /// The unit of measure: "degrees", "units", "frames".
  constexpr Key unit(const char* s) const {
    Key k = *this;
    k.measure = s;
    return k;
  }
  /// An offset, a size or a checksum: derived from other data, so comparisons by meaning ignore it.
  constexpr Key placement() const {
    Key k = *this;
    k.is_placement = k.is_derived = true;
    return k;
  }
  /// Derived from other data but worth comparing: placement computes it, so JSON may omit it.
  constexpr Key derived() const {
    Key k = *this;
    k.is_derived = true;
    return k;
  }
  /// The offset of a part that must not move: placement rejects any other value, so JSON must contain it.
  constexpr Key anchored() const {
    Key k = *this;
    k.is_derived = false;
    return k;
  }
  /// Words for the values of the field.
  constexpr Key words(const EnumNames& w) const {
    Key k = *this;
    k.vocabulary = &w;
    return k;
  }

 private:
  constexpr Key(const char* n, u32 i) : name(n), index(i) {}
};

/// Stands for the current structure as the field at fault.
inline constexpr Key k_the_structure = Key::element(~u32(0));

/// Calls f(segment, is_last) for each segment of a dotted name. The views point into the name.
constexpr void for_each_segment(std::string_view name, auto&& f) {
  for (size_t dot; (dot = name.find('.')) != name.npos; name.remove_prefix(dot + 1)) f(name.substr(0, dot), false);
  f(name, true);
}

}  // namespace dio

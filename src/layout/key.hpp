// key.hpp: what a layout states about a field: its name, meaning and unit, and words for its values.
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

/// Words for the values of a field. `flags`: each value is a mask, and the field is a sum of them. `values`: bits of
/// such a field that hold one number; words of these bits alone are for that number, and no masks.
struct EnumNames {
  std::span<const EnumName> words;
  bool flags = false;
  u64 values = 0;
  const Reference* refers = nullptr;  // the number leads to an element of a list; its words lead nowhere (255: none)
  const TextEncoding* encoding = nullptr;  // of a text that a NUL ends, if it is not UTF-8
  constexpr bool is_mask(const EnumName& w) const { return flags && (!values || (u64(w.value) & ~values) != 0); }
  constexpr std::string_view of(i64 value) const {
    for (const EnumName& w : words)
      if (w.value == value) return w.word;
    return {};
  }
};

/// The name of a field, or the index of an element, with its documentation. Names may be dotted:
/// "textures.entries" is the member `entries` of the member `textures`. All texts must live as long as the program.
struct Key {
  const char* name = nullptr;  // null: an element, at `index`
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
  /// An offset, a size, a checksum: derived from the rest, so that comparisons by meaning ignore it.
  constexpr Key placement() const {
    Key k = *this;
    k.is_placement = k.is_derived = true;
    return k;
  }
  /// Derived from the rest, but worth comparing: placing computes it, so JSON may leave it out.
  constexpr Key derived() const {
    Key k = *this;
    k.is_derived = true;
    return k;
  }
  /// The offset of something that must not move: placing refuses another one, so JSON has to have it.
  constexpr Key anchored() const {
    Key k = *this;
    k.is_derived = false;
    return k;
  }
  /// Words for its values.
  constexpr Key words(const EnumNames& w) const {
    Key k = *this;
    k.vocabulary = &w;
    return k;
  }

 private:
  constexpr Key(const char* n, u32 i) : name(n), index(i) {}
};

/// As the field at fault: the structure the walk is in.
inline constexpr Key k_the_structure = Key::element(~u32(0));

/// Calls f(segment, is_last) for each segment of a dotted name. The views point into the name.
constexpr void for_each_segment(std::string_view name, auto&& f) {
  for (size_t dot; (dot = name.find('.')) != name.npos; name.remove_prefix(dot + 1)) f(name.substr(0, dot), false);
  f(name, true);
}

}  // namespace dio

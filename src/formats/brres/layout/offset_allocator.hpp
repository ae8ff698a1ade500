// offset_allocator.hpp: gives the parts of a BRRES file their places.
#pragma once
#include <map>
#include <utility>

#include "formats/brres/layout/dictionary.hpp"

namespace dio::brres {

constexpr u32 aligned(u32 n, u32 to) { return (n + to - 1) / to * to; }

/// Places and names; names go to the end of the file.
class OffsetAllocator {
 public:
  u32 at = 0;
  void align(u32 n) { at = aligned(at, n); }
  u32 take(u64 n) { return std::exchange(at, u32(at + n)); }

  /// The names of dictionaries and parts; where they are is known at the end.
  void name(Named& n, u32 base) {
    n.name_length = u32(n.name.size());
    if (!n.name.empty()) names_.push_back({&n.name, &n.name_offset, base});
  }
  void text(std::string& s, i32& offset, u32 base) {
    if (!s.empty()) names_.push_back({&s, &offset, base});
  }
  void dictionary(Dictionary& d, u32 start) {
    d.size = dictionary_size(d.entries.size());
    build_dictionary_tree(d);
    for (DictionaryEntry& e : d.entries) name(e, start);
  }
  void finish_names() {
    std::map<std::string, u32> places;
    for (const Pending& p : names_) {
      const auto [known, fresh] = places.try_emplace(*p.name, 0);
      if (fresh) {
        align(4);
        take(4);
        known->second = take(p.name->size() + 1);
      }
      *p.offset = i32(known->second - p.base);
    }
  }

 private:
  struct Pending {
    std::string* name;
    i32* offset;
    u32 base;
  };
  std::vector<Pending> names_;
};

}  // namespace dio::brres

// damaged.hpp: for each rule a file of messages that breaks it, by as little as possible. For tests only.
#pragma once
#include "engine/broken_file.hpp"
#include "formats/bmg/parts.hpp"
#include "formats/registry.hpp"
#include "samples/samples.hpp"

namespace dio::bmg {

namespace broken {

inline Bmg race() {
  auto d = load<Bmg>(samples_of(*find_format("bmg"))[0].bytes);
  return d ? d->document.value() : Bmg{};
}
template <class F>
Bytes race_with(F edit) {
  Bmg b = race();
  edit(b);
  return bytes_of(b);
}
/// With bytes that placing would not leave as they are.
template <class F>
Bytes race_poked(F edit) {
  Bytes b = bytes_of(race());
  edit(b);
  return b;
}

inline std::vector<test::BrokenFile> files() {
  std::vector<test::BrokenFile> all;
  all.push_back({"bmg.size", "size", "bmg", race_poked([](Bytes& b) { ++b[0x0A]; })});
  all.push_back({"bmg.section", "section_count", "bmg", race_with([](Bmg& b) {
                   b.sections.resize(1);
                   for (Message& m : b.messages) m.text.reset();
                 })});
  all.push_back({"bmg.second", "sections[3].name", "bmg",
                 race_with([](Bmg& b) { b.sections.push_back({k_mid, 0, Bytes(24)}); })});
  all.push_back({"bmg.unknown", "sections[3].name", "bmg",
                 race_with([](Bmg& b) { b.sections.push_back({fourcc("MID2"), 0, Bytes(24)}); })});
  all.push_back({"bmg.block", "sections[2].size", "bmg", race_poked([](Bytes& b) {
                   const auto put = [&](size_t at, size_t n) { b[at] = u8(n >> 8), b[at + 1] = u8(n); };
                   const size_t last = b.size() - 64;  // MID1: 9 ids and a header
                   b.resize(b.size() - 4);
                   put(last + 6, 60), put(0x0A, b.size());
                 })});
  all.push_back({"bmg.first", "empty_text", "bmg", race_with([](Bmg& b) { b.empty_text = std::string("\0!", 2); })});
  all.push_back({"bmg.id-order", "messages[1].id", "bmg", race_with([](Bmg& b) { b.messages[1].id = 1000; })});
  all.push_back({"bmg.id-twice", "messages[1].id", "bmg", race_with([](Bmg& b) { b.messages[1].id = 1001; })});
  all.push_back({"bmg.escape", "messages[0].text", "bmg",
                 race_with([](Bmg& b) { b.messages[0].text = std::string("\0\x1a\4\0", 4); })});
  return all;
}

}  // namespace broken
}  // namespace dio::bmg

// damaged.hpp: for each rule a file of messages that breaks it, by as little as possible. For tests only.
#pragma once
#include "formats/bmg/parts.hpp"
#include "formats/registry.hpp"
#include "samples/samples.hpp"

namespace dio::bmg {

struct Broken {
  std::string_view id;    // of the rule
  std::string_view path;  // where the finding must be
  Bytes bytes;
};

namespace broken {

inline Bmg race() {
  auto d = load<Bmg>(samples_of(*find_format("bmg"))[0].bytes);
  EXPECT_TRUE(d);
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

inline std::vector<Broken> files() {
  std::vector<Broken> all;
  all.push_back({"bmg.size", "size", race_poked([](Bytes& b) { ++b[0x0A]; })});
  all.push_back({"bmg.section", "section_count", race_with([](Bmg& b) {
                   b.sections.resize(1);
                   for (Message& m : b.messages) m.text.reset();
                 })});
  all.push_back(
      {"bmg.second", "sections[3].name", race_with([](Bmg& b) { b.sections.push_back({k_mid, 0, Bytes(24)}); })});
  all.push_back({"bmg.unknown", "sections[3].name",
                 race_with([](Bmg& b) { b.sections.push_back({fourcc("MID2"), 0, Bytes(24)}); })});
  all.push_back({"bmg.block", "sections[2].size", race_poked([](Bytes& b) {
                   const auto put = [&](size_t at, size_t n) { b[at] = u8(n >> 8), b[at + 1] = u8(n); };
                   const size_t last = b.size() - 64;  // MID1: 9 ids and a header
                   b.resize(b.size() - 4);
                   put(last + 6, 60), put(0x0A, b.size());
                 })});
  all.push_back({"bmg.first", "empty_text", race_with([](Bmg& b) { b.empty_text = std::string("\0!", 2); })});
  all.push_back({"bmg.id-order", "messages[1].id", race_with([](Bmg& b) { b.messages[1].id = 1000; })});
  all.push_back({"bmg.id-twice", "messages[1].id", race_with([](Bmg& b) { b.messages[1].id = 1001; })});
  all.push_back(
      {"bmg.escape", "messages[0].text", race_with([](Bmg& b) { b.messages[0].text = std::string("\0\x1a\4\0", 4); })});
  return all;
}

}  // namespace broken
}  // namespace dio::bmg

// edit_test.cpp: edits of BRRES files that move parts: what was asked for is there, and nothing else has changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/brres/parts.hpp"
#include "formats/brres/semantics.hpp"
#include "formats/registry.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"
#include "samples/brres/files.hpp"
#include "samples/samples.hpp"

namespace dio::brres {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Bytes bytes_of_hill() { return *save_new(placed(hill())); }

Editing editing_of(const Bytes& file) {
  auto e = Editing::begin(file, {find_format("brres")});
  EXPECT_TRUE(e) << (e ? "" : format_one_line(e.error()));
  return std::move(*e);
}
Brres read(const Editing& e) {
  auto d = load<Brres>(e.bytes());
  EXPECT_TRUE(d) << (d ? "" : format_one_line(d.error()));
  return d ? d->document.value() : Brres{};
}
template <class T>
std::vector<std::string> names_of(const std::vector<T>& parts) {
  std::vector<std::string> out;
  for (const T& x : parts) out.push_back(x.name);
  return out;
}
std::vector<std::string> names_of(const Dictionary& d) { return names_of(d.entries); }
/// The ids of the errors and warnings that a check finds.
std::vector<std::string> problems_of(const Bytes& file) {
  auto o = open(file, "edited.brres");
  EXPECT_TRUE(o);
  std::vector<std::string> out;
  for (const Diagnostic& d : check(*o))
    if (d.severity != Severity::hint) out.push_back(d.id + " " + d.place.path);
  return out;
}
/// Every shape is drawn with the same material, shader and texture as before.
std::vector<std::string> drawn(const Brres& f) {
  std::vector<std::string> out;
  const Model& m = f.models[0];
  for (const Program& p : m.programs)
    for (const Command& c : p.commands)
      if (c.code == code::draw) {
        const Material& x = m.materials[c.material];
        const Shader* shader = find_shader(m, c.material);
        out.push_back(m.shapes[c.shape].name + " " + x.name + " " + (x.samplers.empty() ? "" : x.samplers[0].texture) +
                      " " + std::to_string(shader ? shader->commands.size() : 0));
      }
  return out;
}

TEST(BrresEdits, RenamesTexturesAndTheirUsers) {
  const Bytes before = bytes_of_hill();
  for (const std::string name : {"field", "a_much_longer_name", "g"}) {
    Editing e = editing_of(before);
    const auto done = e.set({{"textures[0].name", name}});
    ASSERT_TRUE(done) << format_one_line(done.error());
    const Brres f = read(e);
    EXPECT_EQ(f.textures[0].name, name);
    EXPECT_EQ(f.folders[1].dictionary.entries[0].name, name);
    EXPECT_NE(find(f.folders[1].dictionary, name), nullptr);
    EXPECT_EQ(f.models[0].materials[0].samplers[0].texture, name);
    // The name was shared with a material, which keeps its name.
    EXPECT_EQ(f.models[0].materials[0].name, "grass");
    EXPECT_THAT(problems_of(e.bytes()), IsEmpty());
    EXPECT_EQ(f.textures[0].texels, read(editing_of(before)).textures[0].texels);
    e.undo();
    EXPECT_EQ(e.bytes(), before);
  }
}

TEST(BrresEdits, RefusesToRemoveUsedTexturesAndRemovesOthers) {
  Editing e = editing_of(bytes_of_hill());
  const auto refused = e.remove("textures[0]");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().id, "edit.referred");
  ASSERT_TRUE(e.set({{"models[0].materials[0].samplers[0].texture", "road"}}));
  const auto done = e.remove("textures[0]");
  ASSERT_TRUE(done) << format_one_line(done.error());
  const Brres f = read(e);
  EXPECT_THAT(names_of(f.textures), ElementsAre("road", "sign", "water"));
  EXPECT_THAT(names_of(f.folders[1].dictionary), ElementsAre("road", "sign", "water"));
  EXPECT_THAT(names_of(f.models[0].texture_link_dictionary), ElementsAre("road", "sign", "water"));
  EXPECT_EQ(f.models[0].texture_links[0].uses.size(), 2u);
  EXPECT_THAT(problems_of(e.bytes()), IsEmpty());
}

TEST(BrresEdits, DuplicatesAndMovesPartsOfModels) {
  const Bytes before = bytes_of_hill();
  const Brres original = read(editing_of(before));
  const std::vector<std::string> was_drawn = drawn(original);
  for (const std::string list : {"textures", "models[0].materials", "models[0].shapes", "models[0].positions"}) {
    Editing e = editing_of(before);
    auto done = e.duplicate(list + "[0]");
    ASSERT_TRUE(done) << list << ": " << format_one_line(done.error());
    EXPECT_EQ(drawn(read(e)), was_drawn) << list;
    EXPECT_THAT(problems_of(e.bytes()), IsEmpty()) << list;
    done = e.move(list + "[1]", {.before = 0, .after = {}});
    ASSERT_TRUE(done) << list << ": " << format_one_line(done.error());
    EXPECT_EQ(drawn(read(e)), was_drawn) << list;
    EXPECT_THAT(problems_of(e.bytes()), IsEmpty()) << list;
    done = e.remove(list + "[0]");
    ASSERT_TRUE(done) << list << ": " << format_one_line(done.error());
    EXPECT_EQ(drawn(read(e)), was_drawn) << list;
    EXPECT_THAT(problems_of(e.bytes()), IsEmpty()) << list;
  }
}

TEST(BrresEdits, SwapsTexturesOfOneSizeWithTheirNames) {
  SampleBrres draft = hill();
  draft.file.textures[1] = draft.file.textures[0];
  draft.file.textures[1].name = "road";
  draft.file.textures[1].texels[0] ^= 0xFF;
  const Bytes before = *save_new(placed(std::move(draft)));
  Editing e = editing_of(before);
  ASSERT_TRUE(e.swap("textures[0]", "textures[1]"));
  const Brres was = read(editing_of(before)), is = read(e);
  EXPECT_THAT(names_of(is.folders[1].dictionary), ElementsAre("road", "grass", "sign", "water"));
  EXPECT_EQ(is.textures[0].texels, was.textures[1].texels);
  EXPECT_EQ(is.textures[1].texels, was.textures[0].texels);
  EXPECT_THAT(problems_of(e.bytes()), IsEmpty());
}

TEST(BrresEdits, SaysWhatCannotMove) {
  Editing e = editing_of(bytes_of_hill());
  for (const auto& [path, why] : {std::pair{"models[0].bones[1]", "bones cannot be added or removed"},
                                  std::pair{"folders[1]", "folders cannot be added or removed"}}) {
    const auto done = e.duplicate(path);
    ASSERT_FALSE(done) << path;
    EXPECT_THAT(format_one_line(done.error()), HasSubstr(why)) << path;
  }
  Editing other = editing_of(*save_new(placed(bending())));
  const auto done = other.set({{"textures[0].name", "a_longer_name"}});
  ASSERT_FALSE(done);
  EXPECT_THAT(format_one_line(done.error()), HasSubstr("files of other kinds"));
}

}  // namespace
}  // namespace dio::brres

// editing_test.cpp: files edited through the C interface.
#include <gtest/gtest.h>

#include "capi/owned.hpp"
#include "formats/contract/format.hpp"
#include "operations/edit_steps.hpp"
#include "samples/samples.hpp"

namespace {

using dio::Bytes;
using dio::Value;
using namespace capi_test;

Bytes race() { return bytes(good(dio_sample("kmp", "race.kmp"))); }
File open(const Bytes& b, const char* name) { return File(dio_open(b.data(), b.size(), name, nullptr, 0)); }
dio_buffer* run(const Editing& e, std::vector<const char*> words, uint32_t flags = 0) {
  return dio_editing_run(e.get(), words.data(), words.size(), flags);
}

TEST(CapiEditing, AppliesUndoesAndRedoesEdits) {
  const Bytes file = race();
  const Editing e(dio_editing_begin(open(file, "race.kmp").get(), 0));  // it no longer needs the file
  ASSERT_EQ(dio_editing_ok(e.get()), 1u);
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), file);
  EXPECT_EQ(error_id(dio_editing_undo(e.get())), "capi.argument");

  // Two edits in one call form one undo step.
  const Value done = parsed(good(run(e, {"duplicate", "GOBJ[0]", "set", "GOBJ[1].position.y+=100"})));
  EXPECT_EQ(member(done, "schema"), "diorama.edit/1");
  ASSERT_EQ(done.find("done")->size(), 2u);
  EXPECT_EQ(done.find("edits")->bits(), 1u);
  bool inserted = false;
  for (size_t i = 0; i < done.find("changes")->size(); ++i)
    inserted |= member(*done.find("changes")->at(i), "kind") == "insert";
  EXPECT_TRUE(inserted);
  const Bytes edited = bytes(good(dio_editing_save(e.get(), 0)));
  EXPECT_GT(edited.size(), file.size());

  const Value undone = parsed(good(dio_editing_undo(e.get())));
  EXPECT_FALSE(undone.find("can_undo")->boolean());
  EXPECT_TRUE(undone.find("can_redo")->boolean());
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), file);
  good(dio_editing_redo(e.get()));
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), edited);
  EXPECT_EQ(error_id(dio_editing_redo(e.get())), "capi.argument");
}

TEST(CapiEditing, RejectedEditsChangeNothing) {
  const Bytes file = race();
  const Editing e(dio_editing_begin(open(file, "race.kmp").get(), 0));
  EXPECT_EQ(error_id(run(e, {"remove", "POTI[0]"})), "edit.referred");
  // The second of two edits is rejected.
  EXPECT_EQ(error_id(run(e, {"duplicate", "GOBJ[0]", "remove", "POTI[0]"})), "edit.referred");
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), file);
  EXPECT_EQ(error_id(dio_editing_undo(e.get())), "capi.argument");
  EXPECT_EQ(error_id(run(e, {"remove", "GOBJ[1000]"})), "path.unknown");
  EXPECT_EQ(error_id(run(e, {"paint", "GOBJ[0]"})), "edit.argument");
  EXPECT_EQ(error_id(run(e, {"remove"})), "edit.argument");
  EXPECT_EQ(error_id(run(e, {"sort", "GOBJ"})), "edit.argument");
  EXPECT_EQ(error_id(run(e, {})), "capi.argument");
  EXPECT_EQ(error_id(run(e, {"remove", "POTI[0]"}, 1u << 30)), "capi.argument");
  EXPECT_EQ(error_id(dio_editing_run(nullptr, nullptr, 0, 0)), "capi.argument");
  good(run(e, {"remove", "POTI[0]"}, DIO_UNLINK));
  good(dio_editing_undo(e.get()));
  good(run(e, {"remove", "POTI[1]"}, DIO_CASCADE));
  good(dio_editing_undo(e.get()));
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), file);
}

TEST(CapiEditing, UndoesNamedFormatEdits) {
  const Bytes land = bytes(good(dio_sample("land-data", "town.bin")));
  const File file = open(land, "town.bin");
  const Value list = parsed(good(dio_edits(file.get())));
  bool known = false;
  for (size_t i = 0; i < list.find("edits")->size(); ++i)
    known |= member(*list.find("edits")->at(i), "edit") == "raise-plate";
  EXPECT_TRUE(known);
  const Editing e(dio_editing_begin(file.get(), 0));
  // A named edit between two list and value edits.
  good(run(e, {"duplicate", "props[0]"}));
  const Value raised = parsed(good(run(e, {"raise-plate", "plate=0", "by=16"})));
  EXPECT_GT(raised.find("changes")->size(), 0u);
  good(run(e, {"set", "props[1].position.y+=1"}));
  const Bytes all = bytes(good(dio_editing_save(e.get(), 0)));
  for (int i = 0; i < 3; ++i) good(dio_editing_undo(e.get()));
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), land);
  for (int i = 0; i < 3; ++i) good(dio_editing_redo(e.get()));
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), all);
  // A named edit inside one step of several edits.
  good(run(e, {"raise-plate", "plate=0", "by=-16", "remove", "props[1]"}));
  good(dio_editing_undo(e.get()));
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), all);
  EXPECT_EQ(error_id(run(e, {"raise-plate", "plate=70000", "by=16"})), "edit.argument");
  EXPECT_EQ(bytes(good(dio_editing_save(e.get(), 0))), all);
}

TEST(CapiEditing, PlacesPartsBySceneTransform) {
  const Bytes file = race();
  const Editing e(dio_editing_begin(open(file, "race.kmp").get(), 0));
  good(run(e, {"place", "GOBJ[0]", "translation=1,2.5,-3"}));
  const File moved = open(bytes(good(dio_editing_save(e.get(), 0))), "race.kmp");
  const Value y = parsed(good(dio_branch(moved.get(), "GOBJ.entries[0].position.y", 0, 10)));
  EXPECT_EQ(y.find("value")->number(), 2.5);
  EXPECT_EQ(error_id(run(e, {"place", "ENPT[0]", "scale=2,2,2"})), "scene.place");
  EXPECT_EQ(error_id(run(e, {"place", "GOBJ[0]", "scale=2"})), "edit.argument");
  EXPECT_EQ(error_id(run(e, {"place", "STGI[0]", "translation=0,0,0"})), "scene.place");
}

TEST(CapiEditing, ListsReferencesToAPart) {
  const File file = open(race(), "race.kmp");
  const Value refs = parsed(good(dio_refs(file.get(), "POTI[0]", nullptr, 0)));
  EXPECT_EQ(member(refs, "schema"), "diorama.refs/1");
  ASSERT_EQ(refs.find("parts")->size(), 1u);
  EXPECT_GT(refs.find("parts")->at(0)->find("referred_by")->size(), 0u);
  EXPECT_EQ(error_id(dio_refs(file.get(), "POTI[900]", nullptr, 0)), "path.unknown");
}

TEST(CapiEditing, RejectsEditingUnreadableFiles) {
  const Bytes b = race();
  const Editing e(dio_editing_begin(open(Bytes(b.begin(), b.begin() + 40), "cut.kmp").get(), 0));
  EXPECT_EQ(dio_editing_ok(e.get()), 0u);
  EXPECT_EQ(error_id(run(e, {"remove", "POTI[0]"})), "layout.truncated");
  EXPECT_EQ(error_id(dio_editing_save(e.get(), 0)), "layout.truncated");
  const Editing none(dio_editing_begin(nullptr, 0));
  EXPECT_EQ(error_id(dio_editing_undo(none.get())), "capi.argument");
}

}  // namespace

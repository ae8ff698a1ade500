// shared_names_test.cpp: renamed materials and textures, and the files that refer to them.
#include "operations/shared_names.hpp"

#include <gtest/gtest.h>

#include <set>

#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/nitro/layout/files.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::nitro {
namespace {

Editing begin(const Bytes& file, std::string_view format) {
  auto editing = Editing::begin(file, ReadAs{find_format(format)});
  EXPECT_TRUE(editing) << format_one_line(editing.error());
  return std::move(*editing);
}
/// Shared names in a file, for example "material wall"; `defining` selects definitions or references.
std::multiset<std::string> names_in(const Editing& e, bool defining) {
  std::multiset<std::string> out;
  for (u32 i = 1; i < e.spans().all.size(); ++i)
    if (const Reference* r = shared_name_reference(e.spans()[i]); r && r->defines == defining)
      out.insert(std::string(r->shared) + " " + e.spans().value(i).text());
  return out;
}
std::vector<std::pair<std::string, Bytes>> samples(std::initializer_list<const char*> formats) {
  std::vector<std::pair<std::string, Bytes>> out;
  for (const char* format : formats)
    for (Sample& s : samples_of(*find_format(format))) out.push_back({format, std::move(s.bytes)});
  return out;
}

/// Renames every definition in a file and updates the other files; all references must stay intact.
void rename_all(const std::string& format, const Bytes& file, const char* kind,
                const std::vector<std::pair<std::string, Bytes>>& others, u64& followed) {
  Editing editing = begin(file, format);
  const auto was = names_in(editing, true);
  SharedNames names;
  u64 n = 0;
  std::vector<std::string> paths;
  for (u32 i = 1; i < editing.spans().all.size(); ++i)
    if (const Reference* r = shared_name_reference(editing.spans()[i]); r && r->defines && r->shared == kind)
      paths.push_back(editing.spans().path(i));
  for (const std::string& path : paths) {
    ASSERT_TRUE(editing.set({{path, "\"new " + std::to_string(n++) + "\""}})) << path;
    names.record_renames(editing);
  }
  const auto is = names_in(editing, true);
  EXPECT_EQ(was.size(), is.size());
  const auto means = [&](const std::multiset<std::string>& used, const std::multiset<std::string>& defined) {
    u64 count = 0;
    for (const std::string& name : used) count += name.starts_with(kind) && defined.contains(name);
    return count;
  };
  // In the file itself.
  EXPECT_EQ(means(names_in(editing, false), is), means(names_in(begin(file, format), false), was));
  for (const auto& [other_format, bytes] : others) {
    Editing other = begin(bytes, other_format);
    const u64 before = means(names_in(other, false), was);
    const auto done = names.follow(other);
    ASSERT_TRUE(done) << format_one_line(done.error());
    EXPECT_GE(*done, before);
    EXPECT_EQ(means(names_in(other, false), is), before) << other_format;
    followed += before;
    if (*done) {
      EXPECT_TRUE(open(other.bytes(), "other", ReadAs{find_format(other_format)}));
      other.undo();
    }
    EXPECT_EQ(other.bytes(), bytes);
  }
}

TEST(SharedNames, AnimationsFollowRenamedMaterials) {
  u64 followed = 0;
  for (const auto& [format, file] : samples({"nsbmd"}))
    rename_all(format, file, "material", samples({"nsbta", "nsbtp", "nsbma"}), followed);
  EXPECT_GE(followed, 3u);
}

TEST(SharedNames, ModelsAndPatternsFollowRenamedTextures) {
  u64 textures = 0, palettes = 0;
  for (const auto& [format, file] : samples({"nsbtx"})) {
    rename_all(format, file, "texture", samples({"nsbmd", "nsbtp"}), textures);
    rename_all(format, file, "palette", samples({"nsbmd", "nsbtp"}), palettes);
  }
  EXPECT_GE(textures, 3u);
  EXPECT_GE(palettes, 3u);
}

TEST(SharedNames, AnimationsFollowSwappedMaterialNames) {
  for (const auto& [format, file] : samples({"nsbmd"})) {
    Editing model = begin(file, format);
    const auto loaded = load<Nsbmd>(file);
    ASSERT_TRUE(loaded);
    const auto& materials = loaded->document.value().models[0].materials;
    if (materials.size() < 2) continue;
    // Two materials swap their names in one edit.
    SharedNames names;
    ASSERT_TRUE(model.set({{"models[0].materials[0].name", "\"" + materials[1].name + "\""},
                           {"models[0].materials[1].name", "\"" + materials[0].name + "\""}}));
    names.record_renames(model);
    for (const auto& [other_format, bytes] : samples({"nsbta", "nsbtp", "nsbma"})) {
      Editing other = begin(bytes, other_format);
      const auto before = names_in(other, false);
      ASSERT_TRUE(names.follow(other));
      auto after = names_in(other, false);
      EXPECT_EQ(before.count("material " + materials[0].name), after.count("material " + materials[1].name));
      EXPECT_EQ(before.count("material " + materials[1].name), after.count("material " + materials[0].name));
    }
  }
}

TEST(SharedNames, FilesStayUnchangedWithoutRenames) {
  SharedNames names;
  EXPECT_TRUE(names.is_empty());
  for (const auto& [format, file] : samples({"nsbmd", "nsbta"})) {
    Editing editing = begin(file, format);
    (void)editing.duplicate(format == "nsbmd" ? "models[0].shapes[0]" : "animations[0].materials[0]");
    if (editing.done()) names.record_renames(editing);
    EXPECT_TRUE(names.is_empty());
    const auto done = names.follow(editing);
    ASSERT_TRUE(done);
    EXPECT_EQ(*done, 0u);
  }
}

}  // namespace
}  // namespace dio::nitro

// Archives of a retail cartridge, if available (DIORAMA_CORPUS, or ~/.cache/diorama-corpus): archives packed from loose
// members have the SHA-1 of the retail ones. Skipped otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "operations/archive_folders.hpp"

namespace dio::test {
namespace {

namespace fs = std::filesystem;

fs::path corpus() {
  if (const char* folder = std::getenv("DIORAMA_CORPUS")) return fs::path(folder) / "platinum";
  const char* home = std::getenv("HOME");
  return home ? fs::path(home) / ".cache/diorama-corpus/platinum" : fs::path();
}

Bytes read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), {});
}

/// SHA-1 as in FIPS 180-4. Only this test needs it.
std::string sha1(Bytes b) {
  const u64 bits = 8 * u64(b.size());
  b.push_back(0x80);
  while (b.size() % 64 != 56) b.push_back(0);
  for (int i = 56; i >= 0; i -= 8) b.push_back(u8(bits >> i));
  u32 h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  for (size_t at = 0; at < b.size(); at += 64) {
    u32 w[80];
    for (size_t i = 0; i < 16; ++i)
      w[i] = u32(b[at + 4 * i]) << 24 | u32(b[at + 4 * i + 1]) << 16 | u32(b[at + 4 * i + 2]) << 8 | b[at + 4 * i + 3];
    for (size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    u32 x[5] = {h[0], h[1], h[2], h[3], h[4]};
    for (size_t i = 0; i < 80; ++i) {
      const u32 f = i < 20   ? (x[1] & x[2]) | (~x[1] & x[3])
                    : i < 40 ? x[1] ^ x[2] ^ x[3]
                    : i < 60 ? (x[1] & x[2]) | (x[1] & x[3]) | (x[2] & x[3])
                             : x[1] ^ x[2] ^ x[3];
      const u32 k = i < 20 ? 0x5A827999 : i < 40 ? 0x6ED9EBA1 : i < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
      const u32 next = std::rotl(x[0], 5) + f + x[4] + k + w[i];
      x[4] = x[3], x[3] = x[2], x[2] = std::rotl(x[1], 30), x[1] = x[0], x[0] = next;
    }
    for (size_t i = 0; i < 5; ++i) h[i] += x[i];
  }
  std::string out;
  for (const u32 word : h)
    for (int i = 28; i >= 0; i -= 4) out += "0123456789abcdef"[word >> i & 15];
  return out;
}

TEST(ArchivesCorpus, Sha1MatchesAPublishedDigest) {
  EXPECT_EQ(sha1({'a', 'b', 'c'}), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(ArchivesCorpus, PacksLooseMembersLikeTheGame) {
  const fs::path field = corpus() / "res/field";
  if (!fs::is_directory(field)) GTEST_SKIP() << field;
  constexpr struct {
    const char *folder, *sha1;
  } k_archives[] = {
      {"maps/data", "fa044bf2e0599ed2bf42d3b632776af3b7e8452e"},           // land_data.narc
      {"props/models", "7eca91aaa5f7ef816f51a884e2f42a26f51f8bbd"},        // build_model.narc
      {"maps/texture_sets", "74aded294b971d68f10554f86fd795b072a0b01f"},   // map_tex_set.narc
      {"props/texture_sets", "8174da67845c24f377f56e84a0f5f0e890e765ec"},  // areabm_texset.narc
      {"props/animations", "99295a6e74067238dbbc23105cad1679687c6d86"},    // bm_anime.narc
  };
  for (const auto& a : k_archives) {
    MemoryTree tree;
    for (const auto& file : fs::directory_iterator(field / a.folder))
      tree.files[file.path().filename().string()] = read(file.path());
    auto archive = pack(tree);
    ASSERT_TRUE(archive) << a.folder << ": " << format_one_line(archive.error());
    EXPECT_EQ(sha1(*archive), a.sha1) << a.folder;
  }
}

TEST(ArchivesCorpus, UnpackedArchivesRepackUnchanged) {
  if (!fs::is_directory(corpus())) GTEST_SKIP() << corpus();
  std::vector<fs::path> archives;
  for (const auto& file : fs::recursive_directory_iterator(corpus()))
    if (file.path().extension() == ".narc") archives.push_back(file.path());
  ASSERT_GE(archives.size(), 6u);
  std::map<std::string, std::string> found;
  for (const fs::path& path : archives) {
    const Bytes bytes = read(path);
    auto tree = unpack(bytes, path.string());
    ASSERT_TRUE(tree) << format_one_line(tree.error());
    EXPECT_FALSE(tree->has("_system/narc.bin")) << path << " is of another form";
    auto again = pack(*tree);
    ASSERT_TRUE(again) << format_one_line(again.error());
    EXPECT_TRUE(*again == bytes) << path;
    found[path.filename().string()] = sha1(*again);
  }
  EXPECT_EQ(found["area_build.narc"], "a2cd6f636960544440b489e827e5e16dcaa7f014");
  EXPECT_EQ(found["area_data.narc"], "2df833d8f0145f29f21b23c06ba3561dec3f5180");
  EXPECT_EQ(found["map_matrix.narc"], "992f33f6450613066830606d28e94b91031caddb");
  EXPECT_EQ(found["bm_anime_list.narc"], "afd2be309c09733b33ec9b73b793518b41153828");
  EXPECT_EQ(found["arealight.narc"], "cea2ad20f4550dcf648aeb6f2bc118dcec7570d9");
  EXPECT_EQ(found["fldtanime.narc"], "80c1eee60f30744205e89c0d80aeebe7d268d2d9");
}

}  // namespace
}  // namespace dio::test

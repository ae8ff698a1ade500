// linked_files_test.cpp: files named in scene extras are read from the scene's folder only.
#include "bridge/linked_files/linked_files.hpp"

#include <gtest/gtest.h>

#include <map>

#include "bridge/png/png.hpp"
#include "core/base64.hpp"

namespace dio {
namespace {

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

class LinkedFiles : public testing::Test {
 protected:
  LinkedFiles() {
    scene_.extras = Value::object();
    scene::Node& node = scene_.nodes.emplace_back();
    node.extras = Value::object();
  }
  Result<void> take() {
    return inline_linked_files(scene_, [&](const std::string& name) -> std::optional<Bytes> {
      asked_.push_back(name);
      const auto at = files_.find(name);
      return at == files_.end() ? std::nullopt : std::optional(at->second);
    });
  }
  const Value* found(const char* name) { return scene_.extras.find(name); }

  scene::Scene scene_;
  std::map<std::string, Bytes> files_;
  std::vector<std::string> asked_;
};

TEST_F(LinkedFiles, ReadsLinkedTextsIntoExtras) {
  files_["door.lua"] = bytes_of("open()");
  files_["screen.json"] = bytes_of("[{\"name\": \"hud\"}]");
  scene_.nodes[0].extras.add("lua_file", "door.lua");
  scene_.extras.add("canvases_file", "screen.json");
  scene_.extras.add("lua_file", "door.lua");
  scene_.extras.add("lua", "mine()");
  scene_.extras.add("gone_file", "gone.lua");
  scene_.extras.add("_file", "door.lua");
  ASSERT_TRUE(take());
  EXPECT_EQ(scene_.nodes[0].extras.find("lua")->text(), "open()");
  EXPECT_EQ(found("lua")->text(), "mine()");
  EXPECT_EQ(found("canvases")->at(0)->find("name")->text(), "hud");
  EXPECT_FALSE(found("gone"));
}

TEST_F(LinkedFiles, ReadsListedFilesAsBytes) {
  files_["a.wav"] = {1, 2, 3}, files_["b c.wav"] = {4};
  scene_.extras.add("sound_files", " a.wav,b c.wav , ,gone.wav");
  ASSERT_TRUE(take());
  const Value* sounds = found("sound");
  ASSERT_TRUE(sounds);
  ASSERT_EQ(sounds->size(), 3u);
  EXPECT_EQ(sounds->at(0)->find("bytes")->text(), encode_base64(Bytes{1, 2, 3}));
  EXPECT_EQ(sounds->at(1)->find("file")->text(), "b c.wav");
  EXPECT_EQ(sounds->at(1)->find("bytes")->text(), "BA==");
  EXPECT_FALSE(sounds->at(2)->find("bytes"));
}

TEST_F(LinkedFiles, AddsLinkedImagesToTheScene) {
  const scene::Image image{{}, 2, 1, 8, {}, {255, 0, 0, 255, 0, 0, 0, 0}};
  files_["logo.png"] = png::write_png(image);
  files_["screen.json"] = bytes_of("[{\"elements\": [{\"file\": \"logo.png\"}, {\"file\": \"logo.png\"}]}]");
  scene_.extras.add("canvases_file", "screen.json");
  ASSERT_TRUE(take());
  ASSERT_EQ(scene_.images.size(), 1u);
  EXPECT_EQ(scene_.images[0].name, "logo.png");
  EXPECT_EQ(scene_.images[0].pixels, image.pixels);
}

TEST_F(LinkedFiles, ErrorsNameTheDamagedFile) {
  files_["screen.json"] = bytes_of("[1,");
  scene_.extras.add("canvases_file", "screen.json");
  auto taken = take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().place.file, "screen.json");
  EXPECT_EQ(taken.error().id, "json.syntax");
  scene_.extras = Value::object();
  files_["logo.png"] = {1, 2, 3};
  scene_.extras.add("icon", Value::object()).add("file", "logo.png");
  taken = take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().place.file, "logo.png");
  EXPECT_EQ(taken.error().id, "png.syntax");
}

TEST_F(LinkedFiles, NeverReadsOutsideTheFolder) {
  scene_.nodes[0].extras.add("lua_file", "../door.lua");
  scene_.extras.add("a_file", "/etc/passwd"), scene_.extras.add("b_file", "a/../../b");
  scene_.extras.add("sound_files", "../a.wav"), scene_.extras.add("x", Value::object()).add("file", "..\\b.png");
  ASSERT_TRUE(take());
  EXPECT_TRUE(asked_.empty()) << asked_.front();
}

TEST(Base64, MatchesTheRfcExamples) {  // RFC 4648, section 10
  const std::pair<const char*, const char*> all[] = {{"", ""},
                                                     {"f", "Zg=="},
                                                     {"fo", "Zm8="},
                                                     {"foo", "Zm9v"},
                                                     {"foob", "Zm9vYg=="},
                                                     {"fooba", "Zm9vYmE="},
                                                     {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, digits] : all) {
    EXPECT_EQ(encode_base64(bytes_of(plain)), digits);
    EXPECT_EQ(decode_base64(digits), bytes_of(plain));
  }
  EXPECT_EQ(decode_base64("Zm8"), bytes_of("fo"));
  for (const char* wrong : {"Z", "Zm9vY", "Zm 8", "Zm8=a", "Zm8-", "Zm8\n"})
    EXPECT_FALSE(decode_base64(wrong)) << wrong;
}

}  // namespace
}  // namespace dio

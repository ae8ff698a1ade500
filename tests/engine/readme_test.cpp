// Runs the C++ example of the README and checks its output and the model it writes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "bridge/gltf/reader.hpp"
#include "samples/samples.hpp"

int readme_example(int, char** names);

namespace {

using namespace dio;

TEST(Readme, ExampleChecksAndConvertsAFile) {
  const auto folder = std::filesystem::temp_directory_path() / ("diorama-readme-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto run = [&](const char* format, const std::string& out) {
    const Sample sample = samples_of(*find_format(format)).front();
    const std::string in = (folder / sample.name).string(), to = (folder / out).string();
    std::ofstream(in, std::ios::binary)
        .write(reinterpret_cast<const char*>(sample.bytes.data()), std::streamsize(sample.bytes.size()));
    std::string program = "example", first = in, second = to;
    char* names[] = {program.data(), first.data(), second.data()};
    return readme_example(3, names);
  };
  EXPECT_EQ(run("kmp", "course.glb"), 0);
  std::ifstream made(folder / "course.glb", std::ios::binary);
  const Bytes glb(std::istreambuf_iterator<char>(made), {});
  const auto read = gltf::read(glb);
  ASSERT_TRUE(read) << format_one_line(read.error());
  EXPECT_FALSE(read->document.nodes.empty());
  EXPECT_EQ(run("nsbtx", "none.glb"), 1);  // textures alone have no model
  EXPECT_FALSE(std::filesystem::exists(folder / "none.glb"));
  std::filesystem::remove_all(folder);
}

}  // namespace

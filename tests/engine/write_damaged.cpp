// write_damaged FOLDER: for each rule of `dio check` a file, or a game, that breaks it, in a folder named after the
// rule. Prints a line for each: the rule, its file below FOLDER, and the format ("game" for games), with tabs between.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "bmg/damaged.hpp"
#include "brres/damaged.hpp"
#include "containers/damaged.hpp"
#include "egg/damaged.hpp"
#include "fft/damaged.hpp"
#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "kcl/damaged.hpp"
#include "kmp/damaged.hpp"
#include "nitro/damaged.hpp"
#include "platinum/damaged.hpp"
#include "platinum/damaged_game.hpp"
#include "platinum/damaged_land.hpp"
#include "splashpack/damaged.hpp"

namespace dio::test {
namespace {

namespace fs = std::filesystem;

/// False, and says so, if it cannot be written.
bool write(const fs::path& path, ByteView bytes) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  if (!bytes.empty() && out.flush()) return true;
  std::fprintf(stderr, "%s cannot be made\n", path.c_str());
  return false;
}

class Writer {
 public:
  explicit Writer(fs::path folder) : folder_(std::move(folder)) {}

  void file(std::string_view rule, std::string_view name, std::string_view format, ByteView bytes) {
    if (!rules_.insert(std::string(rule)).second) return;  // the first way to break it is enough
    const fs::path path = fs::path(rule) / name;
    whole &= write(folder_ / path, bytes);
    line(rule, path, format);
  }
  void files(const std::vector<BrokenFile>& all) {
    for (const BrokenFile& b : all) {
      const std::string_view extensions = find_format(b.format)->extensions;
      file(b.id, "broken" + std::string(extensions.substr(0, extensions.find(' '))), b.format, b.bytes);
    }
  }
  void game(std::string_view rule, const MemoryTree& tree) {
    for (const auto& [name, bytes] : tree.files) whole &= write(folder_ / rule / name, bytes);
    whole &= !tree.files.empty();
    line(rule, rule, "game");
  }

  bool whole = true;

 private:
  static void line(std::string_view rule, const fs::path& path, std::string_view format) {
    std::printf("%.*s\t%s\t%.*s\n", int(rule.size()), rule.data(), path.c_str(), int(format.size()), format.data());
  }

  fs::path folder_;
  std::set<std::string> rules_;
};

}  // namespace
}  // namespace dio::test

int main(int count, char** arguments) {
  if (count != 2 || !*arguments[1] || *arguments[1] == '-')
    return std::fprintf(stderr, "usage: write_damaged FOLDER\n"), 2;
  dio::test::Writer to(arguments[1]);
  to.files(dio::kmp::broken_files());
  to.files(dio::kcl::broken::files());
  to.files(dio::brres::broken::files());
  to.files(dio::bmg::broken::files());
  to.files(dio::egg::broken::files());
  to.files(dio::nitro::broken_files());
  to.files(dio::containers::broken_files());
  to.files(dio::platinum::broken_tables());
  to.files(dio::platinum::broken_lands());
  to.files(dio::fft::broken_files());
  to.files(dio::splashpack::broken_files());
  for (const dio::platinum::Fault& fault : dio::platinum::k_faults) {
    if (!fault.plant) {
      to.game(fault.id, dio::platinum::with_misplaced_palette());
      continue;
    }
    dio::platinum::GameSample game = dio::platinum::game_sample();
    fault.plant(game);
    to.file(fault.id, "broken.nds", "game", dio::bytes_of(game.cartridge()));
  }
  return to.whole ? 0 : 1;
}

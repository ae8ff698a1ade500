// list_known_oddities.cpp: what games were sold with: the hashes of src/formats/platinum/check/known_oddities.inc.
//
//     list_known_oddities FOLDER...
//
// Each FOLDER holds an unmodified game: the files of a cartridge, or a decompilation. Only hashes are printed
// (oddity_hash), sorted. Run it again after the words of a finding have changed, and keep the lines of games that are
// not at hand.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "formats/platinum/game/parts.hpp"
#include "operations/operations.hpp"

namespace {

using namespace dio;
using namespace dio::platinum;

class Folder final : public FileTree {
 public:
  explicit Folder(std::filesystem::path root) : root_(std::move(root)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_))
      if (entry.is_regular_file()) paths_.insert(entry.path().lexically_relative(root_).generic_string());
  }
  std::vector<std::string> list() const override { return {paths_.begin(), paths_.end()}; }
  bool has(std::string_view path) const override { return paths_.contains(path); }
  Result<Bytes> read(std::string_view path) const override {
    std::ifstream file(root_ / path, std::ios::binary);
    if (!file || !has(path)) return refuse(missing_file(std::string(path)));
    return Bytes{std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path root_;
  std::set<std::string, std::less<>> paths_;
};

void add_member_findings(const GameFiles& files, std::set<u64>& hashes) {
  for (size_t role = 0; role < k_roles; ++role) {
    const Members& members = files.of(FileRole(role));
    for (u32 i = 0; i < members.count(); ++i) {
      const auto bytes = members.read(i);
      const auto opened = bytes ? open(*bytes, members.path(i)) : Result<OpenedFile>(refuse(bytes.error()));
      if (!opened) continue;
      for (const Diagnostic& d : check(*opened))
        if (d.id.starts_with("platinum.")) hashes.insert(oddity_hash(digest_of(ByteView(*bytes)), d));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::set<u64> hashes;
  for (int i = 1; i < argc; ++i) {
    const Folder folder(argv[i]);
    const auto opened = open_game(folder);
    if (!opened || opened->kind != &game_kind()) return std::fprintf(stderr, "%s: no such game\n", argv[i]), 2;
    const GameTables& tables = tables_of(*opened->game);
    for (const Diagnostic& d : check_game(tables))
      hashes.insert(oddity_hash(digest_at_location(tables.files(), d.place), d));
    add_member_findings(tables.files(), hashes);
  }
  for (const u64 hash : hashes) std::printf("    0x%016llx,\n", static_cast<unsigned long long>(hash));
}

// games.hpp: games as they are named on the command line: a cartridge, a folder, an archive; and what verbs do with
// --maps.
#pragma once
#include "formats/game.hpp"
#include "work.hpp"

namespace dio::cli {

/// The files below a folder. Links to folders are not followed.
class FolderTree final : public FileTree {
 public:
  explicit FolderTree(std::string folder);
  std::vector<std::string> list() const override { return paths_; }
  bool has(std::string_view path) const override;
  Result<Bytes> read(std::string_view path) const override;

 private:
  std::string folder_;
  std::vector<std::string> paths_;  // sorted
};

/// A game, and the files it reads when it needs them.
struct Played {
  std::string name;
  std::unique_ptr<FileTree> files;
  const GameKind* kind = nullptr;
  std::unique_ptr<Game> game;
};
/// Nothing if there is none; the report says why.
std::optional<Played> open_game(const Request&, const std::string& name, Report&);

// verbs/maps.cpp: what tree and diff do with --maps
Exit tree_of_game(const Request&);
Exit diff_of_games(const Request&);

}  // namespace dio::cli

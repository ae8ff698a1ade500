// A file as a scene: alone, with its companions, or as its game shows it.
#include <filesystem>

#include "../../command_line/print.hpp"
#include "../../input/games.hpp"
#include "../../input/scenes.hpp"
#include "bridge/gltf/gltf.hpp"
#include "convert.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {
namespace {

/// The scene of a file with all that its game shows it with. Nothing if it is in no game, or no part that can be shown
/// and yet can be shown alone. `read`: which options the game reads, if it is in one. `shown_with`: the files of the
/// game that belong to it, if it is shown alone.
std::optional<Result<Staged>> scene_in_game(const Input& input, const Opened& opened, const WorldOptions& options,
                                            std::span<const std::string_view>& read,
                                            std::vector<std::string>& shown_with) {
  std::optional<Result<Staged>> out;
  // Files are named by their paths in the game.
  const std::string beside =
      input.archive ? input.archive->name() : std::filesystem::path(input.name).parent_path().string();
  const auto in_game = [&](Diagnostic& d) {
    if (!d.place.file.empty() && !beside.empty()) d.place.file = beside + "/" + d.place.file;
  };
  in_its_game(input, *opened.format, [&](const OpenedGame& in, const GamePart& part) {
    auto staged = in.game->world(part.id(), options);
    if (!staged && (opened.format->scenes || staged.error().id == "game.part")) {
      shown_with = in.game->shown_with(part);
      return;
    }
    if (!staged)
      in_game(staged.error());
    else
      for (Diagnostic& d : staged->notes) in_game(d);
    read = in.kind->options;
    out = std::move(staged);
  });
  return out;
}

/// Members of the archive that a file is in; those that cannot be read are left out.
std::vector<Opened> opened_members(const Input& input, const std::vector<std::string>& paths) {
  std::vector<Opened> out;
  for (const std::string& path : paths) {
    auto bytes = input.archive ? input.archive->read(path) : Result<Bytes>(refuse(Diagnostic{}));
    auto opened = bytes ? dio::open(std::move(*bytes), path) : Result<Opened>(refuse(bytes.error()));
    if (opened) out.push_back(std::move(*opened));
  }
  return out;
}

}  // namespace

Bytes Pictures::png_of(const scene::Image& image) {
  {
    const std::lock_guard lock(guard_);
    if (const Bytes* file = written_.find(image)) return *file;
  }
  Bytes file = png::write_png(image);
  const std::lock_guard lock(guard_);
  written_.keep(image, file);
  return file;
}

std::optional<Converted> to_gltf(const Conversion& c, const Opened& opened) {
  std::vector<Companion> others = c.companions.of(opened);
  const auto world = world_options(c.request, c.report);
  if (!world) return {};
  std::span<const std::string_view> shown_by;
  if (opened.format->scenes) shown_by = opened.format->scenes->options;
  std::vector<std::string> shown_with;
  auto in_game = others.empty() ? scene_in_game(c.input, opened, *world, shown_by, shown_with) : std::nullopt;
  const std::vector<Opened> of_game = in_game ? std::vector<Opened>() : opened_members(c.input, shown_with);
  for (const Opened& o : of_game) others.push_back({o.name, o.format, o.document.get()});
  if (opened.format->scenes && !c.reads({shown_by.begin(), shown_by.end()})) return {};
  const SceneOptions alone{
      .companions = others, .lit = c.request.lit, .lamps = world->lamps, .tick_rate = world->tick_rate};
  auto staged = in_game ? std::move(*in_game) : to_scene(opened, alone);
  if (!staged) {
    if (!in_game && !c.input.archive && lists_others(c.input, *opened.format))
      staged.error().hint = "the files that it lists have to lie beside it, under the names that they have on the disc";
    return c.stop(staged.error());
  }
  tell(c.report, c.request, staged->notes, c.input.name);
  if (c.request.verbose) c.report.err += c.input.name + ": " + scene_summary(staged->scene) + "\n";
  const auto png = [&](const scene::Image& i) { return c.pictures.png_of(i); };
  if (c.target.name == "glb") {
    auto glb = gltf::write_glb(staged->scene, {.png = png});
    return glb ? std::optional<Converted>(std::move(*glb)) : c.stop(glb.error());
  }
  const auto text = gltf::write_gltf(staged->scene, {.png = png});
  return text ? std::optional<Converted>(Bytes(text->begin(), text->end())) : c.stop(text.error());
}

}  // namespace dio::cli

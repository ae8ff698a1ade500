// dio render --part "map/*": several parts of a game, on one sheet or a picture each.

#include "../../command_line/print.hpp"
#include "../../command_line/progress.hpp"
#include "../../command_line/text.hpp"
#include "../../input/games.hpp"
#include "../../output/results.hpp"
#include "../../system/filesystem.hpp"
#include "bridge/png/png.hpp"
#include "core/glob.hpp"
#include "render.hpp"

namespace dio::cli {

ExitCode render_parts(const Request& request, const RenderRequest& wanted, Report report) {
  const bool each = request.output.ends_with('/') || is_folder(request.output);
  if (wanted.tiles || (!each && (wanted.strip || file_extension(request.output) == ".apng"))) {
    report_usage_error(report, request,
                       std::string(wanted.tiles ? "--tiles shows" : "--strip and .apng outputs show") +
                           " only one part, not all parts that match " + request.part);
    return finish(report);
  }
  if (!each && wanted.shot.zoom > 1) {
    report_usage_error(report, request, "--zoom has no effect on a sheet; use --size to set the size of its pictures");
    return finish(report);
  }
  const auto played = open_game(request, request.inputs[0], report);
  if (!played) return finish(report);
  std::vector<const GamePart*> parts;
  for (const GamePart& p : played->game->graph().parts)
    if (matches_wildcard(request.part, p.id())) parts.push_back(&p);
  if (parts.empty()) {
    report.err += played->name + ": no part matches " + request.part + "\n";
    report.raise(ExitCode::no);
    return finish(report);
  }
  const std::vector<Input> inputs =
      is_folder(played->name) ? std::vector<Input>() : resolve_input_names({played->name});
  RenderRequest mine = wanted;
  mine.shot.options.each = make_parallel_for(request);
  if (!each) {
    if (request.size.empty()) mine.shot.options.width = mine.shot.options.height = 128;
    mine.shot.background = scene::Rgba{0, 0, 0, 0};
  }
  if (!each && !fits_on_sheet(request, played->name, parts.size(), mine, report)) return finish(report);
  std::vector<raster::LabelledImage> cells;
  Progress progress(request, true);
  for (const GamePart* part : parts) {
    progress.show(std::to_string(cells.size() + 1) + '/' + std::to_string(parts.size()) + ' ' + part->id());
    raster::LabelledImage cell{part->name.empty() ? part->id() : part->name, {}};
    Report mine_said;
    auto staged = build_game_part_scene(request, *played, part->id(), mine_said);
    auto pictures =
        staged ? render_pictures(request, part->id(), {std::move(staged->scene), {}}, mine, mine_said) : std::nullopt;
    if (pictures && each) {
      std::string file = part->id();
      file[file.find('/')] = '-';
      write_output(request, inputs, (fs::path(request.output) / (file + ".png")).string(),
                   png::write_png(pictures->frames.front()), mine_said);
    } else if (pictures) {
      cell.image = std::move(pictures->frames.front());
    }
    progress.clear();
    report.out += mine_said.out, report.err += mine_said.err;
    report.raise(mine_said.exit);
    if (mine_said.exit == ExitCode::usage) return finish(report);  // of the command line, and so of all parts
    cells.push_back(std::move(cell));
  }
  if (each) return finish(report);
  if (const auto sheet = draw_cell_sheet(request, played->name, cells, mine, report)) {
    write_output(request, inputs, request.output, encode_motion({{*sheet}}, request.output), report);
    if (!request.quiet) report.err += format_count(cells.size(), "picture", "pictures") + " on the sheet\n";
  }
  return finish(report);
}

}  // namespace dio::cli

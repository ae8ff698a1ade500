// dio convert: files to glTF and JSON, JSON to files, files laid out anew.
#include <filesystem>

#include "../archive_files.hpp"
#include "../companions.hpp"
#include "../encode.hpp"
#include "../games.hpp"
#include "../options.hpp"
#include "../scenes.hpp"
#include "../text.hpp"
#include "../verbs.hpp"
#include "bridge/gltf/gltf.hpp"
#include "bridge/report/budget.hpp"
#include "core/printing.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/making.hpp"
#include "formats/contract/scenes.hpp"

namespace dio::cli {

namespace {

/// What can be made: "glb", "gltf", "json", or a file of a format; without a name, of the format that the input has.
struct Target {
  std::string name;
  const Format* format = nullptr;
  std::string from = {};  // the extension that says so, which several formats may have
  bool is_file() const { return format || name.empty(); }
  std::string extension() const { return format ? extension_of(*format) : "." + name; }
};

std::optional<Target> target_of(const std::string& said) {
  const std::string small = lower_case(said);
  std::string_view name = small;
  if (name.starts_with('.')) name.remove_prefix(1);
  if (name == "glb" || name == "gltf" || name == "json") return Target{std::string(name), nullptr};
  for (const Format* f : formats())
    if (f->id == name || has_extension(*f, "." + std::string(name)))
      return Target{std::string(f->id), f, f->id == name ? "" : "." + std::string(name)};
  return {};
}

std::optional<Target> target_of(const Request& request, Report& report) {
  std::vector<std::string> known = {"glb", "gltf", "json"};
  for (const Format* f : formats()) known.emplace_back(f->id);
  std::string name = request.to;
  if (name.empty())
    name = std::filesystem::path(request.in_place ? request.inputs[0] : request.output).extension().string();
  const bool folder = request.output.ends_with('/') || is_folder(request.output);
  if (name.empty() || (folder && request.to.empty())) {
    fail_usage(report, request, "say what to make: --to " + joined(known, ", "));
    return {};
  }
  auto target = target_of(name);
  // Of files without an extension, MAP001.8, the name does not say what they are.
  if (!target && request.to.empty() && has_number(request.in_place ? request.inputs[0] : request.output))
    return Target{};
  if (!target)
    fail_usage(report, request, "nothing can be made that is called " + name + "; there are " + joined(known, ", "));
  return target;
}

/// The scene of a file with all that its game shows it with. Nothing if it is in no game, or no part that can be shown
/// and yet can be shown alone. `read`: which options the game reads, if it is in one.
std::optional<Result<Staged>> scene_in_game(const Input& input, const Opened& opened, const WorldOptions& options,
                                            std::span<const std::string_view>& read) {
  std::optional<Result<Staged>> out;
  // Files are named by their paths in the game.
  const std::string beside =
      input.archive ? input.archive->name() : std::filesystem::path(input.name).parent_path().string();
  const auto in_game = [&](Diagnostic& d) {
    if (!d.place.file.empty() && !beside.empty()) d.place.file = beside + "/" + d.place.file;
    if (d.place.file.empty()) d.place.file = input.name;
  };
  in_its_game(input, *opened.format, [&](const OpenedGame& in, const GamePart& part) {
    auto staged = in.game->world(part.id(), options);
    if (!staged && (opened.format->scenes || staged.error().id == "game.part")) return;
    if (!staged)
      in_game(staged.error());
    else
      for (Diagnostic& d : staged->notes) in_game(d);
    read = in.kind->options;
    out = std::move(staged);
  });
  return out;
}

/// The formats whose files can be made of scenes.
std::vector<std::string> makers() {
  std::vector<std::string> ids;
  for (const Format* f : formats())
    if (f->making) ids.emplace_back(f->id);
  return ids;
}

/// What was made, with its notes told.
std::optional<std::vector<MadeFile>> taken(const Request& request, const Input& input, Result<Made> made,
                                           Report& report) {
  const auto in_file = [&](Diagnostic d) {
    if (d.place.file.empty()) d.place.file = input.name;
    return d;
  };
  if (!made) {
    fail(report, request, in_file(made.error()));
    if (made.error().id != "make.argument") report.raise(Exit::refused);
    return {};
  }
  if (!request.quiet)
    for (const Diagnostic& d : made->notes) report.err += note_line(in_file(d));
  return std::move(made->files);
}

/// Holds what was made against what its console has.
void say_excess(const Request& request, const Format& format, const std::vector<MadeFile>& files,
                const std::string& name, Report& report) {
  if (request.quiet || !format.budget) return;
  auto made = dio::open(files.front().bytes, name, &format);
  if (!made) return;
  open_beside(*made, [&](const std::string& beside) -> std::optional<Bytes> {
    for (const MadeFile& f : files)
      if (f.extension == extension_in(beside)) return f.bytes;
    return {};
  });
  for (const Value& b : report::exceeded(format.budget(*made->document, companions_of(*made))))
    report.err += (name == "-" ? "standard output" : name) + ": more " + b.find("name")->text() +
                  " than the console has room for: " + grouped(b.find("used")->bits()) + " of " +
                  grouped(b.find("of")->bits()) + "; `dio budget` says more\n";
}

/// Files that a format makes of a scene.
std::optional<std::vector<MadeFile>> make_files(const Request& request, const Input& input, const Bytes& bytes,
                                                const Format& format, Report& report) {
  if (request.as || request.strict) {
    fail_usage(report, request, input.name + ": --as and --strict are for files of consoles, not for scenes");
    return {};
  }
  if (!are_read(request, input.name, making_options(format, false), report)) return {};
  auto scene = read_scene(request, input, bytes, report);
  if (!scene) return {};
  if (!take_files(request, *scene, input, report)) return {};
  return taken(request, input, format.making->make(*scene, request.making), report);
}

/// The files of the target. Nothing if that cannot be; the report says why. `is_made`: they are no copy of the input,
/// but were made of it.
std::optional<std::vector<MadeFile>> convert(const Request& request, const Input& input, const Target& target,
                                             const Companions& companions, bool& is_made, Report& report) {
  const auto alone = [](Bytes bytes) { return std::vector<MadeFile>{{{}, std::move(bytes)}}; };
  auto bytes = read_input(input);
  if (!bytes) {
    fail(report, request, bytes.error());
    return {};
  }
  const bool is_scene = is_gltf(input, *bytes);
  is_made = is_scene;
  if (is_scene && target.format && target.format->making)
    return make_files(request, input, *bytes, *target.format, report);
  // What is found in a folder may be of several formats: options are for those that read them.
  const auto reads = [&](std::vector<std::string_view> names, bool is_saved) {
    if (is_saved) names.insert(names.end(), saving_options().begin(), saving_options().end());
    return input.walked || are_read(request, input.name, names, report);
  };
  const auto usage = [&](const std::string& problem) {
    report.err += input.name + ": " + problem + "\n";
    report.raise(Exit::usage);
    return std::nullopt;
  };
  // JSON becomes the file it describes, and that what was asked for.
  ReadAs as = request.as;
  const bool is_json = !is_scene && (extension_in(input.name) == ".json" ||
                                     (input.is_stdin && !bytes->empty() && bytes->front() == '{'));
  if (is_json) {
    auto encoded = encode_input(request, input, *bytes, report);
    if (!encoded) return {};
    if (target.is_file() && (!target.format || target.format == encoded->format)) {
      if (!reads({}, true)) return {};
      return alone(std::move(encoded->bytes));
    }
    bytes = std::move(encoded->bytes);
    as = {encoded->format};
  } else if (is_scene) {
    return usage("a scene is put back into the file it was made of: --onto FILE; files of " + joined(makers(), ", ") +
                 " are made of any scene");
  }
  auto opened = dio::open(*bytes, input.name, as, request.strict);
  if (!opened) {
    if (input.walked && opened.error().id == "detect.unknown")
      report.skipped = true;
    else
      fail(report, request, opened.error(), *bytes);
    return {};
  }
  if (target.is_file()) {
    const bool is_shared = !target.from.empty() && has_extension(*opened->format, target.from);
    if (target.format && target.format != opened->format && !is_shared)
      return usage("it is a " + std::string(opened->format->title) + ", and cannot become a " +
                   std::string(target.format->title));
    const bool is_remade = opened->format->making && opened->format->making->remake && !request.making.empty();
    if (!reads(is_remade ? making_options(*opened->format, true) : std::vector<std::string_view>(), true)) return {};
    is_made = is_remade;
    if (is_remade) {
      open_neighbours(request, input, *opened, &report);
      return taken(request, input,
                   opened->format->making->remake(*opened->document, companions.of(*opened), request.making), report);
    }
    auto saved = opened->document->save(request.save);
    if (saved && *saved == *bytes && !request.save.canonical && !request.quiet)
      report.err += input.name + ": the same bytes again; --canonical lays them out anew\n";
    if (saved) return alone(std::move(*saved));
    Diagnostic d = saved.error();
    d.place.file = input.name;
    fail(report, request, d, *bytes);
    return {};
  }
  open_neighbours(request, input, *opened, &report);
  if (target.name == "json") {
    if (!reads({}, is_json)) return {};
    const std::string text = json_text(dio::decode(*opened));
    return alone(Bytes(text.begin(), text.end()));
  }
  const auto in_file = [&](Diagnostic d) {
    if (d.place.file.empty()) d.place.file = input.name;
    fail(report, request, d);
    return std::nullopt;
  };
  const std::vector<Companion> others = companions.of(*opened);
  const auto world = world_options(request, report);
  if (!world) return {};
  std::span<const std::string_view> shown_by;
  if (opened->format->scenes) shown_by = opened->format->scenes->options;
  auto in_game = others.empty() ? scene_in_game(input, *opened, *world, shown_by) : std::nullopt;
  if (opened->format->scenes && !reads({shown_by.begin(), shown_by.end()}, is_json)) return {};
  auto staged =
      in_game
          ? std::move(*in_game)
          : to_scene(*opened,
                     {.companions = others, .lit = request.lit, .lamps = world->lamps, .tick_rate = world->tick_rate});
  if (!staged) {
    if (!in_game && !input.archive && lists_others(input, *opened->format))
      staged.error().hint = "the files that it lists have to lie beside it, under the names that they have on the disc";
    return in_file(staged.error());
  }
  if (!request.quiet)
    for (const Diagnostic& d : staged->notes) report.err += note_line(d);
  const scene::Scene& scene = staged->scene;
  if (request.verbose) report.err += input.name + ": " + scene_summary(scene) + "\n";
  if (target.name == "glb") {
    auto glb = gltf::write_glb(scene);
    if (!glb) return in_file(glb.error());
    return alone(std::move(*glb));
  }
  auto text = gltf::write_gltf(scene);
  if (!text) return in_file(text.error());
  return alone(Bytes(text->begin(), text->end()));
}

}  // namespace

Exit run_convert(const Request& request) {
  if (!request.onto.empty()) return run_convert_onto(request);
  std::vector<Input> inputs = expand(request.inputs, request.recursive, !request.in_place);
  const std::vector<Input> all = inputs;
  Report wrong;
  std::optional<Target> target;
  std::optional<Outputs> outputs;
  if (request.output.empty() == !request.in_place)
    fail_usage(wrong, request, "say where the result goes: -o OUT, or -i to change the file itself");
  else if (!request.backup.empty() && !request.in_place)
    fail_usage(wrong, request, "--backup goes with -i");
  else
    target = target_of(request, wrong);
  std::optional<Companions> companions = Companions();
  if (target && (target->name == "glb" || target->name == "gltf"))
    companions = Companions::take_from(request, inputs, wrong);
  if (target && companions && !request.in_place) outputs = outputs_of(request, inputs, target->extension(), wrong);
  if (request.in_place && target && !target->is_file())
    fail_usage(wrong, request, "-i is for files that stay what they are: give -o OUT");
  if (wrong.exit != Exit::done) {
    print(wrong);
    return wrong.exit;
  }
  return for_each_input(request, inputs, [&](const Input& input, size_t index) {
    Report report;
    bool is_made = false;
    const auto made = convert(request, input, *target, *companions, is_made, report);
    if (!made) return report;
    if (!request.in_place) {
      const std::string name = outputs->name(index, target->extension());
      write_outputs(request, all, name, *made, report);
      if (target->format && report.exit == Exit::done) {
        if (is_made)
          say_excess(request, *target->format, *made, name, report);
        else
          say_what_stays(request, input, *target->format, name, report);
      }
    } else if (made->size() == 1)
      write_in_place(request, input, made->front().bytes, report);
    else
      fail_usage(report, request, "several files are made: give -o OUT");
    return report;
  });
}

}  // namespace dio::cli

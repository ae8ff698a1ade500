// game.cpp: games of diorama.h: whole cartridges, discs and folders, and their maps as scenes.
#include "bridge/report/budget.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "capi/parts.hpp"
#include "core/safe_path.hpp"
#include "core/text_format.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "operations/game_graph.hpp"
#include "operations/game_references.hpp"
#include "operations/games.hpp"
#include "operations/source_tree.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

dio_game* fail_game(dio_game* game, Diagnostic d) {
  if (d.place.file.empty() || d.id == "game.unknown") d.place.file = game->name;
  game->error = std::move(d);
  return game;
}

dio_game* open_game_from(dio_game* game, std::shared_ptr<const FileTree> files) {
  auto opened = open_game(*files);
  if (!opened) return fail_game(game, std::move(opened.error()));
  game->original = game->files = std::move(files);
  game->opened = std::move(*opened);
  return game;
}

/// Does something with a game; where there is none, its error. Errors name files of the game.
template <class F>
dio_buffer* with_game(const dio_game* game, F&& f) {
  if (!has_handle_tag(game, k_game_tag))
    return make_buffer(argument_error({.message = "the game is not a handle from dio_game_open"}));
  if (game->error) return make_buffer(*game->error);
  return f(*game);
}

Result<WorldOptions> parse_world_options(const OpenedGame& game, const char* const* options, size_t count) {
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return refuse(told.error());
  WorldOptions out;
  for (const Argument& a : *told)
    if (const auto problem = set_world_option(out, *game.kind, *game.game, a.name, a.value))
      return refuse(argument_error({.message = a.name + " " + *problem}));
  return out;
}

Diagnostic locate_in_game(Diagnostic d, const dio_game& game) {
  if (d.place.file.empty()) d.place.file = game.name;
  return d;
}

}  // namespace

extern "C" {

dio_game* dio_game_open(const dio_file* file) {
  auto* game = new dio_game;
  if (!has_handle_tag(file, k_file_tag)) return fail_game(game, invalid_file_handle());
  game->name = file->name;
  game->known = file->known;
  game->image = file->parts.get();
  if (file->parts) return open_game_from(game, file->parts);
  if (!file->opened) return fail_game(game, *file->error);
  auto archive = Archive::open(copy_of(file->opened->bytes), file->name);
  if (!archive) return fail_game(game, std::move(archive.error()));
  auto image = std::make_shared<ArchiveTree>(std::move(*archive), file->name);
  game->image = image.get();
  return open_game_from(game, std::move(image));
}

dio_game* dio_game_open_files(const char* name, const dio_source* files, size_t count, dio_read read, uint32_t flags) {
  auto* game = new dio_game;
  game->name = text_of(name);
  game->known = flags & DIO_KNOWN;
  if (auto wrong = check_unknown_flags(flags, DIO_KNOWN)) return fail_game(game, std::move(*wrong));
  if (count && !files)
    return fail_game(game, argument_error({.message = "the list of files is null, but its count is not 0"}));
  auto tree = std::make_shared<SourceTree>();
  for (size_t i = 0; i < count; ++i) {
    auto source = make_byte_source(files[i].size, read, files[i].user);
    if (!source) return fail_game(game, std::move(source.error()));
    const std::string_view path = text_of(files[i].path);
    if (!tree->files.try_emplace(std::string(path), std::move(*source)).second)
      return fail_game(game, argument_error({.message = "two files have the path " + in_quotes(path)}));
  }
  return open_game_from(game, std::move(tree));
}

void dio_game_close(dio_game* game) {
  if (has_handle_tag(game, k_game_tag)) delete game;
}

uint32_t dio_game_ok(const dio_game* game) { return has_handle_tag(game, k_game_tag) && !game->error; }

dio_buffer* dio_game_info(const dio_game* game) {
  return with_game(game, [](const dio_game& g) {
    Value v = Value::object();
    v.add("schema", "diorama.game/1");
    v.add("name", g.name);
    v.add("game", g.opened->kind->id);
    v.add("title", g.opened->kind->title);
    v.add("files", g.opened->game->info());
    Value& overlays = v.add("overlays", Value::list());
    for (const std::string_view name : g.opened->game->overlays()) overlays.push(name);
    Value& options = v.add("options", Value::list());
    for (const std::string_view name : g.opened->kind->options) options.push(name);
    Value& kinds = v.add("scene_parts", Value::list());
    for (const PartKind& kind : g.opened->kind->scene_parts) {
      Value& one = kinds.push(Value::object());
      one.add("kind", kind.kind);
      one.add("title", kind.title);
      one.add("map", kind.is_map);
    }
    return make_buffer(v);
  });
}

dio_buffer* dio_game_parts(const dio_game* game) {
  return with_game(game, [](const dio_game& g) { return make_buffer(parts_json(*g.opened->kind, *g.opened->game)); });
}

dio_buffer* dio_game_maps(const dio_game* game) {
  return with_game(game, [](const dio_game& g) { return make_buffer(maps_json(*g.opened->kind, *g.opened->game)); });
}

dio_buffer* dio_game_part(const dio_game* game, const char* part, const char* const* options, size_t count) {
  return with_game(game, [&](const dio_game& g) {
    const auto wanted = parse_world_options(*g.opened, options, count);
    if (!wanted) return make_buffer(wanted.error());
    auto described = g.opened->game->describe(text_of(part), *wanted);
    if (!described) return make_buffer(locate_in_game(std::move(described.error()), g));
    return make_buffer(part_json(*g.opened->kind, std::move(*described)));
  });
}

dio_buffer* dio_game_check(const dio_game* game) {
  return with_game(game, [](const dio_game& g) { return make_findings_buffer(g.opened->game->check(g.known), true); });
}

dio_buffer* dio_game_budget(const dio_game* game, const char* part) {
  return with_game(game, [&](const dio_game& g) {
    const GameKind& kind = *g.opened->kind;
    if (text_of(part).empty()) return make_buffer(budgets_json(kind, collect_budgets(*g.opened->game)));
    auto budget = g.opened->game->budget(text_of(part));
    if (!budget) return make_buffer(locate_in_game(std::move(budget.error()), g));
    return make_buffer(budget_json(kind, std::move(*budget)));
  });
}

dio_buffer* dio_game_budget_picture(const dio_game* game, const char* part) {
  return with_game(game, [&](const dio_game& g) {
    const auto budget = g.opened->game->budget(text_of(part));
    if (!budget) return make_buffer(locate_in_game(budget.error(), g));
    const Value* name = budget->find("name");
    return make_buffer(report::budget_svg(
        *budget, budget->find("part")->text() + (name ? " " + name->text() : "") + ": resource use"));
  });
}

dio_buffer* dio_game_graph(const dio_game* game, const char* part, const char* form) {
  return with_game(game, [&](const dio_game& g) {
    const GameGraph& graph = g.opened->game->graph();
    const auto found = text_of(part).empty() ? std::nullopt : graph.find(text_of(part));
    if (!found && !text_of(part).empty()) return make_buffer(locate_in_game(unknown_part(graph, text_of(part)), g));
    const std::string_view as = text_of(form);
    if (as == "json") return make_buffer(graph_json(*g.opened->kind, graph, found));
    if (as == "dot") return make_buffer(graph_dot(graph, found));
    if (as == "mermaid") return make_buffer(graph_mermaid(graph, found));
    return make_buffer(
        argument_error({.message = "unknown form " + in_quotes(as) + "; it can be json, dot or mermaid"}));
  });
}

dio_buffer* dio_game_refs(const dio_game* game, const char* part) {
  return with_game(game, [&](const dio_game& g) {
    const auto found = collect_references(*g.opened->game, *g.files, text_of(part));
    if (!found) return make_buffer(locate_in_game(found.error(), g));
    Value v = Value::object();
    v.add("schema", "diorama.refs/1");
    v.add("game", g.name);
    v.add("parts", Value::list()).push(found->value());
    return make_buffer(v);
  });
}

dio_buffer* dio_game_diff(const dio_game* a, const dio_game* b) {
  return with_game(a, [&](const dio_game& first) {
    return with_game(b, [&](const dio_game& second) {
      const GameKind &of_a = *first.opened->kind, &of_b = *second.opened->kind;
      if (&of_a != &of_b)
        return make_buffer(argument_error(
            {.message = "the games are different: " + std::string(of_a.title) + " and " + std::string(of_b.title)}));
      return make_buffer(changes_json(first.opened->game->diff(*second.opened->game)));
    });
  });
}

dio_buffer* dio_game_make(const dio_game* game, const char* name) {
  return with_game(game, [&](const dio_game& g) {
    auto bytes = g.opened->game->make(text_of(name));
    return bytes ? make_buffer(std::move(*bytes)) : make_buffer(locate_in_game(std::move(bytes.error()), g));
  });
}

dio_buffer* dio_game_shown_with(const dio_game* game, const char* part) {
  return with_game(game, [&](const dio_game& g) {
    const GameGraph& graph = g.opened->game->graph();
    const auto found = graph.find(text_of(part));
    if (!found) return make_buffer(locate_in_game(unknown_part(graph, text_of(part)), g));
    Value v = Value::object();
    v.add("schema", "diorama.shown-with/1");
    v.add("part", graph.parts[*found].id());
    Value& list = v.add("files", Value::list());
    for (std::string& path : g.opened->game->shown_with(graph.parts[*found])) list.push(std::move(path));
    return make_buffer(v);
  });
}

dio_buffer* dio_game_edits(const dio_game* game) {
  return with_game(game, [](const dio_game& g) { return make_buffer(describe_game_edits(*g.opened)); });
}

dio_buffer* dio_game_edit(dio_game* game, const char* const* words, size_t count, uint32_t flags,
                          const dio_file* scene_file) {
  return with_game(game, [&](const dio_game& g) {
    if (auto wrong = check_unknown_flags(flags, DIO_UNLINK)) return make_buffer(std::move(*wrong));
    const auto list = copy_strings(words, count);
    if (!list) return make_buffer(list.error());
    const auto steps = parse_edit_steps(*list);
    if (!steps) return make_buffer(steps.error());
    std::optional<scene::Scene> scene;
    Diagnostics notes;
    std::optional<ByteView> source;
    if (scene_file && !has_handle_tag(scene_file, k_file_tag)) return make_buffer(invalid_file_handle());
    const bool stores = std::ranges::any_of(
        *steps, [&](const EditStep& step) { return source_argument_path(*g.opened->kind, step).has_value(); });
    if (scene_file && stores) {
      source = scene_file->opened ? ByteView(scene_file->opened->bytes) : ByteView(scene_file->bytes);
    } else if (scene_file) {
      if (!is_scene(*scene_file))
        return make_buffer(
            argument_error({.message = scene_file->name + " is no scene; .glb, .gltf and .obj files are"}));
      auto read = read_scene(*scene_file, notes);
      if (!read) return make_buffer(std::move(read.error()));
      scene = std::move(*read);
    }
    // Edits are made in a copy of what was changed so far, so that a refused one leaves the game as it is.
    auto editing = GameEditing::begin(*g.original);
    if (!editing) return make_buffer(locate_in_game(std::move(editing.error()), g));
    if (g.editing)
      if (auto resumed = editing->resume(g.editing->changed()); !resumed)
        return make_buffer(locate_in_game(std::move(resumed.error()), g));
    Value done = Value::list(), changes = Value::list(), files = Value::list();
    for (const EditStep& step : *steps) {
      auto made = editing->run(step, flags & DIO_UNLINK ? Referrers::unlink : Referrers::refuse,
                               scene ? &*scene : nullptr, source);
      if (!made) return make_buffer(locate_in_game(std::move(made.error()), g));
      done.push(std::move(*made));
      notes.insert(notes.end(), editing->notes().begin(), editing->notes().end());
      for (const std::string& line : editing->last()) changes.push(line);
    }
    for (const auto& [path, bytes] : editing->changed()) {
      Value& one = files.push(Value::object());
      one.add("path", path);
      one.add("size", u64(bytes.size()));
    }
    auto shared = std::make_shared<GameEditing>(std::move(*editing));
    std::shared_ptr<const FileTree> now(shared, &shared->files());
    auto opened = open_game(*now);
    if (!opened) return make_buffer(locate_in_game(std::move(opened.error()), g));
    game->editing = std::move(shared);
    game->files = std::move(now);
    game->opened = std::move(*opened);
    Value v = Value::object();
    v.add("schema", "diorama.game-edit/1");
    v.add("done", std::move(done));
    v.add("changes", std::move(changes));
    v.add("files", std::move(files));
    Value& said = v.add("notes", Value::list());
    for (Diagnostic& d : notes) {
      if (scene_file && d.place.file.empty()) d.place.file = scene_file->name;
      said.push(report::finding_json(d));
    }
    return make_buffer(v);
  });
}

dio_buffer* dio_game_file(const dio_game* game, const char* path) {
  return with_game(game, [&](const dio_game& g) {
    const std::string_view wanted = text_of(path);
    if (!wanted.empty()) {
      auto bytes = read_file_or_member(*g.files, wanted);
      return bytes ? make_buffer(std::move(*bytes)) : make_buffer(locate_in_game(std::move(bytes.error()), g));
    }
    if (!g.image)
      return make_buffer(make_diagnostic("archive.none", Location::in_file(g.name),
                                         {.message = "the game is a folder, which has no image"}));
    std::vector<DependentFile> files;
    if (g.editing)
      for (const auto& [name, bytes] : g.editing->changed()) files.push_back({name, bytes});
    auto bytes = replace_files(*g.image, std::move(files));
    return bytes ? make_buffer(std::move(*bytes)) : make_buffer(locate_in_game(std::move(bytes.error()), g));
  });
}

dio_scene* dio_game_world(const dio_game* game, const char* part, const char* const* options, size_t count) {
  if (!has_handle_tag(game, k_game_tag))
    return make_scene_handle(refuse(argument_error({.message = "the game is not a handle from dio_game_open"})), {},
                             {});
  const auto staged = [&]() -> Result<SceneResult> {
    if (game->error) return refuse(*game->error);
    auto wanted = parse_world_options(*game->opened, options, count);
    if (!wanted) return refuse(wanted.error());
    wanted->sources = true;
    auto world = game->opened->game->world(text_of(part), *wanted);
    if (!world) return refuse(locate_in_game(std::move(world.error()), *game));
    return world;
  };
  return make_scene_handle(staged(), {}, [files = game->files](const std::string& name) {
    auto bytes = read_file_or_member(*files, name);
    auto opened = bytes ? dio::open(std::move(*bytes), name) : Result<OpenedFile>(refuse(bytes.error()));
    return opened ? std::make_shared<const OpenedFile>(std::move(*opened)) : nullptr;
  });
}

}  // extern "C"

#include "operations/game_editing.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/command_text.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "operations/source_tree.hpp"

namespace dio {

namespace {

Diagnostic argument_error(std::string message, std::string hint = {}) {
  return make_diagnostic("edit.argument", {}, {.message = std::move(message), .hint = std::move(hint)});
}

/// The file of a part in its tree, as edits of values see it.
Result<Editing> begin_editing_file(const FileTree& files, const std::string& path) {
  const auto bytes = read_file_or_member(files, path);
  if (!bytes) return refuse(bytes.error());
  const auto found = detect(*bytes, path);
  if (!found) return refuse(found.error());
  return Editing::begin(*bytes, ReadAs{found->format}, {.name = path});
}

/// The numbers of parts in their new order: which number each place had before. Copies have that of their original.
std::vector<u32> compute_part_order(u32 count, std::string_view edit, u32 part, u32 other, std::optional<u32> before) {
  std::vector<u32> order(count);
  std::iota(order.begin(), order.end(), 0u);
  if (edit == "swap") {
    std::swap(order[part], order[other]);
  } else if (edit == "duplicate") {
    order.insert(order.begin() + before.value_or(part + 1), part);
  } else {
    order.erase(order.begin() + part);
    if (edit == "move") order.insert(order.begin() + (*before > part ? *before - 1 : *before), part);
  }
  return order;
}

constexpr Parameter k_duplicate_part_parameters[] = {operand("PART", ParameterKind::part),
                                                     optional("before", "PART", ParameterKind::part),
                                                     optional("after", "PART", ParameterKind::part)};
constexpr Parameter k_move_part_parameters[] = {operand("PART", ParameterKind::part),
                                                required("before", "PART", ParameterKind::part).either(1),
                                                required("after", "PART", ParameterKind::part).either(2)};
constexpr Parameter k_swap_part_parameters[] = {operand("PART", ParameterKind::part),
                                                operand("PART", ParameterKind::part)};
constexpr Parameter k_remove_part_parameters[] = {operand("PART", ParameterKind::part)};
constexpr std::string_view k_set_values = "set-values";
constexpr Parameter k_set_values_parameters[] = {
    required("part", "PART", ParameterKind::part),
    required("FIELD", "VALUE", ParameterKind::text).with_any_name().repeated()};

}  // namespace

std::span<const ListEdit> part_edits() {
  static constexpr ListEdit k_edits[] = {
      {"duplicate", k_duplicate_part_parameters,
       "Copies a part, such as land/12. By default, the copy becomes the last part of its kind. References to "
       "renumbered parts are updated."},
      {"move", k_move_part_parameters, "Gives a part another number. References to all renumbered parts are updated."},
      {"swap", k_swap_part_parameters, "Swaps the numbers of two parts of the same kind. References are updated."},
      {"remove", k_remove_part_parameters,
       "Removes a part. References to later parts are updated. A part that is still referred to is not removed unless "
       "{--unlink} is given."},
      {k_set_values, k_set_values_parameters,
       "Sets values of a part, such as part=header/2 weather=5, or part=events/1 warp_events[0].x=12. Also sets values "
       "of "
       "the sources of a decompilation: the names and units are those of the built file."},
  };
  return k_edits;
}

bool is_game_edit(const EditStep& step) {
  const auto is_named = [&](const auto& e) { return e.name == step.name; };
  for (const GameKind* kind : game_kinds())
    if (std::ranges::any_of(kind->edits, is_named)) return true;
  if (step.name == k_set_values) return true;
  // Paths in files have no slashes but in texts.
  return std::ranges::any_of(part_edits(), is_named) && !step.operands.empty() &&
         step.operands[0].find('/') != std::string::npos && step.operands[0].find_first_of("[\"") == std::string::npos;
}

std::optional<std::string> scene_argument_path(const GameKind& kind, const EditStep& step) {
  const auto edit = std::ranges::find(kind.edits, step.name, &GameEdit::name);
  if (edit == kind.edits.end() || !edit->bring) return {};
  const auto file = std::ranges::find(step.arguments, "scene", &Argument::name);
  return file == step.arguments.end() ? std::string() : std::string(file->value);
}

std::optional<std::string> source_argument_path(const GameKind& kind, const EditStep& step) {
  const auto edit = std::ranges::find(kind.edits, step.name, &GameEdit::name);
  if (edit == kind.edits.end() || !edit->store) return {};
  const auto file = std::ranges::find(step.arguments, "source", &Argument::name);
  return file == step.arguments.end() ? std::nullopt : std::optional(std::string(file->value));
}

/// The kinds of parts that can be renumbered.
static std::set<std::string_view> numbered_kinds(const Game& game) {
  std::set<std::string_view> kinds;
  for (const GamePart& part : game.graph().parts) kinds.insert(part.kind);
  std::erase_if(kinds, [&](std::string_view kind) { return game.numbered(kind).empty(); });
  return kinds;
}

std::span<const ListEdit> part_edits_of(const Game& game) {
  return numbered_kinds(game).empty() ? std::span<const ListEdit>() : part_edits();
}

Value describe_game_edits(const OpenedGame& opened) {
  Value v = Value::object();
  v.add("schema", "diorama.edits/1");
  v.add("game", opened.kind->id);
  Value& edits = v.add("edits", Value::list());
  const auto add = [&](const auto& e) {
    Value& one = edits.push(Value::object());
    one.add("edit", e.name);
    one.add("usage", usage_line(e.parameters));
    one.add("about", word_commands(e.about));
    one.add("arguments", describe_parameters(e.parameters));
  };
  for (const GameEdit& e : opened.kind->edits) add(e);
  for (const ListEdit& e : part_edits_of(*opened.game)) add(e);
  return v;
}

Result<GameEditing> GameEditing::begin(const FileTree& files) {
  GameEditing e;
  e.files_ = std::make_unique<EditedTree>(files);
  if (auto opened = e.reopen(); !opened) return refuse(std::move(opened.error()));
  return e;
}

Result<bool> GameEditing::resume(EditedTree::Changed changed) {
  files_->set_changed(std::move(changed));
  return reopen();
}

Result<bool> GameEditing::reopen() {
  auto opened = open_game(*files_);
  if (!opened) return refuse(std::move(opened.error()));
  game_ = std::move(*opened);
  return true;
}

Result<std::string> GameEditing::run(const EditStep& step, Referrers referrers, const scene::Scene* scene,
                                     std::optional<ByteView> source) {
  const EditedTree::Changed before = files_->changed();
  last_.clear(), notes_.clear();
  const auto named = std::ranges::find(kind().edits, step.name, &GameEdit::name);
  auto done = named != kind().edits.end() ? run_game_edit(*named, step, scene, source) : run_part_edit(step, referrers);
  if (done)
    if (auto opened = reopen(); !opened) done = refuse(std::move(opened.error()));
  if (done) return done;
  files_->set_changed(before);
  if (auto opened = reopen(); !opened) return refuse(std::move(opened.error()));
  return done;
}

Result<std::string> GameEditing::run_game_edit(const GameEdit& edit, const EditStep& step, const scene::Scene* scene,
                                               std::optional<ByteView> source) {
  if (!step.operands.empty())
    return refuse(argument_error(step.name + " accepts no paths, only " + usage_line(edit.parameters)));
  if (edit.bring && !scene) return refuse(argument_error(step.name + " needs scene=FILE with a .glb file"));
  if (auto unknown = find_unknown_argument(edit.parameters, step.arguments)) return refuse(std::move(*unknown));
  if (source_argument_path(kind(), step) && !source)
    return refuse(argument_error(step.name + " needs the content of the file that source=FILE names"));
  return take(edit.bring   ? edit.bring(game(), *scene, step.arguments)
              : edit.store ? edit.store(game(), source, step.arguments)
                           : edit.apply(game(), step.arguments));
}

Result<std::string> GameEditing::take(Result<GameEdited> edited) {
  if (!edited) return refuse(std::move(edited.error()));
  for (DependentFile& f : edited->files) {
    if (auto put = files_->write_file(f.path, std::move(f.bytes)); !put) return refuse(std::move(put.error()));
    last_.push_back(f.path);
  }
  notes_ = std::move(edited->notes);
  lost_ += edited->lost;
  return std::move(edited->done);
}

Result<const GamePart*> GameEditing::find_part(std::string_view typed, std::string_view kind) const {
  const GameGraph& graph = game().graph();
  auto at = graph.find(typed);
  if (!at && !kind.empty()) at = graph.find(std::string(kind) + "/" + std::string(typed));
  if (!at) return refuse(unknown_part(graph, typed));
  return &graph.parts[*at];
}

Result<std::string> GameEditing::set_values(const EditStep& step) {
  std::vector<Assignment> assignments;
  std::string_view typed;
  for (const Argument& a : step.arguments)
    if (a.name == "part")
      typed = a.value;
    else
      assignments.push_back({a.name, a.value});
  if (typed.empty() || assignments.empty())
    return refuse(argument_error(step.name + " needs " + usage_line(k_set_values_parameters)));
  const auto found = find_part(typed, {});
  if (!found) return refuse(found.error());
  const GamePart part = **found;
  auto built = game().build_part(part);
  if (!built) return refuse(std::move(built.error()));
  const std::string& element = *built ? (*built)->element : part.element;
  if (!element.empty())
    for (Assignment& a : assignments) a.path = element + (a.path.starts_with('[') ? "" : ".") + a.path;
  const auto in_part = [&](Diagnostic d) {
    d.place.file = part.path;
    return refuse(std::move(d));
  };
  auto editing = *built ? Editing::begin((*built)->file, ReadAs{find_format((*built)->format)}, {.name = part.path})
                        : begin_editing_file(*files_, part.path);
  if (!editing) return in_part(std::move(editing.error()));
  auto done = editing->set(assignments);
  if (!done) return in_part(std::move(done.error()));
  std::string said = part.id() + ": " + *done;
  if (*built) {
    auto taken = take(game().change_built_part(part, editing->bytes()));
    return taken ? Result<std::string>(std::move(said)) : taken;
  }
  last_.push_back(part.path);
  if (auto put = files_->write_file(part.path, editing->bytes()); !put) return refuse(std::move(put.error()));
  return said;
}

/// An edit of a part whose kind has no lists: a copy, if the game can make one.
Result<std::string> GameEditing::run_unnumbered_part_edit(const EditStep& step, const GamePart& part) {
  if (step.name == "duplicate" && step.arguments.empty())
    if (auto copied = game().duplicate_part(part)) return take(std::move(copied));
  const std::string_view why = game().why_not_numbered(part.kind);
  std::string kinds;
  for (const std::string_view one : numbered_kinds(game())) kinds += (kinds.empty() ? "" : ", ") + std::string(one);
  return refuse(
      argument_error("parts of the kind " + std::string(part.kind) + " cannot be renumbered: " +
                     (why.empty() ? "their numbers are not positions in an archive, or are shared with other parts"
                                  : std::string(why)) +
                     (kinds.empty() ? "" : "; " + step.name + " applies to the kinds " + kinds)));
}

Result<std::string> GameEditing::run_part_edit(const EditStep& step, Referrers referrers) {
  const auto edit = std::ranges::find(part_edits(), step.name, &ListEdit::name);
  if (edit == part_edits().end()) {
    std::string names;
    for (const GameEdit& e : kind().edits) names += std::string(e.name) + ", ";
    for (const ListEdit& e : part_edits_of(game())) names += std::string(e.name) + ", ";
    names.resize(names.size() - std::min<size_t>(names.size(), 2));
    return refuse(argument_error("the game has no edit " + in_quotes(step.name) + "; the edits are " + names));
  }
  if (step.operands.size() != count_operands(edit->parameters))
    return refuse(argument_error(step.name + " needs " + usage_line(edit->parameters)));
  if (step.name == k_set_values) return set_values(step);
  const auto part = find_part(step.operands[0], {});
  if (!part) return refuse(part.error());
  const std::string_view kind = (*part)->kind;
  const u32 number = (*part)->number;
  const auto part_number_of_same_kind = [&](std::string_view typed) -> Result<u32> {
    const auto other = find_part(typed, kind);
    if (!other) return refuse(other.error());
    if ((*other)->kind != kind)
      return refuse(argument_error((*part)->id() + " and " + (*other)->id() + " are parts of different kinds"));
    return (*other)->number;
  };
  const auto lists = game().numbered(kind);
  if (lists.empty()) return run_unnumbered_part_edit(step, **part);
  u32 other = 0;
  if (step.name == "swap") {
    const auto found = part_number_of_same_kind(step.operands[1]);
    if (!found) return refuse(found.error());
    other = *found;
    if (other == number) return refuse(argument_error("the two parts are the same"));
  }
  std::optional<u32> before;
  for (const Argument& a : step.arguments) {
    if ((a.name != "before" && a.name != "after") || step.name == "swap" || step.name == "remove")
      return refuse(argument_error("unknown argument " + a.name + "=..."));
    if (before) return refuse(argument_error("before=... and after=... cannot be combined"));
    const auto found = part_number_of_same_kind(a.value);
    if (!found) return refuse(found.error());
    before = *found + (a.name == "after");
  }
  if (step.name == "move" && !before) return refuse(argument_error("move needs before=... or after=..."));
  const u32 count = u32(std::ranges::count(game().graph().parts, kind, &GamePart::kind));
  if (step.name == "duplicate" && !before) before = count;

  const std::vector<u32> order = compute_part_order(count, step.name, number, other, before);
  std::vector<std::optional<u32>> now(count);
  u32 made = 0;
  for (u32 place = 0; place < order.size(); ++place) {
    const bool is_copy = step.name == "duplicate" && place == *before;
    if (is_copy)
      made = place;
    else
      now[order[place]] = place;
  }
  const auto follow = collect_reference_updates(kind, now, referrers);
  if (!follow) return refuse(follow.error());
  if (auto done = set(*follow); !done) return refuse(std::move(done.error()));
  for (const NumberedList& list : lists) {
    const auto element = [&](u32 n) { return list.list + "[" + std::to_string(n) + "]"; };
    auto editing = begin_editing_file(*files_, list.file);
    if (!editing) return refuse(std::move(editing.error()));
    EditStep one{step.name, {element(number)}, {}};
    if (step.name == "swap") one.operands.push_back(element(other));
    if (before && *before < count)
      one.arguments.push_back({"before", std::to_string(*before)});
    else if (before)
      one.arguments.push_back({"after", std::to_string(count - 1)});
    if (auto done = editing->run({&one, 1}); !done) {
      done.error().place.file = list.file;
      return refuse(std::move(done.error()));
    }
    if (auto put = files_->write_file(list.file, editing->bytes()); !put) return refuse(std::move(put.error()));
  }
  const auto id = [&](u32 n) { return std::string(kind) + "/" + std::to_string(n); };
  std::string done = step.name == "remove"      ? id(number) + " removed"
                     : step.name == "duplicate" ? id(made) + " is a copy of " + id(number)
                     : step.name == "swap"      ? id(number) + " swapped with " + id(other)
                                                : id(number) + " is now " + id(*now[number]);
  std::set<std::string_view> in;
  for (const DependentUpdates& f : *follow) in.insert(f.file);
  if (!follow->empty())
    done += "; " + format_count(follow->size(), "reference") + " updated in " + format_count(in.size(), "file");
  return done;
}

Result<std::vector<GameEditing::DependentUpdates>> GameEditing::collect_reference_updates(
    std::string_view kind, const std::vector<std::optional<u32>>& now, Referrers referrers) const {
  const GameGraph& graph = game().graph();
  std::set<std::string> files;
  for (const GameLink& l : graph.links) {
    const GamePart &from = graph.parts[l.from], &to = graph.parts[l.to];
    if (to.kind == kind && now[to.number] != to.number && !from.path.empty()) files.insert(from.path);
  }
  std::vector<DependentUpdates> out, kept;
  for (const std::string& file : files) {
    const auto bytes = read_file_or_member(*files_, file);
    const auto found = bytes ? detect(*bytes, file) : refuse(bytes.error());
    if (!found) return refuse(found.error());
    const TraceResult traced = found->format->trace(*bytes, {});
    const References references(traced.spans);
    for (const ResolvedReference& r : references.all()) {
      if (!r.is_part() || !r.count || r.reference->part != kind || r.first >= now.size()) continue;
      const auto is = now[size_t(r.first)];
      if (is && *is == r.first) continue;
      DependentUpdates f{file, traced.spans.path(r.from), std::to_string(r.first), {}};
      const auto none = none_value_of(traced.spans[r.from.span]);
      if (is)
        f.is = std::to_string(*is);
      else if (referrers == Referrers::unlink && none)
        f.is = std::to_string(*none);
      (f.is.empty() ? kept : out).push_back(std::move(f));
    }
  }
  if (!kept.empty()) {
    std::string by;
    for (size_t i = 0; i < std::min<size_t>(kept.size(), 3); ++i)
      by += (i ? ", " : "") + kept[i].file + ": " + kept[i].path;
    if (kept.size() > 3) by += " and " + std::to_string(kept.size() - 3) + " more";
    Diagnostic d = make_diagnostic("edit.referred", {}, {.message = "the part is still referred to by " + by});
    d.hint = referrers == Referrers::unlink ? "these references cannot be cleared; change them first"
                                            : "{--unlink} clears the references";
    return refuse(std::move(d));
  }
  return out;
}

Result<bool> GameEditing::set(const std::vector<DependentUpdates>& all) {
  for (size_t i = 0; i < all.size();) {
    const std::string& file = all[i].file;
    std::vector<Assignment> assignments;
    for (; i < all.size() && all[i].file == file; ++i) {
      assignments.push_back({all[i].path, all[i].is});
      last_.push_back(file + ": " + all[i].path + ": " + all[i].was + " -> " + all[i].is);
    }
    auto editing = begin_editing_file(*files_, file);
    if (!editing) return refuse(std::move(editing.error()));
    if (auto done = editing->set(assignments); !done) {
      done.error().place.file = file;
      return refuse(std::move(done.error()));
    }
    if (auto put = files_->write_file(file, editing->bytes()); !put) return put;
  }
  return true;
}

}  // namespace dio

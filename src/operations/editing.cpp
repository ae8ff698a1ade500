#include "operations/editing.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/format.hpp"
#include "operations/file_parts.hpp"
#include "operations/operations.hpp"

namespace dio {

// ---- the file ----

Result<Editing> Editing::begin(std::shared_ptr<const ByteSource> file, const ReadAs& as, EditingOptions options) {
  Editing e;
  e.as_ = as;
  e.options_ = std::move(options);
  auto state = e.load_state(std::move(file));
  if (!state) return refuse(std::move(state.error()));
  e.first_ = state->source;
  e.set_state(std::move(*state));
  return e;
}

Result<Editing> Editing::begin(ByteView file, const ReadAs& as, EditingOptions options) {
  return begin(std::make_shared<OwnedByteSource>(Bytes(file.begin(), file.end())), as, std::move(options));
}

Result<Editing> Editing::begin(const OpenedFile& o, EditingOptions options) {
  Editing e;
  e.as_ = ReadAs{o.format, o.options};
  e.options_ = std::move(options);
  if (e.options_.name.empty()) e.options_.name = o.name;
  e.first_ = o.file;
  e.set_state({o.file, std::shared_ptr<const AnyDocument>(std::shared_ptr<void>(), o.document.get())});
  return e;
}

const TraceResult& Editing::traced() const {
  if (!traced_) traced_ = as_.format->trace(view(), as_.options);
  return *traced_;
}

const Value& Editing::values() const {
  if (!values_) {
    Dom dom;
    document_->show(dom, 0);
    values_ = dom.value();
  }
  return *values_;
}

const EditableCopy* Editing::draft() const {
  return changed_ && changed_->original() == first_.get() ? &changed_->editable_copy() : nullptr;
}

Result<Bytes> Editing::save(SaveOptions options) const {
  if (options.canonical) return document_->save(options);
  return bytes();
}

// ---- a command ----

void Editing::begin_step() {
  changes_.insert(changes_.end(), std::make_move_iterator(step_.begin()), std::make_move_iterator(step_.end()));
  step_.clear(), rebuilt_.clear();
}

Result<std::string> Editing::run_as_step(const std::function<Result<std::string>()>& edit) {
  if (is_inside()) {
    begin_step();
    return edit();
  }
  std::string what;
  const auto made = run_as_transaction([&]() -> Result<bool> {
    auto done = edit();
    if (!done) return refuse(std::move(done.error()));
    what = std::move(*done);
    return true;
  });
  if (!made) return refuse(made.error());
  return what;
}

Result<bool> Editing::run_as_transaction(const std::function<Result<bool>()>& edits, const ReportStaleEdit& due) {
  if (is_inside()) return edits();  // a part of the command that is being made
  const State before{source_, document_, changed_};
  changes_.clear(), step_.clear(), notes_.clear(), rebuilt_.clear(), asked_.clear();
  for (const Edit& edit : edits_of(*as_.format))
    if (edit.is_stale) fresh_[&edit] = {document_};
  ++depth_;
  auto made = edits();
  if (made) made = flush();
  if (made) made = run_stale_edits(due);
  if (made) made = flush();
  if (made) made = validate_result(before);
  --depth_;
  fresh_.clear();
  if (!made) {
    draft_.reset(), pending_.clear(), notes_.clear();
    traced_.reset();
    set_state(before);
    return made;
  }
  begin_step();
  log_.resize(done_);  // what was undone cannot be made again
  log_.push_back({std::move(changes_), compute_patches_since(before)});
  ++done_;
  return true;
}

bool Editing::has_same_bytes_as(const State& state) const {
  if (source_ == state.source) return !draft_ || draft_->is_identical_to(*state.source->whole());
  if (changed_ && changed_->original() == state.source.get() && !draft_)
    return changed_->editable_copy().is_identical_to(*state.source->whole());
  return std::ranges::equal(view(), *state.source->whole());
}

Result<bool> Editing::validate_result(const State& before) {
  if (has_same_bytes_as(before)) return true;
  const auto wrong = [](std::string message, std::string hint = {}) {
    return refuse("edit.result", {}, {.message = std::move(message), .hint = std::move(hint)});
  };
  if (!document_->round_trips_to(view())) return wrong("the changed file could not be read back unchanged");
  if (!options_.may_be_unknown) {
    const auto is_own = [&](ByteView file) {
      const auto found = detect(file, options_.name);
      return found && found->format == as_.format;
    };
    if (!is_own(view()) && is_own(*before.source->whole()))
      return wrong("the changed file would no longer be recognised as " + in_quotes(as_.format->title),
                   "{--as " + as_.id() + "} applies the edit anyway");
  }
  record_new_errors(before);
  return true;
}

void Editing::record_new_errors(const State& before) {
  const auto errors_in = [&](const AnyDocument& document, u64 size, const Spans* spans) {
    Diagnostics all = run_format_rules(*as_.format, document, size, spans);
    std::erase_if(all, [](const Diagnostic& d) { return d.severity != Severity::error; });
    return all;
  };
  const bool looks = as_.format->looks_for_references;
  Diagnostics now = errors_in(*document_, view().size(), looks ? &spans() : nullptr);
  if (now.empty()) return;
  const TraceResult traced = looks ? as_.format->trace(*before.source->whole(), as_.options) : TraceResult();
  const Diagnostics old = errors_in(*before.document, before.source->size(), looks ? &traced.spans : nullptr);
  std::map<std::string_view, i64> more;  // by rule
  for (const Diagnostic& d : now) ++more[d.id];
  for (const Diagnostic& d : old) --more[d.id];
  const auto existed_before = [&](const Diagnostic& d) {
    return std::ranges::any_of(old, [&](const Diagnostic& o) {
      return o.id == d.id && o.place.path == d.place.path && o.message == d.message;
    });
  };
  for (const bool known : {false, true})  // first the errors at new places
    for (Diagnostic& d : now)
      if (!d.id.empty() && more[d.id] > 0 && existed_before(d) == known) {
        --more[d.id];
        notes_.push_back(d);
      }
}

std::vector<Editing::Patch> Editing::compute_patches_since(const State& before) const {
  const ByteView was = *before.source->whole(), is = view();
  const auto make_patch = [&](u64 offset, u64 size_before, u64 size_after) {
    const ByteView a = was.subspan(size_t(offset), size_t(size_before)),
                   b = is.subspan(size_t(offset), size_t(size_after));
    return Patch{offset, Bytes(a.begin(), a.end()), Bytes(b.begin(), b.end())};
  };
  std::vector<Patch> out;
  if (source_ == before.source) return out;
  if (was.size() == is.size() && changed_ && changed_->original() == before.source.get()) {
    for (const auto& [offset, size] : changed_->editable_copy().changed())
      out.push_back(make_patch(offset, size, size));
    return out;
  }
  if (was.size() == is.size()) {
    constexpr u64 k_block = 256;
    for (u64 at = 0; at < is.size(); at += k_block) {
      const u64 size = std::min<u64>(k_block, is.size() - at);
      if (!std::ranges::equal(was.subspan(size_t(at), size_t(size)), is.subspan(size_t(at), size_t(size))))
        out.push_back(make_patch(at, size, size));
    }
    return out;
  }
  const u64 least = std::min(was.size(), is.size());
  u64 first = 0, last = 0;
  while (first < least && was[size_t(first)] == is[size_t(first)]) ++first;
  while (last < least - first && was[was.size() - 1 - size_t(last)] == is[is.size() - 1 - size_t(last)]) ++last;
  out.push_back(make_patch(first, was.size() - first - last, is.size() - first - last));
  return out;
}

void Editing::apply_patches(const Made& made, bool back) {
  EditableCopy draft = source_->draft();
  for (const Patch& p : made.patches) {
    const Bytes &from = back ? p.after : p.before, &to = back ? p.before : p.after;
    draft.replace(p.offset, from.size(), to);
  }
  notes_.clear();
  traced_.reset();
  if (auto state = load_state(std::make_shared<OwnedByteSource>(std::move(draft).take()))) set_state(std::move(*state));
}
void Editing::undo() {
  if (can_undo()) apply_patches(log_[--done_], true);
}
void Editing::redo() {
  if (can_redo()) apply_patches(log_[done_++], false);
}

Result<bool> Editing::replace(Bytes file) {
  const auto done = run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    auto state = load_state(std::make_shared<OwnedByteSource>(std::move(file)));
    if (!state) return refuse(std::move(state.error()));
    Dom before, after;
    document_->show(before, 0);
    state->document->show(after, 0);
    for (const ValueChange& c : compare_values(before, 0, after, 0))
      if (c.kind != ValueChange::Kind::rebuilt) step_.push_back(to_set_change(c, before, after));
    traced_.reset();
    set_state(std::move(*state));
    return std::string();
  });
  if (!done) return refuse(done.error());
  return true;
}

Result<std::string> Editing::set_parts(std::span<const Argument> parts) {
  if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
  if (parts.empty()) return refuse("edit.argument", {}, {.message = "a part to replace (PART=FILE) is missing"});
  auto file = replace_parts(*as_.format, view(), parts);
  if (!file) return refuse(std::move(file.error()));
  if (auto replaced = replace(std::move(*file)); !replaced) return refuse(std::move(replaced.error()));
  std::string line = "replaced";
  for (const Argument& part : parts)
    line += (&part == parts.data() ? " " : ", ") + part.name + " with " + part.value + " (" +
            format_count(part.content->size(), "byte") + ")";
  return line;
}

// ---- edits by name ----

Result<std::vector<std::string>> Editing::run(std::span<const EditStep> steps, Referrers referrers,
                                              const Report& each) {
  std::vector<std::string> lines;
  const auto report = [&](const std::string& line) {
    lines.push_back(line);
    if (each) each(line);
  };
  const auto run_steps = [&]() -> Result<bool> {
    for (size_t i = 0; i < steps.size(); ++i) {
      begin_step();
      const auto line = run_step(steps[i], referrers);
      if (!line) return refuse(line.error());
      // Values that are set one after the other are read together.
      const bool goes_on = steps[i].name == "set" && i + 1 < steps.size() && steps[i + 1].name == "set";
      if (!goes_on)
        if (auto done = flush(); !done) return done;
      report(*line);
    }
    return true;
  };
  if (const auto made = run_as_transaction(run_steps, [&](const Edit&, const std::string& line) { report(line); });
      !made)
    return refuse(made.error());
  return lines;
}

/// What can be wrong with a file after lists in it were changed.
static bool is_invalid_result_error(std::string_view id) {
  return id == "layout.requires" || id == "layout.overlap" || id == "layout.overflow" || id == "layout.unknown-key";
}

Result<std::string> Editing::run_step(const EditStep& step, Referrers referrers) {
  const ListEdit* list_edit = find_list_edit(step.name);
  const Edit* named = list_edit ? nullptr : find_edit(*as_.format, step.name);
  if (!list_edit && !named)
    return refuse("edit.argument", {}, {.message = unknown_edit_message(*as_.format, step.name)});
  auto done = list_edit ? run_list_edit(step, referrers) : run_named_edit(*named, step.arguments);
  if (!done) {
    Diagnostic& d = done.error();
    // Of the file as it would be: not what is wrong with the one that is there.
    if (list_edit && step.name != "set" && is_invalid_result_error(d.id))
      d = make_diagnostic("edit.result", {}, {.message = "the changed file would not be valid: " + format_one_line(d)});
    else if (d.hint.empty() && step.name != "set")
      d.hint = step.name + " " + usage_line(list_edit ? list_edit->parameters : named->parameters);
    if (d.place.path.empty() || named) d.place.path = step.name;
  }
  return done;
}

Result<std::string> Editing::run_list_edit(const EditStep& step, Referrers referrers) {
  const auto wrong = [](std::string message) { return refuse("edit.argument", {}, {.message = std::move(message)}); };
  Destination to;
  std::vector<Assignment> fields;
  std::vector<std::string> by;
  for (const Argument& a : step.arguments) {
    if (step.name == "place" || step.name == "set-part") break;  // they read them themselves
    const bool is_place = step.name != "set" && step.name != "sort" && (a.name == "before" || a.name == "after");
    if (is_place) {
      const auto n = parse_whole_number(a.value);
      if (!n || *n < 0) return wrong(a.name + " must be the index of an element, not " + in_quotes(a.value));
      (a.name == "before" ? to.before : to.after) = u64(*n);
    } else if (step.name == "sort" && a.name == "by") {
      by.push_back(a.value);
    } else if (step.name == "add" || step.name == "set") {
      fields.push_back({a.name, a.value});
    } else {
      return wrong(step.name + " has no argument " + in_quotes(a.name));
    }
  }
  if (to.before && to.after) return wrong("before and after cannot be combined");
  if (step.name == "set-part") return set_parts(step.arguments);
  const auto& paths = step.operands;
  if (paths.size() < count_operands(find_list_edit(step.name)->parameters)) return wrong("the path is missing");
  if (step.name == "place") return place(paths[0], step.arguments);
  if (step.name == "add") return add(paths[0], fields, to);
  if (step.name == "remove") return remove(paths[0], referrers);
  if (step.name == "duplicate") return duplicate(paths[0], to);
  if (step.name == "move") {
    if (!to.before && !to.after) return wrong("the destination (before=N or after=N) is missing");
    return move(paths[0], to);
  }
  if (step.name == "swap") return swap(paths[0], paths[1]);
  if (step.name == "sort") {
    if (by.empty()) return wrong("the field to sort by (by=FIELD) is missing");
    return sort(paths[0], by);
  }
  if (fields.empty()) return wrong("a value to set (PATH=VALUE) is missing");
  return set(fields);
}

Result<bool> Editing::run_stale_edits(const ReportStaleEdit& report) {
  for (const auto& [edit, fresh] : fresh_) {
    if (fresh.document == document_ || !edit->is_stale(*fresh.document, *document_)) continue;
    for (const std::string& path : asked_)
      if (edit->is_generated_path(path))
        return refuse(
            "layout.derived", path,
            {.message = "this field is computed from the rest of the file, so the new value would be overwritten: " +
                        std::string(edit->name) + " recomputes the field after every edit"});
    begin_step();
    auto line = run_named_edit(*edit, std::vector(fresh.arguments));
    if (!line) {
      Diagnostic& d = line.error();
      if (d.place.path.empty()) d.place.path = edit->name;
      if (d.hint.empty())
        d.hint =
            "this edit also runs automatically after other edits; to write values without it, use {decode} and "
            "{encode}";
      return refuse(std::move(d));
    }
    if (report) report(*edit, *line);
  }
  return true;
}

Result<std::string> Editing::run_named_edit(const Edit& edit, std::span<const Argument> arguments) {
  if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
  if (auto unknown = find_unknown_argument(edit.parameters, arguments)) return refuse(std::move(*unknown));
  LoadOptions owned = as_.options;
  owned.stays = true;
  auto loaded = as_.format->load(view(), owned);  // one to change
  if (!loaded) return refuse(std::move(loaded.error()));
  auto what = edit.apply(*loaded->document, arguments);
  if (!what) return what;
  auto after = loaded->document->save({.lossy = options_.lossy});
  if (!after) return refuse(std::move(after.error()));
  if (auto replaced = replace(std::move(*after)); !replaced) return refuse(std::move(replaced.error()));
  if (const auto own = fresh_.find(&edit); own != fresh_.end())
    own->second = {document_, {arguments.begin(), arguments.end()}};
  return what;
}

Result<Bytes> set_values(const OpenedFile& o, const std::vector<Assignment>& assignments) {
  auto editing = Editing::begin(o);
  if (!editing) return refuse(std::move(editing.error()));
  auto done = editing->set(assignments);
  if (done) return editing->bytes();
  done.error().place.file = o.name;
  return refuse(std::move(done.error()));
}

}  // namespace dio

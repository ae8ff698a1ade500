// editing_changes.cpp: how values change: in the bytes where they are, or in the document, which is then placed.
#include <algorithm>
#include <utility>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "layout/references.hpp"
#include "layout/text_encoding.hpp"
#include "operations/editing.hpp"

namespace dio {

namespace {

tl::unexpected<Diagnostic> derived_value_error(const std::string& path, const std::string& is) {
  return refuse("layout.derived", path,
                {.message = "this field is computed from the rest of the file and cannot be set" +
                            (is.empty() ? is : "; its current value is " + is)});
}

/// The structure or list that a path leads into.
std::string_view enclosing_path(std::string_view path) {
  const size_t cut = path.find_last_of(".[");
  return path.substr(0, cut == path.npos ? 0 : cut);
}

bool is_path_within(std::string_view path, std::string_view part) {
  return path.starts_with(part) &&
         (part.empty() || path.size() == part.size() || path[part.size()] == '.' || path[part.size()] == '[');
}

bool overlap(const SpanRef& a, const SpanRef& b) {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

/// Whether any of these bytes is in a run (size by offset).
bool overlaps_changed_runs(const std::map<u64, u64>& runs, u64 offset, u64 size) {
  const auto after = runs.lower_bound(offset + size);
  return after != runs.begin() && std::prev(after)->first + std::prev(after)->second > offset;
}

/// Runs of bytes that differ.
std::map<u64, u64> differing_ranges(const EditableCopy& draft, ByteView was) {
  std::map<u64, u64> out;
  const ByteView is = draft.bytes();
  for (const auto& [offset, size] : draft.changed())
    for (u64 at = offset; at < offset + size; ++at) {
      if (is[size_t(at)] == was[size_t(at)]) continue;
      if (!out.empty() && out.rbegin()->first + out.rbegin()->second == at)
        ++out.rbegin()->second;
      else
        out.emplace_hint(out.end(), at, 1);
    }
  return out;
}

bool is_list(const Change& c) { return c.before.is(Value::Kind::list) || c.after.is(Value::Kind::list); }

bool same_residue(const std::vector<UnreferencedBytes>& a, const std::vector<UnreferencedBytes>& b) {
  return std::ranges::equal(a, b, [](const UnreferencedBytes& x, const UnreferencedBytes& y) {
    return x.offset == y.offset && x.bytes == y.bytes;
  });
}

}  // namespace

Change to_set_change(const ValueChange& c, const Dom& before, const Dom& after) {
  return {.kind = Change::Kind::set,
          .path = c.path,
          .before = c.kind == ValueChange::Kind::added ? Value() : before.value(c.before),
          .after = c.kind == ValueChange::Kind::gone ? Value() : after.value(c.after)};
}

// ---- the state ----

Result<Editing::State> Editing::load_state(std::shared_ptr<const ByteSource> source) const {
  LoadOptions owned = as_.options;
  owned.stays = true;
  auto loaded = as_.format->load(*source->whole(), owned);
  if (!loaded) return refuse(std::move(loaded.error()));
  loaded->document->source = source.get();
  return State{std::move(source), std::move(loaded->document)};
}

void Editing::set_state(State state) {
  source_ = std::move(state.source);
  document_ = std::move(state.document);
  changed_ = state.changed;
  values_.reset();
}

void Editing::discard_draft() {
  draft_.reset(), pending_.clear();
  traced_.reset();
}

// ---- values in their places ----

Result<std::string> Editing::set(const std::vector<Assignment>& typed) {
  return run_as_step([&]() -> Result<std::string> {
    if (auto made = assign_values(typed); !made) return refuse(std::move(made.error()));
    return "set " + format_count(step_.size(), "value");
  });
}

Result<std::vector<Assignment>> Editing::expand_with_renamed_references(const std::vector<Assignment>& typed) const {
  std::vector<Assignment> all;
  for (const Assignment& t : typed) {
    auto expanded = expand_assignment(spans(), t);
    if (!expanded) return refuse(std::move(expanded.error()));
    all.insert(all.end(), std::make_move_iterator(expanded->begin()), std::make_move_iterator(expanded->end()));
  }
  const size_t typed_ones = all.size();
  const auto is_text = [&](const Assignment& a) {
    const auto spot = spans().find(a.path);
    return spot && spans()[spot->span].kind == Span::Kind::text;
  };
  if (std::ranges::none_of(all, is_text)) return all;
  // Whoever refers to an element by its name gets the new one.
  for (const References references(spans()); const ResolvedReference& r : references.all()) {
    if (!r.is_by_name() || !references.exists(r)) continue;
    const std::string name = element_path(spans(), r.list, r.first) + "." + std::string(r.reference->name);
    for (size_t i = 0; i < typed_ones; ++i) {
      if (all[i].path != name || !all[i].value.is(Value::Kind::text)) continue;
      const std::string text = spans().value(r.from.span).text();
      const size_t slash = r.reference->inner.empty() ? text.npos : text.find('/');
      const bool is_inner = slash != text.npos;
      all.push_back({spans().path(r.from), Value((is_inner ? text.substr(0, slash + 1) : "") + all[i].value.text())});
    }
  }
  // So does whoever has a name that files have in common, here and (operations/shared_names.hpp) in others.
  for (size_t i = 0; i < typed_ones; ++i) {
    const auto spot = spans().find(all[i].path);
    const Reference* defined = spot ? shared_name_reference(spans()[spot->span]) : nullptr;
    if (!defined || !defined->defines) continue;
    const std::string was = spans().value(spot->span).text();
    for (u32 s = 1; s < spans().all.size(); ++s)
      if (const Reference* used = shared_name_reference(spans()[s]);
          used && !used->defines && used->shared == defined->shared && spans().value(s).text() == was)
        all.push_back({spans().path(s), all[i].value});
  }
  return all;
}

Result<bool> Editing::assign_values(const std::vector<Assignment>& typed) {
  auto found = expand_with_renamed_references(typed);
  if (!found) return refuse(std::move(found.error()));
  std::vector<Assignment> all = std::move(*found);
  // Texts that become longer or shorter move what follows; all else is set where it is.
  Changes moving;
  std::set<std::string> asked;
  std::erase_if(all, [&](const Assignment& a) {
    const auto spot = spans().find(a.path);
    if (!spot || !a.value.is(Value::Kind::text)) return false;
    const Span& s = spans()[spot->span];
    if (s.kind != Span::Kind::text || s.padded) return false;
    const TextEncoding* encoding = encoding_of(s.key);
    const auto stored = encoding ? encoding->stored(a.value.text()) : std::optional(a.value.text());
    if (!stored || stored->size() == s.raw) return false;
    moving.push_back({.kind = Change::Kind::set, .path = a.path, .before = spans().value(*spot), .after = a.value});
    asked.insert(a.path);
    return true;
  });
  if (auto encoded_value = write_values_in_place(all); !encoded_value) return encoded_value;
  return moving.empty() ? Result<bool>(true) : apply_changes_and_reload(moving, asked);
}

Result<bool> Editing::write_values_in_place(const std::vector<Assignment>& all) {
  std::vector<std::pair<SpanRef, Bytes>> undo;
  bool have_moved = false;
  const size_t changes = step_.size();
  const auto roll_back = [&](Diagnostic d) {
    for (size_t i = undo.size(); i-- > 0;) {
      const u64 size = undo[i].first.size;
      draft_->replace(undo[i].first.offset, size, undo[i].second);
      if (!have_moved) traced_->spans.refresh({{undo[i].first.offset, size}});
    }
    if (have_moved) traced_.reset();
    step_.resize(changes);
    return refuse(std::move(d));
  };
  for (const Assignment& a : all) {
    const auto spot = spans().find(a.path);
    if (!spot)
      return roll_back(make_diagnostic("path.unknown", a.path,
                                       {.message = "no value has this path", .hint = "{tree FILE} lists the values"}));
    auto bytes = encoded_value(view(), spans(), *spot, a.value);
    if (!bytes) return roll_back(std::move(bytes.error()));
    const ByteView was = view().subspan(size_t(spot->offset), size_t(spot->size));
    const bool is_bits = spans()[spot->span].kind == Span::Kind::bits;
    pending_.insert_or_assign(a.path, Pending{*bytes, is_bits});
    asked_.insert(a.path);
    if (std::ranges::equal(was, *bytes)) continue;
    if (derived_list_error(spans(), spot->span))
      return roll_back(derived_value_error(a.path, spans().show(*spot)).value());
    const Value before = spans().value(*spot);
    if (!draft_) {
      draft_.emplace(source_->draft());
      traced_->spans.file = draft_->bytes();
    }
    SpanRef now = *spot;
    now.size = bytes->size();
    undo.push_back({now, Bytes(was.begin(), was.end())});
    draft_->replace(spot->offset, spot->size, *bytes);
    if (bytes->size() == spot->size) {
      traced_->spans.refresh(spot->span);
    } else {
      have_moved = true;
      traced_.reset();
    }
    const auto there = spans().find(a.path);
    step_.push_back({.kind = Change::Kind::set,
                     .path = a.path,
                     .before = before,
                     .after = there ? spans().value(*there) : a.value});
  }
  return true;
}

Result<bool> Editing::check_pending() const {
  for (const auto& [path, pending] : pending_) {
    const auto spot = spans().find(path);
    if (!spot || pending.is_bits) continue;
    const ByteView is = view().subspan(size_t(spot->offset), size_t(spot->size));
    if (std::ranges::equal(is, pending.bytes)) continue;
    const TraceResult now = as_.format->trace(view(), as_.options);
    const auto derived = now.spans.find(path);
    return derived_value_error(path, derived ? now.spans.show(*derived) : "");
  }
  return true;
}

Result<bool> Editing::flush() {
  if (!draft_) {
    pending_.clear();
    return true;
  }
  const ByteView original = *source_->whole();
  if (draft_->is_identical_to(original)) {
    discard_draft();
    return true;
  }
  LoadOptions owned = as_.options;
  owned.stays = true;
  auto loaded = as_.format->load(draft_->bytes(), owned);
  if (!loaded) return refuse(std::move(loaded.error()));
  std::unique_ptr<AnyDocument> now = std::move(loaded->document);
  if (auto followed = now->follow(*document_, original, *draft_); !followed) return followed;
  if (auto there = check_pending(); !there) return there;
  if (!now->round_trips_to(draft_->bytes())) {  // checksums, which the document has as they were
    auto again = as_.format->load(draft_->bytes(), owned);
    if (!again) return refuse(std::move(again.error()));
    now = std::move(again->document);
  }
  Dom was, is;
  document_->show(was, 0);
  now->show(is, 0);
  std::vector<ValueChange> others = compare_values(was, original, is, *draft_);
  std::erase_if(
      others, [&](const ValueChange& c) { return pending_.contains(c.path) || c.kind == ValueChange::Kind::rebuilt; });
  const bool is_as_large = draft_->bytes().size() == original.size();
  if (is_as_large) {
    auto effects =
        others.empty() ? Effects() : classify_side_effects(std::move(others), differing_ranges(*draft_, original));
    if (!effects) return refuse(std::move(effects.error()));
    if (!effects->shared.empty()) return separate_shared_bytes(effects->shared.front().path);
    if (!now->is_settled() && document_->is_settled()) return commit_pending_values();
    others = std::move(effects->followed);
    for (const ValueChange& c : others) {
      step_.push_back(to_set_change(c, was, is));
      step_.back().is_rebuilt = is_list(step_.back());
    }
  }
  auto source = std::make_shared<EditableCopySource>(std::move(*draft_), source_);
  draft_.reset(), pending_.clear();
  if (is_as_large && others.empty() && traced_) {
    traced_->spans.file = *source->whole();
    traced_->spans.refresh(source->editable_copy().changed());
  } else
    traced_.reset();
  now->source = source.get();
  const EditableCopySource* changed = source.get();
  set_state({std::move(source), std::move(now), changed});
  return true;
}

Result<Editing::Effects> Editing::classify_side_effects(std::vector<ValueChange> others,
                                                        const std::map<u64, u64>& changed) const {
  Effects out;
  std::vector<SpanRef> set;
  std::string first = pending_.size() == 1 ? pending_.begin()->first : std::string();
  for (const auto& [path, pending] : pending_)
    if (const auto spot = spans().find(path)) set.push_back(*spot);
  const auto is_beside = [&](const std::string& path) {
    return std::ranges::any_of(pending_, [&](const auto& p) { return is_path_within(path, enclosing_path(p.first)); });
  };
  for (ValueChange& c : others) {
    const auto spot = spans().find(c.path);
    const bool is_plain = c.kind == ValueChange::Kind::value;
    if (is_plain && spot && spot->size &&
        std::ranges::any_of(set, [&](const SpanRef& s) { return overlap(s, *spot); })) {
      out.shared.push_back(std::move(c));
      continue;
    }
    const bool has_followed =
        is_plain && spot && spot->size && overlaps_changed_runs(changed, spot->offset, spot->size);
    // A field may decide what the others of its structure mean.
    const bool is_same_part = c.kind != ValueChange::Kind::length && is_beside(c.path);
    const bool is_of_derived =
        std::ranges::any_of(set, [&](const SpanRef& s) { return spans()[s.span].key.is_derived; });
    if (has_followed || (is_same_part && !is_of_derived)) {
      out.followed.push_back(std::move(c));
      continue;
    }
    if (is_of_derived) return derived_value_error(first, "");
    return refuse("layout.requires", first,
                  {.message = "with this value, " + c.path + " would " +
                              (c.kind == ValueChange::Kind::length  ? "change its length"
                               : c.kind == ValueChange::Kind::gone  ? "disappear"
                               : c.kind == ValueChange::Kind::added ? "appear"
                                                                    : "change its value")});
  }
  return out;
}

Result<bool> Editing::commit_pending_values() {
  const Value& before = values();
  Changes sets;
  std::set<std::string> asked;
  for (const auto& [path, pending] : pending_) {
    const auto spot = spans().find(path);
    const Value* was = value_at(const_cast<Value&>(before), path);
    if (!spot || !was) continue;
    sets.push_back({.kind = Change::Kind::set, .path = path, .before = *was, .after = spans().value(*spot)});
    asked.insert(path);
  }
  discard_draft();
  const Changes said = std::exchange(step_, {});
  if (auto placed = apply_changes_and_reload(sets, asked); !placed) return placed;
  // Those that were asked for are in the list already, as typed.
  std::erase_if(step_, [&](const Change& c) { return asked.contains(c.path); });
  step_.insert(step_.begin(), said.begin(), said.end());
  return true;
}

Result<bool> Editing::separate_shared_bytes(const std::string& other) {
  const std::string first = pending_.begin()->first;
  const auto value_of_other = [&]() -> std::optional<Value> {
    const auto spot = spans().find(other);
    return spot ? std::optional(spans().value(*spot)) : std::nullopt;
  };
  const Value* was_stored = value_at(const_cast<Value&>(values()), other);
  const std::optional<Value> was = was_stored ? std::optional(*was_stored) : std::nullopt;
  if (auto parted = commit_pending_values(); !parted)
    return refuse("layout.overlap", first,
                  {.message = "the value shares its bytes with " + other +
                              ", and the two cannot be separated: " + format_one_line(parted.error()),
                   .hint = "set both to the same value"});
  if (was && value_of_other() == was)
    notes_.push_back(make_diagnostic(Severity::hint, "edit.parted", first,
                                     {.message = "the value shared its bytes with " + other +
                                                 "; the file was laid out again, and that value is unchanged"}));
  return true;
}

// ---- values of the document ----

Result<bool> Editing::apply_changes_and_reload(const Changes& changes, const std::set<std::string>& asked) {
  if (auto flushed = flush(); !flushed) return flushed;
  Value expected = values();
  if (auto done = apply_changes(expected, changes); !done) return done;
  if (auto done = rebuild_from_values(expected, {source_->size(), document_->residue(), {}, false, document_->tail()},
                                      changes, asked);
      !done)
    return done;
  asked_.insert(asked.begin(), asked.end());
  step_.insert(step_.begin(), changes.begin(), changes.end());
  return true;
}

Result<bool> Editing::rebuild_from_values(const Value& document, const Encoding& rest, const Changes& changes,
                                          const std::set<std::string>& asked) {
  const Dom wanted(document);
  auto made = as_.format->from_values(wanted, 0, rest);
  if (!made) return refuse(std::move(made.error()));
  (*made)->touch();
  auto bytes = (*made)->save({.lossy = options_.lossy});
  if (!bytes) return refuse(std::move(bytes.error()));
  auto state = load_state(std::make_shared<OwnedByteSource>(std::move(*bytes)));
  if (!state) {
    Diagnostic& d = state.error();
    d.place = Location(d.place.path);  // there is no file whose offsets it could name
    return refuse(std::move(d));
  }
  Dom found;
  state->document->show(found, 0);
  if (auto same = verify_requested_values(changes, asked, wanted, found); !same) return same;
  traced_.reset();
  set_state(std::move(*state));
  return true;
}

Result<bool> Editing::verify_requested_values(const Changes& changes, const std::set<std::string>& asked,
                                              const Dom& expected, const Dom& found) {
  Changes settled;
  const auto changes_at = [&](const std::string& path, Change::Kind kind) {
    return std::ranges::any_of(changes, [&](const Change& c) { return c.kind == kind && c.path == path; });
  };
  for (const ValueChange& c : compare_values(expected, 0, found, 0)) {
    if (c.path == "layout")
      return refuse("layout.requires", c.path, {.message = "the changed file would be read with a different layout"});
    if (c.kind == ValueChange::Kind::gone &&
        std::ranges::any_of(changes, [&](const Change& l) { return is_path_within(l.path, c.path); }))
      return refuse("layout.requires", c.path, {.message = "the changed file would be read with a different layout"});
    const bool is_reordered = changes_at(c.path, Change::Kind::order) && !changes_at(c.path, Change::Kind::insert) &&
                              !changes_at(c.path, Change::Kind::remove);
    if (is_reordered && (c.kind == ValueChange::Kind::rebuilt || c.kind == ValueChange::Kind::length))
      return refuse("layout.derived", c.path, {.message = "the format computes this list from other values"});
    if (c.kind == ValueChange::Kind::rebuilt) {
      rebuilt_.push_back(c.path);
      continue;
    }
    for (const std::string& path : asked)
      if (is_path_within(path, c.path) || is_path_within(c.path, path)) {
        const Dom::Id is = find_path(found, 0, path);
        return derived_value_error(path, is && !found.is_tree(is) ? std::string(found.token(is)) : "");
      }
    const bool is_of_list = std::ranges::any_of(changes, [&](const Change& l) {
      return (l.kind == Change::Kind::insert || l.kind == Change::Kind::remove) && is_path_within(l.path, c.path);
    });
    if (c.kind == ValueChange::Kind::length && is_of_list)
      return refuse("layout.derived", c.path,
                    {.message = "the format determines the length of this list: a list of " +
                                format_count(expected.size(c.before), "element") + " would be read back with " +
                                std::to_string(found.size(c.after))});
    settled.push_back(to_set_change(c, expected, found));
    settled.back().is_rebuilt = is_list(settled.back());
    if (settled.back().is_rebuilt) rebuilt_.push_back(c.path);
  }
  // Lists that the format keeps in an order of its own.
  for (const Change& c : changes) {
    if (c.kind != Change::Kind::order) continue;
    const auto is_inside = [&](const Change& s) { return s.path != c.path && is_path_within(s.path, c.path); };
    if (std::ranges::none_of(settled, is_inside)) continue;
    const Dom::Id wanted = find_path(expected, 0, c.path), is = find_path(found, 0, c.path);
    if (!wanted || !is || !same_elements(expected, wanted, found, is)) continue;
    if (!changes_at(c.path, Change::Kind::insert) && !changes_at(c.path, Change::Kind::remove))
      return refuse("layout.derived", c.path, {.message = "the format determines the order of these elements"});
    std::erase_if(settled, is_inside);
  }
  step_.insert(step_.end(), std::make_move_iterator(settled.begin()), std::make_move_iterator(settled.end()));
  return true;
}

Result<bool> Editing::replace_values(const Value& document, const Encoding& rest) {
  const auto done = run_as_step([&]() -> Result<std::string> {
    if (auto flushed = flush(); !flushed) return refuse(std::move(flushed.error()));
    const Dom wanted(document);
    Dom before;
    document_->show(before, 0);
    Changes changes;
    for (const ValueChange& c : compare_values(before, 0, wanted, 0))
      if (c.kind != ValueChange::Kind::rebuilt) changes.push_back(to_set_change(c, before, wanted));
    if (!try_write_in_place(wanted, rest))
      if (auto placed = rebuild_from_values(document, rest, {}, {}); !placed) return refuse(std::move(placed.error()));
    step_.insert(step_.begin(), changes.begin(), changes.end());
    return std::string();
  });
  if (!done) return refuse(done.error());
  return true;
}

bool Editing::try_write_in_place(const Dom& wanted, const Encoding& rest) {
  const auto made = as_.format->from_values(wanted, 0, rest);
  const ByteView original = *source_->whole();
  const auto written = made ? (*made)->save({}) : refuse(made.error());
  if (!written || written->size() != original.size()) return false;
  EditableCopy draft = source_->draft();
  draft.replace(0, original.size(), *written);
  LoadOptions owned = as_.options;
  owned.stays = true;
  auto loaded = as_.format->load(draft.bytes(), owned);
  if (!loaded || !same_residue(loaded->document->residue(), rest.residue)) return false;
  Dom is;
  loaded->document->show(is, 0);
  if (!same_content(wanted, 0, is, 0) || !loaded->document->follow(*document_, original, draft)) return false;
  auto source = std::make_shared<EditableCopySource>(std::move(draft), source_);
  auto state = load_state(source);
  if (!state || !state->document->round_trips_to(*source->whole())) return false;
  traced_.reset();
  set_state(std::move(*state));
  return true;
}

}  // namespace dio

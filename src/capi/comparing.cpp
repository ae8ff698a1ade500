// comparing.cpp: how files differ, of diorama.h, and two edits of one file as one.
#include "answers/differences.hpp"
#include "bridge/report/byte_diff.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "formats/contract/format.hpp"
#include "operations/merging.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

dio_buffer* diff_as_bytes(const dio_file& a, const dio_file& b) {
  // Paths help, but bytes of no known format can be compared as well.
  std::optional<TraceResult> traced;
  if (a.as) traced = a.as.format->trace(bytes_of(a), a.as.options);
  return make_buffer(
      report::byte_diff_json(report::byte_diff(bytes_of(a), bytes_of(b), traced ? &traced->spans : nullptr)));
}

/// Nothing if they are no archives of one kind, or if nothing is to be said of their members.
std::optional<Value> diff_as_archives(const OpenedFile& a, const OpenedFile& b) {
  if (!a.format->archive || a.format != b.format) return {};
  auto first = Archive::open(copy_of(a.bytes), a.name), second = Archive::open(copy_of(b.bytes), b.name);
  if (!first || !second || &first->format() != &second->format()) return {};
  const auto changes = diff_members(ArchiveTree(std::move(*first), a.name), ArchiveTree(std::move(*second), b.name));
  return changes.empty() ? std::nullopt : std::optional(member_changes_json(changes));
}

}  // namespace

extern "C" {

dio_buffer* dio_diff(const dio_file* a, const dio_file* b, const char* const* options, size_t count) {
  if (!has_handle_tag(a, k_file_tag) || !has_handle_tag(b, k_file_tag)) return make_buffer(invalid_file_handle());
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return make_buffer(told.error());
  bool bytes = false;
  for (const Argument& one : *told) {
    if (one.name != "bytes")
      return make_buffer(argument_error({.message = in_quotes(one.name) + " is no option; bytes is"}));
    if (auto wrong = set_flag(bytes, one)) return make_buffer(std::move(*wrong));
  }
  for (const dio_file* file : {a, b})
    if (file->parts) return make_buffer(not_opened_error(*file));
  if (bytes) return diff_as_bytes(*a, *b);
  return with_opened(a, [&](const OpenedFile& first) {
    return with_opened(b, [&](const OpenedFile& second) {
      if (first.format != second.format)
        return make_buffer(
            argument_error({.message = "the files have different formats: " + std::string(first.format->title) +
                                       " and " + std::string(second.format->title)}));
      if (const auto members = diff_as_archives(first, second)) return make_buffer(*members);
      return make_buffer(report::diff_json(diff_values(*first.format, first.trace().spans, second.trace().spans,
                                                       collect_companions(first), collect_companions(second))));
    });
  });
}

dio_buffer* dio_merge(const dio_file* base, const dio_file* ours, const dio_file* theirs, const char* favor) {
  for (const dio_file* file : {base, ours, theirs}) {
    if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
    if (file->parts) return make_buffer(not_opened_error(*file));
  }
  const std::string_view who = text_of(favor);
  if (!who.empty() && who != "ours" && who != "theirs")
    return make_buffer(argument_error({.message = "favor must be ours, theirs or nothing, not " + in_quotes(who)}));
  auto merged = merge(bytes_of(*base), bytes_of(*ours), bytes_of(*theirs), ours->name, base->as,
                      who == "ours"     ? ConflictPreference::ours
                      : who == "theirs" ? ConflictPreference::theirs
                                        : ConflictPreference::none);
  if (!merged) return make_buffer(merged.error(), ours);
  Value collisions = Value::list();
  for (const MergeConflict& c : merged->collisions) {
    Value& one = collisions.push(Value::object());
    one.add("path", c.path);
    one.add("what", c.what);
  }
  const bool is_made = merged->collisions.empty() || !who.empty();
  std::vector<Value::Member> more;
  more.emplace_back("collisions", std::move(collisions));
  return make_buffer(is_made ? std::optional(std::move(merged->bytes)) : std::nullopt, {}, *ours, std::move(more));
}

}  // extern "C"

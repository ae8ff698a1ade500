#include "operations/archive_merging.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/byte_source.hpp"
#include "core/tree_matcher.hpp"
#include "formats/contract/archive.hpp"

namespace dio {

namespace {

constexpr u32 k_absent = ~u32(0);

struct LoadedArchive {
  ByteView bytes;
  std::vector<Member> members;
  std::vector<Bytes> contents;  // empty for structures, whose fields are merged as values of the archive
};

std::optional<LoadedArchive> load_archive(ByteView bytes, const ArchiveOps& archive) {
  LoadedArchive out{bytes, {}, {}};
  const BorrowedByteSource source(bytes);
  auto members = archive.members(source);
  if (!members) return {};
  out.members = std::move(*members);
  out.contents.reserve(out.members.size());
  for (const Member& member : out.members) {
    auto content = member.is_structure ? Result<Bytes>(Bytes()) : archive.content(source, member);
    if (!content) return {};
    out.contents.push_back(std::move(*content));
  }
  return out;
}

/// Whether no member has a name: each path is the member's number.
bool is_numbered(const LoadedArchive& archive) {
  for (size_t i = 0; i < archive.members.size(); ++i)
    if (archive.members[i].path != std::to_string(i)) return false;
  return true;
}

/// For each member of `base`, the member of `side` with its name. Nothing if a name occurs twice.
std::optional<std::vector<u32>> match_by_name(const LoadedArchive& base, const LoadedArchive& side) {
  std::unordered_map<std::string_view, u32> places;
  for (u32 i = 0; i < side.members.size(); ++i)
    if (!places.emplace(side.members[i].path, i).second) return {};
  std::vector<u32> partner;
  for (const Member& member : base.members) {
    const auto place = places.find(member.path);
    partner.push_back(place == places.end() ? k_absent : place->second);
  }
  return partner;
}

/// Members between two unchanged ones are matched in order.
void match_changed_members(const LoadedArchive& side, std::vector<u32>& partner) {
  u32 next = 0;
  for (size_t i = 0; i < partner.size();) {
    if (partner[i] != k_absent) {
      next = partner[i++] + 1;
      continue;
    }
    const auto kept = std::find_if(partner.begin() + ptrdiff_t(i), partner.end(), [](u32 p) { return p != k_absent; });
    const u32 end = kept == partner.end() ? u32(side.members.size()) : *kept;
    for (const size_t last = size_t(kept - partner.begin()); i < last; ++i)
      if (next < end) partner[i] = next++;
  }
}

/// For each member of `base`, its partner in `side`, where members have no names.
std::vector<u32> match_by_content(const LoadedArchive& base, const LoadedArchive& side) {
  std::vector<u32> partner(base.members.size(), k_absent);
  if (base.members.size() == side.members.size()) {
    for (u32 i = 0; i < partner.size(); ++i) partner[i] = i;
    return partner;
  }
  const auto as_text = [](const Bytes& b) {
    return std::string_view(reinterpret_cast<const char*>(b.data()), b.size());
  };
  std::unordered_map<std::string_view, std::vector<u32>> places;
  for (u32 i = u32(side.contents.size()); i-- > 0;) places[as_text(side.contents[i])].push_back(i);
  std::vector<std::pair<u32, u32>> pairs;
  for (u32 i = 0; i < base.contents.size(); ++i)
    if (const auto found = places.find(as_text(base.contents[i])); found != places.end() && !found->second.empty()) {
      pairs.emplace_back(i, found->second.back());
      found->second.pop_back();
    }
  for (const u32 i : TreeMatcher::longest_increasing_run(pairs)) partner[pairs[i].first] = pairs[i].second;
  match_changed_members(side, partner);
  return partner;
}

std::optional<std::vector<u32>> match_members(const LoadedArchive& base, const LoadedArchive& side) {
  if (is_numbered(base) && is_numbered(side)) return match_by_content(base, side);
  return match_by_name(base, side);
}

/// Puts content into an archive wherever it differs.
std::optional<Bytes> replace_contents(const LoadedArchive& archive, const ArchiveOps& ops,
                                      const std::vector<std::pair<u32, const Bytes*>>& contents) {
  std::vector<NewContent> changed;
  for (const auto& [member, content] : contents)
    if (archive.contents[member] != *content) changed.push_back({member, *content, true});
  if (changed.empty()) return Bytes(archive.bytes.begin(), archive.bytes.end());
  auto replaced = ops.replace(archive.bytes, changed);
  return replaced ? std::optional(std::move(*replaced)) : std::nullopt;
}

/// The content of one member. Both sides' content is merged only if both differ from the base.
Bytes merge_member(const std::string& path, const Bytes& base, const Bytes& ours, const Bytes& theirs,
                   ConflictPreference favor, const MemberMerge& merge, std::vector<MergeConflict>& conflicts) {
  if (ours == theirs || base == theirs) return ours;
  if (base == ours) return theirs;
  const Bytes& preferred = favor == ConflictPreference::theirs ? theirs : ours;
  auto merged = merge(base, ours, theirs);
  if (!merged) {
    conflicts.push_back({path, "both sides changed this member, and its content cannot be merged"});
    return preferred;
  }
  for (MergeConflict& c : merged->collisions) conflicts.push_back({path + "/" + c.path, std::move(c.what)});
  return merged->bytes.empty() ? preferred : std::move(merged->bytes);
}

/// Whether `side` is `base` with new content in its members, and nothing else was changed.
bool differs_only_in_members(const LoadedArchive& base, const LoadedArchive& side, const std::vector<u32>& partner,
                             const ArchiveOps& ops) {
  if (base.members.size() != side.members.size()) return false;
  std::vector<std::pair<u32, const Bytes*>> contents;
  for (u32 i = 0; i < partner.size(); ++i) {
    if (partner[i] == k_absent) return false;
    contents.emplace_back(i, &side.contents[partner[i]]);
  }
  const auto replaced = replace_contents(base, ops, contents);
  return replaced && std::ranges::equal(*replaced, side.bytes);
}

}  // namespace

std::optional<MergedMembers> merge_common_members(ByteView base, ByteView ours, ByteView theirs, const Format& format,
                                                  ConflictPreference favor, const MemberMerge& merge) {
  if (!format.archive || format.archive->is_wrapping || !format.archive->replace) return {};
  const ArchiveOps& ops = *format.archive;
  const auto b = load_archive(base, ops), o = load_archive(ours, ops), t = load_archive(theirs, ops);
  if (!b || !o || !t) return {};
  const auto in_ours = match_members(*b, *o), in_theirs = match_members(*b, *t);
  if (!in_ours || !in_theirs) return {};

  MergedMembers out;
  std::vector<Bytes> merged;
  merged.reserve(b->members.size());
  std::vector<std::pair<u32, const Bytes*>> for_base, for_ours, for_theirs;
  for (u32 i = 0; i < b->members.size(); ++i) {
    const u32 at_ours = (*in_ours)[i], at_theirs = (*in_theirs)[i];
    if (at_ours == k_absent || at_theirs == k_absent) {
      const bool is_in_ours = at_ours != k_absent, is_in_theirs = at_theirs != k_absent;
      if (is_in_ours && o->contents[at_ours] != b->contents[i]) {
        out.conflicts.push_back({o->members[at_ours].path, "theirs removed this member, but ours changed it"});
        if (favor == ConflictPreference::theirs) for_ours.emplace_back(at_ours, &b->contents[i]);
      }
      if (is_in_theirs && t->contents[at_theirs] != b->contents[i]) {
        out.conflicts.push_back({t->members[at_theirs].path, "ours removed this member, but theirs changed it"});
        if (favor == ConflictPreference::ours) for_theirs.emplace_back(at_theirs, &b->contents[i]);
      }
      continue;
    }
    merged.push_back(merge_member(o->members[at_ours].path, b->contents[i], o->contents[at_ours],
                                  t->contents[at_theirs], favor, merge, out.conflicts));
    for_base.emplace_back(i, &merged.back());
    for_ours.emplace_back(at_ours, &merged.back());
    for_theirs.emplace_back(at_theirs, &merged.back());
  }
  auto new_base = replace_contents(*b, ops, for_base), new_ours = replace_contents(*o, ops, for_ours),
       new_theirs = replace_contents(*t, ops, for_theirs);
  if (!new_base || !new_ours || !new_theirs) return {};
  // The places of members may differ then, but they are no edit.
  if (differs_only_in_members(*b, *t, *in_theirs, ops))
    new_theirs = new_base;
  else if (differs_only_in_members(*b, *o, *in_ours, ops))
    new_ours = new_base;
  out.base = std::move(*new_base), out.ours = std::move(*new_ours), out.theirs = std::move(*new_theirs);
  return out;
}

}  // namespace dio

// members.cpp: reads and replaces the files in disc images.
#include "containers/parts.hpp"
#include "core/file_tree.hpp"
#include "formats/contract/archive.hpp"

namespace dio::containers {
namespace {

/// The files of a disc in directory order; members are numbered in this order.
std::vector<const DiscEntry*> list_files(const Disc& disc) {
  std::vector<const DiscEntry*> out;
  for (const DiscEntry& e : disc.entries)
    if (e.is_file()) out.push_back(&e);
  return out;
}

Result<std::vector<Member>> members(const ByteSource& image) {
  auto disc = read_disc(image);
  if (!disc) return refuse(std::move(disc.error()));
  std::vector<Member> out;
  for (const DiscEntry* e : list_files(*disc)) out.push_back({e->path, disc_offset(disc->form, e->lba), e->size});
  return out;
}

Result<Bytes> read_member(const ByteSource& image, const Member& m) {
  const auto form = detect_sector_form(image);
  if (!form) return refuse(form.error());
  if (!*form) return refuse(std::move(read_disc(image).error()));
  DiscEntry e;
  e.path = m.path;
  e.lba = u32(sector_at(**form, m.offset));
  e.size = m.size;
  auto bytes = read_disc_file(image, **form, e);
  if (!bytes) bytes.error().place.offset = m.offset;
  return bytes;
}

std::optional<u64> sector(const ByteSource& image, const Member& m) {
  const auto form = detect_sector_form(image);
  return form && *form ? std::optional(sector_at(**form, m.offset)) : std::nullopt;
}

Result<std::vector<DiscChange>> make_disc_changes(const ByteSource& image, std::span<const NewContent> news) {
  auto disc = read_disc(image);
  if (!disc) return refuse(std::move(disc.error()));
  const auto files = list_files(*disc);
  std::vector<DiscChange> changes;
  for (const NewContent& n : news) {
    if (n.member >= files.size()) return refuse(missing_file(std::to_string(n.member)));
    changes.push_back({files[n.member]->path, n.bytes, n.may_move});
  }
  return changes;
}

Result<Bytes> replace(ByteView image, std::span<const NewContent> news) {
  const auto changes = make_disc_changes(BorrowedByteSource(image), news);
  if (!changes) return refuse(changes.error());
  return replace_disc_files(image, *changes);
}

Result<bool> patch_members(PatchedSource& image, std::span<const NewContent> news) {
  const auto changes = make_disc_changes(image, news);
  if (!changes) return refuse(changes.error());
  return replace_disc_files(image, *changes);
}

Result<bool> add_members(PatchedSource& image, std::span<const NewMember> news) {
  std::vector<DiscChange> changes;
  for (const NewMember& n : news) changes.push_back({n.path, n.bytes, true});
  return add_disc_files(image, changes);
}

}  // namespace

constinit const ArchiveOps k_disc_ops{.members = members,
                                      .content = read_member,
                                      .replace = replace,
                                      .sniff_in_parts = sniff_disc,
                                      .sector = sector,
                                      .replace_in_parts = patch_members,
                                      .add_in_parts = add_members};

}  // namespace dio::containers

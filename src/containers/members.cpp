// members.cpp: reads and replaces the members of archives.
#include <cstring>

#include "containers/parts.hpp"
#include "core/text_format.hpp"
#include "formats/contract/archive.hpp"

namespace dio::containers {
namespace {

Result<Bytes> read_member(const ByteSource& archive, const Member& m) {
  if (archive.has(m.offset, m.size)) return archive.read(m.offset, m.size);
  return refuse("layout.truncated", Location::of_bytes(m.offset, 0, m.path),
                {.message = "the archive is truncated: it does not contain all " + format_count(m.size, "byte") +
                            " of this member"});
}

/// The archive with new bytes in place of the old ones; nothing if the size of a member changes, or if it shares bytes
/// with a member that must not change.
std::optional<Bytes> replace_in_place(ByteView archive, const std::vector<Member>& members,
                                      std::span<const NewContent> news) {
  for (const NewContent& n : news)
    if (n.member >= members.size() || members[n.member].size != n.bytes.size() ||
        members[n.member].offset > archive.size() || n.bytes.size() > archive.size() - members[n.member].offset)
      return {};
  for (const NewContent& n : news)
    for (const Member& other : members) {
      const Member& own = members[n.member];
      if (&other != &own && other.offset < own.offset + own.size && own.offset < other.offset + other.size) return {};
    }
  Bytes out(archive.begin(), archive.end());
  for (const NewContent& n : news)
    std::copy(n.bytes.begin(), n.bytes.end(), out.begin() + std::ptrdiff_t(members[n.member].offset));
  return out;
}

Diagnostic no_member_error(size_t member, size_t count) {
  return make_diagnostic("file.missing", {},
                         {.message = "member " + std::to_string(member) + " does not exist; the archive has " +
                                     format_count(count, "member") + ", counted from 0"});
}

/// Archives that are small enough to be read completely.
template <auto f, class... Arguments>
auto with_whole_archive(const ByteSource& archive, const Arguments&... arguments)
    -> decltype(f(ByteView(), arguments...)) {
  Bytes room;
  const auto bytes = archive.view(0, archive.size(), room);
  if (!bytes) return refuse(bytes.error());
  return f(*bytes, arguments...);
}

// ---- NARC ----

Result<std::vector<Member>> narc_members(ByteView archive) {
  auto loaded = load<Narc>(archive, {.stays = true});
  if (!loaded) return refuse(std::move(loaded.error()));
  const Narc& n = loaded->document.value();
  auto paths = build_paths(n.names, n.files.size());
  if (!paths) return refuse(std::move(paths.error()));
  std::vector<Member> out;
  out.reserve(n.files.size());
  for (size_t i = 0; i < n.files.size(); ++i)
    out.push_back({(*paths)[i].empty() ? std::to_string(i) : std::move((*paths)[i]), data_offset(n) + n.files[i].start,
                   n.files[i].content.size()});
  return out;
}

Result<Bytes> narc_replace(ByteView archive, std::span<const NewContent> news) {
  auto members = narc_members(archive);
  if (!members) return refuse(std::move(members.error()));
  if (auto out = replace_in_place(archive, *members, news)) return std::move(*out);
  auto loaded = load<Narc>(archive, {.stays = true});
  if (!loaded) return refuse(std::move(loaded.error()));
  Narc& n = loaded->document.edit();
  for (const NewContent& c : news) {
    if (c.member >= n.files.size()) return refuse(no_member_error(c.member, n.files.size()));
    n.files[c.member].content = c.bytes;
  }
  return save(loaded->document);
}

// ---- cartridges ----

Result<std::vector<RomEntry>> nds_entries(const ByteSource& archive) {
  auto tables = read_rom_tables(archive);
  if (!tables) return refuse(std::move(tables.error()));
  return list_rom_entries(*tables, archive);
}

Result<std::vector<Member>> nds_members(const ByteSource& archive) {
  auto entries = nds_entries(archive);
  if (!entries) return refuse(std::move(entries.error()));
  std::vector<Member> out;
  out.reserve(entries->size());
  for (RomEntry& e : *entries) {
    const bool is_content =
        e.kind == RomEntry::Kind::file || e.kind == RomEntry::Kind::arm9 || e.kind == RomEntry::Kind::arm7;
    out.push_back({std::move(e.path), e.offset, e.size, !is_content});
  }
  return out;
}

Result<Bytes> nds_replace(ByteView archive, std::span<const NewContent> news) {
  auto entries = nds_entries(BorrowedByteSource(archive));
  if (!entries) return refuse(std::move(entries.error()));
  std::vector<Member> members;
  for (const RomEntry& e : *entries) members.push_back({e.path, e.offset, e.size});
  if (auto out = replace_in_place(archive, members, news)) {
    Bytes before(archive.begin(), archive.end());
    NdsRom::seal(before);
    if (std::ranges::equal(before, archive)) NdsRom::seal(*out);
    return std::move(*out);
  }
  auto loaded = load<NdsRom>(archive, {.stays = true});
  if (!loaded) return refuse(std::move(loaded.error()));
  drop_padding(loaded->document.residue, loaded->document.size);
  NdsRom& r = loaded->document.edit();
  for (const NewContent& c : news) {
    if (c.member >= entries->size()) return refuse(no_member_error(c.member, entries->size()));
    const RomEntry& e = (*entries)[c.member];
    switch (e.kind) {
      case RomEntry::Kind::file:
        r.files[c.member].content = c.bytes;
        break;
      case RomEntry::Kind::arm9:
        r.arm9 = c.bytes;
        break;
      case RomEntry::Kind::arm7:
        r.arm7 = c.bytes;
        break;
      default: {
        return refuse("layout.requires", e.path,
                      {.message = "the new content has " + format_count(c.bytes.size(), "byte") +
                                  "; this part must keep its size of " + format_count(e.size, "byte") +
                                  ", because other parts depend on this size",
                       .hint = "to change the size of a table, use {unpack FILE} and {pack FOLDER}"});
      }
    }
  }
  return save(loaded->document);
}

// ---- U8 ----

Result<std::vector<Member>> u8_members(ByteView archive) {
  auto loaded = load<U8Archive>(archive, {.stays = true});
  if (!loaded) return refuse(std::move(loaded.error()));
  const U8Archive& a = loaded->document.value();
  auto paths = build_file_paths(a);
  if (!paths) return refuse(std::move(paths.error()));
  std::vector<Member> out;
  for (const U8Node& n : a.nodes)
    if (!n.is_folder()) out.push_back({std::move((*paths)[out.size()]), n.offset, n.size});
  return out;
}

Result<Bytes> u8_replace(ByteView archive, std::span<const NewContent> news) {
  auto members = u8_members(archive);
  if (!members) return refuse(std::move(members.error()));
  if (auto out = replace_in_place(archive, *members, news)) return std::move(*out);
  auto loaded = load<U8Archive>(archive, {.stays = true});
  if (!loaded) return refuse(std::move(loaded.error()));
  std::vector<U8Node*> files;
  for (U8Node& n : loaded->document.edit().nodes)
    if (!n.is_folder()) files.push_back(&n);
  for (const NewContent& c : news) {
    if (c.member >= files.size()) return refuse(no_member_error(c.member, files.size()));
    files[c.member]->content = c.bytes;
  }
  return save(loaded->document);
}

// ---- files that are compressed as a whole ----

Result<std::vector<Member>> yaz0_members(ByteView packed) {
  if (packed.size() < Yaz0File::k_header_size) return refuse(std::move(yaz0_decode(packed).error()));
  return std::vector<Member>{{"data", Yaz0File::k_header_size, packed.size() - Yaz0File::k_header_size}};
}

Result<Bytes> yaz0_content(ByteView packed, const Member&) {
  auto out = yaz0_decode(packed);
  if (!out) return refuse(std::move(out.error()));
  return std::move(out->bytes);
}

Result<Bytes> yaz0_replace(ByteView packed, std::span<const NewContent> news) {
  for (const NewContent& c : news)
    if (c.member) return refuse(no_member_error(c.member, 1));
  if (news.empty()) return Bytes(packed.begin(), packed.end());
  // Unchanged data keeps its bytes, because there is more than one way to compress it.
  return yaz0_repack(packed, news.back().bytes);
}

Result<std::vector<Member>> lz_members(ByteView archive) {
  const auto header = parse_lz_header(archive);
  if (!header) return refuse(std::move(lz_decode(archive).error()));
  return std::vector<Member>{{"data", header->data_at, archive.size() - header->data_at}};
}

Result<Bytes> lz_content(ByteView archive, const Member&) {
  auto out = lz_decode(archive);
  if (!out) return refuse(std::move(out.error()));
  return std::move(out->bytes);
}

Result<Bytes> lz_replace(ByteView archive, std::span<const NewContent> news) {
  for (const NewContent& c : news)
    if (c.member) return refuse(no_member_error(c.member, 1));
  if (news.empty()) return Bytes(archive.begin(), archive.end());
  // Unchanged data keeps its bytes, because there is more than one way to compress it.
  return lz_repack(archive, news.back().bytes);
}

}  // namespace

constinit const ArchiveOps k_narc_ops{.members = with_whole_archive<narc_members>,
                                      .content = read_member,
                                      .replace = narc_replace,
                                      .stores_verbatim = true};
constinit const ArchiveOps k_nds_ops{nds_members, read_member, nds_replace, sniff_nds};
constinit const ArchiveOps k_u8_ops{.members = with_whole_archive<u8_members>,
                                    .content = read_member,
                                    .replace = u8_replace,
                                    .stores_verbatim = true,
                                    .is_one_thing = true};
constinit const ArchiveOps k_lz_ops{.members = with_whole_archive<lz_members>,
                                    .content = with_whole_archive<lz_content>,
                                    .replace = lz_replace,
                                    .packed_size = lz_packed_size};
constinit const ArchiveOps k_yaz0_ops{.members = with_whole_archive<yaz0_members>,
                                      .content = with_whole_archive<yaz0_content>,
                                      .replace = yaz0_replace,
                                      .packed_size = yaz0_packed_size,
                                      .is_wrapping = true};

}  // namespace dio::containers

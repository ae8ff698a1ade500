// info.cpp: summarizes an archive in a few lines.
#include <map>

#include "containers/packed/blz.hpp"
#include "containers/packed/yaz0.hpp"
#include "containers/parts.hpp"
#include "core/text_format.hpp"

namespace dio::containers {
namespace {

std::string printable_string(std::span<const u8> bytes) {
  std::string s(bytes.begin(), bytes.end());
  return escape_control_chars(s.substr(0, s.find('\0')));
}

const FileBytes& content_of(const auto& file) { return file.content; }
const FileBytes& content_of(const U8Node* file) { return file->content; }

/// Counts members by their first four characters, which shows what an archive contains.
Value count_member_magics(const auto& files) {
  std::map<std::string, u64> kinds;
  for (const auto& f : files) {
    const FileBytes& b = content_of(f);
    const bool named = b.size() >= 4 && std::all_of(b.begin(), b.begin() + 4, [](u8 c) {
                         return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
                       });
    ++kinds[named ? std::string(b.begin(), b.begin() + 4) : b.empty() ? "empty" : "other"];
  }
  Value v = Value::object();
  for (const auto& [kind, n] : kinds) v.add(kind, n);
  return v;
}

}  // namespace

Value info(const Narc& n) {
  Value v = Value::object();
  v.add("members", u64(n.files.size()));
  v.add("named", n.names.has_names());
  v.add("byte_order", std::string(k_narc_orders.of(n.byte_order)));
  u64 bytes = 0;
  for (const NarcFile& f : n.files) bytes += f.content.size();
  v.add("bytes", bytes);
  v.add("kinds", count_member_magics(n.files));
  return v;
}

Value info(const NdsRom& r) {
  const RomHeader& h = r.header;
  Value v = Value::object();
  v.add("title", printable_string(h.title));
  v.add("game_code", printable_string(h.game_code));
  v.add("maker_code", printable_string(h.maker_code));
  v.add("revision", h.revision);
  v.add("files", u64(r.files.size()));
  v.add("folders", u64(r.names.folders.size()));
  v.add("arm9_overlays", u64(r.arm9_overlays.size()));
  v.add("arm7_overlays", u64(r.arm7_overlays.size()));
  v.add("arm9_packed", packed_arm9_end(r.arm9) != 0);
  v.add("used_size", h.used_size);
  v.add("capacity", u64(128 << 10) << std::min<u32>(h.capacity, 31));
  v.add("kinds", count_member_magics(r.files));
  return v;
}

Value info(const U8Archive& a) {
  Value v = Value::object();
  u64 bytes = 0, folders = 0;
  std::vector<const U8Node*> files;
  for (const U8Node& n : a.nodes) {
    folders += n.is_folder();
    if (n.is_folder()) continue;
    files.push_back(&n);
    bytes += n.content.size();
  }
  v.add("files", u64(files.size()));
  v.add("folders", folders);
  v.add("bytes", bytes);
  v.add("kinds", count_member_magics(files));
  return v;
}

Value info(const Yaz0File& f) {
  Value v = Value::object();
  v.add("packed", u64(f.data.size()) + Yaz0File::k_header_size);
  v.add("unpacked", f.size);
  Document<Yaz0File> document;
  document.edit() = f;
  const auto packed = save(document);
  const auto content = packed ? yaz0_decode(*packed) : refuse(packed.error());
  if (!content) return v;
  if (const auto archive = load<U8Archive>(content->bytes, {.stays = true})) {
    const Value inside = info(archive->document.value());
    for (const auto& [key, value] : inside.members()) v.add(key, value);
  }
  return v;
}

Value info(const LzFile& f) {
  Value v = Value::object();
  v.add("kind", std::string(k_lz_kinds.of(f.kind)));
  v.add("packed", u64(f.data.size()) + (f.size ? 4 : 8));
  v.add("unpacked", f.size ? f.size : f.long_size);
  return v;
}

Value info(const Document<DiscImage>& document, const ByteSource* image) {
  Value v = Value::object();
  v.add("form", std::string(k_forms.of(i64(document.value().form))));
  const auto saved = image ? Result<Bytes>() : save(document);
  if (!saved) return v;
  const auto disc = image ? read_disc(*image) : read_disc(*saved);
  if (!disc) return v;
  u64 files = 0, folders = 0, bytes = 0;
  for (const DiscEntry& e : disc->entries) {
    folders += e.is_folder && !e.tree;
    files += e.is_file();
    if (e.is_file()) bytes += e.size;
  }
  v.add("volume", escape_control_chars(disc->volume));
  v.add("sectors", disc->sectors);
  v.add("volume_sectors", disc->volume_sectors);
  v.add("files", files);
  v.add("folders", folders);
  v.add("bytes", bytes);
  return v;
}

}  // namespace dio::containers

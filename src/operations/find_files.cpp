#include "operations/find_files.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/contract/archive.hpp"
#include "formats/contract/format.hpp"

namespace dio {

namespace {

/// What begins here, if it is a file of that format.
Result<FoundFile> try_load_file_at(const Format& format, ByteView rest, u64 at) {
  const LoadOptions in_file{.stays = true};
  const auto loaded = format.load(rest, in_file);
  if (!loaded) return refuse(loaded.error());
  const TraceResult traced = format.trace(rest, {});
  const auto gaps = traced.spans.gaps();
  u64 end = rest.size();
  if (format.archive && format.archive->packed_size) {
    const auto size = format.archive->packed_size(rest);
    if (!size) return refuse(size.error());
    return FoundFile{at, *size, &format, loaded->notes.size()};
  }
  if (!gaps.empty() && gaps.back().offset + gaps.back().size == end) end = gaps.back().offset;
  // The size that the file states counts, whether all of it is described or not.
  if (const auto said = format.size_path.empty() ? std::nullopt : traced.spans.find(format.size_path))
    if (const u64 size = traced.spans.value(*said).bits(); size <= rest.size()) end = std::max(end, size);
  if (!format.load(rest.first(size_t(end)), in_file)) end = rest.size();
  return FoundFile{at, end, &format, loaded->notes.size()};
}

/// Each row of a list looks like the first one: what ends where the last file of its format ends, within it, is the end
/// of that file. Archives may hold one of their kind there.
bool is_tail_of_file(const FoundFile& last, const FoundFile& found) {
  return !found.format->archive && found.offset < last.offset + last.size &&
         found.offset + found.size == last.offset + last.size;
}

}  // namespace

namespace {

bool starts_with(ByteView bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && !std::memcmp(bytes.data(), magic.data(), magic.size());
}

/// The formats whose files may begin with a byte.
std::array<std::vector<const Format*>, 256> formats_by_first_byte() {
  std::array<std::vector<const Format*>, 256> out;
  for (const Format* f : formats()) {
    if (f->needs_name) continue;
    for (size_t first = 0; first < out.size(); ++first)
      if (f->magic.empty() || u8(f->magic.front()) == first) out[first].push_back(f);
  }
  return out;
}

}  // namespace

std::vector<FoundFile> find_files(ByteView bytes, const FindOptions& options) {
  std::vector<FoundFile> out;
  const auto by_first_byte = formats_by_first_byte();
  const u64 step = options.every_byte ? 1 : k_find_alignment;
  u64 packed_end = 0;  // bytes of compressed data only look like files
  for (u64 at = 0; at < bytes.size(); at += step) {
    if (at < packed_end) at = (packed_end + step - 1) / step * step;
    if (at >= bytes.size()) break;
    if ((at & 0xFFFFF) == 0 && options.progress) options.progress(at);
    const ByteView rest = bytes.subspan(size_t(at));
    for (const Format* f : by_first_byte[rest.front()]) {
      if (!f->magic.empty() && !starts_with(rest, f->magic)) continue;
      // Only what is certain: at some offset of a large file, anything looks likely.
      if (f->sniff(rest, "").certainty != Sniff::Certainty::certain) continue;
      const auto found = try_load_file_at(*f, rest, at);
      if (!found) {
        if (options.unreadable) options.unreadable(at, *f, found.error());
        continue;
      }
      const auto last = std::find_if(out.rbegin(), out.rend(), [&](const FoundFile& o) { return o.format == f; });
      if (last == out.rend() || !is_tail_of_file(*last, *found)) out.push_back(*found);
      if (f->archive && f->archive->packed_size) packed_end = at + found->size;
    }
  }
  return out;
}

Value found_json(std::string_view file, const std::vector<FoundFile>& found, const FindOptions& options) {
  Value v = Value::object();
  v.add("schema", "diorama.find/1");
  v.add("file", file);
  v.add("alignment", options.every_byte ? u64(1) : k_find_alignment);
  Value& list = v.add("found", Value::list());
  for (const FoundFile& f : found) {
    Value& one = list.push(Value::object());
    one.add("offset", f.offset);
    one.add("size", f.size);
    one.add("format", f.format->id);
    one.add("damaged_parts", f.damaged);
  }
  return v;
}

}  // namespace dio

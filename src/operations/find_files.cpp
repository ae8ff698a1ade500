#include "operations/find_files.hpp"

#include <algorithm>

#include "formats/contract/format.hpp"

namespace dio {

namespace {

/// What these bytes begin with, if it is a file of that format.
Result<FoundFile> file_in(const Format& format, ByteView bytes, u64 at) {
  auto loaded = format.load(bytes, {});
  if (!loaded) return refuse(std::move(loaded.error()));
  const Traced traced = format.trace(bytes, {});
  const auto gaps = traced.spans.gaps();
  u64 end = bytes.size();
  if (!gaps.empty() && gaps.back().offset + gaps.back().size == end) end = gaps.back().offset;
  // The size that the file states counts, whether all of it is described or not.
  if (const auto said = format.size_path.empty() ? std::nullopt : traced.spans.find(format.size_path))
    if (const u64 size = traced.spans.value(*said).bits(); size <= bytes.size()) end = std::max(end, size);
  if (!format.load(bytes.first(size_t(end)), {})) end = bytes.size();
  return FoundFile{at, end, &format, loaded->notes.size()};
}

Result<FoundFile> file_at(const Format& format, ByteView rest, u64 at) {
  // Loading keeps a copy of all unreferenced bytes: of a large image a part is tried first.
  constexpr size_t k_window = 64 << 20;
  auto found = file_in(format, rest.first(std::min(rest.size(), k_window)), at);
  if (found || rest.size() <= k_window) return found;
  return file_in(format, rest, at);
}

}  // namespace

std::vector<FoundFile> find_files(ByteView bytes, const FindOptions& options) {
  std::vector<FoundFile> out;
  std::vector<const Format*> marked;
  for (const Format* f : formats())
    if (!f->needs_name) marked.push_back(f);
  for (u64 at = 0; at < bytes.size(); at += options.every_byte ? 1 : 4) {
    if ((at & 0xFFFFF) == 0 && options.progress) options.progress(at);
    const ByteView rest = bytes.subspan(size_t(at));
    for (const Format* f : marked) {
      // Only what is certain: at some offset of a large file, anything looks likely.
      if (f->sniff(rest, "").certainty != Sniff::Certainty::certain) continue;
      const auto found = file_at(*f, rest, at);
      if (found)
        out.push_back(*found);
      else if (options.unreadable)
        options.unreadable(at, *f, found.error());
    }
  }
  return out;
}

Value found_json(std::string_view file, const std::vector<FoundFile>& found) {
  Value v = Value::object();
  v.add("schema", "diorama.find/1");
  v.add("file", file);
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

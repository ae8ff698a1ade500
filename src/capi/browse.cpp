// browse.cpp: parts of the trace of a file, and of its bytes.
#include <algorithm>

#include "bridge/report/windows.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "formats/contract/format.hpp"

using namespace dio;
using namespace dio::capi;

const report::Windows& dio_file::windows() const {
  std::call_once(traced_, [this] {
    windows_.emplace(as.format->trace(opened ? opened->bytes : ByteView(bytes), as.options).spans);
  });
  return *windows_;
}

namespace {

/// Does something with the trace of a file of a known format, be it readable or not.
template <class F>
dio_buffer* with_windows(const dio_file* file, F&& f) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  if (!file->as.format || file->parts) return buffer_of(not_opened(*file), file);
  return f(file->windows());
}

}  // namespace

extern "C" {

dio_buffer* dio_branch(const dio_file* file, const char* path, size_t from, size_t count) {
  return with_windows(file, [&](const report::Windows& w) {
    const auto found = w.branch(text_of(path), from, count);
    if (found) return buffer_of(*found, on_one_line());
    return buffer_of(make_diagnostic("path.unknown", Place(std::string(text_of(path))),
                                     {.message = "the file has no value at " + in_quotes(text_of(path))}),
                     file);
  });
}

dio_buffer* dio_spans(const dio_file* file, uint64_t offset, uint64_t size) {
  return with_windows(file, [&](const report::Windows& w) { return buffer_of(w.spans(offset, size), on_one_line()); });
}

dio_buffer* dio_place(const dio_file* file, const char* path) {
  return with_windows(file, [&](const report::Windows& w) {
    Value v;
    if (const auto place = w.place(text_of(path))) {
      v.add("offset", place->offset);
      v.add("size", place->size);
    }
    return buffer_of(v, on_one_line());
  });
}

dio_buffer* dio_path_at(const dio_file* file, uint64_t offset) {
  return with_windows(file, [&](const report::Windows& w) {
    auto path = w.path_at(offset);
    return buffer_of(path ? Value(std::move(*path)) : Value(), on_one_line());
  });
}

dio_buffer* dio_bytes(const dio_file* file, uint64_t offset, uint64_t size) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  if (file->parts) {
    const ByteSource& source = file->parts->archive().source();
    const u64 from = std::min<u64>(offset, source.size());
    return buffer_of(source.read(from, std::min<u64>(size, source.size() - from)), file);
  }
  const ByteView all = bytes_of(*file);
  const size_t from = size_t(std::min<u64>(offset, all.size()));
  const ByteView part = all.subspan(from, size_t(std::min<u64>(size, all.size() - from)));
  return buffer_of(Bytes(part.begin(), part.end()));
}

}  // extern "C"

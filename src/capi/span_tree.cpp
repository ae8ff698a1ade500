// span_tree.cpp: parts of the trace of a file, and of its bytes.
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
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  if (!file->as.format || file->parts) return make_buffer(not_opened_error(*file), file);
  return f(file->windows());
}

}  // namespace

extern "C" {

dio_buffer* dio_branch(const dio_file* file, const char* path, size_t from, size_t count) {
  return with_windows(file, [&](const report::Windows& w) {
    const auto found = w.branch_json(text_of(path), from, count);
    if (found) return make_buffer(*found, on_one_line());
    return make_buffer(make_diagnostic("path.unknown", Location(std::string(text_of(path))),
                                       {.message = "the file has no value at " + in_quotes(text_of(path))}),
                       file);
  });
}

dio_buffer* dio_spans(const dio_file* file, uint64_t offset, uint64_t size) {
  return with_windows(file,
                      [&](const report::Windows& w) { return make_buffer(w.spans_json(offset, size), on_one_line()); });
}

dio_buffer* dio_place(const dio_file* file, const char* path) {
  return with_windows(file, [&](const report::Windows& w) {
    Value v;
    if (const auto place = w.find_byte_range(text_of(path))) {
      v.add("offset", place->offset);
      v.add("size", place->size);
    }
    return make_buffer(v, on_one_line());
  });
}

dio_buffer* dio_path_at(const dio_file* file, uint64_t offset) {
  return with_windows(file, [&](const report::Windows& w) {
    auto path = w.path_at(offset);
    return make_buffer(path ? Value(std::move(*path)) : Value(), on_one_line());
  });
}

dio_buffer* dio_bytes(const dio_file* file, uint64_t offset, uint64_t size) {
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  if (file->parts) {
    const ByteSource& source = file->parts->archive().source();
    const u64 from = std::min<u64>(offset, source.size());
    return make_buffer(source.read(from, std::min<u64>(size, source.size() - from)), file);
  }
  const ByteView all = bytes_of(*file);
  const size_t from = size_t(std::min<u64>(offset, all.size()));
  const ByteView part = all.subspan(from, size_t(std::min<u64>(size, all.size() - from)));
  return make_buffer(Bytes(part.begin(), part.end()));
}

}  // extern "C"

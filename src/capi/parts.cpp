// parts.cpp: files that are read in parts.
#include "capi/parts.hpp"

#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"

#ifdef __wasm__
extern "C" __attribute__((import_module("diorama"), import_name("read"))) uint32_t dio_imported_read(uint32_t user,
                                                                                                     double offset,
                                                                                                     void* to,
                                                                                                     uint32_t size);
#endif

namespace dio::capi {

namespace {

constexpr u64 k_most_whole = 256 << 20;

#ifdef __wasm__
size_t imported_read(void* user, uint64_t offset, void* to, size_t size) {
  return dio_imported_read(uint32_t(uintptr_t(user)), double(offset), to, uint32_t(size));
}
#endif

}  // namespace

Result<std::shared_ptr<const ByteSource>> make_byte_source(u64 size, dio_read read, void* user) {
#ifdef __wasm__
  if (!read) read = imported_read;
#endif
  if (!read) return refuse(argument_error({.message = "read is null"}));
  if (size > u64(INT64_MAX)) return refuse(argument_error({.message = "size is larger than any file"}));
  return std::make_shared<ChunkedByteSource>(
      size, [read, user](u64 offset, std::span<u8> to) { return read(user, offset, to.data(), to.size()); });
}

}  // namespace dio::capi

using namespace dio;
using namespace dio::capi;

extern "C" dio_file* dio_open_parts(uint64_t size, const char* name, dio_read read, void* user, uint32_t flags) {
  const auto fail_open = [&](Diagnostic d) {
    auto* file = new dio_file;
    file->name = text_of(name);
    d.place.file = file->name;
    file->error = std::move(d);
    return file;
  };
  if (auto wrong = check_unknown_flags(flags, DIO_STRICT | DIO_KNOWN)) return fail_open(std::move(*wrong));
  auto source = make_byte_source(size, read, user);
  if (!source) return fail_open(std::move(source.error()));
  // A file that cannot be read is not one that is not an archive.
  Bytes head;
  if (auto first = (*source)->view_available(0, 1, head); !first) return fail_open(std::move(first.error()));
  if (const Format* format = detect_archive_in_parts(**source, text_of(name))) {
    auto archive = Archive::open(*source, text_of(name));
    if (archive) {
      auto* file = new dio_file;
      file->name = text_of(name);
      file->as = {format};
      file->format_id = format->id;
      file->known = flags & DIO_KNOWN;
      file->parts = std::make_shared<const ArchiveTree>(std::move(*archive), file->name);
      return file;
    }
    if (size > k_most_whole || archive.error().id == "io.read") {
      auto* file = fail_open(std::move(archive.error()));
      file->format_id = format->id;
      return file;
    }
  }
  if (size > k_most_whole)
    return fail_open(make_diagnostic(
        "detect.unknown", {},
        {.message =
             "only cartridges and discs can be this large, and this is neither; any other file has at most 256 MiB",
         .hint = {}}));
  const auto bytes = (*source)->read(0, size);
  if (!bytes) return fail_open(bytes.error());
  return dio_open(bytes->data(), bytes->size(), name, nullptr, flags);
}

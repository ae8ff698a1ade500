// archives.cpp: any bytes as an archive: told, opened, listed, read through archives in it, unpacked, packed. No path
// of an unpacked archive leads anywhere else, and what was unpacked packs to the same bytes.
#include <set>

#include "containers/packed/blz.hpp"
#include "containers/packed/lz.hpp"
#include "containers/packed/yaz0.hpp"
#include "formats/contract/format.hpp"
#include "fuzz/require.hpp"
#include "operations/archive_folders.hpp"
#include "operations/archive_tree.hpp"

using namespace dio;

namespace {

void explained(const Diagnostic& d) { require(!d.id.empty() && !format_one_line(d).empty(), "a refusal says why"); }

/// Whether a path stays below the folder it is written to, on any system.
void stays(const std::string& path) {
  require(!path.empty() && path.front() != '/' && path.back() != '/', "a path has a name at its end");
  for (size_t at = 0; at < path.size();) {
    const size_t slash = std::min(path.find('/', at), path.size());
    const std::string_view part = std::string_view(path).substr(at, slash - at);
    require(!part.empty() && part != "." && part != "..", "no part leads up");
    for (const char c : part) require(u8(c) >= 0x20 && u8(c) < 0x7F && c != '\\' && c != ':', "only plain characters");
    at = slash + 1;
  }
}

/// Content in place of what compressed data holds: some bytes changed, inserted or removed, as the data itself says.
Bytes edit_content(const Bytes& content, ByteView choices) {
  Bytes out = content;
  for (size_t i = 0; i + 3 < choices.size() && i < 24 && !out.empty(); i += 4) {
    const auto at = out.begin() + std::ptrdiff_t((choices[i] | size_t(choices[i + 1]) << 8) % out.size());
    if (choices[i + 2] < 200)
      *at ^= choices[i + 3];
    else if (choices[i + 2] < 230)
      out.insert(at, choices[i + 3], choices[i + 2]);
    else
      out.erase(at, at + std::min<std::ptrdiff_t>(out.end() - at, choices[i + 3]));
  }
  return out;
}

/// What is compressed in place of the content of compressed data is there when it is decompressed.
void repacked_data(ByteView bytes, auto decode, auto repack) {
  const auto before = decode(bytes);
  if (!before || before->bytes.size() > 1 << 16) return;
  const auto same = repack(bytes, before->bytes);
  require(same && std::ranges::equal(*same, bytes), "unchanged content keeps its compressed form");
  const Bytes edited = edit_content(before->bytes, bytes.last(std::min<size_t>(bytes.size(), 24)));
  const auto again = repack(bytes, edited);
  const auto back = again ? decode(*again) : Result<Unpacked>(refuse(again.error()));
  require(back && back->bytes == edited, "what is packed again can be unpacked");
}

void packed_data(ByteView bytes) {
  repacked_data(bytes, lz_decode, lz_repack);
  repacked_data(bytes, yaz0_decode, yaz0_repack);
  if (auto out = lz_decode(bytes); !out)
    explained(out.error());
  else if (out->bytes.size() < 1 << 16)
    for (const LzKind kind : {LzKind::lz10, LzKind::lz11}) {
      auto again = lz_encode(out->bytes, kind);
      auto back = again ? lz_decode(*again) : Result<Unpacked>(refuse(again.error()));
      require(back && back->bytes == out->bytes, "what is packed can be unpacked");
    }
  if (auto out = blz_decode(bytes); !out) explained(out.error());
  if (bytes.size() < 1 << 16)
    if (const auto packed = blz_encode(bytes)) {
      auto back = blz_decode(*packed);
      require(back && std::ranges::equal(*back, bytes), "what is packed can be unpacked");
    }
  if (auto out = decompress_arm9(bytes, 0x02000000); !out) explained(out.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  const ByteView bytes(data, size);
  packed_data(bytes);
  for (const Format* f : formats())
    if (f->archive) (void)f->archive->members(BorrowedByteSource(bytes));
  auto archive = Archive::open(Bytes(data, data + size), "archive");
  if (!archive) {
    explained(archive.error());
    return 0;
  }
  const ArchiveTree tree(std::move(*archive), "archive");
  size_t left = 32;
  for (const std::string& path : tree.list()) {
    if (!left--) break;
    if (auto content = tree.read(path); !content) explained(content.error());
    (void)tree.has(path + "/0");
    if (auto changed = replace_nested_member(bytes, "archive", path, {1, 2, 3}); !changed) explained(changed.error());
  }
  auto files = unpack(bytes, "archive");
  if (!files) {
    explained(files.error());
    return 0;
  }
  std::set<std::string> folded;
  for (const std::string& path : files->list()) {
    stays(path);
    std::string low = path;
    for (char& c : low)
      if (c >= 'A' && c <= 'Z') c = char(c + 32);
    require(folded.insert(low).second, "paths differ by more than case");
  }
  if (tree.archive().format().id == "iso") return 0;  // a disc of the same files has them elsewhere
  if (auto again = pack(*files); !again)
    explained(again.error());
  else if (*again != Bytes(data, data + size))
    require(false, "what was unpacked packs to the same bytes");
  return 0;
}

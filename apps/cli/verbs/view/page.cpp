#include "page.hpp"

#include "../../files/files.hpp"
#include "../../system/filesystem.hpp"
#include "../../system/process.hpp"
#include "bridge/png/deflate.hpp"
#include "core/checksums.hpp"

namespace dio::cli {
namespace {

constexpr std::string_view k_end = "</body>";

/// Of this program: PREFIX/bin, or build/release.
fs::path program_folder() { return fs::path(os::program_path()).parent_path(); }

}  // namespace

Result<std::string> read_page(const std::string& given) {
  std::string name = given;
  if (given.empty()) {
    const fs::path folder = program_folder();
    const fs::path nearby = folder / "diorama.html";
    const fs::path built = (folder / "../viewer/diorama.html").lexically_normal();
    const fs::path installed = (folder / "../share/diorama/diorama.html").lexically_normal();
    std::error_code error;
    const bool is_in_tree = folder.filename() != "bin" && fs::exists(built, error);
    name = (fs::exists(nearby, error) ? nearby : is_in_tree ? built : installed).string();
    if (!fs::exists(name, error))
      return refuse(io_error("io.read", name, "the viewer page is missing",
                             "in a source tree, `./dev viewer` builds the page; --page FILE uses another copy"));
  }
  auto bytes = read_file(name);
  if (!bytes) return refuse(std::move(bytes.error()));
  std::string page(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (page.rfind(k_end) == page.npos)
    return refuse(
        "view.page", Location::in_file(name),
        {.message = "this is not a viewer page: it has no </body>", .hint = "`./dev viewer` builds the page"});
  return page;
}

std::string embed_json(const std::string& page, std::string_view id, std::string_view json) {
  const size_t end = page.rfind(k_end);  // scripts before it may name it
  std::string out;
  out.reserve(page.size() + json.size() + id.size() + 64);
  out.append(page, 0, end);
  out.append("<script type=\"application/json\" id=\"").append(id).append("\">").append(json).append("</script>\n");
  return out.append(page, end);
}

Bytes compress_gzip(ByteView bytes) {
  constexpr size_t k_zlib_head = 2, k_zlib_end = 4;
  const Bytes zlib = png::deflate(bytes);
  Bytes out = {0x1f, 0x8b, 8 /* deflate */, 0, 0, 0, 0, 0 /* no time */, 0, 255 /* unknown system */};
  out.insert(out.end(), zlib.begin() + k_zlib_head, zlib.end() - k_zlib_end);
  for (const u32 n : {png::crc32(bytes), u32(bytes.size())})
    for (int shift = 0; shift < 32; shift += 8) out.push_back(u8(n >> shift));
  return out;
}

}  // namespace dio::cli

// format.cpp: the registry entries of archives.
#include "formats/contract/format.hpp"

#include <array>

#include "containers/parts.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"

namespace dio::containers {
namespace {

template <class T>
Format make_archive_format(std::string_view id, std::string_view title, std::string_view extensions,
                           Sniff (*sniffs)(ByteView, std::string_view), const ArchiveOps& ops) {
  Format f{};
  f.id = id, f.title = title, f.platform = "DS", f.extensions = extensions;
  f.sniff = sniffs;
  f.rules = rules;
  f.check = [](const AnyDocument& d, std::optional<std::span<const Companion>>, Findings& findings) {
    const Document<T>& document = static_cast<const DocumentOf<T>&>(d).document;
    if constexpr (requires { check(document, d.source, findings); })
      check(document, d.source, findings);
    else
      check(document, findings);
  };
  f.info = [](const AnyDocument& d) {
    const Document<T>& document = static_cast<const DocumentOf<T>&>(d).document;
    if constexpr (requires { info(document, d.source); })
      return info(document, d.source);
    else
      return info(document.value());
  };
  f.archive = &ops;
  return make_document_format<T>(f);
}

/// LZ data has no magic: it is recognised by decompressing it, or by its name.
Format without_magic(Format f) {
  f.needs_name = true;
  return f;
}

/// Adds the path of the field that contains the file size.
Format with_size_path(std::string_view path, Format f) {
  f.size_path = path;
  return f;
}

Format with_magic(std::string_view magic, Format f) {
  f.magic = magic;
  return f;
}

Format with_platform(std::string_view platform, Format f) {
  f.platform = platform;
  return f;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 6> k_formats = {
      with_magic("NARC", with_size_path("size", make_archive_format<Narc>("narc", "NARC archive", ".narc", sniff_narc,
                                                                          k_narc_ops))),
      make_archive_format<NdsRom>("nds", "DS cartridge", ".nds .srl", sniff_nds, k_nds_ops),
      without_magic(make_archive_format<LzFile>("lz", "LZ-compressed file (LZ10, LZ11)", ".lz", sniff_lz, k_lz_ops)),
      with_magic(
          "U\xAA"
          "8-",
          with_platform("Wii", make_archive_format<U8Archive>("u8", "U8 archive", ".arc .u8", sniff_u8, k_u8_ops))),
      with_magic("Yaz0", with_platform("Wii", make_archive_format<Yaz0File>("yaz0", "Yaz0-compressed file",
                                                                            ".szs .yaz0", sniff_yaz0, k_yaz0_ops))),
      with_platform("PlayStation", make_archive_format<DiscImage>("iso", "ISO 9660 disc image", ".iso .bin .img",
                                                                  sniff_disc, k_disc_ops)),
  };
  return k_formats;
}

}  // namespace dio::containers

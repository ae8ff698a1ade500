// companions.cpp: finds the files that belong to one scene.
#include "formats/splashpack/companions.hpp"

#include <algorithm>

namespace dio::splashpack {

std::vector<std::string> companion_file_names(std::string_view name) {
  const size_t dot = std::min(name.find_last_of('.'), name.size());
  const std::string stem(name.substr(0, dot));
  const bool is_on_disc = name.substr(dot).starts_with(".SPK");
  return {stem + (is_on_disc ? ".VRM" : ".vram"), stem + (is_on_disc ? ".SPU" : ".spu"),
          stem + (is_on_disc ? ".GEO" : ".geo")};
}

bool matches_pack(const Vram& vram, const Pack& pack) {
  if (pack.form < Layout::v20 || vram.atlases.size() != pack.atlases.size() || vram.cluts.size() != pack.cluts.size() ||
      vram.fonts.size() != pack.fonts.size())
    return false;
  for (size_t i = 0; i < pack.atlases.size(); ++i) {
    const VramAtlas& a = vram.atlases[i];
    const Atlas& b = pack.atlases[i];
    if (a.x != b.x || a.y != b.y || a.width != b.width || a.height != b.height) return false;
  }
  for (size_t i = 0; i < pack.cluts.size(); ++i) {
    const VramClut& a = vram.cluts[i];
    const Clut& b = pack.cluts[i];
    if (a.x != b.x || a.y != b.y || a.colors.size() != b.length) return false;
  }
  return true;
}

bool matches_pack(const Spu& spu, const Pack& pack) {
  if (pack.form < Layout::v20 || spu.clips.size() != pack.audio_clips.size()) return false;
  for (size_t i = 0; i < spu.clips.size(); ++i)
    if (spu.clips[i].samples.size() != pack.audio_clips[i].size) return false;
  return true;
}

bool matches_pack(const Geo& geo, const Pack& pack) {
  if (!pack.stream) return false;
  return std::ranges::all_of(pack.stream->regions, [&](const StreamRegion& r) {
    return u64(r.sector) * WorldStream::k_sector + r.size <= geo.sectors.size();
  });
}

Pack load_streamed_triangles(const Pack& pack, const Geo& geo) {
  Pack out = pack;
  if (!pack.stream) return out;
  const ByteView sectors = geo.sectors;
  for (const StreamRegion& region : pack.stream->regions)
    for (size_t i = region.first_ref; i < size_t(region.first_ref) + region.ref_count; ++i) {
      if (i >= pack.stream->refs.size()) break;
      const StreamRef& ref = pack.stream->refs[i];
      const u64 at = u64(region.sector) * WorldStream::k_sector + ref.offset,
                size = ref.triangle_count * WorldStream::k_triangle;
      if (ref.object >= out.objects.size() || at > sectors.size() || size > sectors.size() - at) continue;
      if (auto part = load<GeoTriangles>(sectors.subspan(size_t(at), size_t(size))))
        out.objects[ref.object].triangles = std::move(part->document.edit().triangles);
    }
  return out;
}

namespace {

Diagnostic companion_mismatch_warning(DiagnosticText said) {
  return make_diagnostic(Severity::warning, "splashpack.files-missing", {}, std::move(said));
}

}  // namespace

// Older packs contain their texels.
std::optional<Diagnostic> companion_mismatch(const Vram* vram, const Pack& pack) {
  if (!vram || pack.form < Layout::v20 || matches_pack(*vram, pack)) return {};
  return companion_mismatch_warning(
      {.message = "the .vram file does not match this pack", .hint = "the textures are from another scene"});
}
std::optional<Diagnostic> companion_mismatch(const Spu* spu, const Pack& pack, std::string hint) {
  if (!spu || pack.form < Layout::v20 || matches_pack(*spu, pack)) return {};
  return companion_mismatch_warning({.message = "the .spu file does not match this pack", .hint = std::move(hint)});
}

}  // namespace dio::splashpack

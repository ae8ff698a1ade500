// container.cpp: rules about the file itself: its layout, and the positions of its blocks.
#include <algorithm>

#include "core/sorting.hpp"
#include "formats/splashpack/check/checks.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_container_rule_table[] = {
    {"splashpack.layout", error, "a pack of version 1 fits the chosen layout and no other layout",
     "All eight pack layouts from 2025 have the version number 1. If a pack is read with the wrong layout, every "
     "number has the wrong meaning.",
     "Choose the layout of the pack with {--layout}; {info FILE} lists the layouts that fit.",
     "18 real packs; src/formats/splashpack/README.md#layouts", Severities{hint}},
    {"splashpack.version-old", hint, "the pack has version v20 or later, as the current engine requires",
     "If a pack is older than v20, the current engine stops and asks for a new export.",
     "Convert the pack: {convert OLD -o NEW --target-layout v21}.", "psxsplash, splashpack.cpp"},
    {"splashpack.version-range", warning, "the version of a pack is 1, or 20 to 25",
     "Pack versions 2 to 16 were never published, and pack versions above 25 are unknown.",
     "Export the scene again with a released exporter, or choose the layout with {--layout}.",
     "history of psxsplash and SplashEdit; src/formats/splashpack/README.md#layouts"},
    {"splashpack.offset-range", error, "the data blocks of a pack start after its descriptors",
     "The engine does not check block offsets. If a block starts inside the descriptors, the engine reads the "
     "descriptors as triangles or texels.",
     "Use an undamaged copy of the pack, or export the scene again.", "psxsplash, splashpack.cpp"},
    {"splashpack.overlap", warning, "no two data blocks of a pack share bytes",
     "The exporter never writes overlapping blocks. If two blocks are identical, sharing their bytes saves space. Any "
     "other overlap means that the pack is damaged.",
     "Export the scene again, or write the pack with {--canonical}.", "measured on 18 real packs", Severities{hint}},
    {"splashpack.align4", error, "the data blocks of a pack start at multiples of 4",
     "The console copies texels to VRAM four bytes at a time. If it reads a number from an unaligned address, it "
     "stops.",
     "Move the blocks to multiples of 4 with {check FILE --fix -i}.",
     "psyqo (\"Unaligned DMA transfer\"); the R3000 processor"},
    {"splashpack.gap", hint, "a pack has no unreferenced bytes between its data blocks",
     "The exporter leaves no gaps between the data blocks of a pack.",
     "No action is needed. The unreferenced bytes are kept, unless you write the pack with {--canonical}.",
     "measured on 18 real packs"},
    {"splashpack.trailing", hint, "nothing follows the last data block of a pack",
     "The exporter writes nothing after the last data block of a pack.",
     "No action is needed. The unreferenced bytes are kept, unless you write the pack with {--canonical}.",
     "measured on 18 real packs"},
    {"splashpack.pad-nonzero", hint, "the padding after each data block is zero",
     "The exporter always pads data blocks with zeros.", "No action is needed: the padding bytes are kept.",
     "measured on 18 real packs"},
};

struct Block {
  std::string path;
  u64 offset, size;
  bool in_words;  // the console reads it in units of four bytes
};

std::vector<Block> collect_blocks(const Pack& p) {
  std::vector<Block> all;
  const Sizes& sizes = record_sizes(p.form);
  const auto add = [&](std::string path, u64 offset, u64 size, bool in_words) {
    if (size) all.push_back({std::move(path), offset, size, in_words});
  };
  for (size_t i = 0; i < p.scripts.size(); ++i)
    add(text("scripts[", i, "].offset"), p.scripts[i].offset, p.scripts[i].text.size(), false);
  for (size_t i = 0; i < p.objects.size(); ++i)
    add(object_path(i, ".offset"), p.objects[i].offset, p.objects[i].triangles.size() * sizes.triangle, true);
  for (size_t i = 0; i < p.navmeshes.size(); ++i)
    add(text("navmeshes[", i, "].offset"), p.navmeshes[i].offset, p.navmeshes[i].triangles.size() * sizes.nav_triangle,
        true);
  if (!is_old(p)) return all;
  for (size_t i = 0; i < p.atlases.size(); ++i)
    add(text("atlases[", i, "].offset"), p.atlases[i].offset, p.atlases[i].texels.size(), true);
  if (u32(p.form) >= k_offsets_first)
    for (size_t i = 0; i < p.cluts.size(); ++i)
      add(text("cluts[", i, "].offset"), p.cluts[i].offset, p.cluts[i].colors.size() * 2, true);
  return all;
}

u64 end_of_descriptors(const Pack& p) {
  const Sizes& s = record_sizes(p.form);
  const u64 end = s.header + p.scripts.size() * s.script + p.objects.size() * s.object;
  if (!is_old(p)) return end;
  return end + p.navmeshes.size() * s.navmesh + p.atlases.size() * s.atlas + p.cluts.size() * s.clut;
}

void check_layout(Reporter& r, const Document<Pack>& d) {
  const Pack& p = d.value();
  if (!is_old(p)) return;
  r.report("splashpack.version-old", "version",
           {.message = text("the current engine cannot read the old layout \"", k_layouts.of(i64(p.form)),
                            "\" (from 2025); it needs v20 or later")});
  if (p.version != 1)
    r.report("splashpack.version-range", "version",
             {.message = text("version ", p.version, " is unknown; it must be 1, or 20 to 25")});
  if (d.edited()) return;
  const auto bytes = save(d);
  if (!bytes) return;
  std::string others;
  const LayoutScore* own = nullptr;
  const auto all = score_layouts(*bytes);
  for (const LayoutScore& v : all) {
    if (v.layout == p.form)
      own = &v;
    else if (v.fits)
      others += text(others.empty() ? "" : ", ", k_layouts.of(i64(v.layout)));
  }
  if (!own || others.empty()) return;
  if (own->fits)
    r.report(hint, "splashpack.layout", "version",
             {.message = text("the file fits several layouts: ", k_layouts.of(i64(p.form)), ", ", others),
              .hint = text("the file is read as layout ", k_layouts.of(i64(p.form)),
                           "; choose another layout with {--layout}")});
  else
    r.report("splashpack.layout", "version",
             {.message = text("the file does not fit layout ", k_layouts.of(i64(p.form)), "; it fits ", others),
              .hint = own->reason});
}

/// A navmesh with 18-byte triangles overlaps the data that follows it; a separate rule reports this.
bool is_short_navmesh(const Pack& p, const Block& b, u64 next) {
  return b.path.starts_with("navmeshes") && ((b.offset + b.size / 2 + 3) & ~u64(3)) == next && is_old(p);
}

void check_blocks(Reporter& r, const Pack& p) {
  auto blocks = collect_blocks(p);
  const u64 start = end_of_descriptors(p);
  for (const Block& b : blocks) {
    if (b.offset < start)
      r.report("splashpack.offset-range", b.path,
               {.message = text("offset ", format_hex(b.offset), " is inside the descriptors, which end at ",
                                format_hex(start))});
    if (b.in_words && b.offset % 4)
      r.report("splashpack.align4", b.path,
               {.message = text("offset ", format_hex(b.offset), " is not a multiple of 4")});
  }
  sort_stably(blocks, [](const Block& a, const Block& b) { return a.offset < b.offset; });
  for (size_t i = 1, last = 0; i < blocks.size(); ++i) {  // last: the block that ends last so far
    const Block &a = blocks[last], &b = blocks[i];
    if (b.offset < a.offset + a.size && !is_short_navmesh(p, a, b.offset)) {
      const bool same = a.offset == b.offset && a.size == b.size;
      const std::string owner = a.path.substr(0, a.path.rfind('.'));
      r.report(same ? hint : warning, "splashpack.overlap", b.path,
               {.message = same ? text("the block at ", format_hex(b.offset), " is shared with ", owner)
                                : text("the block starts at ", format_hex(b.offset), ", inside the block of ", owner,
                                       ", which ends at ", format_hex(a.offset + a.size))});
    }
    if (b.offset + b.size > a.offset + a.size) last = i;
  }
}

void check_residue(Reporter& r, const Document<Pack>& d) {
  for (const UnreferencedBytes& run : d.residue) {
    const u64 size = run.bytes.size(), end = run.offset + size;
    const bool zero = std::all_of(run.bytes.begin(), run.bytes.end(), [](u8 b) { return b == 0; });
    // Clips of skins are aligned to 2.
    const bool is_padding = zero && size < 4 && (end % 4 == 0 || (!is_old(d.value()) && size < 2 && end % 2 == 0));
    if (is_padding) continue;
    if (end == d.size)
      r.report("splashpack.trailing", Location::of_bytes(run.offset, size),
               {.message = text(size == 1 ? "there is " : "there are ", format_count(size, "unreferenced byte"),
                                " after the last block")});
    else if (size >= 4 || end % 4)
      r.report("splashpack.gap", Location::of_bytes(run.offset, size),
               {.message = text(size == 1 ? "there is " : "there are ", format_count(size, "unreferenced byte"),
                                zero ? ", all 0," : "", " before the next block")});
    else
      r.report("splashpack.pad-nonzero", Location::of_bytes(run.offset, size),
               {.message = text("the padding contains ", encode_hex(run.bytes), " instead of zeros")});
  }
}

}  // namespace
const std::span<const Rule> k_container_rules = k_container_rule_table;

void check_container(Reporter& r, const Document<Pack>& d) {
  check_layout(r, d);
  check_blocks(r, d.value());
  check_residue(r, d);
}

}  // namespace dio::splashpack

// Rules of the file itself: its layout, and where its blocks lie.
#include <algorithm>

#include "formats/splashpack/check/checks.hpp"

namespace dio::splashpack {
namespace {

constexpr Rule k_container_rule_table[] = {
    {"splashpack.layout", error, "a pack that says version 1 fits the layout it is read in",
     "All eight layouts of 2025 say version 1. Read in another one, every number means something else. Where several "
     "fit, `--as splashpack-d` and the like say which is meant.",
     "specification 6, layout, and 1.2: 18 real files", Severities{hint}},
    {"splashpack.version-old", hint, "today's engine reads v20 and later",
     "It stops at older packs and asks for another export. `dio convert` makes a later one of it.",
     "specification 6, version-old: engine, splashpack.cpp"},
    {"splashpack.version-range", warning, "the version is 1, or 20 to 24",
     "2 to 16 were never published, and no engine reads what is above 24.",
     "specification 6, version-range: history of engine and writer"},
    {"splashpack.offset-range", error, "blocks lie behind the descriptors",
     "The engine does not look: it would take descriptors for triangles or texels.",
     "specification 6, offset-range: engine, splashpack.cpp"},
    {"splashpack.overlap", warning, "no two blocks share bytes",
     "No file of the exporter has such blocks. Two that are the same are one way to save room; others are damage.",
     "specification 6, overlap: 18 real files", Severities{hint}},
    {"splashpack.align4", error, "blocks begin at multiples of 4",
     "The console sends texels to video memory four bytes at a time, and stops at a number that it reads from an "
     "address that is no multiple of its size.",
     "specification 6, align4: psyqo (\"Unaligned DMA transfer\"), R3000"},
    {"splashpack.gap", hint, "no bytes lie between blocks that belong to none",
     "The exporter leaves none. They are kept.", "specification 6, gap: 18 real files"},
    {"splashpack.trailing", hint, "nothing follows the last block", "The exporter writes nothing there. It is kept.",
     "specification 6, trailing: 18 real files"},
    {"splashpack.pad-nonzero", hint, "what fills up to a multiple of 4 is 0",
     "The exporter writes zeros. Others are kept.", "specification 6, pad-nonzero: 18 real files"},
};

struct Block {
  std::string path;
  u64 offset, size;
  bool in_words;  // the console reads it four bytes at a time
};

std::vector<Block> blocks_of(const Pack& p) {
  std::vector<Block> all;
  const Sizes& sizes = sizes_of(p.form);
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
  const Sizes& s = sizes_of(p.form);
  const u64 end = s.header + p.scripts.size() * s.script + p.objects.size() * s.object;
  if (!is_old(p)) return end;
  return end + p.navmeshes.size() * s.navmesh + p.atlases.size() * s.atlas + p.cluts.size() * s.clut;
}

void check_layout(Reporter& r, const Document<Pack>& d) {
  const Pack& p = d.value();
  if (!is_old(p)) return;
  r.report("splashpack.version-old", "version",
           {.expected = "v20 or later", .found = text("layout ", k_layouts.of(i64(p.form)), ", of 2025")});
  if (p.version != 1)
    r.report("splashpack.version-range", "version", {.expected = "1, or 20 to 24", .found = text(p.version)});
  if (d.edited()) return;
  const auto bytes = save(d);
  if (!bytes) return;
  std::string others;
  const Verdict* own = nullptr;
  const auto all = verdicts(*bytes);
  for (const Verdict& v : all) {
    if (v.layout == p.form)
      own = &v;
    else if (v.fits)
      others += text(others.empty() ? "" : ", ", k_layouts.of(i64(v.layout)));
  }
  if (!own || others.empty()) return;
  if (own->fits)
    r.report(hint, "splashpack.layout", "version",
             {.expected = "one layout",
              .found = text("its blocks fill the file in layout ", others, " as well"),
              .hint = text("it is read in layout ", k_layouts.of(i64(p.form)))});
  else
    r.report("splashpack.layout", "version",
             {.expected = text("one that fits layout ", k_layouts.of(i64(p.form))),
              .found = text("it fits layout ", others),
              .hint = own->reason});
}

/// A navmesh whose triangles have 18 bytes runs into what follows it: its own rule says so.
bool is_short_navmesh(const Pack& p, const Block& b, u64 next) {
  return b.path.starts_with("navmeshes") && ((b.offset + b.size / 2 + 3) & ~u64(3)) == next && is_old(p);
}

void check_blocks(Reporter& r, const Pack& p) {
  auto blocks = blocks_of(p);
  const u64 start = end_of_descriptors(p);
  for (const Block& b : blocks) {
    if (b.offset < start)
      r.report("splashpack.offset-range", b.path,
               {.expected = text("at least ", hex_number(start)), .found = hex_number(b.offset)});
    if (b.in_words && b.offset % 4)
      r.report("splashpack.align4", b.path, {.expected = "a multiple of 4", .found = hex_number(b.offset)});
  }
  std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.offset < b.offset; });
  for (size_t i = 1, last = 0; i < blocks.size(); ++i) {  // last: the one that ends last so far
    const Block &a = blocks[last], &b = blocks[i];
    if (b.offset < a.offset + a.size && !is_short_navmesh(p, a, b.offset)) {
      const bool same = a.offset == b.offset && a.size == b.size;
      r.report(same ? hint : warning, "splashpack.overlap", b.path,
               {.expected = text("at least ", hex_number(a.offset + a.size)),
                .found = text(hex_number(b.offset), same ? ", the same bytes as " : ", inside of ", a.path)});
    }
    if (b.offset + b.size > a.offset + a.size) last = i;
  }
}

void check_residue(Reporter& r, const Document<Pack>& d) {
  for (const Residue& run : d.residue) {
    const u64 size = run.bytes.size(), end = run.offset + size;
    const bool zero = std::all_of(run.bytes.begin(), run.bytes.end(), [](u8 b) { return b == 0; });
    // Clips of skins go to multiples of 2.
    const bool is_padding = zero && size < 4 && (end % 4 == 0 || (!is_old(d.value()) && size < 2 && end % 2 == 0));
    if (is_padding) continue;
    if (end == d.size)
      r.report("splashpack.trailing", Place::of_bytes(run.offset, size),
               {.expected = "the end of the file", .found = text(size, " bytes")});
    else if (size >= 4 || end % 4)
      r.report("splashpack.gap", Place::of_bytes(run.offset, size),
               {.expected = "the next block", .found = text(size, zero ? " bytes, all 0" : " bytes")});
    else
      r.report("splashpack.pad-nonzero", Place::of_bytes(run.offset, size),
               {.expected = "zeros", .found = hex_digits(run.bytes)});
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

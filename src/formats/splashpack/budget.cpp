// budget.cpp: how much a pack uses of the limits of the console and the engine.
#include "formats/contract/budgets.hpp"
#include "formats/splashpack/check/checks.hpp"
#include "formats/splashpack/companions.hpp"

namespace dio::splashpack {

Value compute_pack_budget(const Pack& p, const PackCompanions& beside, u64 file_size) {
  Value v = Value::object();
  v.add("engine", is_old(p) ? text("2025 version, layout ", k_layouts.of(i64(p.form)))
                            : text("2026 version, ", k_layouts.of(i64(p.form))));
  Budgets budgets(v);
  u64 triangles = 0, sounds = 0, pixels = 0;
  for (const Object& o : p.objects) triangles += o.triangles.size();
  for (const AudioClip& c : p.audio_clips) sounds += c.size;
  for (const Atlas& a : p.atlases) pixels += u64(a.width) * a.height * 2 + (is_old(p) ? 0 : 8);
  for (const Clut& c : p.cluts) pixels += c.length * u64(2) + (is_old(p) ? 0 : 8);
  const u64 largest = is_old(p) ? file_size : std::max({file_size, pixels, sounds});
  budgets.add("memory", largest, memory_of(p), "bytes",
              is_old(p)
                  ? "the whole pack stays in memory, which scripts and the stack also use"
                  : "the pack, its textures and its sounds are loaded one after another, so only the largest counts");
  budgets.add("texture pages", pages_used(p), pages_of(p.form), "pages",
              "pages of 64 x 256 words, outside the frame buffers and the font");
  budgets.add("CLUT rows", clut_rows_used(p), 32, "rows", "rows below the frame buffers (16 rows below each)");
  if (!is_old(p)) budgets.add("sound memory", sounds, k_spu_memory, "bytes", "memory of the sound chip (SPU)");
  budgets.add(
      "triangles", triangles, triangles_of(p), "triangles",
      is_old(p) ? "per frame: the whole scene is drawn" : "per frame: only triangles that the camera sees are drawn");
  for (const EngineLimit& c : collect_engine_limits(p)) budgets.add(c.name, c.used, c.of, c.unit, "");

  Value& map = v.add("map", Value::object());
  map.add("title", "video memory");
  map.add("width", u64(k_video_width));
  map.add("height", u64(k_video_height));
  map.add("unit", "words of 16 bits");
  Value& grid = map.add("grid", Value::object());
  grid.add("width", u64(k_page_width));
  grid.add("height", u64(k_page_height));
  Value& areas = map.add("areas", Value::list());
  const auto add_area = [&](std::string_view kind, std::string name, const Rect& r) {
    Value& one = areas.push(Value::object());
    one.add("kind", kind);
    one.add("name", std::move(name));
    one.add("x", u64(r.x));
    one.add("y", u64(r.y));
    one.add("width", u64(r.width));
    one.add("height", u64(r.height));
  };
  add_area("reserved", "frame buffer 0", Reserved::k_buffers[0]);
  add_area("reserved", "frame buffer 1", Reserved::k_buffers[1]);
  add_area("reserved", is_old(p) ? "font of the engine" : "engine",
           is_old(p) ? Reserved::k_old_font : Reserved::k_new_column);
  for (const VideoBlock& b : build_video_memory(p, beside.vram).blocks) {
    const char* kind = b.kind == VideoBlock::Kind::atlas     ? "texels"
                       : b.kind == VideoBlock::Kind::palette ? "palette"
                                                             : "letters";
    add_area(kind,
             text(kind == std::string_view("texels")    ? "atlas"
                  : kind == std::string_view("letters") ? "font"
                                                        : kind,
                  " ", b.index),
             b.rect);
  }
  return v;
}

}  // namespace dio::splashpack

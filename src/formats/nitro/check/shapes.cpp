// shapes.cpp: checks of display lists.
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_shape_rule_table[] = {
    {"nitro.display-list", error, "a display list contains only known, complete commands",
     "The geometry engine stops at an unknown or incomplete command.",
     "Get an undamaged copy of the file, or export the model again.",
     "GBATEK, DS 3D Geometry Commands; src/formats/nitro/README.md#display-lists"},
    {"nitro.begin-end", warning, "every vertex is between BEGIN and END, and every BEGIN has its END",
     "The hardware ignores a vertex outside BEGIN and END, or adds it to a polygon of the previous shape.",
     "Put every vertex between BEGIN and END, or export the model again.",
     "measured on 22,930 display lists; src/formats/nitro/README.md#display-lists"},
    {"nitro.primitive", warning, "the vertices between BEGIN and END form whole polygons",
     "The hardware does not draw leftover vertices.", "Add the missing vertices, or remove the leftover ones.",
     "GBATEK, DS 3D Polygon Definitions by Vertices"},
    {"nitro.restore-scale", warning, "every MTX_RESTORE command in a display list is followed by MTX_SCALE",
     "The restored matrix lacks the scale of the model, so the hardware draws the polygons too small.",
     "Add MTX_SCALE with the scale of the model after MTX_RESTORE.",
     "measured on 2,658 commands; src/formats/nitro/README.md#display-lists"},
    {"nitro.list-command", hint,
     "a model's display lists contain only vertices, their attributes, and MTX_RESTORE with MTX_SCALE",
     "A command that changes the state of the hardware also affects whatever the game draws after the model.",
     "Remove the command if the model does not need it.", "measured on 22,930 display lists"},
    {"nitro.shape-flags", warning, "the flags of a shape match its display list",
     "If a flag is wrong, the game sets up the hardware incorrectly for the shape.",
     "Change the flag so that it matches the display list.", "measured on 22,930 display lists"},
    {"nitro.list-packing", hint, "display lists pack four commands into a word, without NOPs",
     "An unpacked list takes more bytes than necessary.", "Write the file with {--canonical}, which packs the list.",
     "measured on 22,930 display lists"},
};

constexpr bool is_usual_list_command(u8 code) {
  return code == gx::nop || code == gx::mtx_restore || code == gx::mtx_scale ||
         (code >= gx::color && code <= gx::vtx_diff) || code == gx::begin || code == gx::end;
}

}  // namespace

constinit const std::span<const Rule> k_shape_rules = k_shape_rule_table;

void check_display_list(Reporter& r, ByteView list, const std::string& path, std::vector<u32>& restored) {
  bool open = false, between = false, partial = false, unusual = false, bare = false;
  u32 primitive = 0;
  u64 vertices = 0;
  bool awaits_scale = false;
  const auto close = [&] {
    constexpr u64 k_least[] = {3, 4, 3, 4}, k_step[] = {3, 4, 1, 2};
    partial |= vertices < k_least[primitive] || vertices % k_step[primitive] != 0;
    vertices = 0;
  };
  const bool whole = for_each_gx_command(list, [&](u8 code, const u8* p) {
    if (awaits_scale && code != gx::nop) {
      bare |= code != gx::mtx_scale;
      awaits_scale = false;
    }
    if (code == gx::begin) {
      between |= open;
      if (open) close();
      open = true;
      primitive = gx_read_word(p) & 3;
    } else if (code == gx::end) {
      between |= !open;
      if (open) close();
      open = false;
    } else if (code >= gx::vtx_16 && code <= gx::vtx_diff) {
      between |= !open;
      ++vertices;
    } else if (code == gx::mtx_restore) {
      restored.push_back(gx_read_word(p) & 31);
      awaits_scale = true;
    }
    unusual |= !is_usual_list_command(code);
  });
  between |= open;
  if (!whole) {
    r.report("nitro.display-list", path, {.message = "the display list has an unknown or incomplete command"});
    return;
  }
  if (between)
    r.report("nitro.begin-end", path, {.message = "a BEGIN or END is unpaired, or a vertex is outside BEGIN and END"});
  if (partial) r.report("nitro.primitive", path, {.message = "a polygon has too few vertices"});
  if (bare || awaits_scale)
    r.report("nitro.restore-scale", path, {.message = "MTX_RESTORE is not followed by MTX_SCALE"});
  if (unusual)
    r.report("nitro.list-command", path, {.message = "the display list has commands that models do not normally use"});
  if (const Bytes packed = repack_display_list(list);
      !std::equal(packed.begin(), packed.end(), list.begin(), list.end()))
    r.report(
        "nitro.list-packing", path,
        {.message = text("the display list takes ", format_count(list.size(), "byte"), " instead of ", packed.size()),
         .hint = "saving with {--canonical} packs the list"});
}

void check_shapes(Reporter& r, const Model& m, const std::string& path) {
  check_dictionary(r, field_path(path, "shape_dictionary"), m.shape_dictionary, field_path(path, "shapes"), m.shapes);
  for (size_t i = 0; i < m.shapes.size(); ++i) {
    const Shape& s = m.shapes[i];
    std::vector<u32> restored;
    check_display_list(r, s.list, field_path(field_path(path, "shapes", i), "list"), restored);
    const ShapeFacts is = analyze_display_list(s.list);
    if (!is.whole) continue;
    const auto check_flag = [&](const char* name, std::string_view command, u8 said, bool has) {
      if (bool(said) != has)
        r.report(
            "nitro.shape-flags", field_path(field_path(path, "shapes", i), name),
            {.message = text(name, " is ", said, has ? ", but the display list has " : ", but the display list has no ",
                             command, " commands")});
    };
    check_flag("has_normal", "NORMAL", s.has_normal, is.has_normal);
    check_flag("has_color", "COLOR", s.has_color, is.has_color);
    check_flag("has_texcoord", "TEXCOORD", s.has_texcoord, is.has_texcoord);
    check_flag("has_matrix", "MTX_RESTORE", s.has_matrix, is.has_matrix);
  }
}

}  // namespace dio::nitro

// shapes.cpp: display lists.
#include "formats/nitro/check/checks.hpp"
#include "formats/nitro/scene/shape_facts.hpp"

namespace dio::nitro {

namespace {

using enum Severity;
constexpr Rule k_shape_rule_table[] = {
    {"nitro.display-list", error, "a display list can be read to its end",
     "An unknown command, or one whose parameters are cut off, stops the geometry engine.",
     "GBATEK; README, Display lists"},
    {"nitro.begin-end", warning, "vertices stand between BEGIN and END, and each BEGIN has an END",
     "Vertices outside belong to no polygon, or to one of the shape before.",
     "22,930 real lists; README, Display lists"},
    {"nitro.primitive", warning, "the vertices between BEGIN and END are those of whole polygons",
     "The vertices that are left over are drawn as nothing.", "GBATEK"},
    {"nitro.restore-scale", warning, "MTX_RESTORE in a display list is followed by MTX_SCALE",
     "The matrix of the stack is without the scale of the model: the vertices come out too small.",
     "2,658 real commands; README, Display lists"},
    {"nitro.list-command", hint, "display lists of models have vertices, their attributes, and MTX_RESTORE",
     "Other commands change what is drawn after the model, for the game does not expect them here.",
     "22,930 real lists"},
    {"nitro.shape-flags", warning, "the flags of a shape are what its display list has",
     "The game sets up what the flags say.", "22,930 real lists"},
    {"nitro.list-packing", hint, "display lists are packed four commands to a word, without NOPs",
     "They are longer than they need to be.", "22,930 real lists"},
};

constexpr bool is_usual(u8 code) {
  return code == gx::nop || code == gx::mtx_restore || code == gx::mtx_scale ||
         (code >= gx::color && code <= gx::vtx_diff) || code == gx::begin || code == gx::end;
}

}  // namespace

constinit const std::span<const Rule> k_shape_rules = k_shape_rule_table;

void check_display_list(Reporter& r, ByteView list, const std::string& path, std::vector<u32>& restored) {
  bool open = false, between = false, partial = false, unusual = false, bare = false;
  u32 primitive = 0;
  u64 corners = 0;
  bool awaits_scale = false;
  const auto close = [&] {
    constexpr u64 k_least[] = {3, 4, 3, 4}, k_step[] = {3, 4, 1, 2};
    partial |= corners < k_least[primitive] || corners % k_step[primitive] != 0;
    corners = 0;
  };
  const bool whole = each_gx_command(list, [&](u8 code, const u8* p) {
    if (awaits_scale && code != gx::nop) {
      bare |= code != gx::mtx_scale;
      awaits_scale = false;
    }
    if (code == gx::begin) {
      between |= open;
      if (open) close();
      open = true;
      primitive = gx_word(p) & 3;
    } else if (code == gx::end) {
      between |= !open;
      if (open) close();
      open = false;
    } else if (code >= gx::vtx_16 && code <= gx::vtx_diff) {
      between |= !open;
      ++corners;
    } else if (code == gx::mtx_restore) {
      restored.push_back(gx_word(p) & 31);
      awaits_scale = true;
    }
    unusual |= !is_usual(code);
  });
  between |= open;
  if (!whole) {
    r.report("nitro.display-list", path,
             {.expected = "commands of the geometry engine to the end",
              .found = "an unknown command, or one that is cut off"});
    return;
  }
  if (between)
    r.report("nitro.begin-end", path,
             {.expected = "each BEGIN with its END", .found = "vertices outside of BEGIN and END"});
  if (partial)
    r.report("nitro.primitive", path, {.expected = "whole polygons", .found = "polygons with too few vertices"});
  if (bare || awaits_scale)
    r.report("nitro.restore-scale", path,
             {.expected = "both, one behind the other", .found = "MTX_RESTORE without MTX_SCALE"});
  if (unusual)
    r.report("nitro.list-command", path,
             {.expected = "vertices alone", .found = "commands that are not about vertices"});
  if (const Bytes packed = repacked(list); !std::equal(packed.begin(), packed.end(), list.begin(), list.end()))
    r.report("nitro.list-packing", path,
             {.expected = text(packed.size(), " bytes when packed"),
              .found = text(list.size(), " bytes"),
              .hint = "canonical output has it so"});
}

void check_shapes(Reporter& r, const Model& m, const std::string& path) {
  check_dictionary(r, in(path, "shape_dictionary"), m.shape_dictionary, in(path, "shapes"), m.shapes);
  for (size_t i = 0; i < m.shapes.size(); ++i) {
    const Shape& s = m.shapes[i];
    std::vector<u32> restored;
    check_display_list(r, s.list, in(in(path, "shapes", i), "list"), restored);
    const ShapeFacts is = facts_of(s.list);
    if (!is.whole) continue;
    const auto flag = [&](const char* name, u8 said, bool has) {
      if (bool(said) != has)
        r.report("nitro.shape-flags", in(in(path, "shapes", i), name),
                 {.expected = has ? "1" : "0", .found = text(said)});
    };
    flag("has_normal", s.has_normal, is.has_normal);
    flag("has_color", s.has_color, is.has_color);
    flag("has_texcoord", s.has_texcoord, is.has_texcoord);
    flag("has_matrix", s.has_matrix, is.has_matrix);
  }
}

}  // namespace dio::nitro

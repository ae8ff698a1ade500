// shapes.cpp: vertices and polygons.
#include <algorithm>

#include "formats/brres/check/checks.hpp"
#include "formats/brres/scene/vertices.hpp"

namespace dio::brres {

namespace {

using enum Severity;
constexpr Rule k_shapes_rules[] = {
    {"brres.attribute", error, "lists of vertex attributes have a known kind, and elements that it fits in",
     "The GPU reads other numbers than were meant.", "Build the model again.", "47 real models"},
    {"brres.attribute-list", error, "a shape has the lists that its vertices refer to",
     "The GPU reads from where another shape had its list.", "Correct the index of the list.", "47 real models"},
    {"brres.polygons", error, "the commands of a shape are complete", "The GPU stops, and the console with it.",
     "Build the model again.", "47 real models"},
    {"brres.vertex", error, "vertices refer to elements of their lists", "The GPU reads whatever is behind the list.",
     "Correct the index, or remove the polygon.", "47 real models"},
    {"brres.vertex-matrix", error, "vertices have a matrix that the shape loads",
     "The vertex is placed by the matrix of another shape.", "Build the model again.", "47 real models"},
    {"brres.vertex-count", hint, "the number of vertices is that of the polygons", "Only tools show it.",
     "Set the number.", "47 real models"},
};

constexpr const char* k_lists[] = {"positions", "normals", "colors", "colors"};

template <class T>
void check_lists(Check& c, const std::vector<T>& lists, const char* name, const std::string& path, u32 kinds,
                 u32 types) {
  for (size_t i = 0; i < lists.size(); ++i) {
    const AttributeList& l = lists[i];
    const std::string at = text(path, ".", name, "[", i, "]");
    if (l.kind >= kinds)
      c.report("brres.attribute", at + ".kind",
               {.message = text("kind ", l.kind, " is unknown; must be below ", kinds)});
    if (l.type >= types)
      c.report("brres.attribute", at + ".type",
               {.message = text("type ", l.type, " is unknown; must be below ", types)});
  }
}

void check_shape(Check& c, const Model& m, const Shape& s, const std::string& path) {
  const VertexReader reader(m, s);
  bool readable = true;
  for (u32 a = 0; a < k_attributes; ++a) {
    const AttributeSource& source = reader.source(Attribute(a));
    if (source.how == AttributeSource::AttributeMode::absent) continue;
    const char* name = a < k_texcoord_0 ? k_lists[a] : "texcoords";
    const std::string at = text(path, ".", name) + (a >= k_texcoord_0 ? text("[", a - k_texcoord_0, "]")
                                                    : a >= k_color_0  ? text("[", a - k_color_0, "]")
                                                                      : "");
    if (source.how != AttributeSource::AttributeMode::direct && !source.list) {
      c.report("brres.attribute-list", at,
               {.message = text("vertices refer to a list of ", name, " that does not exist")});
      readable = false;
    } else if (source.list && source.size() > source.list->stride) {
      c.report("brres.attribute", at,
               {.message = text("elements of ", in_quotes(source.list->name), " take ", source.size(),
                                " bytes; the list has ", source.list->stride)});
      readable = false;
    }
  }
  u64 vertices = 0;
  bool said = false, said_matrix = false;
  const auto result = reader.for_each_primitive([&](u8, std::span<const Vertex> all) {
    for (size_t i = 0; i < all.size() && readable; ++i) {
      const Vertex& v = all[i];
      for (u32 a = 0; a < k_attributes && !said; ++a) {
        const AttributeSource& source = reader.source(Attribute(a));
        if (source.how == AttributeSource::AttributeMode::absent || !source.list || v.where[a] < source.list->count)
          continue;
        said = true;
        const char* name = a < k_texcoord_0 ? k_lists[a] : "texcoords";
        c.report("brres.vertex", path + ".polygons.commands",
                 {.message = text("vertex ", vertices + i, " refers to element ", v.where[a], " of its list of ", name,
                                  ": there are ", source.list->count)});
      }
      if (s.matrix < 0 && !m.matrix_bones.empty() && (v.matrix < 0 || size_t(v.matrix) >= m.matrix_bones.size()) &&
          !said_matrix) {
        said_matrix = true;
        c.report("brres.vertex-matrix", path + ".polygons.commands",
                 {.message = text("vertex ", vertices + i, " has no matrix")});
      }
    }
    vertices += all.size();
  });
  if (result.end != VertexReader::End::good)
    c.report(
        "brres.polygons", path + ".polygons.commands",
        {.message = text(result.end == VertexReader::End::cut_off ? "the commands end in the middle of one, at byte "
                                                                  : "there is no such command, at byte ",
                         result.at)});
  else if (vertices != s.vertex_count)
    c.report(
        "brres.vertex-count", path + ".vertex_count",
        {.message = text("the shape says that its polygons have ", s.vertex_count, " vertices; they have ", vertices)});
}

void check_shapes(Check& c) {
  for (size_t i = 0; i < c.file.models.size(); ++i) {
    const Model& m = c.file.models[i];
    const std::string path = text("models[", i, "]");
    check_lists(c, m.positions, "positions", path, 2, 5);
    check_lists(c, m.normals, "normals", path, 3, 5);
    check_lists(c, m.colors, "colors", path, 2, 6);
    check_lists(c, m.texcoords, "texcoords", path, 2, 5);
    for (size_t k = 0; k < m.shapes.size(); ++k) check_shape(c, m, m.shapes[k], text(path, ".shapes[", k, "]"));
  }
}

}  // namespace

constinit const Topic k_shape_checks{k_shapes_rules, check_shapes};

}  // namespace dio::brres

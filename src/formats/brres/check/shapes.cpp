// shapes.cpp: checks of vertices and polygons.
#include <algorithm>

#include "formats/brres/check/checks.hpp"
#include "formats/brres/scene/vertices.hpp"

namespace dio::brres {

namespace {

using enum Severity;
constexpr Rule k_shapes_rules[] = {
    {"brres.attribute", error, "a vertex attribute list has a known kind and type, and enough bytes for each element",
     "If the kind, type or size of a list is wrong, the GPU reads wrong vertex data.",
     "Rebuild the model with the tool that made it.", "measured on 47 models"},
    {"brres.attribute-list", error, "a shape refers only to vertex attribute lists that exist",
     "If a vertex attribute list does not exist, the GPU reads the list of another shape.",
     "Replace the index with the index of a list in the model.", "measured on 47 models"},
    {"brres.polygons", error, "the draw commands of a shape are complete",
     "If a draw command is incomplete, the GPU hangs and the console freezes.",
     "Rebuild the model with the tool that made it.", "measured on 47 models"},
    {"brres.vertex", error, "a vertex refers only to list elements that exist",
     "If a list element does not exist, the GPU reads whatever follows the list in memory.",
     "Correct the index, or remove the polygon.", "measured on 47 models"},
    {"brres.vertex-matrix", error, "every vertex uses a matrix that its shape loads",
     "If the shape does not load the matrix of a vertex, the GPU uses a matrix of another shape.",
     "Rebuild the model with the tool that made it.", "measured on 47 models"},
    {"brres.vertex-count", hint, "a shape's vertex_count is the number of vertices in its polygons",
     "Only tools use vertex_count. If vertex_count is wrong, tools show the wrong number of vertices.",
     "Set `vertex_count` to the number given in the message.", "measured on 47 models"},
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
               {.message = text("kind ", l.kind, " is out of range (0 to ", kinds - 1, ")")});
    if (l.type >= types)
      c.report("brres.attribute", at + ".type",
               {.message = text("type ", l.type, " is out of range (0 to ", types - 1, ")")});
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
               {.message = text("the vertices refer to a list of ", name, " that does not exist")});
      readable = false;
    } else if (source.list && source.size() > source.list->stride) {
      c.report("brres.attribute", at,
               {.message = text("each element of ", in_quotes(source.list->name), " needs ", source.size(),
                                " bytes, but the stride of the list is ", source.list->stride)});
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
                                  ", which does not exist; the list has ", format_count(source.list->count, "element"),
                                  ", counted from 0")});
      }
      if (s.matrix < 0 && !m.matrix_bones.empty() && (v.matrix < 0 || size_t(v.matrix) >= m.matrix_bones.size()) &&
          !said_matrix) {
        said_matrix = true;
        c.report("brres.vertex-matrix", path + ".polygons.commands",
                 {.message = text("vertex ", vertices + i, " uses no matrix that its shape loads")});
      }
    }
    vertices += all.size();
  });
  if (result.end != VertexReader::End::good)
    c.report("brres.polygons", path + ".polygons.commands",
             {.message = text(result.end == VertexReader::End::cut_off
                                  ? "the commands end in the middle of a command, at byte "
                                  : "unknown command at byte ",
                              result.at)});
  else if (vertices != s.vertex_count)
    c.report("brres.vertex-count", path + ".vertex_count",
             {.message = text("vertex_count is ", s.vertex_count, ", but the number of vertices in the polygons is ",
                              vertices)});
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

#include "formats/brres/from_scene/polygon_editor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/brres/from_scene/gpu_commands.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "formats/brres/from_scene/shape_builder.hpp"
#include "formats/brres/from_scene/value_encoder.hpp"
#include "scene/math.hpp"

namespace dio::brres {
namespace {

using AttributeMode = AttributeSource::AttributeMode;
using scene::EditedTriangle;
using scene::EditedVertex;
using Values = std::array<f64, 4>;

class PolygonEditor {
 public:
  PolygonEditor(Model& to, const DrawnShape& drawn, const scene::EditedPrimitive& edited, AppendedValues& appended)
      : to_(to),
        shape_(to.shapes[drawn.shape]),
        drawn_(drawn),
        edited_(edited),
        appended_(appended),
        reader_(drawn.model, drawn.model.shapes[drawn.shape]) {
    for (u8 a = 0; a < k_attributes; ++a) sources_[a] = reader_.source(Attribute(a));
  }

  WrittenPolygons run() {
    const Shape before = shape_;
    const size_t positions = to_.positions.size(), texcoords = to_.texcoords.size();
    result_.problem = write();
    if (!result_.problem.empty()) {
      shape_ = before;
      to_.positions.resize(positions), to_.texcoords.resize(texcoords);
    }
    return std::move(result_);
  }

 private:
  /// The index of each attribute in its list; of values in the display list, the index in `direct_`.
  using Record = std::array<u32, k_attributes>;

  /// Returns why the polygons cannot be written; empty if they are.
  std::string write() {
    if (std::string why = find_obstacle(); !why.empty()) return why;
    for (u8 a = 0; a < k_attributes; ++a)
      if (is_too_coarse(Attribute(a)) && !store_as_floats(Attribute(a)))
        return "the lists of the shape cannot store the new values";
    for (const EditedTriangle& t : edited_.triangles) {
      // On the console, front faces are clockwise.
      const bool is_in_order = drawn_.draws_back_faces != t.is_flipped;
      for (const size_t k : {size_t(0), size_t(is_in_order ? 1 : 2), size_t(is_in_order ? 2 : 1)})
        corners_.push_back(number_of(make_vertex(t.vertices[k])));
    }
    if (!problem_.empty()) return problem_;
    for (const auto& [index, bytes] : new_data_)
      if (bytes.size() / list_at(index).stride + list_at(index).count > k_most_list_values)
        return "a list of values would have more than 65,535 entries";
    commit();
    return {};
  }

  std::string find_obstacle() {
    if (reader_.selects_matrices()) return "its vertices follow several bones";
    for (u8 a = 0; a < k_attributes; ++a) {
      const AttributeSource& source = reader_.source(Attribute(a));
      if (source.how == AttributeMode::absent) continue;
      const bool is_known =
          source.size() && source.indices == 1 && (source.how == AttributeMode::direct || source.list);
      if (!is_known) return "the shape has an unknown vertex format";
    }
    std::vector<std::pair<size_t, size_t>> covered;  // bytes of primitives
    size_t triangles = 0;
    const VertexReader::Result end = reader_.for_each_primitive([&](u8 kind, std::span<const Vertex> vertices) {
      const size_t n = vertices.size();
      if (kind < gx::lines)
        triangles += kind <= gx::quads_2 ? n / 4 * 2 : kind == gx::triangles ? n / 3 : n < 3 ? 0 : n - 2;
      if (n) covered.push_back({vertices[0].at, vertices[n - 1].at + vertices[n - 1].size});
      if (kind >= gx::lines) other_primitives_.push_back({kind, {}});
      for (const Vertex& v : vertices) {
        if (kind >= gx::lines) other_primitives_.back().second.push_back(u32(old_.size()));
        old_.push_back(v);
      }
    });
    if (end.end != VertexReader::End::good) return "the display list of the shape is damaged";
    if (triangles != drawn_.primitive.indices.size() / 3) return "the scene does not show all polygons of the shape";
    return has_other_commands(covered) ? "the display list of the shape has commands besides polygons" : "";
  }
  /// Whether there is more than primitives, each with three bytes before its vertices, and no operations.
  bool has_other_commands(const std::vector<std::pair<size_t, size_t>>& covered) const {
    const Bytes& b = drawn_.model.shapes[drawn_.shape].polygons.commands;
    const auto is_zero = [&](size_t from, size_t to) {
      return std::all_of(b.begin() + i64(from), b.begin() + i64(to), [](u8 x) { return x == 0; });
    };
    size_t at = 0;
    for (const auto& [from, to] : covered) {
      if (from < at + 3 || !is_zero(at, from - 3)) return true;
      at = to;
    }
    return !is_zero(at, b.size());
  }

  Record record_of(u32 old) {
    Record out{};
    for (u8 a = 0; a < k_attributes; ++a) {
      const AttributeSource& source = sources_[a];
      if (source.how == AttributeMode::absent) continue;
      out[a] = old_[old].where[a];
      if (source.how != AttributeMode::direct) continue;
      const Bytes& list = drawn_.model.shapes[drawn_.shape].polygons.commands;
      out[a] = number_of_direct(Bytes(list.begin() + out[a], list.begin() + out[a] + source.size()));
    }
    return out;
  }
  u32 number_of_direct(Bytes value) {
    const auto [known, is_new] = direct_.try_emplace(std::move(value), u32(direct_values_.size()));
    if (is_new) direct_values_.push_back(known->first);
    return known->second;
  }

  // ---- values that their list cannot store ----

  /// The new value of an attribute; nothing if it stays.
  std::optional<Values> new_value(const EditedVertex& e, Attribute a) const {
    if (a == k_position && e.position) return Values{(*e.position)[0], (*e.position)[1], (*e.position)[2], 0};
    if (a == k_normal && e.normal && sources_[a].components == 3)
      return Values{(*e.normal)[0], (*e.normal)[1], (*e.normal)[2], 0};
    if (e.uv && drawn_.texcoords == a) return Values{(*e.uv)[0], (*e.uv)[1], 0, 0};
    if (a != k_color_0 || !e.color || !drawn_.has_plain_colors) return {};
    const auto displayed = [&](size_t i) { return scene::linear_to_srgb(f64((*e.color)[i])); };
    return Values{displayed(0), displayed(1), displayed(2), (*e.color)[3]};
  }
  /// Whether a new value is out of the range of its type, or would be rounded visibly.
  bool is_too_coarse(Attribute a) const {
    const AttributeSource& source = sources_[a];
    if (source.how == AttributeMode::absent) return false;
    constexpr f64 k_most_units = 1.0 / 16;
    const f64 most = a == k_position ? k_most_units : a >= k_texcoord_0 ? k_visible_rounding : 2;
    f64 unstorable = 0;
    return std::ranges::any_of(edited_.triangles, [&](const EditedTriangle& t) {
      return std::ranges::any_of(t.vertices, [&](const EditedVertex& e) {
        const auto values = new_value(e, a);
        if (!values) return false;
        if (!encode_value(source, *values, unstorable)) return true;
        return rounding_error(source, *values) > most;
      });
    });
  }
  /// Gives the shape a copy of a list with 32-bit floats.
  bool store_as_floats(Attribute a) {
    constexpr u32 k_f32 = 4, k_size = 4;
    AttributeSource& source = sources_[a];
    if ((a != k_position && a < k_texcoord_0) || source.how == AttributeMode::direct) return false;
    // The type and the shift of an attribute are next to each other, but for the fifth texture coordinates.
    const u32 i = a == k_position ? 0u : u32(a - k_texcoord_0);
    if (i == 4) return false;
    const u8 reg = a == k_position || i == 0 ? 0x70 : i < 4 ? 0x80 : 0x90;
    const u32 bit = a == k_position ? 1 : 1 + (i == 0 ? 21 : i < 4 ? 9 * (i - 1) : 9 * (i - 5) + 5);
    bool is_set = false;
    for_each_command_register(shape_.setup.commands, [&](u8 written, u32 value, u64 at) {
      if (written != reg) return;
      put_value(at, (value & ~(0xFFu << bit)) | k_f32 << bit);
      is_set = true;
    });
    if (!is_set) return false;
    AttributeSource floats = source;
    floats.type = k_f32, floats.shift = 0;
    const auto convert = [&](auto& lists, i16& index) {
      auto list = lists[size_t(index)];
      list.type = k_f32, list.divisor = 0, list.stride = u8(k_size * source.components);
      list.data.clear();
      Vertex v;
      f64 unstorable = 0;
      for (u32 n = 0; n < list.count; ++n) {
        v.where[a] = n;
        const auto value = reader_.value(a, v).value_or(std::array<f32, 4>{});
        const auto bytes = encode_value(floats, {value[0], value[1], value[2], 0}, unstorable);
        list.data.insert(list.data.end(), bytes->begin(), bytes->end());
      }
      UniqueNames names;
      for (const auto& other : lists) names(other.name, {});
      list.name = names(list.name, {});
      index = i16(lists.size());
      lists.push_back(std::move(list));
    };
    a == k_position ? convert(to_.positions, shape_.positions) : convert(to_.texcoords, shape_.texcoords[i]);
    source = floats;
    return true;
  }

  // ---- vertices ----

  Record make_vertex(const EditedVertex& e) {
    const u32 like = e.vertex == scene::k_none ? find_nearest(e) : drawn_.primitive.sources[e.vertex];
    Record out = record_of(like);
    for (u8 a = 0; a < k_attributes; ++a)
      if (sources_[a].how != AttributeMode::absent)
        if (const auto values = new_value(e, Attribute(a)); values && !is_value_of(like, Attribute(a), *values))
          set(out, Attribute(a), *values);
    result_.kept_colors += e.color && !drawn_.has_plain_colors && shows_other_color(e);
    result_.kept_texcoords += e.uv && !drawn_.texcoords && !drawn_.primitive.uvs.empty();
    return out;
  }
  /// Whether an old vertex has this value, apart from the rounding of other programs.
  bool is_value_of(u32 old, Attribute a, const Values& values) const {
    constexpr f64 k_rounding = 1e-6;  // of the largest number, as of coordinates that are turned or scaled together
    const auto was = reader_.value(a, old_[old]);
    if (!was) return false;
    f64 largest = 1;
    for (const f32 x : *was) largest = std::max(largest, std::fabs(f64(x)));
    const u32 numbers = sources_[a].is_color ? 4 : std::min(3u, sources_[a].components);
    for (u32 i = 0; i < numbers; ++i)
      if (!(std::fabs(values[i] - (*was)[i]) <= k_rounding * largest)) return false;
    return true;
  }
  /// Whether a vertex has another colour in the scene than the old vertex whose colour it gets.
  bool shows_other_color(const EditedVertex& e) {
    constexpr f32 k_visible = 1.0f / 64;
    const scene::Primitive& p = drawn_.primitive;
    const size_t i = e.vertex == scene::k_none ? nearest_vertex(e) : e.vertex;
    const scene::Vec4 shown = i < p.colors.size() ? p.colors[i] : scene::Vec4{1, 1, 1, 1};
    for (size_t k = 0; k < 4; ++k)
      if (std::fabs((*e.color)[k] - shown[k]) > k_visible) return true;
    return false;
  }
  /// The old vertex that gives a new one what the scene does not show.
  u32 find_nearest(const EditedVertex& e) { return drawn_.primitive.sources[nearest_vertex(e)]; }
  size_t nearest_vertex(const EditedVertex& e) {
    const scene::Primitive& p = drawn_.primitive;
    if (!e.position || p.positions.empty()) return 0;
    const auto [known, is_new] =
        nearest_.try_emplace({(*e.position)[0], (*e.position)[1], (*e.position)[2]}, size_t(0));
    if (!is_new) return known->second;
    f64 least = std::numeric_limits<f64>::infinity();
    size_t nearest = 0;
    for (size_t i = 0; i < p.positions.size(); ++i) {
      f64 far = 0;
      for (size_t k = 0; k < 3; ++k) {
        const f64 d = f64(p.positions[i][k]) - (*e.position)[k];
        far += d * d;
      }
      if (far < least) least = far, nearest = i;
    }
    return known->second = nearest;
  }

  void set(Record& record, Attribute a, const Values& values) {
    const AttributeSource& source = sources_[a];
    if (a == k_position && source.components < 3 && std::fabs(values[2]) > k_flat) {
      problem_ = text("the file stores only x and y of its positions, and not z ", values[2]);
      return;
    }
    f64 unstorable = 0;
    std::optional<Bytes> value = encode_value(source, values, unstorable);
    if (!value) {
      problem_ = text("the lists of the shape cannot store the coordinate ", unstorable);
      return;
    }
    if (source.how == AttributeMode::direct) {
      record[a] = number_of_direct(std::move(*value));
      return;
    }
    const ListIndex index = list_of(a);
    const AttributeList& list = list_at(index);
    value->resize(list.stride);
    if (a == k_position) new_positions_.push_back(values);
    // The old value, if the new one is as near as the type can store.
    const u64 old = u64(record[a]) * list.stride;
    if (record[a] < list.count && std::equal(value->begin(), value->end(), list.data.begin() + i64(old))) return;
    const auto& of_others = appended_[index];
    if (const auto known = of_others.find(*value); known != of_others.end()) {
      record[a] = known->second;
      return;
    }
    Bytes& data = new_data_[index];
    const u32 next = u32(list.count + data.size() / list.stride);
    const auto [at, is_new] = new_values_[index].try_emplace(*value, next);
    if (is_new) data.insert(data.end(), value->begin(), value->end());
    record[a] = at->second;
  }
  ListIndex list_of(Attribute a) const {
    if (a == k_position) return {k_position, u32(shape_.positions)};
    if (a == k_normal) return {k_normal, u32(shape_.normals)};
    if (a < k_texcoord_0) return {k_color_0, u32(shape_.colors[a - k_color_0])};
    return {k_texcoord_0, u32(shape_.texcoords[a - k_texcoord_0])};
  }
  AttributeList& list_at(const ListIndex& index) {
    switch (index.first) {
      case k_position:
        return to_.positions[index.second];
      case k_normal:
        return to_.normals[index.second];
      case k_color_0:
        return to_.colors[index.second];
      default:
        return to_.texcoords[index.second];
    }
  }

  u32 number_of(const Record& record) {
    const auto [known, is_new] = numbers_.try_emplace(record, u32(records_.size()));
    if (is_new) records_.push_back(record);
    return known->second;
  }

  // ---- writing ----

  void commit() {
    for (auto& [index, bytes] : new_data_) {
      AttributeList& list = list_at(index);
      list.count = u16(list.count + bytes.size() / list.stride);
      list.data.insert(list.data.end(), bytes.begin(), bytes.end());
      appended_[index].merge(new_values_[index]);
    }
    if (sources_[k_position].how != AttributeMode::direct) {
      Positions& positions = to_.positions[size_t(shape_.positions)];
      for (const Values& at : new_positions_) enlarge_box(positions.min, positions.max, at);
    }
    for (auto& [kind, vertices] : other_primitives_)
      for (u32& v : vertices) v = number_of(record_of(v));
    widen_indices();
    const u32 vertices = shape_.vertex_count, triangles = shape_.triangle_count;
    write_commands();
    to_.info.vertex_count += shape_.vertex_count - vertices;
    to_.info.triangle_count += shape_.triangle_count - triangles;
  }
  static void enlarge_box(Vec3& min, Vec3& max, const Values& at) {
    min = {std::min(min.x, f32(at[0])), std::min(min.y, f32(at[1])), std::min(min.z, f32(at[2]))};
    max = {std::max(max.x, f32(at[0])), std::max(max.y, f32(at[1])), std::max(max.z, f32(at[2]))};
  }

  /// Indices of one byte become two where they are too large: the GPU skips vertices whose index has all bits set.
  void widen_indices() {
    constexpr u32 k_most_of_one_byte = 254;
    std::array<u32, k_attributes> largest{};
    for (const Record& r : records_)
      for (u8 a = 0; a < k_attributes; ++a) largest[a] = std::max(largest[a], r[a]);
    for (u8 a = 0; a < k_attributes; ++a) {
      modes_[a] = sources_[a].how;
      if (modes_[a] != AttributeMode::index8 || largest[a] <= k_most_of_one_byte) continue;
      modes_[a] = AttributeMode::index16;
      const u32 word = a >= k_texcoord_0, bits = 3u << (word ? 2 * (a - k_texcoord_0) : 9 + 2 * a);
      shape_.vertex_descriptor[word] |= bits;
      for_each_command_register(shape_.setup.commands, [&](u8 written, u32 value, u64 at) {
        if (written == (word ? 0x60 : 0x50)) put_value(at, value | bits);
      });
    }
  }
  void put_value(u64 at, u32 value) {
    for (u32 i = 0; i < 4; ++i) shape_.setup.commands[size_t(at + i)] = u8(value >> (24 - 8 * i));
  }

  void write_commands() {
    GpuCommandWriter w;
    shape_.vertex_count = shape_.triangle_count = 0;
    for_each_polygon_run(corners_, [&](bool is_strip, std::span<const u32> run) {
      write_primitive(w, is_strip ? gx::strip : gx::triangles, run);
      shape_.triangle_count += u32(is_strip ? run.size() - 2 : run.size() / 3);
    });
    for (const auto& [kind, vertices] : other_primitives_) write_primitive(w, kind, vertices);
    w.align(32);
    shape_.polygons.commands = std::move(w.bytes);
    shape_.polygons.size = shape_.polygons.buffer_size = u32(shape_.polygons.commands.size());
  }
  void write_primitive(GpuCommandWriter& w, u8 kind, std::span<const u32> vertices) {
    w.n8(kind).n16(u32(vertices.size()));
    shape_.vertex_count += u32(vertices.size());
    for (const u32 v : vertices)
      for (u8 a = 0; a < k_attributes; ++a) {
        const u32 n = records_[v][a];
        if (modes_[a] == AttributeMode::index8) w.n8(n);
        if (modes_[a] == AttributeMode::index16) w.n16(n);
        if (modes_[a] == AttributeMode::direct)
          w.bytes.insert(w.bytes.end(), direct_values_[n].begin(), direct_values_[n].end());
      }
  }

  Model& to_;
  Shape& shape_;
  const DrawnShape& drawn_;
  const scene::EditedPrimitive& edited_;
  AppendedValues& appended_;
  const VertexReader reader_;
  std::array<AttributeSource, k_attributes> sources_;
  std::vector<Vertex> old_;
  std::vector<std::pair<u8, std::vector<u32>>> other_primitives_;  // lines and points
  std::map<Bytes, u32> direct_;
  std::vector<Bytes> direct_values_;
  std::map<ListIndex, Bytes> new_data_;
  AppendedValues new_values_;
  std::vector<Values> new_positions_;
  std::map<Record, u32> numbers_;
  std::vector<Record> records_;
  std::vector<u32> corners_;
  std::array<AttributeMode, k_attributes> modes_{};
  std::map<std::array<f64, 3>, size_t> nearest_;  // vertices of the scene, by positions
  std::string problem_;
  WrittenPolygons result_;
};

}  // namespace

WrittenPolygons write_polygons(Model& to, const DrawnShape& drawn, const scene::EditedPrimitive& edited,
                               AppendedValues& appended) {
  return PolygonEditor(to, drawn, edited, appended).run();
}

}  // namespace dio::brres

// questions.cpp: the prisms hit at a position: `dio explain course.kcl#hit@0,500,0`.
#include <cmath>

#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/kcl/geometry.hpp"
#include "formats/kcl/parts.hpp"

namespace dio::kcl {

namespace {

/// The cell of a position, the prisms in its list, and the prisms that a sphere there hits.
Result<Value> answer_hit_question(const Kcl& k, std::string_view argument) {
  const auto parts = split(argument, ',');
  std::array<f64, 4> numbers{0, 0, 0, 1};
  bool is_position = parts.size() == 3 || parts.size() == 4;
  for (size_t i = 0; i < parts.size() && is_position; ++i) {
    const auto n = parse_number(parts[i]);
    is_position = n && std::abs(*n) <= k_farthest;
    if (is_position) numbers[i] = *n;
  }
  if (!is_position || numbers[3] < 0)
    return refuse(
        "question.argument", {},
        {.message = text(given(argument),
                         " is not a position X,Y,Z in units, such as 0,500,-1200; a sphere radius may follow")});
  const Point p{numbers[0], numbers[1], numbers[2]};
  // the game tests no larger spheres
  const f64 radius = k.sphere_radius ? std::min(numbers[3], f64(*k.sphere_radius)) : numbers[3];
  Value v = Value::object();
  v.add("radius", radius);
  const OctreeView octree(k);
  const auto cell = octree.at(p);
  if (!cell) {
    v.add("cell", "none: the position is outside the octree's area");
    return v;
  }
  v.add("cell", text("octree.nodes[", cell->node, "]"));
  v.add("listed", u64(cell->prisms.size()));
  Value hits = Value::list();
  for (const u16 number : cell->prisms) {
    if (number > k.prisms.size()) continue;
    const Prism& prism = k.prisms[number - 1u];
    const auto shape = resolve_prism_shape(k, prism);
    if (!shape || !compute_prism_triangle(k, prism) || !is_hit(*shape, k.thickness, p, radius)) continue;
    Value& one = hits.push(Value::object());
    one.add("prism", text("prisms[", number - 1, "]"));
    one.add("surface", surface_of(prism, k.is_mario_kart_wii()));
    one.add("above", dot(p - shape->corner, shape->face));
  }
  v.add("hit", std::move(hits));
  return v;
}

}  // namespace

std::span<const Question> questions() {
  static constexpr Question k_questions[] = {
      {"hit", "X,Y,Z[,RADIUS]",
       "shows the octree cell of a position, the number of prisms in the list of the cell, and the prisms that a "
       "sphere at the position hits (default radius: 1), each with the height of the position above the face of the "
       "prism",
       [](const AnyDocument& d, std::string_view a) { return answer_hit_question(value_of<Kcl>(d), a); }},
  };
  return k_questions;
}

}  // namespace dio::kcl

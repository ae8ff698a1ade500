// props.cpp: checks of the animations and draw lists of prop models.
#include <algorithm>

#include "core/sorting.hpp"
#include "formats/nitro/scene/sbc_run.hpp"
#include "formats/platinum/game/check/checks.hpp"

namespace dio::platinum {

namespace {

auto key(const Draw& d) { return std::pair(d.material_id, d.shape_id); }
bool before(const Draw& a, const Draw& b) { return key(a) < key(b); }

/// The draws of the model itself, in SBC order.
std::vector<Draw> list_sbc_draws(const nitro::Model& model) {
  std::vector<Draw> out;
  for (const nitro::Draw& d : nitro::run_sbc(model).draws)
    if (d.shape != nitro::k_called) out.push_back({u16(d.material), d.shape});
  return out;
}

std::string draw_text(const Draw& d) { return text("shape ", d.shape_id, " with material ", d.material_id); }

/// The draws of `a` that `b` lacks, including surplus duplicates.
std::vector<std::string> describe_surplus_draws(std::vector<Draw> a, std::vector<Draw> b) {
  sort_stably(a, before);
  sort_stably(b, before);
  std::vector<Draw> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest), before);
  std::vector<std::string> out;
  for (const Draw& d : rest) out.push_back(draw_text(d));
  return out;
}

/// Why an animation does not match: `has 3 joints, but prop 4 (door) has 2`; empty if it does. `prop`: the name of the
/// prop. The game matches joints by number and materials by name.
template <class File>
std::string describe_animation_mismatch(const File& file, const nitro::Model& model, const std::string& prop) {
  if (file.animations.empty()) return "has no animation to play on " + prop;
  const auto& a = file.animations[0];  // the game plays the first one
  if constexpr (requires { a.materials; }) {
    std::vector<std::string> missing;
    for (const auto& track : a.materials)
      if (std::none_of(model.materials.begin(), model.materials.end(),
                       [&](const nitro::Material& m) { return m.name == track.name; }))
        missing.push_back(track.name);
    return missing.empty() ? std::string()
                           : "animates materials that " + prop + " does not have: " + join_first_names(missing);
  } else if constexpr (requires { a.tracks; }) {
    if (a.tracks.size() != model.nodes.size())
      return text("has ", format_count(a.tracks.size(), "joint"), ", but ", prop, " has ", model.nodes.size());
  }
  return {};
}

}  // namespace

void GameCheck::check_props() {
  const u32 count = t.files().of(FileRole::props).count();
  const u32 animation_count = t.files().of(FileRole::animations).count();
  const std::string matshp = t.files().path(FileRole::matshp);
  constexpr u64 k_ranges_start = 4;  // after the two counts of matshp
  for (u32 i = 0; i < count; ++i) {
    const auto file = t.prop(i);
    if (!file || file->models.empty()) continue;
    const nitro::Model& model = file->models[0];
    const std::string name = text("prop ", i, " (", model.name, ")");
    const bool has_motion = i < t.motions.size() && t.motions[i] && !t.motions[i]->animations.empty();
    if (has_motion)
      for (size_t k = 0; k < t.motions[i]->animations.size(); ++k) {
        const u32 id = t.motions[i]->animations[k];
        const std::string list = path(FileRole::anime_lists, i), place = text("anime_ids[", k, "]");
        if (animation_count && id >= animation_count) {
          out.report("platinum.anime-range", dio::Location::in_file(list, place),
                     {.message = text("animation ", id, " does not exist; there are ",
                                      format_count(animation_count, "animation"), ", counted from 0")});
          continue;
        }
        const auto animation = t.animation(id);
        const std::string problem =
            animation
                ? std::visit([&](const auto& a) { return describe_animation_mismatch(a, model, name); }, *animation)
                : std::string();
        if (!problem.empty())
          out.report("platinum.animation-fits", dio::Location::in_file(list, place),
                     {.message = text("animation ", id, " ", problem),
                      .hint = "the animation is " + path(FileRole::animations, id)});
      }

    if (!t.draw_lists || i >= t.draw_lists->models.size()) continue;
    const DrawRange& range = t.draw_lists->models[i];
    // Locate only the record, so that a known finding does not depend on added records.
    dio::Location place = dio::Location::of_bytes(k_ranges_start + u64(i) * wire_size<DrawRange>(),
                                                  wire_size<DrawRange>(), text("models[", i, "]"));
    place.file = matshp;
    if (!t.motions.empty() && has_motion == (range.count != 0))
      out.report("platinum.draw-animated", place,
                 {.message = name + (has_motion ? " is animated but has a draw list"
                                                : " is not animated but has no draw list")});
    if (!range.count) continue;
    if (range.first > t.draw_lists->draws.size() || range.count > t.draw_lists->draws.size() - range.first) {
      out.report("platinum.draw-model-range", place,
                 {.message = text(name, " has ", format_count(range.count, "draw"), " starting at draw ", range.first,
                                  ", but the file has only ", t.draw_lists->draws.size())});
      continue;
    }
    const std::vector<Draw> list(t.draw_lists->draws.begin() + range.first,
                                 t.draw_lists->draws.begin() + range.first + range.count);
    bool inside = true;
    for (size_t k = 0; k < list.size(); ++k)
      if (list[k].material_id >= model.materials.size() || list[k].shape_id >= model.shapes.size()) {
        inside = false;
        out.report("platinum.draw-model-range", dio::Location::in_file(matshp, text("draws[", range.first + k, "]")),
                   {.message = text(name, " draws ", draw_text(list[k]), ", but has only ",
                                    format_count(model.shapes.size(), "shape"), " and ",
                                    format_count(model.materials.size(), "material"), ", counted from 0")});
      }
    if (!inside) continue;
    const std::vector<Draw> own = list_sbc_draws(model);
    if (const auto missing = describe_surplus_draws(own, list); !missing.empty())
      out.report("platinum.draw-cover", place,
                 {.message = text("the draw list of ", name, " lacks ", join_first_names(missing))});
    else if (const auto more = describe_surplus_draws(list, own); !more.empty())
      out.report("platinum.draw-cover", place,
                 {.message = text("the draw list of ", name, " has ", join_first_names(more),
                                  ", which the model does not draw")});
    else if (!std::is_sorted(list.begin(), list.end(),
                             [](const Draw& a, const Draw& b) { return a.material_id < b.material_id; }))
      out.report(Severity::hint, "platinum.draw-cover", place,
                 {.message = "the draw list of " + name + " is not sorted by material"});
    if (model.nodes.size() > 1)
      out.report(
          "platinum.draw-nodes", place,
          {.message = text(name, " has a draw list and ", model.nodes.size(), " nodes, whose transforms are ignored")});
  }
}

}  // namespace dio::platinum

#include "formats/nitro/from_scene/scene_clips.hpp"

#include <algorithm>
#include <cmath>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/from_scene/animation_files.hpp"
#include "formats/nitro/from_scene/curve_fit.hpp"
#include "formats/nitro/parts.hpp"
#include "scene/extras.hpp"

namespace dio::nitro {
namespace {

constexpr u32 k_highest_rate = 240;
constexpr u32 k_usual_scene_rates[] = {24, 25, 48, 50};  // rates of other programs; 12, 15, 20 and 30 divide 60

/// The sorted key times of all channels that are written to files.
std::vector<f64> collect_key_times(const scene::Animation& a) {
  std::vector<f64> out;
  const auto add = [&](const auto& channels) {
    for (const auto& c : channels) out.insert(out.end(), c.times.begin(), c.times.end());
  };
  add(a.channels), add(a.material_channels), add(a.visibility_channels);
  std::ranges::sort(out);
  return out;
}

/// Whether all keys are at whole frames of a rate.
bool are_whole_frames(const std::vector<f64>& times, u32 rate) {
  constexpr f64 k_near = 0.02;
  return std::ranges::all_of(times, [&](f64 t) { return std::fabs(t * rate - std::round(t * rate)) < k_near; });
}

}  // namespace

std::string clip_suffix(std::string_view name, std::vector<std::string>& known) {
  std::string safe = ".";
  for (const char c : name) safe += std::string_view("/\\:*?\"<>|.").find(c) == std::string_view::npos ? c : '_';
  std::string out = safe;
  for (u32 n = 2; std::ranges::find(known, lower_case(out)) != known.end(); ++n) out = safe + "_" + std::to_string(n);
  known.push_back(lower_case(out));
  return out;
}

SceneClips::SceneClips(const scene::Scene& s, std::optional<u32> rate, bool together, Diagnostics& notes)
    : s_(s), rate_(rate), together_(together), notes_(notes) {
  for (const scene::Animation& a : s.animations) timings_[&a] = find_timing(a);
}

std::optional<u32> SceneClips::stated_frames(const scene::Animation& a) const {
  const auto as_count = [](std::optional<f64> n) -> std::optional<u32> {
    if (!n || !(*n >= 1 && *n <= k_most_frames)) return {};
    return u32(*n);
  };
  if (const auto own = as_count(scene::read_number_extra(a.extras, "frames"))) return own;
  for (const scene::Node& n : s_.nodes)
    if (const Value* const list = n.extras.find(k_animation_frames); list && list->is(Value::Kind::object))
      if (const auto of_model = as_count(scene::read_number_extra(*list, a.name))) return of_model;
  return {};
}

SceneClips::Timing SceneClips::find_timing(const scene::Animation& a) {
  if (rate_) return {.rate = *rate_, .frames = {}};
  const std::vector<f64> times = collect_key_times(a);
  const f64 last = times.empty() ? 0 : times.back();
  const auto frames = stated_frames(a);
  const bool fits = are_whole_frames(times, k_usual_rate);
  const auto other = std::ranges::find_if(k_usual_scene_rates, [&](u32 rate) { return are_whole_frames(times, rate); });
  const bool has_other = !fits && other != std::end(k_usual_scene_rates);
  if (!frames) {
    if (has_other)
      add_note(a, text("all keys are on whole frames at ", *other, " frames per second, but not at ", k_usual_rate),
               text("the animation keeps its duration; {--frames ", *other, "} keeps its frame numbers instead"));
    return {};
  }
  const f64 wanted = *frames - 1, shown = last * k_usual_rate;  // the last frame
  if (last <= 0 || std::fabs(shown - wanted) < 0.5) return {.frames = frames};
  const u32 rate = u32(std::clamp(std::round(wanted / last), 1.0, f64(k_highest_rate)));
  if (std::fabs(last * rate - wanted) < 0.02 && are_whole_frames(times, rate)) {
    add_note(a,
             text("the ", *frames, " frames keep their numbers, but the scene now plays ", rate, " frames per second"),
             text("{--frames ", k_usual_rate, "} keeps the duration instead"));
    return {.rate = rate, .frames = frames};
  }
  // Programs sample at their own rate and drop everything after their last frame.
  if (has_other && shown < wanted && wanted - shown < f64(k_usual_rate) / *other) {
    add_note(a,
             text("another program resampled the ", *frames, " frames at ", *other,
                  " frames per second, so the motion is only close to the original"),
             text("to keep the frames unchanged, use ", k_usual_rate, " frames per second in the other program"));
    return {.frames = frames};
  }
  return {};
}

u32 SceneClips::count_frames(const scene::Animation& a, f64 last) const {
  const Timing& t = timings_.at(&a);
  return t.frames ? *t.frames : u32(std::clamp(std::round(last * t.rate) + 1, 1.0, f64(k_most_frames)));
}

std::string SceneClips::file_of(const scene::Animation& a) const {
  return together_ ? "all" : std::string(scene::read_text_extra(a.extras, "file").value_or(""));
}

std::string SceneClips::name_of(const scene::Animation& a) {
  if (const auto own = scene::read_text_extra(a.extras, "name")) return std::string(*own);
  // Exports append the kind to animations with the same name.
  const size_t at = a.name.rfind(" (");
  for (const std::string_view kind : {"joints", "patterns", "texture_motion", "colors", "visibility"})
    if (at != a.name.npos && std::string_view(a.name).substr(at + 2).starts_with(kind)) return a.name.substr(0, at);
  return a.name;
}

void SceneClips::report() {
  if (changed_names_)
    notes_.push_back(
        make_diagnostic(Severity::hint, "nitro.make-names", {},
                        {.message = text("shortened or numbered ", format_count(changed_names_, "animation name"))}));
  for (const scene::Animation& a : s_.animations)
    if (!timings_.at(&a).is_used && a.fov_channels.empty())
      add_note(a, "the animation is omitted because it moves no part of the model", {});
  for (const scene::Node& n : s_.nodes) {
    const Value* const list = n.extras.find(k_animation_frames);
    if (!list || !list->is(Value::Kind::object)) continue;
    for (const auto& [name, frames] : list->members())
      if (std::ranges::find(s_.animations, name, &scene::Animation::name) == s_.animations.end())
        notes_.push_back(
            make_diagnostic(Severity::warning, "nitro.make-motion", n.name,
                            {.message = text("the scene lacks the animation ", given(name), " of the exported model"),
                             .hint = "another program dropped the animation; keep the file that contains it"}));
  }
}

void SceneClips::add_note(const scene::Animation& a, std::string message, std::string hint) {
  notes_.push_back(make_diagnostic(Severity::hint, "nitro.make-motion", text("animation ", a.name),
                                   {.message = std::move(message), .hint = std::move(hint)}));
}

}  // namespace dio::nitro

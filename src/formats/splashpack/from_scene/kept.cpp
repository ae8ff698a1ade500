// kept.cpp: the parts of a pack that its scene keeps in extras as JSON, and their losses.
#include <cmath>

#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/authored_motion.hpp"
#include "formats/splashpack/from_scene/media.hpp"
#include "formats/splashpack/from_scene/memory_card.hpp"
#include "formats/splashpack/from_scene/sections.hpp"
#include "formats/splashpack/layout/limits.hpp"
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {
namespace {

/// The lists of a pack of this layout that the scene has under their names.
Pack read_extras_lists(const scene::Scene& scene, Layout form, std::initializer_list<const char*> names,
                       Diagnostics& notes) {
  Pack out;
  for (const char* name : names) {
    const Value* kept = scene.extras.find(name);
    if (!kept || is_authored_card(*kept)) continue;
    Value own = *kept;
    if (kept->is(Value::Kind::list)) {
      own = Value::list();
      for (const auto& [unused, entry] : kept->members())
        if (!is_authored_motion(entry)) own.push(entry);
    }
    auto read = parse_pack_list(form, name, std::move(own), notes);
    if (!read) continue;
    if (!read->cutscenes.empty()) out.cutscenes = std::move(read->cutscenes);
    if (!read->animations.empty()) out.animations = std::move(read->animations);
    if (read->memory_card) out.memory_card = std::move(read->memory_card);
  }
  return out;
}

/// Drops events of missing sounds.
void drop_dangling_sound_events(std::vector<Cutscene>& cutscenes, size_t clips, Diagnostics& notes) {
  u64 dropped = 0;
  for (Cutscene& c : cutscenes)
    dropped += std::erase_if(c.audio_events, [&](const AudioEvent& e) { return e.clip >= clips; });
  if (dropped)
    notes.push_back(make_diagnostic(
        Severity::warning, "splashpack.make-lost", "cutscenes",
        {.message = text(format_count(dropped, "sound event"),
                         dropped == 1 ? " plays a sound that does" : " play sounds that do", " not exist"),
         .hint = "these events are omitted from the pack"}));
}

/// Renumbers the skins and clips of events; events of removed clips are dropped.
void renumber_skin_events(const ClipNumbers& clips, std::vector<SkinEvent>& events, u64& dropped) {
  dropped += std::erase_if(events, [&](SkinEvent& e) {
    const auto known = clips.find({e.skin, e.clip});
    if (known == clips.end()) return true;
    e.skin = u8(known->second[0]), e.clip = u8(known->second[1]);
    return false;
  });
}

/// Notes events that the engine ignores. They are kept because the pack had them, or the author of the scene wants
/// them.
void warn_excess_skin_events(const char* list, const auto& those, Diagnostics& notes) {
  for (size_t i = 0; i < those.size(); ++i)
    if (const size_t n = those[i].skin_events.size(); n > k_most_skin_events)
      notes.push_back(make_diagnostic(
          Severity::warning, "splashpack.make-lost", text(list, "[", i, "].skin_events"),
          {.message = text("there are ", n, " skin events; the engine plays only the first ", k_most_skin_events)}));
}

}  // namespace

Value fill_missing_members(const Value& given, const Value& usual) {
  using enum Value::Kind;
  if (usual.is(object)) {
    if (!given.is(object)) return usual;
    Value out = Value::object();
    for (const auto& [name, value] : usual.members()) {
      const Value* own = given.find(name);
      out.add(name, own ? fill_missing_members(*own, value) : value);
    }
    return out;
  }
  if (usual.is(list) && given.is(list) && usual.size() && given.size() == usual.size()) {
    Value out = Value::list();
    for (size_t i = 0; i < given.size(); ++i) out.push(fill_missing_members(*given.at(i), *usual.at(i)));
    return out;
  }
  if (usual.is(integer)) {
    constexpr f64 k_whole = 9007199254740992.0;  // 2^53
    if (given.is(boolean)) return i64(given.boolean());
    if (given.is(real) && std::fabs(given.number()) <= k_whole && given.number() == std::floor(given.number()))
      return i64(given.number());
  }
  return given;
}

std::optional<Pack> parse_pack_list(Layout form, std::string_view name, Value list, Diagnostics& notes) {
  Pack nothing;
  nothing.form = form;
  nothing.version = u16(form);
  Value whole = to_value(nothing);
  if (Value* place = whole.find(name))
    *place = std::move(list);
  else
    whole.add(std::string(name), std::move(list));
  auto read = from_value<Pack>(whole);
  if (read) return *std::move(read);
  Diagnostic d = std::move(read.error());
  d.severity = Severity::warning;
  d.id = "splashpack.make-lost";
  d.hint = text("the property ", name, " is omitted");
  notes.push_back(std::move(d));
  return {};
}

void add_extras_sections(const scene::Scene& scene, std::span<const Role> roles, const MakeSettings& settings,
                         const ClipNumbers& clips, Pack& pack, Diagnostics& notes) {
  if (settings.since(k_sections)) {
    Pack kept = read_extras_lists(scene, settings.layout, {"cutscenes", "animations"}, notes);
    drop_dangling_sound_events(kept.cutscenes, pack.audio_clips.size(), notes);
    u64 dropped = 0;
    for (Cutscene& c : kept.cutscenes) renumber_skin_events(clips, c.skin_events, dropped);
    for (Animation& a : kept.animations) renumber_skin_events(clips, a.skin_events, dropped);
    if (dropped)
      notes.push_back(make_diagnostic(
          Severity::warning, "splashpack.make-lost", {},
          {.message = text(format_count(dropped, "skin event"),
                           dropped == 1 ? " plays a clip that does" : " play clips that do", " not exist"),
           .hint = "these events are omitted from the pack"}));
    warn_excess_skin_events("cutscenes", kept.cutscenes, notes);
    warn_excess_skin_events("animations", kept.animations, notes);
    pack.cutscenes = std::move(kept.cutscenes);
    pack.animations = std::move(kept.animations);
    add_authored_motion(scene, settings, pack, notes);
  }
  if (settings.since(k_memory_card))
    pack.memory_card = read_extras_lists(scene, settings.layout, {"memory_card"}, notes).memory_card;
  const auto report_lost_before = [&](std::string_view layout, const std::string& what) {
    notes.push_back(
        make_diagnostic(Severity::warning, "splashpack.make-lost", {},
                        {.message = text("the layout cannot store ", what, "; layout ", layout, " or later can")}));
  };
  const auto report_too_old = [&](const std::string& what) { report_lost_before("v20", what); };
  const auto report_lost_list = [&](const char* name, const char* one, const char* several) {
    const Value* v = scene.extras.find(name);
    if (v && v->is(Value::Kind::list) && v->size())
      report_too_old(text(v->size(), " ", v->size() == 1 ? one : several));
  };
  if (!settings.since(k_sections)) {
    report_lost_list("audio_clips", "sound", "sounds");
    report_lost_list("sound", "sound", "sounds");
    report_lost_list("looping_sound", "sound", "sounds");
    report_lost_list("fonts", "font", "fonts");
    report_lost_list("canvases", "canvas", "canvases");
    report_lost_list("cutscenes", "cutscene", "cutscenes");
    report_lost_list("animations", "animation of the pack", "animations of the pack");
  }
  if (!settings.since(k_memory_card) && scene.extras.find("memory_card")) report_lost_before("v21", "the memory card");
  if (!settings.since(k_sections)) {
    const auto report_lost_nodes = [&](Role role, const char* one, const char* several) {
      const auto n = std::ranges::count(roles, role);
      if (n) report_too_old(text(n, " ", n == 1 ? one : several));
    };
    report_lost_nodes(Role::collider, "collider", "colliders");
    report_lost_nodes(Role::trigger, "trigger", "triggers");
    const auto used = std::ranges::count_if(scene.nodes, [](const scene::Node& n) {
      const Value* v = n.extras.find("interactable");
      return v && (v->is(Value::Kind::object) || (v->is(Value::Kind::boolean) && v->boolean()));
    });
    if (used) report_too_old(text(used, used == 1 ? " interactable object" : " interactable objects"));
    report_lost_nodes(Role::room, "room with its portals", "rooms with their portals");
  }
}

}  // namespace dio::splashpack

// make_kept.cpp: what scenes made of packs keep in their extras as JSON of the pack, and what is lost of it.
#include "formats/reporter.hpp"
#include "formats/splashpack/make_sections.hpp"

namespace dio::splashpack {
namespace {

/// A pack without anything, as a value.
Value nothing_in(Layout form) {
  Document<Pack> d;
  d.edit().form = form;
  const auto bytes = save(d);
  return bytes ? trace<Pack>(*bytes).spans.value(0) : Value();
}

/// The lists of a pack of this layout that the scene has under their names; those that cannot be read are told.
Pack kept_in(const scene::Scene& scene, Layout form, std::initializer_list<const char*> names, Diagnostics& notes) {
  Pack out;
  for (const char* name : names) {
    const Value* kept = scene.extras.find(name);
    if (!kept) continue;
    Value whole = nothing_in(form);
    if (Value* place = whole.find(name))
      *place = *kept;
    else
      whole.add(name, *kept);
    auto read = from_value<Pack>(whole);
    if (!read) {
      Diagnostic d = std::move(read.error());
      d.severity = Severity::warning;
      d.id = "splashpack.make-lost";
      d.hint = "what cannot be read is left out";
      notes.push_back(std::move(d));
      continue;
    }
    if (!read->cutscenes.empty()) out.cutscenes = std::move(read->cutscenes);
    if (!read->animations.empty()) out.animations = std::move(read->animations);
    if (read->memory_card) out.memory_card = std::move(read->memory_card);
  }
  return out;
}

}  // namespace

void add_kept(const scene::Scene& scene, std::span<const Role> roles, const MakeSettings& settings, Pack& pack,
              Diagnostics& notes) {
  if (settings.since(k_sections)) {
    Pack kept = kept_in(scene, settings.layout, {"cutscenes", "animations"}, notes);
    // Sounds and skins do not come back, so nothing calls them.
    for (Cutscene& c : kept.cutscenes) c.audio_events.clear(), c.skin_events.clear();
    for (Animation& a : kept.animations) a.skin_events.clear();
    pack.cutscenes = std::move(kept.cutscenes);
    pack.animations = std::move(kept.animations);
  }
  if (settings.since(k_memory_card))
    pack.memory_card = kept_in(scene, settings.layout, {"memory_card"}, notes).memory_card;
  const auto lost_for_want_of = [&](std::string_view expected, std::string what) {
    notes.push_back(
        make_note(Severity::warning, "splashpack.make-lost", {}, std::string(expected), "lost: " + std::move(what)));
  };
  const auto lost = [&](std::string what) { lost_for_want_of("what can be made of a scene", std::move(what)); };
  const auto too_old = [&](std::string what) { lost_for_want_of("layout v20 or later", std::move(what)); };
  const auto list = [&](const char* name, const char* one, const char* several) {
    const Value* v = scene.extras.find(name);
    if (v && v->is(Value::Kind::list) && v->size()) lost(text(v->size(), " ", v->size() == 1 ? one : several));
  };
  list("audio_clips", "sound", "sounds");
  list("fonts", "font", "fonts");
  list("canvases", "canvas", "canvases");
  if (!settings.since(k_sections)) {
    list("cutscenes", "cutscene", "cutscenes");
    list("animations", "animation of the pack", "animations of the pack");
  }
  if (!settings.since(k_memory_card) && scene.extras.find("memory_card"))
    lost_for_want_of("layout v21 or later", "a memory card");
  if (!settings.since(k_sections)) {
    const auto count = [&](Role role, const char* one, const char* several) {
      const auto n = std::ranges::count(roles, role);
      if (n) too_old(text(n, " ", n == 1 ? one : several));
    };
    count(Role::collider, "collider", "colliders");
    count(Role::trigger, "trigger", "triggers");
    const auto used = std::ranges::count_if(scene.nodes, [](const scene::Node& n) {
      const Value* v = n.extras.find("interactable");
      return v && (v->is(Value::Kind::object) || (v->is(Value::Kind::boolean) && v->boolean()));
    });
    if (used) too_old(text(used, used == 1 ? " interactable object" : " interactable objects"));
    count(Role::room, "room with its portals", "rooms with their portals");
  }
}

}  // namespace dio::splashpack

// mesh_animation.cpp: keyframes, the instructions of animated meshes in each state, and their parents.
#include <bit>

#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/mesh_animation_player.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_mesh_animation_rules[] = {
    {"fft.meshanim-records", error,
     "the mesh animation has keyframes, states, links and an end record, in this order, with at most 128 keyframes",
     "The game copies each record of the mesh animation into a table of fixed size. A file with a record of an unknown "
     "type cannot be read (layout.requires).",
     "Write the records in this order: keyframes, states, links, end. Remove the keyframes beyond number 128.",
     "a decompilation of the game"},
    {"fft.meshanim-keyframe", error, "the instructions of a mesh animation use only existing keyframes",
     "If an instruction uses a keyframe that does not exist, the game reads the data after the last keyframe instead. "
     "A keyframe that no instruction uses has no effect on the animation, but special effects of maps 53, 55 and 83 "
     "use some unused keyframes as positions.",
     "In the instruction, use the number of an existing keyframe, or add the missing keyframe.",
     "a decompilation of the game", Severities{hint}},
    {"fft.meshanim-next", error,
     "each instruction names a next instruction from 1 to 16, or 0 for none, and every animated mesh is animated in "
     "state 0",
     "If the number of the next instruction is above 16, the game continues with the instructions of another mesh. The "
     "game shows a mesh only if "
     "its first instruction in state 0 has a next instruction.",
     "Set the `next` field of the instruction to an instruction from 1 to 16, or to 0 if the animation ends there.",
     "a decompilation and a disassembly of the game", Severities{warning}},
    {"fft.meshanim-duration", warning, "instructions in a loop of a mesh animation have a duration of at least 1",
     "An instruction with a duration of 0 permanently stops the movement of the mesh.",
     "Give the instruction a duration of at least 1, unless the mesh should stop moving at this instruction.",
     "a decompilation of the game"},
    {"fft.meshanim-mode", error,
     "the mode of a keyframe in use has one of the bits 0x04, 0x08 and 0x10, and at most one of the bits 0x01 and 0x02",
     "If the mode of a keyframe has none of the bits 0x04, 0x08 and 0x10, the game adds the value of the keyframe "
     "again in each frame, so the mesh drifts away. If the mode has two of these bits, the game adds the value twice.",
     "Set the mode of the keyframe to 0x05, 0x06, 0x09, 0x0A, 0x11 or 0x12.", "a decompilation of the game"},
    {"fft.meshanim-parent", error, "the parent of a mesh exists, comes before its children, and is not part of a cycle",
     "If the parent of a mesh comes later than the mesh, the game moves the mesh one tick late. If the parents form a "
     "cycle, editors hang.",
     "For each mesh, choose a parent with a lower number than the mesh. Parents must not form a cycle.",
     "a decompilation of the game; the map editor GaneshaDx", Severities{warning}},
};

constexpr size_t k_most_instructions = MeshState::k_instructions;
using Instructions = std::array<MeshInstruction, k_most_instructions>;

/// The table of a type that takes effect in the game: the last record of that type; null if there is none.
const MeshAnimationRecord* find_last_record(const MeshAnimations& a, u32 type) {
  for (auto r = a.records.rbegin(); r != a.records.rend(); ++r)
    if (r->type == type) return &*r;
  return nullptr;
}
std::string record_path(const MeshAnimations& a, const MeshAnimationRecord* r) {
  return text("mesh_animations.records[", r - a.records.data(), "]");
}
std::string instruction_path(const std::string& record, size_t state, size_t mesh, size_t i) {
  return text(record, ".states[", state, "].meshes[", mesh, "][", i, "]");
}

void check_records(Reporter& r, const MeshAnimations& a) {
  for (size_t i = 0; i < a.records.size(); ++i) {
    const u32 type = a.records[i].type, expected = i < 3 ? u32(i + 1) : 0;
    if (type == expected) continue;
    r.report("fft.meshanim-records", text("mesh_animations.records[", i, "].type"),
             {.message = text("record type is ", type, "; it must be ", expected)});
    break;  // one finding is enough
  }
  for (const MeshAnimationRecord& record : a.records)
    if (record.keyframes.size() > size_t(k_keyframes))
      r.report("fft.meshanim-records", record_path(a, &record) + ".keyframes",
               {.message = text("the mesh animation has ", record.keyframes.size(),
                                " keyframes; the game has room for ", size_t(k_keyframes))});
}

/// The instructions of the loop that a mesh ends up in; empty if it stops.
std::vector<size_t> find_final_loop(const Instructions& list) {
  std::vector<size_t> way;
  for (size_t at = 0; at < list.size();) {
    if (const auto seen = std::ranges::find(way, at); seen != way.end()) return {seen, way.end()};
    way.push_back(at);
    if (list[at].next == 0) return {};
    at = list[at].next - 1u;
  }
  return {};
}

/// The keyframes used by instructions, and those among them that are targets of a movement.
struct Uses {
  std::array<bool, 256> named{}, moved{};
};

Uses check_state_instructions(Reporter& r, const MeshAnimations& a) {
  Uses uses;
  const MeshAnimationRecord* states = find_last_record(a, MeshAnimationRecord::state);
  if (!states) return uses;
  const MeshAnimationRecord* frames = find_last_record(a, MeshAnimationRecord::keyframe);
  const size_t keyframes = frames ? frames->keyframes.size() : 0;
  const std::string record = record_path(a, states);
  Tally far_keyframe, far_next;
  for (size_t s = 0; s < states->states.size(); ++s)
    for (size_t m = 0; m < k_animated_meshes; ++m) {
      const Instructions& list = states->states[s].meshes[m];
      for (size_t i = 0; i < list.size(); ++i) {
        const MeshInstruction& x = list[i];
        uses.named[x.keyframe] = true;
        uses.moved[x.keyframe] |= x.duration != 0;
        if (x.keyframe > keyframes)
          far_keyframe.add([&] { return instruction_path(record, s, m, i) + ".keyframe"; },
                           [&] {
                             return text("keyframe ", x.keyframe, " does not exist; there are ", keyframes,
                                         ", numbered from 1");
                           });
        if (x.next > k_most_instructions)
          far_next.add([&] { return instruction_path(record, s, m, i) + ".next"; },
                       [&] { return text("the next instruction is ", x.next, "; it must be 1 to 16, or 0 for none"); });
      }
      Tally pause;
      for (const size_t i : find_final_loop(list))
        if (list[i].duration == 0)
          pause.add([&] { return instruction_path(record, s, m, i) + ".duration"; },
                    [] { return "the duration is 0 in a loop, so the movement of the mesh stops permanently"; });
      pause.report(warning, r, "fft.meshanim-duration");
    }
  far_keyframe.report(error, r, "fft.meshanim-keyframe");
  far_next.report(error, r, "fft.meshanim-next");
  return uses;
}

void check_keyframes(Reporter& r, const MeshAnimations& a, const Uses& uses) {
  const MeshAnimationRecord* frames = find_last_record(a, MeshAnimationRecord::keyframe);
  if (!frames) return;
  const std::string record = record_path(a, frames);
  Tally unused, mode;
  for (size_t i = 0; i < std::min(frames->keyframes.size(), size_t(k_keyframes)); ++i) {
    const Keyframe& k = frames->keyframes[i];
    const auto path = [&] { return text(record, ".keyframes[", i, "]"); };
    if (!uses.named[i + 1] && k != Keyframe{})
      unused.add(path, [&] { return text("no instruction uses keyframe ", i + 1); });
    if (!uses.moved[i + 1]) continue;
    for (size_t c = 0; c < k.modes.size(); ++c)
      if (const u16 m = k.modes[c]; m & ~(k_tween_to | k_tween_by | k_tween_ways) ||
                                    std::popcount(u16(m & k_tween_ways)) != 1 || (m & k_tween_to && m & k_tween_by))
        mode.add(
            [&] { return text(path(), ".modes[", c, "]"); },
            [&] { return text("mode is ", format_hex(m, 2), "; it must be 0x05, 0x06, 0x09, 0x0A, 0x11 or 0x12"); });
  }
  unused.report(hint, r, "fft.meshanim-keyframe");
  mode.report(error, r, "fft.meshanim-mode");
}

void check_links(Reporter& r, const MeshAnimations& a) {
  const MeshAnimationRecord* links = find_last_record(a, MeshAnimationRecord::link);
  if (!links) return;
  const MeshMotion motion(a);
  for (size_t mesh = 0; mesh < std::min<size_t>(links->links.size(), k_animated_meshes); ++mesh) {
    const u8 parent = links->links[mesh].parent;
    const std::string path = text(record_path(a, links), ".links[", mesh, "].parent");
    const std::string link = text("the parent of mesh ", mesh + 1, " is mesh ", parent);
    if (parent > k_animated_meshes)
      r.report(
          "fft.meshanim-parent", path,
          {.message = text("the parent of mesh ", mesh + 1, " is ", parent, "; it must be 1 to 8, or 0 for none")});
    else if (parent == mesh + 1)
      r.report("fft.meshanim-parent", path, {.message = text("mesh ", mesh + 1, " is its own parent")});
    else if (motion.parent(mesh).refused)
      r.report("fft.meshanim-parent", path, {.message = link + ", and their parents form a cycle"});
    else if (motion.parent(mesh).late)
      r.report(warning, "fft.meshanim-parent", path,
               {.message = link + ", which has a higher number, so the game moves the child one tick late"});
  }
}

void check_mesh_animations(MeshCheck& c) {
  const Mesh& m = c.mesh;
  if (m.mesh_animations) {
    check_records(c, *m.mesh_animations);
    check_keyframes(c, *m.mesh_animations, check_state_instructions(c, *m.mesh_animations));
    check_links(c, *m.mesh_animations);
  }
  // A file with a primary mesh replaces all nine; without one, meshes and motion may be in different files.
  if (!m.primary || !m.mesh_animations) return;
  std::array<bool, k_animated_meshes> there{};
  for (size_t i = 0; i < k_animated_meshes; ++i) there[i] = m.animated[i].has_value();
  check_animated_mesh_visibility(c, &*m.mesh_animations, there);
}

}  // namespace

void check_animated_mesh_visibility(Reporter& r, const MeshAnimations* a,
                                    const std::array<bool, k_animated_meshes>& there,
                                    const std::array<bool, k_animated_meshes>& lost) {
  const MeshAnimationRecord* states = a ? find_last_record(*a, MeshAnimationRecord::state) : nullptr;
  Tally unmoved, absent;
  for (size_t m = 0; m < k_animated_meshes; ++m) {
    const bool is_shown = states && !states->states.empty() && states->states[0].meshes[m][0].next;
    const auto path = [&] { return instruction_path(record_path(*a, states), 0, m, 0) + ".next"; };
    if (there[m] && !is_shown)
      unmoved.add([&] { return states ? path() : std::string(Mesh::k_animated_names[m]); },
                  [&] { return text("animated mesh ", m + 1, " is never shown"); });
    if (!there[m] && !lost[m] && is_shown)
      absent.add(path, [&] { return text("state 0 animates mesh ", m + 1, ", which does not exist"); });
  }
  unmoved.report(warning, r, "fft.meshanim-next",
                 "set `next` of the mesh's first instruction in state 0 to another instruction (1 to 16)");
  absent.report(warning, r, "fft.meshanim-next",
                "add the mesh, or set `next` of the mesh's first instruction in state 0 to 0");
}

constinit const Topic k_mesh_animation_checks{k_mesh_animation_rules, check_mesh_animations};

}  // namespace dio::fft

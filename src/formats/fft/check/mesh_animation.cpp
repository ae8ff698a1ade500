// mesh_animation.cpp: keyframes, what the animated meshes do in each state, and their parents.
#include <bit>

#include "formats/fft/check/checks.hpp"
#include "formats/fft/scene/mesh_animation_player.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_mesh_animation_rules[] = {
    {"fft.meshanim-records", error,
     "the mesh animation has keyframes, states, links and an end, in this order, with at most 128 keyframes",
     "The game copies each record over a table of a fixed size. A file with a record of another type cannot be read: "
     "layout.requires.",
     "Write the records in this order, and remove keyframes beyond the limit.",
     "specification 5, meshanim-records: decompilation"},
    {"fft.meshanim-keyframe", error, "instructions use keyframes that exist",
     "The game reads whatever lies after the last one. Keyframes that no instruction uses do nothing by themselves, "
     "but "
     "effects of maps 53, 55 and 83 use some as positions.",
     "Name an existing keyframe, or add the missing one.", "specification 5, meshanim-keyframe: decompilation",
     Severities{hint}},
    {"fft.meshanim-next", error,
     "each instruction leads to one of the instructions 1 to 16, and meshes that move also move in state 0",
     "With another number, the game runs on into the instructions of another mesh. It shows a mesh only if its first "
     "instruction in state 0 "
     "leads to another one.",
     "Set next to an instruction from 1 to 16, or to 0 where the animation ends.",
     "specification 5, meshanim-next: decompilation, disassembly", Severities{warning}},
    {"fft.meshanim-duration", warning, "instructions in a loop have a duration",
     "At a duration of 0 the mesh stops for good.",
     "Give the instruction a duration of at least 1, unless the mesh should stop there.",
     "specification 5, meshanim-duration: decompilation"},
    {"fft.meshanim-mode", error,
     "the modes of a keyframe in use have one of the bits 4, 8 and 0x10, and at most one of the bits 1 and 2",
     "Without any of the bits 4, 8 and 0x10 the game adds the value again each time it draws, so the mesh runs away; "
     "with two of these bits it adds the value twice.",
     "Use one of the modes that the message names.", "specification 5, meshanim-mode: decompilation"},
    {"fft.meshanim-parent", error, "the parents of meshes exist, come before their children, and form no cycle",
     "A mesh with a later one as its parent is drawn one tick late; editors follow a cycle forever.",
     "Give the parent a lower number than its children, and break the cycle.",
     "specification 5, meshanim-parent: decompilation, GaneshaDx", Severities{warning}},
};

constexpr size_t k_most_instructions = MeshState::k_instructions;
using Instructions = std::array<MeshInstruction, k_most_instructions>;

/// The table of a type that the game ends up with: the last record of that type; null if there is none.
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
             {.message = text("record type is ", type, "; must be ", expected)});
    break;  // one finding is enough
  }
  for (const MeshAnimationRecord& record : a.records)
    if (record.keyframes.size() > size_t(k_keyframes))
      r.report("fft.meshanim-records", record_path(a, &record) + ".keyframes",
               {.message = text("there are ", record.keyframes.size(), " keyframes; the game has room for ",
                                size_t(k_keyframes))});
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

/// Which keyframes instructions name, and which of them something moves to.
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
                                         ", counted from 1");
                           });
        if (x.next > k_most_instructions)
          far_next.add([&] { return instruction_path(record, s, m, i) + ".next"; },
                       [&] { return text("next is ", x.next, "; must be 1 to 16, or 0 for none"); });
      }
      Tally pause;
      for (const size_t i : find_final_loop(list))
        if (list[i].duration == 0)
          pause.add([&] { return instruction_path(record, s, m, i) + ".duration"; },
                    [] { return "duration is 0 in a loop, so the mesh stops for good"; });
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
        mode.add([&] { return text(path(), ".modes[", c, "]"); },
                 [&] { return text("mode is ", format_hex(m, 2), "; must be 0x05, 0x06, 0x09, 0x0A, 0x11 or 0x12"); });
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
      r.report("fft.meshanim-parent", path,
               {.message = text("the parent of mesh ", mesh + 1, " is ", parent, "; must be 1 to 8, or 0 for none")});
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
      absent.add(path, [&] { return text("animated mesh ", m + 1, " is animated but does not exist"); });
  }
  unmoved.report(warning, r, "fft.meshanim-next",
                 "set next of its first instruction in state 0 to another instruction (1 to 16)");
  absent.report(warning, r, "fft.meshanim-next", "add the mesh, or set next of its first instruction to 0");
}

constinit const Topic k_mesh_animation_checks{k_mesh_animation_rules, check_mesh_animations};

}  // namespace dio::fft

#include "formats/brres/from_scene/animation_builder.hpp"

#include "formats/brres/from_scene/chr_builder.hpp"
#include "formats/brres/from_scene/clips.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "formats/brres/semantics.hpp"

namespace dio::brres {

namespace {

constexpr std::string_view k_id = "brres.make-motion";

class AnimationNotes {
 public:
  void add(std::string message) {
    out.notes.push_back(make_diagnostic(Severity::warning, k_id, {}, {.message = std::move(message)}));
  }
  void add_loss(std::string message) {
    add(std::move(message));
    ++out.lost;
  }
  void add_loss(const std::set<std::string>& names, std::string_view message) {
    if (!names.empty()) add_loss(text(message, list_names(names)));
  }
  BuiltAnimations out;
};

}  // namespace

BuiltAnimations add_animations(const scene::Scene& s, std::span<const MadeMaterial> materials,
                               std::span<const MadeBone> bones, Brres& file) {
  BuiltSrtFiles textures = build_srt_files(s, materials);
  BuiltChrFiles movements = build_chr_files(s, bones);
  AnimationNotes notes;
  notes.out.notes = std::move(textures.notes);
  u64 omitted = 0;
  std::set<std::string> cut, colors, visibilities, views, others;
  for (size_t i = 0; i < s.animations.size(); ++i) {
    const scene::Animation& a = s.animations[i];
    size_t colored = 0;
    for (const scene::MaterialChannel& c : a.material_channels)
      colored += c.target == scene::MaterialChannel::Target::color;
    if (!textures.taken[i] && !movements.taken[i]) {
      ++omitted;
      continue;
    }
    if (read_clip(a).is_cut) cut.insert(a.name);
    if (colored) colors.insert(a.name);
    if (!a.visibility_channels.empty()) visibilities.insert(a.name);
    if (!a.fov_channels.empty()) views.insert(a.name);
    if (textures.taken[i] + colored < a.material_channels.size() || movements.taken[i] < a.channels.size())
      others.insert(a.name);
  }
  if (omitted)
    notes.add_loss(format_count(omitted, "animation") + " omitted: only movements of bones and of textures are made");
  notes.add_loss(cut, text("cut off after ", k_most_frames, " frames: "));
  notes.add_loss(colors, "animated colours are not converted: ");
  notes.add_loss(visibilities, "animated visibility is not converted: ");
  notes.add_loss(views, "animated fields of view are not converted: ");
  notes.add_loss(others, "movements of nodes and materials that are not in a model are not converted: ");
  notes.add_loss(movements.clashing, "bones of several models with one name move as the first does: ");
  if (movements.skewed)
    notes.add_loss(format_count(movements.skewed, "bone") + " cannot be skewed as in the animations of the scene");
  if (textures.files.size() > k_most_animations)
    notes.add(text(textures.files.size(), " animations of texture transforms; the game plays at most ",
                   k_most_animations, " on a model"));
  file.srt_files = std::move(textures.files);
  file.chr_files = std::move(movements.files);
  return std::move(notes.out);
}

}  // namespace dio::brres

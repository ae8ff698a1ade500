#include "formats/brres/from_scene/animation_builder.hpp"

#include "formats/brres/from_scene/chr_builder.hpp"
#include "formats/brres/from_scene/clips.hpp"
#include "formats/brres/from_scene/clr_builder.hpp"
#include "formats/brres/from_scene/names.hpp"
#include "formats/brres/semantics.hpp"

namespace dio::brres {

namespace {

class AnimationsBuilder {
 public:
  AnimationsBuilder(const scene::Scene& s, const MadeParts& parts,
                    const std::function<std::string(scene::Index image)>& texture_name)
      : s_(s) {
    std::vector<MadeMaterial> textured;
    for (const MadeMaterial& m : parts.materials)
      if (m.has_texture) textured.push_back(m);
    textures_ = build_srt_files(s, textured);
    movements_ = build_chr_files(s, parts.bones);
    colors_ = build_clr_files(s, parts.materials);
    patterns_ = build_pat_files(s, textured, texture_name);
    visibilities_ = build_vis_files(s, parts.shapes, patterns_.taken);
  }

  AnimationNotes run(Brres& file) {
    out_.notes = std::move(textures_.notes);
    note_losses();
    if (textures_.files.size() > k_most_animations)
      note(text(textures_.files.size(), " animations of texture transforms; the game plays at most ", k_most_animations,
                " on a model"));
    file.srt_files = std::move(textures_.files);
    file.chr_files = std::move(movements_.files);
    file.clr_files = std::move(colors_.files);
    file.pat_files = std::move(patterns_.files);
    file.vis_files = std::move(visibilities_.files);
    return std::move(out_);
  }

 private:
  void note(std::string message) {
    out_.notes.push_back(make_diagnostic(Severity::warning, "brres.make-motion", {}, {.message = std::move(message)}));
  }
  void note_loss(std::string message) {
    note(std::move(message));
    ++out_.lost;
  }
  void note_loss(std::string_view message, const std::set<std::string>& names) {
    if (!names.empty()) note_loss(text(message, list_names(names)));
  }

  void note_losses() {
    u64 omitted = 0;
    std::set<std::string> cut, views, others;
    for (size_t i = 0; i < s_.animations.size(); ++i) {
      const scene::Animation& a = s_.animations[i];
      size_t shown = 0;
      for (const scene::VisibilityChannel& c : a.visibility_channels)
        shown += patterns_.taken[i].contains(c.node) || visibilities_.taken[i].contains(c.node);
      const size_t of_materials = textures_.taken[i] + colors_.taken[i];
      if (!of_materials && !movements_.taken[i] && !shown) {
        ++omitted;
        continue;
      }
      if (read_clip(a).is_cut) cut.insert(a.name);
      if (!a.fov_channels.empty()) views.insert(a.name);
      if (of_materials < a.material_channels.size() || movements_.taken[i] < a.channels.size() ||
          shown < a.visibility_channels.size())
        others.insert(a.name);
    }
    if (omitted)
      note_loss(format_count(omitted, "animation") + (omitted == 1 ? " omitted: no part of a model moves in it"
                                                                   : " omitted: no part of a model moves in them"));
    note_loss(text("cut off after ", k_most_frames, " frames: "), cut);
    note_loss("animated fields of view are not converted: ", views);
    note_loss("movements of parts that are in no model are not converted: ", others);
    note_loss("animated colours of materials whose vertices have colours are not converted: ", colors_.vertex);
    note_loss("bones with one name move as in the first of their models: ", movements_.clashing);
    note_loss("shapes of one bone are shown and hidden together: ", visibilities_.mixed);
    if (movements_.skewed)
      note_loss(format_count(movements_.skewed, "bone") + " cannot be skewed as in the animations of the scene");
  }

  const scene::Scene& s_;
  BuiltSrtFiles textures_;
  BuiltChrFiles movements_;
  BuiltClrFiles colors_;
  BuiltPatFiles patterns_;
  BuiltVisFiles visibilities_;
  AnimationNotes out_;
};

}  // namespace

AnimationNotes add_animations(const scene::Scene& s, const MadeParts& parts,
                              const std::function<std::string(scene::Index image)>& texture_name, Brres& file) {
  return AnimationsBuilder(s, parts, texture_name).run(file);
}

}  // namespace dio::brres

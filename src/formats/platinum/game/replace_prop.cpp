#include "formats/platinum/game/replace_prop.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/layout/joints.hpp"
#include "formats/nitro/layout/material_animations.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/game/prop_model_importer.hpp"
#include "formats/platinum/game/prop_model_writer.hpp"

namespace dio::platinum {

namespace {

Diagnostic in_argument(std::string_view name, Diagnostic d) {
  d.message = text(name, "=: ", d.message);
  return d;
}

template <class T>
Result<T> load_argument(std::string_view name, ByteView bytes) {
  auto file = load<T>(bytes);
  if (!file) return refuse(in_argument(name, std::move(file.error())));
  return std::move(file->document.edit());
}

bool fits(const nitro::Nsbca& file, const nitro::Model& model) {
  return std::ranges::any_of(file.animations, [&](const auto& a) { return a.tracks.size() == model.nodes.size(); });
}
bool fits(const nitro::Nsbva& file, const nitro::Model& model) {
  return std::ranges::any_of(file.animations, [&](const auto& a) { return a.node_count == model.nodes.size(); });
}
/// Animations of materials find them by name.
bool fits(const auto& file, const nitro::Model& model) {
  return std::ranges::any_of(file.animations, [&](const auto& a) {
    return std::ranges::all_of(a.materials, [&](const auto& track) {
      return std::ranges::any_of(model.materials, [&](const auto& m) { return m.name == track.name; });
    });
  });
}

/// Whether an animation of one of the five kinds is made for a model. Nothing if it is no such animation.
std::optional<bool> find_fit(ByteView bytes, const nitro::Model& model) {
  std::optional<bool> out;
  const auto try_as = [&]<class T>(T) {
    if (out) return;
    if (const auto file = load<T>(bytes)) out = fits(file->document.value(), model);
  };
  try_as(nitro::Nsbca{}), try_as(nitro::Nsbtp{}), try_as(nitro::Nsbta{}), try_as(nitro::Nsbma{}),
      try_as(nitro::Nsbva{});
  return out;
}

class PropReplacement {
 public:
  PropReplacement(const GameTables& t, u32 number, FileRole role) : t_(t), number_(number) { writer_.set_role(role); }

  /// Takes the model; its textures go to the sets, unless others are given.
  std::optional<Diagnostic> set_model(ByteView model, std::optional<ByteView> textures) {
    auto file = load_argument<nitro::Nsbmd>("model", model);
    if (!file) return std::move(file.error());
    if (file->models.size() != 1)
      return make_diagnostic("edit.argument", {},
                             {.message = text("a prop has exactly one model; the file has ", file->models.size())});
    if (textures) {
      auto given = load_argument<nitro::Nsbtx>("textures", *textures);
      if (!given) return std::move(given.error());
      textures_ = std::move(given->textures);
    } else if (file->textures) {
      textures_ = std::move(*file->textures);
    }
    if (file->textures) file->textures.reset();
    model_ = std::move(*file);
    return {};
  }

  std::optional<Diagnostic> add_animation(ByteView bytes) {
    const auto fit = find_fit(bytes, model_.models[0]);
    if (!fit)
      return make_diagnostic(
          "edit.argument", {},
          {.message = "animation=: the file is not an NSBCA, NSBTP, NSBTA, NSBMA or NSBVA animation"});
    if (!*fit) note("an animation does not fit the model: it has other nodes or materials");
    animations_.emplace_back(bytes.begin(), bytes.end());
    return {};
  }
  void keep_animations() {
    keeps_animations_ = true;
    if (const PropMotion* motion = t_.motion(number_, writer_.role()))
      for (const u32 n : motion->animations)
        if (const auto bytes = changed_.read(FileRole::animations, n))
          if (find_fit(*bytes, model_.models[0]) == false)
            note(text("animation/", n,
                      ", which the prop keeps, does not fit the new model: it has other nodes or materials"));
  }

  Result<GameEdited> apply(bool is_deferred) {
    const TextureNames old = find_texture_names(t_, number_, writer_.role());
    if (auto stop = store(is_deferred)) return refuse(std::move(*stop));
    if (auto stop = write_sets(old)) return refuse(std::move(*stop));
    if (auto stop = writer_.write_draw_lists()) return refuse(std::move(*stop));
    for (u32 area = 0; area < t_.areas.size(); ++area)
      if (t_.areas[area] && sets_.contains(t_.areas[area]->prop_set) &&
          t_.prop_role_of_area(*t_.areas[area]) == writer_.role())
        if (auto stop = area_memory_error(changed_, area)) return refuse(std::move(*stop));
    auto files = changed_.build_changed_files(out_.notes);
    if (!files) return refuse(std::move(files.error()));
    out_.files = std::move(*files);
    out_.done = text("prop/", number_, " now has the model ", given(model_name_), "; ",
                     keeps_animations_ ? "its animations stay" : format_count(animation_count_, "animation"));
    if (const u64 n = writer_.textures_added())
      out_.done += text("; ", n, " textures and palettes added to ", format_count(sets_.size(), "prop set"));
    if (const u64 n = writer_.textures_removed()) out_.done += text("; ", n, " removed that nothing else uses");
    return std::move(out_);
  }

 private:
  void note(std::string message) {
    out_.notes.push_back(
        make_diagnostic(Severity::warning, "nitro.unfit-animation", {}, {.message = std::move(message)}));
  }

  /// The textures that neither the model nor its animations look up stay out of the sets.
  void remove_unused_textures() {
    TextureNames wanted;
    wanted.add(model_.models[0]);
    std::vector<Bytes> animations = animations_;
    if (const PropMotion* motion = keeps_animations_ ? t_.motion(number_, writer_.role()) : nullptr)
      for (const u32 n : motion->animations)
        if (auto bytes = changed_.read(FileRole::animations, n)) animations.push_back(std::move(*bytes));
    for (const Bytes& bytes : animations)
      if (const auto patterns = load<nitro::Nsbtp>(bytes)) wanted.add(patterns->document.value());
    std::erase_if(textures_->textures, [&](const auto& x) { return !wanted.textures.contains(x.name); });
    std::erase_if(textures_->palettes, [&](const auto& x) { return !wanted.palettes.contains(x.name); });
  }

  std::optional<Diagnostic> store(bool is_deferred) {
    model_name_ = model_.models[0].name;
    if (textures_) remove_unused_textures();
    nitro::Nsbtx set;
    if (textures_) set.textures = *textures_;
    auto textures = textures_ ? serialize_as_file(std::move(set)) : Result<Bytes>(Bytes());
    auto model = serialize_as_file(std::move(model_));
    for (auto* bytes : {&textures, &model})
      if (!*bytes) return std::move(bytes->error());
    animation_count_ = animations_.size();
    if (keeps_animations_) return writer_.store_with_old_animations(number_, std::move(*model), std::move(*textures));
    return writer_.store(number_, {std::move(*model), std::move(*textures), std::move(animations_), is_deferred});
  }

  /// If there are new textures, the sets lose the old ones first, so that new ones can have their names.
  std::optional<Diagnostic> write_sets(const TextureNames& old) {
    sets_ = writer_.find_sets_with(number_);
    for (const u32 set : sets_) {
      TextureNames wanted;
      const auto without = textures_ ? std::optional(number_) : std::nullopt;
      if (auto stop = writer_.collect_texture_names(set, wanted, without)) return stop;
      if (auto stop = writer_.remove_unwanted(FileRole::prop_textures, set, old, wanted)) return stop;
    }
    if (auto stop = writer_.add_to_sets(number_, sets_)) return stop;
    return find_missing_textures();
  }
  std::optional<Diagnostic> find_missing_textures() const {
    const auto model = changed_.read_as<nitro::Nsbmd>(writer_.role(), number_);
    if (!model) return model.error();
    TextureNames wanted;
    wanted.add(model->models[0]);
    for (const u32 set : sets_) {
      const auto file = changed_.read_as<nitro::Nsbtx>(FileRole::prop_textures, set);
      if (!file) return file.error();
      const auto find_missing = [&](const std::set<std::string>& names, const auto& list) {
        return std::ranges::find_if(names, [&](const std::string& name) {
          return !name.empty() && std::ranges::none_of(list, [&](const auto& x) { return x.name == name; });
        });
      };
      const auto texture = find_missing(wanted.textures, file->textures.textures);
      const auto palette = find_missing(wanted.palettes, file->textures.palettes);
      const bool has_textures = texture == wanted.textures.end();
      if (has_textures && palette == wanted.palettes.end()) continue;
      return make_diagnostic("edit.argument", {},
                             {.message = text("the new model uses the ", has_textures ? "palette " : "texture ",
                                              given(has_textures ? *palette : *texture),
                                              ", which is neither in its file nor in prop set ", set),
                              .hint = "add textures=FILE.nsbtx"});
    }
    return {};
  }

  const GameTables& t_;
  u32 number_;
  ChangedFiles changed_{t_.files()};
  PropModelWriter writer_{t_, changed_};
  GameEdited out_;
  nitro::Nsbmd model_;
  std::string model_name_;
  std::optional<nitro::Textures> textures_;
  std::vector<Bytes> animations_;
  size_t animation_count_ = 0;
  bool keeps_animations_ = false;
  std::set<u32> sets_;
};

}  // namespace

Result<GameEdited> replace_prop(const Game& game, std::span<const Argument> all) {
  const GameTables& t = tables_of(game);
  Arguments a(all);
  const auto choice = [&](std::string_view name, std::string_view usual) { return a.has(name) ? a.text(name) : usual; };
  const FileRole role = choice("place", "outdoors") == "indoors" ? FileRole::room_props : FileRole::props;
  const Members& props = t.files().of(role);
  const u32 number = u32(a.whole("prop", 0, i64(props.count()) - 1));
  const auto model = a.files("model"), textures = a.files("textures"), animations = a.files("animation");
  const std::string_view rest = choice("animations", "keep");
  const bool is_deferred = choice("start", "always") == "on-demand";
  if (model.size() != 1 || textures.size() > 1)
    a.refuse({.message = "replace-prop needs one model=FILE.nsbmd and at most one textures=FILE.nsbtx"});
  if (a.has("animations") && !animations.empty())
    a.refuse({.message = "give either animation=FILE or animations=keep|none"});
  if (a.has("start") && animations.empty())
    a.refuse({.message = "start=... applies to new animations: add animation=FILE"});
  if (!a.done()) return refuse(std::move(*a.problem));
  PropReplacement replacement(t, number, role);
  if (auto stop = replacement.set_model(model[0], textures.empty() ? std::nullopt : std::optional(textures[0])))
    return refuse(std::move(*stop));
  for (const ByteView animation : animations)
    if (auto stop = replacement.add_animation(animation)) return refuse(std::move(*stop));
  if (animations.empty() && rest == "keep") replacement.keep_animations();
  return replacement.apply(is_deferred);
}

}  // namespace dio::platinum

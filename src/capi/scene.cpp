// scene.cpp: scenes of diorama.h: what a file or a part of a game looks like, and which bytes that comes from.
#include <algorithm>

#include "bridge/flat/flat_scene.hpp"
#include "bridge/gltf/gltf.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "capi/parts.hpp"
#include "core/file_tree.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/format.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

Result<SceneOptions> parse_scene_options(const OpenedFile& file, std::span<const Argument> told) {
  SceneOptions out;
  out.sources = true;
  const auto known = file.format->scenes ? file.format->scenes->options : std::span<const std::string_view>();
  for (const Argument& a : told) {
    const auto refuse_option = [&](const std::string& why) {
      return refuse(argument_error({.message = a.name + why}));
    };
    if (std::find(known.begin(), known.end(), a.name) == known.end())
      return refuse_option(" is not an option of scenes of " + file.format_id());
    if (a.name == "tick-rate") {
      const auto rate = parse_number(a.value);
      if (!rate || !(*rate >= 1 && *rate <= 1000))
        return refuse_option(" must be a number from 1 to 1000, not " + in_quotes(a.value));
      out.tick_rate = f32(*rate);
      continue;
    }
    if (a.value != "yes" && a.value != "no") return refuse_option(" must be yes or no, not " + in_quotes(a.value));
    (a.name == "lit" ? out.lit : a.name == "race" ? out.race : out.lamps) = a.value == "yes";
  }
  if (out.lit && out.lamps) return refuse(argument_error({.message = "lit and lamps exclude each other"}));
  return out;
}

Value notes_json(const dio_scene& s) {
  Value notes = Value::list();
  for (const Diagnostic& d : s.staged.notes) notes.push(report::finding_json(d));
  return notes;
}

}  // namespace

extern "C" {

dio_scene* dio_scene_of(const dio_file* file, const char* const* options, size_t count) {
  return dio_scene_again(file, nullptr, options, count);
}

dio_scene* dio_scene_again(const dio_file* file, const dio_scene* before, const char* const* options, size_t count) {
  const bool has_before = has_handle_tag(before, k_scene_tag) && !before->error && before->companion_scenes;
  CompanionScenes kept(has_before ? &*before->companion_scenes : nullptr);
  if (!has_handle_tag(file, k_file_tag)) return make_scene_handle(refuse(invalid_file_handle()), {}, {});
  const auto staged = [&]() -> Result<SceneResult> {
    if (is_scene(*file) && !file->parts) {
      if (count) return refuse(argument_error({.message = "scenes of other programs have no options"}));
      SceneResult out;
      auto scene = read_scene(*file, out.notes);
      if (!scene) return refuse(std::move(scene.error()));
      out.scene = std::move(*scene);
      return out;
    }
    if (!file->opened) return refuse(not_opened_error(*file));
    const OpenedFile& o = *file->opened;
    const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
    if (!told) return refuse(told.error());
    auto wanted = parse_scene_options(o, *told);
    if (!wanted) return refuse(std::move(wanted.error()));
    const auto companions = collect_companions(o);
    wanted->companions = companions;
    wanted->companion_scenes = &kept;
    return to_scene(o, *wanted);
  };
  // The file itself, or a companion: `opened` lives as long as what points into it.
  dio_scene* const scene = make_scene_handle(staged(), file->name, [main = file->opened](const std::string& name) {
    if (!main || name == main->name) return main;
    for (const OpenedFile& o : main->beside)
      if (o.name == name || file_name(o.name) == name) return std::shared_ptr<const OpenedFile>(main, &o);
    return std::shared_ptr<const OpenedFile>();
  });
  kept.release_before();
  scene->companion_scenes = std::move(kept);
  return scene;
}

void dio_scene_close(dio_scene* scene) {
  if (has_handle_tag(scene, k_scene_tag)) delete scene;
}

uint32_t dio_scene_ok(const dio_scene* scene) { return has_handle_tag(scene, k_scene_tag) && !scene->error; }

dio_buffer* dio_scene_data(const dio_scene* scene) {
  return with_scene(scene, [](const dio_scene& s) { return make_buffer(flat::write(s.staged.scene, notes_json(s))); });
}

dio_buffer* dio_scene_changes(const dio_scene* scene, const dio_scene* before) {
  return with_scene(scene, [&](const dio_scene& s) {
    return with_scene(before, [&](const dio_scene& b) {
      return make_buffer(flat::write_changes(s.staged.scene, b.staged.scene, notes_json(s)));
    });
  });
}

dio_buffer* dio_scene_convert(const dio_scene* scene, const char* to, const char* const* options, size_t count) {
  return with_scene(scene, [&](const dio_scene& s) {
    const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
    if (!told) return make_buffer(told.error());
    gltf::Options how;
    for (const Argument& a : *told) {
      if (a.name != "instances")
        return make_buffer(argument_error({.message = in_quotes(a.name) + " is no option; instances is"}));
      if (auto wrong = set_flag(how.instances, a)) return make_buffer(std::move(*wrong));
    }
    const std::string_view target = text_of(to);
    if (target == "glb") return make_buffer(gltf::write_glb(s.staged.scene, how));
    if (target == "gltf") return make_buffer(gltf::write_gltf(s.staged.scene, how));
    return make_buffer(
        argument_error({.message = "unknown output type " + in_quotes(target) + "; it can be glb or gltf"}));
  });
}

dio_buffer* dio_scene_source(const dio_scene* scene, uint32_t node, uint32_t source) {
  return with_scene(scene, [&](const dio_scene& s) {
    if (node >= s.staged.scene.nodes.size())
      return make_buffer(
          argument_error({.message = "node " + std::to_string(node) + " is out of range; the scene has " +
                                     format_count(s.staged.scene.nodes.size(), "node")}));
    const auto found =
        s.sources->find_value_source(node, source == DIO_NO_SOURCE ? std::nullopt : std::optional(source));
    if (!found) return make_buffer(Value(), on_one_line());
    Value v = Value::object();
    v.add("file", found->file);
    v.add("path", found->path);
    if (found->size) {
      v.add("offset", found->offset);
      v.add("size", found->size);
    }
    return make_buffer(v, on_one_line());
  });
}

dio_buffer* dio_scene_shows(const dio_scene* scene, const char* file, const char* path) {
  return with_scene(scene, [&](const dio_scene& s) {
    Value list = Value::list();
    for (const ShownSource& one : s.sources->find_nodes_showing(std::string(text_of(file)), text_of(path))) {
      Value& v = list.push(Value::object());
      v.add("node", one.node);
      if (one.sources.empty()) continue;
      Value& runs = v.add("sources", Value::list());
      for (const SourceRun& r : one.sources) {
        Value& run = runs.push(Value::list());
        run.push(r.first);
        run.push(r.count);
      }
    }
    return make_buffer(list, on_one_line());
  });
}

}  // extern "C"

// scene.cpp: scenes of diorama.h: what a file or a part of a game looks like, and which bytes that comes from.
#include <algorithm>

#include "bridge/flat/flat_scene.hpp"
#include "bridge/gltf/gltf.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "capi/parts.hpp"
#include "core/file_tree.hpp"
#include "core/printing.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/format.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

Result<SceneOptions> options_of(const Opened& file, std::span<const Argument> told) {
  SceneOptions out;
  out.sources = true;
  const auto known = file.format->scenes ? file.format->scenes->options : std::span<const std::string_view>();
  for (const Argument& a : told) {
    const auto refused = [&](const std::string& why) { return refuse(wrong_argument({.message = a.name + why})); };
    if (std::find(known.begin(), known.end(), a.name) == known.end())
      return refused(" is not an option of scenes of " + file.format_id());
    if (a.name == "tick-rate") {
      const auto rate = number_of(a.value);
      if (!rate || !(*rate >= 1 && *rate <= 1000))
        return refused(" must be a number from 1 to 1000, not " + in_quotes(a.value));
      out.tick_rate = f32(*rate);
      continue;
    }
    if (a.value != "yes" && a.value != "no") return refused(" must be yes or no, not " + in_quotes(a.value));
    (a.name == "lit" ? out.lit : a.name == "race" ? out.race : out.lamps) = a.value == "yes";
  }
  if (out.lit && out.lamps) return refuse(wrong_argument({.message = "lit and lamps exclude each other"}));
  return out;
}

}  // namespace

extern "C" {

dio_scene* dio_scene_of(const dio_file* file, const char* const* options, size_t count) {
  if (!is(file, k_file_tag)) return scene_handle(refuse(no_file()), {}, {});
  const auto staged = [&]() -> Result<Staged> {
    if (is_scene(*file) && !file->parts) {
      if (count) return refuse(wrong_argument({.message = "scenes of other programs have no options"}));
      Staged out;
      auto scene = read_scene(*file, out.notes);
      if (!scene) return refuse(std::move(scene.error()));
      out.scene = std::move(*scene);
      return out;
    }
    if (!file->opened) return refuse(not_opened(*file));
    const Opened& o = *file->opened;
    const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
    if (!told) return refuse(told.error());
    auto wanted = options_of(o, *told);
    if (!wanted) return refuse(std::move(wanted.error()));
    const auto companions = companions_of(o);
    wanted->companions = companions;
    return to_scene(o, *wanted);
  };
  // The file itself, or a companion: `opened` lives as long as what points into it.
  return scene_handle(staged(), file->name, [main = file->opened](const std::string& name) {
    if (!main || name == main->name) return main;
    for (const Opened& o : main->beside)
      if (o.name == name || file_name(o.name) == name) return std::shared_ptr<const Opened>(main, &o);
    return std::shared_ptr<const Opened>();
  });
}

void dio_scene_close(dio_scene* scene) {
  if (is(scene, k_scene_tag)) delete scene;
}

uint32_t dio_scene_ok(const dio_scene* scene) { return is(scene, k_scene_tag) && !scene->error; }

dio_buffer* dio_scene_data(const dio_scene* scene) {
  return with_scene(scene, [](const dio_scene& s) {
    Value notes = Value::list();
    for (const Diagnostic& d : s.staged.notes) notes.push(report::finding_json(d));
    return buffer_of(flat::write(s.staged.scene, std::move(notes)));
  });
}

dio_buffer* dio_scene_convert(const dio_scene* scene, const char* to, const char* const* options, size_t count) {
  return with_scene(scene, [&](const dio_scene& s) {
    const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
    if (!told) return buffer_of(told.error());
    gltf::Options how;
    for (const Argument& a : *told) {
      if (a.name != "instances")
        return buffer_of(wrong_argument({.message = in_quotes(a.name) + " is no option; instances is"}));
      if (auto wrong = set_flag(how.instances, a)) return buffer_of(std::move(*wrong));
    }
    const std::string_view target = text_of(to);
    if (target == "glb") return buffer_of(gltf::write_glb(s.staged.scene, how));
    if (target == "gltf") return buffer_of(gltf::write_gltf(s.staged.scene, how));
    return buffer_of(
        wrong_argument({.message = "unknown output type " + in_quotes(target) + "; it can be glb or gltf"}));
  });
}

dio_buffer* dio_scene_source(const dio_scene* scene, uint32_t node, uint32_t source) {
  return with_scene(scene, [&](const dio_scene& s) {
    if (node >= s.staged.scene.nodes.size())
      return buffer_of(wrong_argument({.message = "node " + std::to_string(node) + " is out of range; the scene has " +
                                                  counted(s.staged.scene.nodes.size(), "node")}));
    const auto found = s.sources->source_of(node, source == DIO_NO_SOURCE ? std::nullopt : std::optional(source));
    if (!found) return buffer_of(Value(), on_one_line());
    Value v = Value::object();
    v.add("file", found->file);
    v.add("path", found->path);
    if (found->size) {
      v.add("offset", found->offset);
      v.add("size", found->size);
    }
    return buffer_of(v, on_one_line());
  });
}

dio_buffer* dio_scene_shows(const dio_scene* scene, const char* file, const char* path) {
  return with_scene(scene, [&](const dio_scene& s) {
    Value list = Value::list();
    for (const ShownSource& one : s.sources->shows(std::string(text_of(file)), text_of(path))) {
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
    return buffer_of(list, on_one_line());
  });
}

}  // extern "C"

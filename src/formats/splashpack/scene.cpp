// scene.cpp: a pack as a scene, and what of it belongs to no node.
#include "formats/splashpack/parts.hpp"
#include "formats/splashpack/scene_builder.hpp"

namespace dio::splashpack {

SceneBuilder::SceneBuilder(const Pack& pack, const Vram* vram)
    : pack_(pack), surfaces_(pack, video_memory_of(pack, vram), s_) {}

scene::Index SceneBuilder::add_node(std::string name, const char* kind) {
  scene::Node n;
  n.name = std::move(name);
  n.extras = Value::object();
  n.extras.add("kind", kind);
  s_.nodes.push_back(std::move(n));
  return Index(s_.nodes.size() - 1);
}

void SceneBuilder::note(Severity severity, const char* id, std::string path, std::string expected, std::string found,
                        std::string hint) {
  Diagnostic d;
  d.severity = severity;
  d.id = id;
  d.place.path = std::move(path);
  d.expected = std::move(expected);
  d.found = std::move(found);
  d.hint = std::move(hint);
  out_.notes.push_back(std::move(d));
}

namespace {
std::string script_name(size_t i) { return text("script_", i, ".lua"); }
}  // namespace

void SceneBuilder::add_scripts() {
  if (pack_.scripts.empty()) return;
  Value& list = s_.extras.add("scripts", Value::list());
  for (size_t i = 0; i < pack_.scripts.size(); ++i) {
    const Bytes& bytes = pack_.scripts[i].text;
    const std::string_view words(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Value& script = list.push(Value::object());
    script.add("name", script_name(i));
    // Text as it is; JSON has no NUL that all programs keep.
    if (is_utf8(words) && words.find('\0') == words.npos)
      script.add("text", words);
    else
      script.add("bytes", hex_digits(bytes));
  }
}

void SceneBuilder::add_script(Value& extras, i64 script, const std::string& path) {
  if (script == -1) return;
  if (script >= 0 && size_t(script) < pack_.scripts.size()) {
    extras.add("lua_file", script_name(size_t(script)));
    return;
  }
  extras.add("script", script);
  note(Severity::warning, "splashpack.script-index", path, text("-1 to ", i64(pack_.scripts.size()) - 1), text(script));
}

Staged SceneBuilder::build() && {
  s_.extras = Value::object();
  s_.extras.add("layout", k_layouts.of(i64(pack_.form)));
  s_.extras.add("scaling", k_default_scaling);
  add_scripts();
  if (u32(pack_.form) >= k_flags) add_script(s_.extras, pack_.script, "script");
  s_.background = {0, 0, 0, 1};  // what the engine clears the picture with
  for (size_t i = 0; i < pack_.objects.size(); ++i) add_object(i);
  for (size_t i = 0; i < pack_.navmeshes.size(); ++i) add_floor(i);
  if (u32(pack_.form) >= k_player) add_player();
  if (turned_)
    note(Severity::warning, "splashpack.rot-matrix", "objects", "rotations",
         text(counted(turned_, "object"), " whose matrix is none"), "they are shown with the nearest rotation");
  if (surfaces_.unfilled())
    note(Severity::hint, "splashpack.no-texels", "objects", "texels and palettes of the triangles",
         text(counted(surfaces_.unfilled(), "triangle"), " whose texels are not in the file"),
         u32(pack_.form) >= k_sections ? "they are in the .vram file of the same name, which can lie beside it"
                                       : "they are gray");
  if (surfaces_.unpictured())
    note(Severity::warning, "splashpack.pictures", "objects", "no more texels than a video memory has, eight times",
         text(counted(surfaces_.unpictured(), "picture"), " too many"), "their materials are gray");
  return std::move(out_);
}

Result<Staged> to_scene(const Pack& pack, const SceneOptions&) { return SceneBuilder(pack, nullptr).build(); }

}  // namespace dio::splashpack

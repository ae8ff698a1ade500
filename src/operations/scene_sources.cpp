#include "operations/scene_sources.hpp"

#include <algorithm>

#include "core/sorting.hpp"
#include "formats/contract/format.hpp"
#include "layout/path_tree.hpp"
#include "layout/trace.hpp"

namespace dio {
namespace {

using scene::Index;
using scene::k_none;

constexpr u32 k_all_sources = u32(1) << 24;

const std::string* text_in(const Value& extras, const char* name) {
  const Value* v = extras.find(name);
  return v && v->is(Value::Kind::text) ? &v->text() : nullptr;
}

/// Whether the value at `path` is the one at `top`, or a part of it.
bool is_within(std::string_view path, std::string_view top) {
  if (!path.starts_with(top)) return false;
  return top.empty() || path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[';
}

bool has_vertex_sources(const scene::Mesh& mesh) {
  return std::ranges::any_of(mesh.primitives, [](const scene::Primitive& p) { return !p.sources.empty(); });
}

/// The runs that some of the sources are in, cut to these.
std::vector<SourceRun> clip_runs_to_mesh(const std::vector<SourceRun>& runs, const scene::Mesh& mesh) {
  std::vector<SourceRun> out;
  for (const SourceRun& run : runs) {
    u32 least = ~0u, most = 0;
    for (const scene::Primitive& p : mesh.primitives)
      for (const u32 source : p.sources)
        if (source - run.first < run.count) least = std::min(least, source), most = std::max(most, source);
    if (least <= most) out.push_back({least, most - least + 1});
  }
  return out;
}

/// The vertices whose material stands for a value or for what it is a field of; nothing if there are none. Runs end
/// where the node has vertices with another material.
std::optional<ShownSource> find_vertices_by_material(const scene::Scene& s, Index node, std::string_view path) {
  std::vector<std::pair<u32, bool>> all;  // sources, and whether they are other ones
  bool any = false;
  for (const scene::Primitive& p : s.meshes[s.nodes[node].mesh].primitives) {
    const std::string* own = p.material == k_none ? nullptr : text_in(s.materials[p.material].extras, "path");
    const bool is_drawn = own && (is_within(path, *own) || is_within(*own, path));
    any |= is_drawn;
    for (const u32 source : p.sources) all.emplace_back(source, !is_drawn);
  }
  if (!any) return {};
  sort_stably(all);
  ShownSource out{node, {}};
  bool open = false;
  u32 last = k_all_sources;
  for (const auto& [source, is_other] : all) {
    if (source == last) continue;  // drawn with both
    last = source;
    if (!is_other) {
      if (!open) out.sources.push_back({source, 0});
      out.sources.back().count = source - out.sources.back().first + 1;
    }
    open = !is_other;
  }
  return out;
}

}  // namespace

SceneSources::SceneSources(const scene::Scene& s, std::string name, OpenSource open)
    : scene_(s), name_(std::move(name)), open_(std::move(open)) {
  origins_.reserve(s.nodes.size());
  for (Index i = 0; i < s.nodes.size(); ++i) {
    const scene::Node& n = s.nodes[i];
    Origin o{.file = &name_};
    if (n.parent != k_none) o = origins_[n.parent];
    o.own = false;
    const std::string *file = text_in(n.extras, "file"), *path = text_in(n.extras, "path");
    if (file) o.file = file;
    if (file || path) o.node = i, o.own = true;  // a file without a path: all of it
    origins_.push_back(o);
  }
}

std::string_view SceneSources::path_of(const Origin& o) const {
  const std::string* path = o.node == k_none ? nullptr : text_in(scene_.nodes[o.node].extras, "path");
  return path ? std::string_view(*path) : std::string_view();
}

const OpenedFile* SceneSources::open(const std::string& file) const {
  const auto [known, fresh] = opened_.try_emplace(file);
  if (fresh) known->second = open_(file);
  return known->second.get();
}

/// One value is found sooner without a trace of the whole file; many are not.
std::optional<SpanRef> SceneSources::find(const OpenedFile& file, const std::string& path) const {
  if (last_ == &file) {
    if (!traced_) traced_ = file.trace();
    return traced_->spans.find(path);
  }
  last_ = &file;
  traced_.reset();
  PathTree only;
  only.add(path);
  return file.trace(only).spans.find(path);
}

std::vector<SceneSources::Part> SceneSources::collect_parts(const Origin& o) const {
  std::vector<Part> out;
  if (const Value* parts = scene_.nodes[o.node].extras.find("parts"))
    for (const auto& [_, part] : parts->members()) {
      const std::string* file = text_in(part, "file");
      const Value* first = part.find("first_source");
      if (file && first) out.push_back({file, u32(first->bits())});
    }
  if (out.empty()) out.push_back({o.file, 0});
  return out;
}

std::optional<FileSource> SceneSources::find_value_source(Index node, std::optional<u32> source) const {
  if (node >= origins_.size()) return {};
  const Origin& o = origins_[node];
  if (o.node == k_none) return {};
  Part part = {o.file, 0};
  for (const Part& p : collect_parts(o))
    if (source.value_or(0) >= p.first) part = p;
  FileSource out{.file = *part.file, .path = std::string(path_of(o))};
  const OpenedFile* file = open(*part.file);
  if (!file) return out;
  u64 offset = 0, size = 0;
  if (const Scenes* scenes = file->format->scenes; source && scenes && scenes->value_of_source) {
    auto found = scenes->value_of_source(*file->document, scene_.nodes[o.node].extras, *source - part.first);
    if (!found) return {};
    out.path = std::move(found->path), offset = found->offset, size = found->size;
  }
  if (const auto spot = find(*file, out.path)) {
    out.offset = spot->offset + offset;
    out.size = size ? size : spot->size;
  }
  return out;
}

std::vector<ShownSource> SceneSources::find_nodes_showing(const std::string& file, std::string_view path) const {
  std::vector<ShownSource> out;
  std::vector<bool> whole(scene_.nodes.size());
  std::string_view around;  // the smallest value around this one that a node stands for
  for (Index i = 0; i < scene_.nodes.size(); ++i) {
    const scene::Node& n = scene_.nodes[i];
    const Origin& o = origins_[i];
    const std::vector<Part> parts = o.node == k_none ? std::vector<Part>() : collect_parts(o);
    const auto part = std::ranges::find_if(parts, [&](const Part& p) { return *p.file == file; });
    const bool below = n.parent != k_none && whole[n.parent];
    if (part == parts.end()) {  // what another file has, such as the model of a prop, is shown with what it is for
      if (below) whole[i] = true, out.push_back({i, {}});
      continue;
    }
    const std::string_view own = path_of(o);
    if (parts.size() == 1 && is_within(own, path)) {
      whole[i] = true;
      out.push_back({i, {}});
      continue;
    }
    const OpenedFile* opened = n.mesh != k_none && has_vertex_sources(scene_.meshes[n.mesh]) ? open(file) : nullptr;
    if (const Scenes* scenes = opened ? opened->format->scenes : nullptr; scenes && scenes->sources_of_value) {
      auto runs = scenes->sources_of_value(*opened->document, scene_.nodes[o.node].extras, path);
      if (parts.size() > 1 && is_within(own, path))
        runs = {{0, (part + 1 == parts.end() ? k_all_sources : part[1].first) - part->first}};
      for (SourceRun& run : runs) run.first += part->first;
      if (auto there = clip_runs_to_mesh(runs, scene_.meshes[n.mesh]); !there.empty()) {
        out.push_back({i, std::move(there)});
        continue;
      }
    }
    if (n.mesh != k_none)
      if (auto drawn = find_vertices_by_material(scene_, i, path)) {
        out.push_back(std::move(*drawn));
        continue;
      }
    if (own.size() > around.size() && own.size() < path.size() && is_within(path, own)) around = own;
  }
  if (!out.empty() || around.empty()) return out;
  // A field of what the node stands for, not an element of a list of which other nodes show parts.
  const bool of_element = path.substr(around.size()).find('[') != path.npos;
  const bool has_parts = std::ranges::any_of(origins_, [&](const Origin& o) {
    return o.own && *o.file == file && path_of(o).size() > around.size() && is_within(path_of(o), around);
  });
  return of_element && has_parts ? out : find_nodes_showing(file, around);
}

}  // namespace dio

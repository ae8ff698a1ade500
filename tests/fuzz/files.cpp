// files.cpp: any bytes as a file of any format: load, check, save, decode, encode, place, to glTF; edits, questions and
// members, where a format has them. What loads must come back byte for byte, straight and through JSON text; nothing
// may crash. DIORAMA_FUZZ_FORMAT=id sends all inputs through that format alone.
#include <cstdlib>

#include "bridge/gltf/gltf.hpp"
#include "bridge/report/findings.hpp"
#include "bridge/svg/plan_page.hpp"
#include "core/json.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/plans.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/require.hpp"
#include "operations/operations.hpp"
#include "operations/scene_sources.hpp"
#include "scene/scene.hpp"

using namespace dio;

namespace {

/// The format of the environment; null: all of them.
const Format* only_format() {
  static const Format* const only = [] {
    const char* id = std::getenv("DIORAMA_FUZZ_FORMAT");
    const Format* f = id && *id ? find_format(id) : nullptr;
    require(!id || !*id || f, "DIORAMA_FUZZ_FORMAT is the id of a format");
    return f;
  }();
  return only;
}

void explained(const Diagnostic& d) { require(!d.id.empty() && !format_one_line(d).empty(), "a refusal says why"); }

void edit_and_ask(const OpenedFile& o, const u8* data, size_t size) {
  // Arguments that are numbers, mostly small, and mostly of the names an edit asks for.
  const auto number = [&](size_t i) { return std::to_string(size ? int(i8(data[(i * 7 + size / 2) % size])) : 0); };
  for (const Edit& e : edits_of(*o.format)) {
    auto copy = o.format->load(o.bytes, {});
    require(bool(copy), "what loads, loads again");
    std::vector<Argument> arguments;
    for (const Parameter& p : e.parameters) {
      const std::string value = number(arguments.size());
      const bool is_choice = !p.choices[0].empty() && value.size() % 2;
      arguments.push_back({std::string(p.name), is_choice ? std::string(p.choices[0]) : value});
    }
    auto said = e.apply(*copy->document, arguments);
    if (!said) {
      explained(said.error());
      continue;
    }
    auto saved = copy->document->save({.lossy = true});
    if (!saved) {
      explained(saved.error());
      continue;
    }
    require(bool(open(*saved, "edited", o.format)), "what was edited loads");
  }
  for (const Question& q : questions_of(*o.format)) {
    auto answer = q.answer(*o.document, number(0) + "," + number(1));
    if (!answer) explained(answer.error());
  }
}

void look_inside(const OpenedFile& o) {
  const ArchiveOps& ops = *o.format->archive;
  auto members = ops.members(BorrowedByteSource(o.bytes));
  if (!members) return explained(members.error());
  for (size_t i = 0; i < std::min<size_t>(members->size(), 16); ++i) {
    auto content = ops.content(BorrowedByteSource(o.bytes), (*members)[i]);
    if (!content) {
      explained(content.error());
      continue;
    }
    content->push_back(0x5A);
    const NewContent one{i, std::move(*content)};
    if (auto replaced = ops.replace(o.bytes, {&one, 1}); !replaced) explained(replaced.error());
  }
}

/// What a viewer asks: vertices lead to bytes of the file, and their values back to them.
void follow_sources(const std::shared_ptr<const OpenedFile>& file) {
  SceneOptions options;
  options.sources = true;
  const auto staged = to_scene(*file, options);
  if (!staged) return;
  const scene::Scene& s = staged->scene;
  require(scene::verify(s).empty(), "a scene with sources is sound");
  const SceneSources sources(s, file->name, [&](const std::string& name) {
    return name == file->name ? file : std::shared_ptr<const OpenedFile>();
  });
  size_t asked = 0;
  for (scene::Index node = 0; node < s.nodes.size() && asked < 64; ++node) {
    if (s.nodes[node].mesh == scene::k_none) continue;
    for (const scene::Primitive& p : s.meshes[s.nodes[node].mesh].primitives)
      for (size_t v = 0; v < p.sources.size() && asked < 64; v += 1 + p.sources.size() / 5, ++asked)
        if (const auto from = sources.find_value_source(node, p.sources[v])) {
          require(from->offset <= file->bytes.size() && from->size <= file->bytes.size() - from->offset,
                  "a vertex comes from bytes of its file");
          (void)sources.find_nodes_showing(from->file, from->path);
        }
  }
  (void)sources.find_nodes_showing(file->name, "");
}

void whole_chain(const Format& format, const u8* data, size_t size, bool scenes) {
  (void)format.sniff({data, size}, "file");
  auto opened = open(Bytes(data, data + size), "file", &format);
  if (!opened) return explained(opened.error());
  Diagnostics findings = check(*opened);
  if (format.simulate) {
    const Diagnostics played = simulate(*opened);
    findings.insert(findings.end(), played.begin(), played.end());
  }
  for (const Diagnostic& d : findings) require(find_rule(d.id), "every finding has a rule");
  (void)report::findings_text(report::group_findings(findings), opened->bytes, false);
  (void)format.info(*opened->document);
  const auto same = verify(*opened, json::round_trip_as_json());
  require(same.identical() || !same.decodes, same.problem.c_str());  // damaged compressed data does not decode
  const auto saved = opened->document->save({});
  require(saved && std::ranges::equal(*saved, opened->bytes), "what is written is what was compared");
  const TraceResult traced = format.trace(opened->bytes, {});
  require(!traced.stop, "what loads can be traced");
  if (auto placed = opened->document->save({.canonical = true})) {
    auto again = open(*placed, "placed", &format);
    require(bool(again), "what was placed loads");
  }
  edit_and_ask(*opened, data, size);
  if (format.archive) look_inside(*opened);
  if (format.plans)
    require(!svg::page_of(format.plans->plan(*opened->document, {.race = true}), {}).text.empty(), "a plan is a page");
  if (!format.scenes || !scenes) return;
  if (auto staged = to_scene(*opened)) {
    const auto faults = scene::verify(staged->scene);
    require(faults.empty(), faults.empty() ? "" : faults[0].c_str());
    require(bool(gltf::write_glb(staged->scene)), "a scene that is sound can be written");
    draw_all_sides(staged->scene);
    follow_sources(std::make_shared<const OpenedFile>(std::move(*opened)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  if (const Format* only = only_format()) {
    whole_chain(*only, data, size, true);
    return 0;
  }
  // Scenes cost more than all the rest: one length in four.
  for (const Format* format : formats()) whole_chain(*format, data, size, size % 4 == 0);
  return 0;
}

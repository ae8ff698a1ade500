// files.cpp: any bytes as a file of any format: load, check, save, decode, encode, place, to glTF. What loads must come
// back byte for byte, straight and through JSON text; nothing may crash.
#include "bridge/gltf/gltf.hpp"
#include "bridge/report/findings.hpp"
#include "bridge/report/json.hpp"
#include "formats/operations.hpp"
#include "fuzz/require.hpp"
#include "scene/scene.hpp"

using namespace dio;

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  for (const Format* format : formats()) {
    (void)format->sniff({data, size}, "file");
    auto opened = open(Bytes(data, data + size), "file", format);
    if (!opened) {
      require(!opened.error().id.empty() && !to_line(opened.error()).empty(), "a refusal says why");
      continue;
    }
    const Diagnostics findings = check(*opened);
    for (const Diagnostic& d : findings) require(find_rule(d.id), "every finding has a rule");
    (void)report::findings_text(findings, opened->bytes, false);
    const auto same = verify(*opened, [](const Value& v) { return json::read(json::write(v)); });
    require(same.identical(), same.problem.c_str());
    const Traced traced = format->trace(opened->bytes);
    require(!traced.stop, "what loads can be traced");
    if (auto placed = opened->document->save({.canonical = true})) {
      auto again = open(*placed, "placed", format);
      require(bool(again), "what was placed loads");
    }
    if (format->to_scene && size % 4 == 0)  // costs more than all the rest: one length in four
      if (auto staged = to_scene(*opened)) {
        const auto faults = scene::verify(staged->scene);
        require(faults.empty(), faults.empty() ? "" : faults[0].c_str());
        require(bool(gltf::write_glb(staged->scene)), "a scene that is sound can be written");
      }
  }
  return 0;
}

// reference_checks_test.cpp: `check` reports every reference that points outside its list.
#include <gtest/gtest.h>

#include <set>

#include "engine/meanings.hpp"
#include "formats/contract/format.hpp"
#include "operations/changes.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

std::set<std::string> found_in(const Bytes& file, const Format& format) {
  std::set<std::string> out;
  const auto opened = open(file, "file", &format);
  if (!opened) return {"refused"};
  for (const Diagnostic& d : check(*opened)) out.insert(d.place.path + " " + d.id + " " + d.message);
  return out;
}

TEST(ReferenceChecks, FindsReferencesOutOfRange) {
  size_t fields = 0;
  for (const Format* format : formats()) {
    std::set<std::string> done;
    for (const Sample& s : samples_of(*format)) {
      const auto opened = open(s.bytes, s.name, format);
      if (!opened) continue;
      const TraceResult traced = opened->trace();
      const References references(traced.spans);
      std::set<std::string> before;
      for (const ResolvedReference& r : references.all()) {
        const Spans& spans = traced.spans;
        const std::string path = spans.path(r.from);
        if (!r.count || !r.list || r.is_by_name() || r.reference->chain != Reference::Chain::none) continue;
        if (is_made_again(path) || !references.exists(r) || !done.insert(strip_list_indices(path)).second) continue;
        SCOPED_TRACE(std::string(format->id) + ", " + s.name + ": " + path);
        if (before.empty()) before = found_in(s.bytes, *format);
        const u64 value = spans.length(r.list) + r.reference->base;
        const auto wrong = set_values(*opened, std::vector<Assignment>{{path, std::to_string(value)}});
        if (!wrong) continue;  // out of range, or derived again
        ++fields;
        const std::set<std::string> now = found_in(*wrong, *format);
        EXPECT_TRUE(std::ranges::any_of(now, [&](const std::string& f) { return !before.contains(f); }));
      }
    }
  }
  EXPECT_GT(fields, 60u);
}

/// References by name, to objects and canvases moved by tracks.
TEST(ReferenceChecks, FindsNamesOfMissingTargets) {
  const Format& format = *find_format("splashpack");
  for (const Sample& s : samples_of(format)) {
    if (!s.name.starts_with("scene_v21")) continue;
    const auto opened = open(s.bytes, s.name, &format);
    for (const char* path :
         {"cutscenes[0].tracks[2].target", "cutscenes[0].tracks[5].target", "interactables[0].prompt_canvas"}) {
      const TraceResult traced = opened->trace();
      const size_t size = traced.spans.value(*traced.spans.find(path)).text().size();
      const auto wrong = set_values(*opened, std::vector<Assignment>{{path, std::string(size, 'x')}});
      ASSERT_TRUE(wrong) << format_one_line(wrong.error());
      EXPECT_TRUE(std::ranges::any_of(found_in(*wrong, format), [&](const std::string& f) {
        return f.starts_with(path);
      })) << path;
    }
  }
}

}  // namespace
}  // namespace dio::test

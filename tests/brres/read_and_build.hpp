// read_and_build.hpp: BRRES files read, shown as scenes and built from scenes. For tests only.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "formats/brres/parts.hpp"
#include "formats/contract/building.hpp"
#include "operations/operations.hpp"
#include "scene/scene.hpp"

namespace dio::brres {

inline Brres read_brres(const Bytes& bytes) {
  auto d = load<Brres>(bytes);
  EXPECT_TRUE(d) << (d ? "" : format_one_line(d.error()));
  return d ? d->document.value() : Brres{};
}
/// The scene of a file, without a fault. Its notes are added to `said`.
inline scene::Scene scene_of_brres(const Brres& f, std::string* said = nullptr) {
  auto staged = to_scene(f, false);
  EXPECT_TRUE(staged);
  if (!staged) return {};
  EXPECT_THAT(scene::verify(staged->scene), testing::IsEmpty());
  for (const Diagnostic& d : staged->notes)
    if (said) *said += format_one_line(d) + "\n";
  return std::move(staged->scene);
}
/// Builds a file from a scene, in which a check finds nothing. The notes are added to `said`.
inline Brres build_brres(const scene::Scene& s, std::string* said = nullptr, u64* lost = nullptr) {
  const auto result = make_model(s, {});
  EXPECT_TRUE(result);
  if (!result) return {};
  for (const Diagnostic& d : result->notes)
    if (said) *said += format_one_line(d) + "\n";
  if (lost) *lost = result->lost;
  EXPECT_THAT(check(*open(result->files[0].bytes, "made.brres")), testing::IsEmpty());
  return read_brres(result->files[0].bytes);
}

}  // namespace dio::brres

// course_samples.hpp: sample courses by name.
#pragma once
#include <gtest/gtest.h>

#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "samples/samples.hpp"

namespace dio::test {

inline const ReadAs& kmp() {
  static const ReadAs as = find_format_and_layout("kmp");
  return as;
}
inline Bytes course_sample(std::string_view name) {
  for (const Sample& s : samples_of(*kmp().format))
    if (s.name == name) return s.bytes;
  ADD_FAILURE() << name;
  return {};
}

}  // namespace dio::test

// seeds.hpp: which generated files a run of the tests takes: DIORAMA_SEED=n begins elsewhere, DIORAMA_FILES=n makes
// another number of each kind.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/bytes.hpp"

namespace dio::test {

inline u64 from_environment(const char* name, u64 otherwise) {
  const char* s = std::getenv(name);
  return s ? std::strtoull(s, nullptr, 0) : otherwise;
}

/// f(seed) for so many seeds, until something fails; what fails names its seed.
void each_seed(u64 files, auto f) {
  const u64 first = from_environment("DIORAMA_SEED", 0), last = first + from_environment("DIORAMA_FILES", files);
  for (u64 seed = first; seed < last && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("DIORAMA_SEED=" + std::to_string(seed));
    f(seed);
  }
}

}  // namespace dio::test

// brres_test.cpp: what is special here; everything general runs for every format.
#include <gtest/gtest.h>

#include "formats/brres/parts.hpp"
#include "formats/registry.hpp"
#include "samples/samples.hpp"

namespace dio::brres {
namespace {

TEST(Brres, ReadsItsSamples) {
  for (const Sample& s : samples_of(*find_format("brres"))) EXPECT_TRUE(load<Brres>(s.bytes)) << s.name;
}

}  // namespace
}  // namespace dio::brres

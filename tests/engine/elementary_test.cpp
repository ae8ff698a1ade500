// elementary_test.cpp: elementary functions are close to those of the math library, and the same everywhere.
#include "core/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <numbers>
#include <random>

namespace dio::test {
namespace {

/// How many floating-point numbers are between two of them.
u64 distance_in_ulps(f64 a, f64 b) {
  if (a == b) return 0;
  const auto order = [](f64 x) {
    const i64 bits = std::bit_cast<i64>(x);
    return bits < 0 ? std::numeric_limits<i64>::min() - bits : bits;
  };
  const i64 i = order(a), k = order(b);
  return u64(i > k ? i - k : k - i);
}

struct Compared {
  const char* name;
  f64 (*own)(f64);
  f64 (*standard)(f64);
  f64 least, most;
  u64 tolerance;  // units in the last place
};

TEST(Elementary, FunctionsAreCloseToTheMathLibrary) {
  const Compared functions[] = {
      {"sin", elementary::sin, std::sin, -1000, 1000, 2}, {"cos", elementary::cos, std::cos, -1000, 1000, 2},
      {"atan", elementary::atan, std::atan, -50, 50, 3},  {"exp", elementary::exp, std::exp, -700, 700, 2},
      {"log", elementary::log, std::log, 1e-9, 1e9, 3},   {"cbrt", elementary::cbrt, std::cbrt, -1e6, 1e6, 4}};
  std::mt19937_64 random(1);
  for (const Compared& f : functions) {
    std::uniform_real_distribution<f64> values(f.least, f.most);
    for (int i = 0; i < 20'000; ++i) {
      const f64 x = values(random);
      ASSERT_LE(distance_in_ulps(f.own(x), f.standard(x)), f.tolerance) << f.name << " " << x;
    }
  }
  std::uniform_real_distribution<f64> unit(-1, 1), exponents(-3, 3);
  for (int i = 0; i < 20'000; ++i) {
    const f64 x = unit(random), y = unit(random), e = exponents(random);
    ASSERT_LE(distance_in_ulps(elementary::atan2(y, x), std::atan2(y, x)), 4u) << y << " " << x;
    ASSERT_NEAR(elementary::asin(x), std::asin(x), 1e-15);
    ASSERT_NEAR(elementary::acos(x), std::acos(x), 1e-15);
    ASSERT_NEAR(elementary::pow(std::fabs(x), e) / std::pow(std::fabs(x), e), 1, 1e-13);
  }
}

TEST(Elementary, SpecialValues) {
  const f64 infinity = std::numeric_limits<f64>::infinity(), pi = std::numbers::pi;
  EXPECT_EQ(elementary::sin(0), 0);
  EXPECT_EQ(elementary::cos(0), 1);
  EXPECT_EQ(elementary::cos(pi / 2), std::cos(pi / 2));
  EXPECT_EQ(elementary::sin(pi), std::sin(pi));
  EXPECT_EQ(elementary::atan2(0.0, -1.0), pi);
  EXPECT_EQ(elementary::atan2(-0.0, -1.0), -pi);
  EXPECT_EQ(elementary::atan2(1, 0), pi / 2);
  EXPECT_EQ(elementary::atan2(0, 0), 0);
  EXPECT_EQ(elementary::atan(1), pi / 4);
  EXPECT_EQ(elementary::atan(infinity), pi / 2);
  EXPECT_EQ(elementary::asin(1), pi / 2);
  EXPECT_EQ(elementary::acos(-1), pi);
  EXPECT_EQ(elementary::exp(0), 1);
  EXPECT_EQ(elementary::exp(1000), infinity);
  EXPECT_EQ(elementary::exp(-1000), 0);
  EXPECT_EQ(elementary::log(1), 0);
  EXPECT_EQ(elementary::log(0), -infinity);
  EXPECT_EQ(elementary::pow(2, 10), 1024);
  EXPECT_EQ(elementary::pow(0, 2.4), 0);
  EXPECT_EQ(elementary::cbrt(27), 3);
  EXPECT_EQ(elementary::cbrt(-8), -2);
  for (const f64 x : {infinity, std::numeric_limits<f64>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(elementary::sin(x)));
    EXPECT_TRUE(std::isnan(elementary::cos(x)));
    EXPECT_TRUE(std::isnan(elementary::asin(x)));
  }
  EXPECT_TRUE(std::isnan(elementary::log(-1)));
}

/// FNV-1a over the bits of many results.
TEST(Elementary, ResultsHaveTheSameBitsEverywhere) {
  u64 hash = 0xcbf29ce484222325;
  const auto add = [&](f64 x) { hash = (hash ^ std::bit_cast<u64>(x)) * 0x100000001b3; };
  for (int i = 1; i <= 5000; ++i) {
    const f64 x = i / 7.0 - 300;
    for (const f64 y : {elementary::sin(x), elementary::cos(x), elementary::atan(x), elementary::exp(x / 10),
                        elementary::log(f64(i)), elementary::pow(f64(i), 2.4), elementary::cbrt(x)})
      add(y);
  }
  EXPECT_EQ(hash, 4100084249362035131u);
}

}  // namespace
}  // namespace dio::test

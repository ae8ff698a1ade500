// expect_laws.hpp: the laws as tests.
#pragma once
#include <gtest/gtest.h>

#include "invented/laws.hpp"

namespace dio::test {

/// Both in letters, so that a failure shows where they part.
#define EXPECT_BYTES(actual, expected) EXPECT_EQ(dio::test::as_hex(actual), dio::test::as_hex(expected))

template <class T>
struct Laws : LawsOf<T> {
  using LawsOf<T>::broken;

  /// A good file and all its damaged versions.
  static void hold_for(const Bytes& file, size_t stride = 1) {
    ASSERT_EQ(broken(Exact(file).view(), true), "") << as_hex(file);
    each_damage(
        file,
        [](ByteView damaged, const std::string& what) {
          if (testing::Test::HasFailure()) return;
          EXPECT_EQ(broken(damaged), "") << what << "\n" << as_hex(damaged);
        },
        stride);
  }
  /// The file after an edit of its document.
  static Bytes edited(const Bytes& file, auto change, SaveOptions options = {}) {
    auto r = load<T>(file);
    if (!r) {
      ADD_FAILURE() << format_one_line(r.error());
      return {};
    }
    change(r->document.edit());
    auto b = save(r->document, options);
    if (!b) {
      ADD_FAILURE() << b.error().id << ": " << format_one_line(b.error());
      return {};
    }
    EXPECT_EQ(broken(*b, true), "") << as_hex(*b);
    return *b;
  }
  static T value(const Bytes& file) {
    auto r = load<T>(file);
    if (!r) {
      ADD_FAILURE() << format_one_line(r.error());
      return {};
    }
    return r->document.value();
  }
};

}  // namespace dio::test

// owned.hpp: what the tests of the C interface share: handles that free themselves, results and errors.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "core/json.hpp"
#include "diorama.h"

namespace capi_test {

struct Free {
  void operator()(dio_buffer* b) const { dio_buffer_free(b); }
  void operator()(dio_file* f) const { dio_close(f); }
  void operator()(dio_editing* e) const { dio_editing_close(e); }
  void operator()(dio_scene* s) const { dio_scene_close(s); }
  void operator()(dio_game* g) const { dio_game_close(g); }
};
using Buffer = std::unique_ptr<dio_buffer, Free>;
using File = std::unique_ptr<dio_file, Free>;
using Editing = std::unique_ptr<dio_editing, Free>;
using Scene = std::unique_ptr<dio_scene, Free>;
using Game = std::unique_ptr<dio_game, Free>;

inline std::string text(const Buffer& b) {
  return {static_cast<const char*>(dio_buffer_data(b.get())), dio_buffer_size(b.get())};
}
inline dio::Bytes bytes(const Buffer& b) {
  const auto* data = static_cast<const dio::u8*>(dio_buffer_data(b.get()));
  return dio::Bytes(data, data + dio_buffer_size(b.get()));
}
inline dio::Value parsed(const Buffer& b) {
  auto v = dio::json::read(text(b));
  EXPECT_TRUE(v) << text(b);
  return v ? std::move(*v) : dio::Value();
}
inline std::string member(const dio::Value& v, std::string_view name) {
  const dio::Value* m = v.find(name);
  return m ? m->text() : "";
}
/// What must be a result.
inline Buffer good(dio_buffer* raw) {
  Buffer b(raw);
  EXPECT_NE(raw, nullptr);
  EXPECT_EQ(dio_buffer_ok(raw), 1u) << text(b);
  return b;
}
inline std::string good_text(dio_buffer* raw) { return text(good(raw)); }
/// The id of what must be an error. Each has a severity and a rule that can be looked up.
inline std::string error_id(dio_buffer* raw) {
  const Buffer b(raw);
  EXPECT_NE(raw, nullptr);
  EXPECT_EQ(dio_buffer_ok(raw), 0u);
  const dio::Value v = parsed(b);
  EXPECT_EQ(member(v, "severity"), "stop");
  const std::string id = member(v, "id");
  good(dio_explain(id.c_str()));
  return id;
}

/// In a block of exactly its size, so that the sanitizer sees every step outside.
inline File open(dio::ByteView b, const char* name = "", const char* as = nullptr, uint32_t flags = 0) {
  const auto exact = std::make_unique<dio::u8[]>(b.size());
  std::copy(b.begin(), b.end(), exact.get());
  return File(dio_open(exact.get(), b.size(), name, as, flags));
}
/// A sample, opened under its name or another one.
inline File open_sample(const char* format, const char* name, const std::string& as_name = {}) {
  return open(bytes(good(dio_sample(format, name))), as_name.empty() ? name : as_name.c_str());
}

}  // namespace capi_test

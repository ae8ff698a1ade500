// json_text.hpp: JSON on one line, written in call order. The JSON of a glTF file is long and rarely read by people;
// building a tree of values first, for core/json to print, would take most of the writing time.
#pragma once
#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "core/text_format.hpp"

namespace dio::gltf {

class JsonText {
 public:
  /// Closes a list or an object at the end of the enclosing block.
  class [[nodiscard]] Scope {
   public:
    Scope(std::string& out, char end) : out_(out), end_(end) {}
    Scope(const Scope&) = delete;
    ~Scope() { out_ += end_; }

   private:
    std::string& out_;
    char end_;
  };

  /// A name inside an object, none inside a list. Names need no escapes.
  Scope object(std::string_view name = {}) {
    begin(name);
    out_ += '{';
    return {out_, '}'};
  }
  Scope list(std::string_view name = {}) {
    begin(name);
    out_ += '[';
    return {out_, ']'};
  }
  void add(std::string_view name, const auto& value) {
    begin(name);
    append_value(value);
  }
  void push(const auto& value) { add({}, value); }
  /// Text that is already JSON.
  void add_json(std::string_view name, std::string_view json) {
    begin(name);
    out_ += json;
  }

  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }
  void reserve(size_t size) { out_.reserve(size); }

 private:
  void begin(std::string_view name) {
    const bool follows = !out_.empty() && out_.back() != '{' && out_.back() != '[';
    const size_t start = out_.size();
    out_.resize(start + follows + (name.empty() ? 0 : name.size() + 3));  // reserve once instead of per character
    char* to = out_.data() + start;
    if (follows) *to++ = ',';
    if (name.empty()) return;
    *to++ = '"';
    to = std::copy(name.begin(), name.end(), to);
    *to++ = '"';
    *to = ':';
  }

  void append_value(bool b) { out_ += b ? "true" : "false"; }
  /// Whole numbers, which are frequent, are written without ".0"; except -0.0, which may be read as the whole number 0.
  void append_value(f32 x) {
    char digits[k_most_real_digits];
    std::string_view text(digits, format_real(digits, x, true));
    if (text.ends_with(".0") && text != "-0.0") text.remove_suffix(2);
    out_ += text;
  }
  void append_value(std::integral auto n) {
    char digits[20];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
  }
  void append_value(std::string_view text) { append_json_string(out_, text); }
  template <size_t N>
  void append_value(const char (&text)[N]) {
    append_value(std::string_view(text));
  }
  template <size_t N>
  void append_value(const std::array<f32, N>& numbers) {
    const Scope scope = open_list();
    for (const f32 x : numbers) push(x);
  }
  Scope open_list() {
    out_ += '[';
    return {out_, ']'};
  }

  std::string out_;
};

}  // namespace dio::gltf

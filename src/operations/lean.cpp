#include "operations/lean.hpp"

#include <algorithm>
#include <map>

#include "core/printing.hpp"
#include "formats/contract/format.hpp"

namespace dio {

namespace {

/// Derived values that stand at the same place of a structure: textures.textures[].offset.
struct Group {
  std::string path;
  std::vector<u32> spans;
};

std::string without_indices(std::string path) {
  std::string out;
  for (size_t i = 0; i < path.size(); ++i) {
    out += path[i];
    if (path[i] == '[') i = std::min(path.find(']', i), path.size()) - 1;
  }
  return out;
}

std::vector<Group> derived_of(const Spans& spans) {
  std::map<std::string, std::vector<u32>> found;
  for (u32 i = 1; i < spans.all.size(); ++i)
    if (spans[i].is_value() && spans[i].key.is_derived) found[without_indices(spans.path(i))].push_back(i);
  std::vector<Group> out;
  for (auto& [path, members] : found) out.push_back({path, std::move(members)});
  return out;
}

class Leaner {
 public:
  Leaner(const Spans& spans, const Format& format, const LeanThroughText& through_text)
      : spans_(spans), through_text_(through_text), groups_(derived_of(spans)) {
    lean_.head = Value::object();
    lean_.head.add("schema", "diorama.document/1");
    lean_.head.add("format", format.id);
    lean_.head.add("lean", true);
    lean_.left_out.resize(spans.all.size());
  }

  std::optional<Lean> run() {
    const auto gaps = spans_.gaps();
    const bool has_tail = !gaps.empty() && gaps.back().offset + gaps.back().size == spans_.file.size();
    if (try_all()) return std::move(lean_);
    if (has_tail) {
      lean_.head.add("tail", hex_digits(spans_.file.subspan(size_t(gaps.back().offset))));
      if (try_all()) return std::move(lean_);
    }
    if (!gives_the_file()) return {};
    leave_out(0, groups_.size());
    return std::move(lean_);
  }

 private:
  const Spans& spans_;
  const LeanThroughText& through_text_;
  std::vector<Group> groups_;
  Lean lean_;

  void mark(size_t first, size_t last, bool out) {
    for (size_t i = first; i < last; ++i)
      for (const u32 span : groups_[i].spans) lean_.left_out[span] = out;
  }
  bool gives_the_file() const {
    const auto value = through_text_(lean_.head, spans_, lean_.left_out);
    if (!value) return false;
    const auto bytes = encode(*value);
    return bytes && std::ranges::equal(*bytes, spans_.file);
  }
  bool try_all() {
    mark(0, groups_.size(), true);
    if (gives_the_file()) return true;
    mark(0, groups_.size(), false);
    return false;
  }
  /// Leaves out as many of these groups as possible, by halves: mostly one or two are needed.
  void leave_out(size_t first, size_t last) {
    if (first == last) return;
    mark(first, last, true);
    if (gives_the_file()) return;
    mark(first, last, false);
    if (last - first == 1) return lean_.kept.push_back(groups_[first].path);
    const size_t middle = first + (last - first) / 2;
    leave_out(first, middle);
    leave_out(middle, last);
  }
};

}  // namespace

std::optional<Lean> lean(const Spans& spans, const Format& format, const LeanThroughText& through_text) {
  return Leaner(spans, format, through_text).run();
}

}  // namespace dio

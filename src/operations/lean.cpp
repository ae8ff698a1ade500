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
  std::vector<Dom::Id> values;
};

class Leaner {
 public:
  Leaner(const Opened& o, const ThroughText& through_text) : opened_(o), through_text_(through_text) {
    Dom& dom = lean_.dom;
    dom.set_tree(0, Dom::Kind::object);
    dom.set_text(dom.add(0, "schema"), "diorama.document/1");
    dom.set_text(dom.add(0, "format"), o.format->id);
    dom.set(dom.add(0, "lean"), true);
    tail_ = dom.add(0, "tail");
    dom.leave_out(tail_, true);
    const Dom::Id document = dom.add(0, "document");
    o.document->show(dom, document);
    std::map<std::string, std::vector<Dom::Id>> found;
    add_derived(document, "", found);
    for (auto& [path, values] : found) groups_.push_back({path, std::move(values)});
  }

  std::optional<Lean> run() {
    const Bytes tail = opened_.document->tail();
    if (try_all()) return std::move(lean_);
    if (!tail.empty()) {
      lean_.dom.set_text(tail_, lean_.dom.keep(hex_digits(tail)));
      lean_.dom.leave_out(tail_, false);
      if (try_all()) return std::move(lean_);
    }
    if (!gives_the_file()) return {};
    leave_out(0, groups_.size());
    return std::move(lean_);
  }

 private:
  const Opened& opened_;
  const ThroughText& through_text_;
  std::vector<Group> groups_;
  Lean lean_;
  Dom::Id tail_ = 0;

  void add_derived(Dom::Id tree, const std::string& path, std::map<std::string, std::vector<Dom::Id>>& found) const {
    const Dom& dom = lean_.dom;
    const bool list = dom.is(tree, Dom::Kind::list);
    for (Dom::Id i = dom.first(tree); i; i = dom.next(i)) {
      if (!dom.is_tree(i) && !dom.is_derived(i)) continue;
      const std::string below = list ? path + "[]" : (path.empty() ? "" : path + ".") + std::string(dom.name(i));
      if (dom.is_derived(i)) found[below].push_back(i);
      add_derived(i, below, found);
    }
  }
  void mark(size_t first, size_t last, bool out) {
    for (size_t i = first; i < last; ++i)
      for (const Dom::Id value : groups_[i].values) lean_.dom.leave_out(value, out);
  }
  bool gives_the_file() const {
    const auto bytes = through_text_(lean_.dom, [](const Dom& dom) { return encode(dom); });
    return bytes && std::ranges::equal(*bytes, opened_.bytes);
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

std::optional<Lean> lean(const Opened& o, const ThroughText& through_text) { return Leaner(o, through_text).run(); }

}  // namespace dio

#include "operations/omit_derived.hpp"

#include <algorithm>
#include <map>

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"

namespace dio {

namespace {

/// Derived values that stand at the same place of a structure: textures.textures[].offset.
struct Group {
  std::string path;
  std::vector<Dom::Id> values;
};

class DerivedValueOmitter {
 public:
  DerivedValueOmitter(const OpenedFile& o, const JsonRoundTrip& round_trip_as_json)
      : opened_(o), through_text_(round_trip_as_json) {
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
    collect_derived_values(document, "", found);
    for (auto& [path, values] : found) groups_.push_back({path, std::move(values)});
  }

  std::optional<DerivedOmitted> run() {
    const Bytes tail = opened_.document->tail();
    if (try_omitting_all()) return std::move(lean_);
    if (!tail.empty()) {
      lean_.dom.set_text(tail_, lean_.dom.keep(encode_hex(tail)));
      lean_.dom.leave_out(tail_, false);
      if (try_omitting_all()) return std::move(lean_);
    }
    if (!encodes_to_same_file()) return {};
    leave_out(0, groups_.size());
    return std::move(lean_);
  }

 private:
  const OpenedFile& opened_;
  const JsonRoundTrip& through_text_;
  std::vector<Group> groups_;
  DerivedOmitted lean_;
  Dom::Id tail_ = 0;

  void collect_derived_values(Dom::Id tree, const std::string& path,
                              std::map<std::string, std::vector<Dom::Id>>& found) const {
    const Dom& dom = lean_.dom;
    const bool list = dom.is(tree, Dom::Kind::list);
    for (Dom::Id i = dom.first(tree); i; i = dom.next(i)) {
      if (!dom.is_tree(i) && !dom.is_derived(i)) continue;
      const std::string below = list ? path + "[]" : (path.empty() ? "" : path + ".") + std::string(dom.name(i));
      if (dom.is_derived(i)) found[below].push_back(i);
      collect_derived_values(i, below, found);
    }
  }
  void set_omitted(size_t first, size_t last, bool out) {
    for (size_t i = first; i < last; ++i)
      for (const Dom::Id value : groups_[i].values) lean_.dom.leave_out(value, out);
  }
  bool encodes_to_same_file() const {
    const auto bytes = through_text_(lean_.dom, [](const Dom& dom) { return encode(dom); });
    return bytes && std::ranges::equal(*bytes, opened_.bytes);
  }
  bool try_omitting_all() {
    set_omitted(0, groups_.size(), true);
    if (encodes_to_same_file()) return true;
    set_omitted(0, groups_.size(), false);
    return false;
  }
  /// Leaves out as many of these groups as possible, by halves: mostly one or two are needed.
  void leave_out(size_t first, size_t last) {
    if (first == last) return;
    set_omitted(first, last, true);
    if (encodes_to_same_file()) return;
    set_omitted(first, last, false);
    if (last - first == 1) return lean_.kept.push_back(groups_[first].path);
    const size_t middle = first + (last - first) / 2;
    leave_out(first, middle);
    leave_out(middle, last);
  }
};

}  // namespace

std::optional<DerivedOmitted> omit_derived(const OpenedFile& o, const JsonRoundTrip& round_trip_as_json) {
  return DerivedValueOmitter(o, round_trip_as_json).run();
}

}  // namespace dio

#include "operations/shared_names.hpp"

#include <algorithm>

#include "layout/references.hpp"

namespace dio {

void SharedNames::record_renames(const Editing& editing) {
  std::vector<SharedRename> renamed;
  for (const Change& c : editing.last()) {
    if (c.kind != Change::Kind::set || !c.before.is(Value::Kind::text) || !c.after.is(Value::Kind::text)) continue;
    const auto spot = editing.spans().find(c.path);
    const Reference* name = spot ? shared_name_reference(editing.spans()[spot->span]) : nullptr;
    if (name && name->defines) renamed.push_back({std::string(name->shared), c.before.text(), c.after.text()});
  }
  if (!renamed.empty()) renamed_.push_back(std::move(renamed));
}

Result<u64> SharedNames::follow(Editing& other) const {
  std::vector<Assignment> names;
  const Spans& spans = other.spans();
  for (const SharedName& name : shared_names(spans, *spans.find(""))) {
    const std::string& was = name.name;
    std::string is = was;
    for (const auto& edit : renamed_) {
      const auto renamed =
          std::ranges::find_if(edit, [&](const SharedRename& r) { return r.kind == name.kind && r.was == is; });
      if (renamed != edit.end()) is = renamed->is;
    }
    if (is == was) continue;
    names.push_back({spans.path(name.span), Value(is)});
  }
  if (names.empty()) return u64(0);
  if (auto done = other.set(names); !done) return refuse(std::move(done.error()));
  return u64(names.size());
}

}  // namespace dio

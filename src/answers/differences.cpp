#include "answers/differences.hpp"

#include "core/printing.hpp"
#include "formats/contract/format.hpp"

namespace dio {

report::Changes diff_values(const Format& format, const Spans& a, const Spans& b, std::vector<Companion> beside_a,
                            std::vector<Companion> beside_b) {
  if (!format.matched) return report::diff(a, b);
  return report::diff(
      a, b, [&](const Value& first, const Value& second) { return format.matched(first, beside_a, second, beside_b); });
}

/// 1,234 bytes
static std::string bytes_in(u64 size) { return grouped(size) + (size == 1 ? " byte" : " bytes"); }

std::string change_of(const std::string& path, ByteView a, ByteView b) {
  std::string sizes = a.size() == b.size() ? bytes_in(a.size()) : grouped(a.size()) + " to " + bytes_in(b.size());
  const auto is = detect(a, path), now = detect(b, path);
  if (!is || !now || is->format != now->format) return sizes;
  const Traced before = is->format->trace(a, {}), after = is->format->trace(b, {});
  if (before.stop || after.stop) return sizes;
  const auto changes = diff_values(*is->format, before.spans, after.spans);
  return std::string(is->format->id) + ", " + grouped(changes.size()) + (changes.size() == 1 ? " change" : " changes") +
         ", " + sizes;
}

namespace {

void add_differences(const ArchiveTree& a, const ArchiveTree& b, const std::string& before,
                     std::vector<MemberChange>& out) {
  const auto& of_a = a.archive().members();
  const auto& of_b = b.archive().members();
  // Exactly by path: a number would also find a member that has another name.
  const auto has = [](const ArchiveTree& tree, const std::string& path, size_t& at) {
    const auto found = tree.archive().find(path);
    if (!found || tree.archive().members()[*found].path != path) return false;
    at = *found;
    return true;
  };
  size_t other = 0;
  for (size_t i = 0; i < of_a.size(); ++i) {
    const std::string path = before + of_a[i].path;
    if (!has(b, of_a[i].path, other)) {
      out.push_back({"removed", path, bytes_in(of_a[i].size)});
      continue;
    }
    const auto was = a.archive().read(i), is = b.archive().read(other);
    if (!was || !is) {
      if (bool(was) != bool(is)) out.push_back({"changed", path, "only one of the two can be read"});
      continue;
    }
    if (*was == *is) continue;
    const auto inner_a = a.inner(i), inner_b = b.inner(other);
    const size_t known = out.size();
    if (inner_a && inner_b) add_differences(**inner_a, **inner_b, path + "/", out);
    if (out.size() == known) out.push_back({"changed", path, change_of(path, *was, *is)});
  }
  for (const Member& m : of_b)
    if (!has(a, m.path, other)) out.push_back({"added", before + m.path, bytes_in(m.size)});
}

}  // namespace

std::vector<MemberChange> diff_members(const ArchiveTree& a, const ArchiveTree& b, const std::string& before) {
  std::vector<MemberChange> out;
  add_differences(a, b, before, out);
  return out;
}

Value member_changes_json(const std::vector<MemberChange>& changes) {
  Value v = Value::object();
  v.add("schema", "diorama.archive-diff/1");
  Value& list = v.add("members", Value::list());
  for (const MemberChange& c : changes) {
    Value& one = list.push(Value::object());
    one.add("change", c.kind);
    one.add("path", c.path);
    one.add("what", c.what);
  }
  return v;
}

}  // namespace dio

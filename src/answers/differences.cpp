#include "answers/differences.hpp"

#include "core/text_format.hpp"
#include "formats/contract/format.hpp"

namespace dio {

report::Changes diff_values(const Format& format, const Spans& a, const Spans& b, std::vector<Companion> beside_a,
                            std::vector<Companion> beside_b) {
  if (!format.matched) return report::diff(a, b);
  return report::diff(
      a, b, [&](const Value& first, const Value& second) { return format.matched(first, beside_a, second, beside_b); });
}

/// 1,234 bytes
static std::string format_byte_count(u64 size) { return format_with_commas(size) + (size == 1 ? " byte" : " bytes"); }

std::string describe_file_change(const std::string& path, ByteView a, ByteView b) {
  std::string sizes = a.size() == b.size() ? format_byte_count(a.size())
                                           : format_with_commas(a.size()) + " to " + format_byte_count(b.size());
  const auto is = detect(a, path), now = detect(b, path);
  if (!is || !now || is->format != now->format) return sizes;
  const TraceResult before = is->format->trace(a, {}), after = is->format->trace(b, {});
  if (before.stop || after.stop) return sizes;
  const auto changes = diff_values(*is->format, before.spans, after.spans);
  return std::string(is->format->id) + ", " + format_with_commas(changes.size()) +
         (changes.size() == 1 ? " change" : " changes") + ", " + sizes;
}

namespace {

void collect_member_changes(const ArchiveTree& a, const ArchiveTree& b, const std::string& before,
                            std::vector<MemberChange>& out) {
  const auto& of_a = a.archive().members();
  const auto& of_b = b.archive().members();
  // Exactly by path: a number would also find a member that has another name.
  const auto find_exact_path = [](const ArchiveTree& tree, const std::string& path, size_t& at) {
    const auto found = tree.archive().find(path);
    if (!found || tree.archive().members()[*found].path != path) return false;
    at = *found;
    return true;
  };
  size_t other = 0;
  for (size_t i = 0; i < of_a.size(); ++i) {
    const std::string path = before + of_a[i].path;
    if (!find_exact_path(b, of_a[i].path, other)) {
      out.push_back({"removed", path, format_byte_count(of_a[i].size)});
      continue;
    }
    const auto was = a.archive().read(i), is = b.archive().read(other);
    if (!was || !is) {
      if (bool(was) != bool(is)) out.push_back({"changed", path, "only one of the two versions can be read"});
      continue;
    }
    if (*was == *is) continue;
    const auto inner_a = a.open_nested_archive(i), inner_b = b.open_nested_archive(other);
    const size_t known = out.size();
    if (inner_a && inner_b) collect_member_changes(**inner_a, **inner_b, path + "/", out);
    if (out.size() == known) out.push_back({"changed", path, describe_file_change(path, *was, *is)});
  }
  for (const Member& m : of_b)
    if (!find_exact_path(a, m.path, other)) out.push_back({"added", before + m.path, format_byte_count(m.size)});
}

}  // namespace

std::vector<MemberChange> diff_members(const ArchiveTree& a, const ArchiveTree& b, const std::string& before) {
  std::vector<MemberChange> out;
  collect_member_changes(a, b, before, out);
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

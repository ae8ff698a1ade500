#include "operations/describe_json.hpp"

#include <map>

#include "formats/contract/format.hpp"
#include "operations/archive_tree.hpp"

namespace dio {

/// How many files of each format an archive has, by the ids that `ls` shows as well.
static Value count_member_formats(const OpenedFile& o) {
  std::map<std::string, u64> counts;
  const auto archive = o.format->archive->sniff_in_parts ? Archive::open(o.file, o.name)
                                                         : Archive::open(Bytes(o.bytes.begin(), o.bytes.end()), o.name);
  for (size_t i = 0; archive && i < archive->members().size(); ++i) {
    const auto member = archive->open_member(i);
    const auto bytes = member ? (*member)->read(0, size_t((*member)->size())) : refuse(member.error());
    const auto found = bytes ? detect(*bytes, archive->members()[i].path) : Result<Detected>(refuse(bytes.error()));
    ++counts[bytes && bytes->empty() ? "empty" : found ? std::string(found->format->id) : "other"];
  }
  Value v = Value::object();
  for (const auto& [kind, n] : counts) v.add(kind, n);
  return v;
}

Value info_with_companions(const OpenedFile& o) {
  Value info = o.format->info(*o.document);
  if (Value* kinds = o.format->archive ? info.find("kinds") : nullptr) *kinds = count_member_formats(o);
  if (o.beside.empty()) return info;
  Value& names = info.add("beside", Value::list());
  for (const OpenedFile& other : o.beside) names.push(file_name(other.name));
  return info;
}

Value info_json(std::string_view file, std::string_view format, u64 size, const Sniff& sniff, Value info) {
  Value v = Value::object();
  v.add("schema", "diorama.info/1");
  v.add("file", file);
  v.add("format", format);
  v.add("size", size);
  v.add("certainty", to_string(sniff.certainty));
  v.add("reason", sniff.reason);
  v.add("info", std::move(info));
  return v;
}

Value budget_json(const OpenedFile& o, Value budget) {
  Value v = Value::object();
  v.add("schema", "diorama.budget/1");
  v.add("file", o.name);
  v.add("format", o.format_id());
  for (auto& [name, value] : budget.members()) v.add(name, std::move(value));
  return v;
}

Value answer_json(std::string_view file, std::string_view question, Value answer) {
  Value v = Value::object();
  v.add("schema", "diorama.answer/1");
  v.add("file", file);
  v.add("question", question);
  v.add("answer", std::move(answer));
  return v;
}

Value verified_json(const OpenedFile& o, const RoundTripResult& verified) {
  Value v = Value::object();
  v.add("schema", "diorama.verify/1");
  v.add("file", o.name);
  v.add("format", o.format_id());
  v.add("size", u64(o.bytes.size()));
  v.add("straight", verified.straight);
  v.add("through_json", verified.through_json);
  v.add("decodes", verified.decodes);
  if (!verified.problem.empty()) v.add("problem", verified.problem);
  return v;
}

}  // namespace dio

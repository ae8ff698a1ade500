#include "operations/describe_json.hpp"

#include "formats/contract/format.hpp"

namespace dio {

Value info_with_companions(const OpenedFile& o) {
  Value info = o.format->info(*o.document);
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
  if (!verified.problem.empty()) v.add("problem", verified.problem);
  return v;
}

}  // namespace dio

// info.cpp: summarizes messages in a few lines.
#include "formats/bmg/parts.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::bmg {

Value info(const Bmg& b) {
  Value v = Value::object();
  v.add("encoding", enum_name_or_number(k_encodings, b.encoding));
  v.add("messages", u64(b.messages.size()));
  v.add("without_text", u64(std::ranges::count_if(b.messages, [](const Message& m) { return !m.text; })));
  if (b.find(k_mid) && !b.messages.empty()) {
    const auto [low, high] = std::ranges::minmax(b.messages, {}, &Message::id);
    v.add("ids", text(low.id, " to ", high.id));
  }
  v.add("bytes_of_attributes", u64(std::max<u16>(b.entry_size, 4) - 4));
  std::string names;
  for (const Section& s : b.sections) names += (names.empty() ? "" : ", ") + std::string(s.name.view());
  v.add("sections", names);
  return v;
}

}  // namespace dio::bmg

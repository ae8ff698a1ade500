// edits.cpp: edits by name.
#include "formats/bmg/parts.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::bmg {

namespace {

using Done = Result<std::string>;

Done set_text(AnyDocument& d, std::span<const Argument> all) {
  const Bmg& b = value_of<Bmg>(d);
  Arguments a(all);
  const bool by_id = a.has("id");
  if (by_id && !b.find(k_mid)) a.refuse({.message = "this file has no ids; message=N takes the place in the list"});
  const i64 n = by_id                ? a.whole("id", 0, 0xFFFFFFFF)
                : b.messages.empty() ? 0
                                     : a.whole("message", 0, i64(b.messages.size()) - 1);
  const std::string_view typed = a.text("text");
  if (!a.done()) return refuse(std::move(*a.problem));
  const auto message = by_id ? std::ranges::find(b.messages, u32(n), &Message::id) : b.messages.begin() + n;
  if (message >= b.messages.end()) {
    a.refuse({.message = by_id ? text("no message has the id ", n) : "there are no messages"});
    return refuse(std::move(*a.problem));
  }
  auto stored = encoding_of(b).stored(typed);
  if (!stored) {
    a.refuse({.expected = encoding_of(b).expected, .found = given(typed)});
    return refuse(std::move(*a.problem));
  }
  const auto i = message - b.messages.begin();
  edit_of<Bmg>(d).messages[size_t(i)].text = std::move(*stored);
  return text("set the text of message ", i);
}

}  // namespace

std::span<const Edit> edits() {
  static constexpr Edit k_edits[] = {
      {"set-text", "id=ID|message=N text=TEXT",
       "Gives a message another text, of any length; message=N in place of id=ID takes its place in the list. \\n "
       "starts "
       "a line; escapes are those of wbmgt: \\c{red1}.",
       set_text},
  };
  return k_edits;
}

}  // namespace dio::bmg

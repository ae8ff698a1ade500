// edits.cpp: named edits of message files.
#include "core/text_format.hpp"
#include "formats/bmg/parts.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/enum_names.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::bmg {

namespace {

using Done = Result<std::string>;

/// The first escape or character of the text that cannot be encoded.
std::string_view find_invalid_part(const TextEncoding& encoding, std::string_view typed) {
  size_t valid = typed.size();
  while (valid && !encoding.stored(typed.substr(0, valid))) --valid;
  typed.remove_prefix(valid);
  if (!typed.starts_with('\\')) return typed.substr(0, std::max<size_t>(utf8_sequence_length(typed, 0), 1));
  const size_t end = typed.find('}');
  return typed.substr(0, typed.size() > 2 && typed[2] == '{' && end != typed.npos ? end + 1 : 2);
}

Done set_text(AnyDocument& d, std::span<const Argument> all) {
  const Bmg& b = value_of<Bmg>(d);
  Arguments a(all);
  const bool by_id = a.has("id");
  if (by_id && !b.find(k_mid))
    a.refuse({.message = "this file has no message ids; use message=N, the position in the list"});
  const i64 n = by_id                ? a.whole("id", 0, 0xFFFFFFFF)
                : b.messages.empty() ? 0
                                     : a.whole("message", 0, i64(b.messages.size()) - 1);
  const std::string_view typed = a.text("text");
  if (!a.done()) return refuse(std::move(*a.problem));
  const auto message = by_id ? std::ranges::find(b.messages, u32(n), &Message::id) : b.messages.begin() + n;
  if (message >= b.messages.end()) {
    a.refuse({.message = by_id ? text("no message has the id ", n) : "the file has no messages"});
    return refuse(std::move(*a.problem));
  }
  auto stored = encoding_of(b).stored(typed);
  if (!stored) {
    const std::string_view bad = find_invalid_part(encoding_of(b), typed);
    a.refuse({.message = bad.starts_with('\\')
                             ? text("invalid escape ", in_quotes(bad), "; a valid escape is, for example, \\c{red1}")
                             : text("the encoding ", enum_name_or_number(k_encodings, b.encoding),
                                    " cannot store the character ", in_quotes(bad))});
    return refuse(std::move(*a.problem));
  }
  const auto i = message - b.messages.begin();
  edit_of<Bmg>(d).messages[size_t(i)].text = std::move(*stored);
  return text("set the text of message ", i);
}

constexpr Parameter k_set_text_parameters[] = {required("id", "ID", ParameterKind::text).either(1),
                                               required("message", "N", ParameterKind::integer).either(2),
                                               required("text", "TEXT", ParameterKind::text)};

}  // namespace

std::span<const Edit> edits() {
  static constexpr Edit k_edits[] = {
      {"set-text", k_set_text_parameters,
       "Sets the text of a message, of any length. Select the message with id=ID, or with message=N by its position in "
       "the list. \\n starts a new line; escapes are those of wbmgt, such as \\c{red1}.",
       set_text},
  };
  return k_edits;
}

}  // namespace dio::bmg

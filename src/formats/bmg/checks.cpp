// checks.cpp: checks for problems in the game.
#include <map>

#include "formats/bmg/parts.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::bmg {

std::span<const Rule> rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"bmg.size", warning, "the size in the header is the file size",
       "If the size in the header is wrong, programs that rely on it see a truncated file, or read past the end of the "
       "file.",
       "Write the file again with {decode}, then {encode}.", "Wiimm's wbmgt"},
      {"bmg.section", error, "a message file has the sections INF1 and DAT1, in this order",
       "Without INF1, a file has no messages; without DAT1, it has no texts.",
       "Copy the missing section from another message file, or move DAT1 after INF1.", "Wiimm's wbmgt"},
      {"bmg.second", warning, "each section occurs once",
       "If two sections have the same name, a program reads only one of the two sections, and another program may read "
       "the other section.",
       "Remove one of the two sections with the same name.", "Wiimm's wbmgt"},
      {"bmg.unknown", hint, "every section has a known name", "No program reads a section with an unknown name.",
       "Check the name of the section for a typing error.", "Wiimm's wbmgt"},
      {"bmg.block", hint, "the size of a section is a multiple of 32 bytes",
       "All programs that write message files pad sections to multiples of 32 bytes.",
       "Write the file again with {decode}, then {encode}.", "Wiimm's wbmgt"},
      {"bmg.first", warning, "DAT1 starts with an empty text",
       "Offset 0 means that a message has no text. If a text is stored at offset 0, programs either show this text for "
       "messages without text, or ignore this text.",
       "Write the file again with {decode}, then {encode}.", "Wiimm's wbmgt"},
      {"bmg.id-order", error, "if is_ordered is set, message ids ascend",
       "If is_ordered is set, the game uses a binary search and does not find ids that are out of order.",
       "Sort the messages by id, or set is_ordered to 0.", "zeldaret/tp (decompiled game), JMessage"},
      {"bmg.id-twice", warning, "no two messages have the same id", "The game finds only one of the two messages.",
       "Give one of the messages a unique id.", "zeldaret/tp (decompiled game), JMessage"},
      {"bmg.escape", warning, "every escape is complete, and every character exists in the encoding",
       "If an escape or a character is damaged, the game reads part of the escape as text, or shows nothing. In JSON, "
       "the message appears as bytes instead of text.",
       "Enter the text again with {edit FILE set-text}.", "Wiimm's wbmgt"},
  };
  return k_rules;
}

namespace {

std::string element(std::string_view list, size_t i, std::string_view member = {}) {
  return text(list, "[", i, "]", member.empty() ? "" : ".", member);
}

void check_sections(const Bmg& b, Reporter& r, u64 file_size) {
  if (const u64 size = u64(b.size) * (b.encoding == k_legacy ? k_block : 1); file_size && size != file_size)
    r.report("bmg.size", "size",
             {.message = text("the header states a size of ", size, " bytes, but the file has ", file_size, " bytes")});
  const auto place = [&](FourCc name) { return size_t(b.find(name) - b.sections.data()); };
  if (!b.find(k_inf) || !b.find(k_dat) || place(k_dat) < place(k_inf)) {
    const std::string_view missing = !b.find(k_inf) ? "no section INF1" : !b.find(k_dat) ? "no section DAT1" : "";
    r.report("bmg.section", "section_count",
             {.message = missing.empty() ? "DAT1 comes before INF1" : text("the file has ", missing)});
  }
  for (size_t i = 0; i < b.sections.size(); ++i) {
    const Section& s = b.sections[i];
    const std::string_view name = s.name.view();
    if (b.find(s.name) != &s)
      r.report("bmg.second", element("sections", i, "name"), {.message = text("duplicate section ", name)});
    constexpr FourCc k_known[] = {k_inf, k_dat, k_mid, fourcc("STR1"), fourcc("FLW1"), fourcc("FLI1")};
    if (std::ranges::find(k_known, s.name) == std::end(k_known))
      r.report("bmg.unknown", element("sections", i, "name"),
               {.message = text("unknown section ", escape_control_chars(name))});
    if (s.size % k_block)
      r.report("bmg.block", element("sections", i, "size"),
               {.message = text("the size of section ", escape_control_chars(name), " is ", s.size,
                                " bytes, which is not a multiple of 32")});
  }
}

void check_ids(const Bmg& b, Reporter& r) {
  if (!b.find(k_mid)) return;
  std::map<u32, size_t> first;
  for (size_t i = 0; i < b.messages.size(); ++i) {
    const u32 id = b.messages[i].id;
    const auto [same, fresh] = first.try_emplace(id, i);
    if (!fresh)
      r.report("bmg.id-twice", element("messages", i, "id"),
               {.message = text("message ", same->second, " also has the id ", id)});
    else if (b.is_ordered && i && id < b.messages[i - 1].id)
      r.report("bmg.id-order", element("messages", i, "id"),
               {.message = text("the id ", id, " comes after the larger id ", b.messages[i - 1].id)});
  }
}

void check_texts(const Bmg& b, Reporter& r) {
  if (!b.empty_text.empty())
    r.report("bmg.first", "empty_text",
             {.message = text("the first text has ", b.empty_text.size(), " bytes; it must be empty")});
  const Key key = Key("text").words(k_text_words[b.encoding % k_text_words.size()]);
  for (size_t i = 0; i < b.messages.size(); ++i)
    if (const auto& t = b.messages[i].text; t && !decode_text_field(key, *t))
      r.report("bmg.escape", element("messages", i, "text"),
               {.message = text("message ", i, " has a damaged escape or character")});
}

}  // namespace

void check(const Bmg& b, Findings& findings) {
  Reporter r(findings);
  check_sections(b, r, findings.file_size);
  check_ids(b, r);
  check_texts(b, r);
}

}  // namespace dio::bmg

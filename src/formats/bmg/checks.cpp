// checks.cpp: what the game would trip over.
#include <map>

#include "formats/bmg/parts.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::bmg {

std::span<const Rule> rules() {
  using enum Severity;
  static constexpr Rule k_rules[] = {
      {"bmg.size", warning, "the size in the header is that of the file",
       "Programs that go by the header see a file that is cut off, or bytes that are not there.",
       "Write the file again: dio decode, then dio encode.", "wbmgt"},
      {"bmg.section", error, "there are the sections INF1 and DAT1, in this order",
       "Without them there are no messages, or no texts.", "Take the sections from a file that has them.", "wbmgt"},
      {"bmg.second", warning, "each section is there once",
       "Of several sections of one name only one is read, and not by each program the same.", "Remove the other one.",
       "wbmgt"},
      {"bmg.unknown", hint, "all sections have a known name", "Nobody reads a section of another name.",
       "Look whether its name was misspelt.", "wbmgt"},
      {"bmg.block", hint, "sections are a multiple of 32 bytes long",
       "All programs that write messages fill their sections up.", "Write the file again: dio decode, then dio encode.",
       "wbmgt"},
      {"bmg.first", warning, "the texts start with an empty one",
       "A message with offset 0 has no text; what lies there would be shown in its place, or never.",
       "Write the file again: dio decode, then dio encode.", "wbmgt"},
      {"bmg.id-order", error, "ids ascend where the file says that they do",
       "The game searches them by halves, and does not find those that are out of order.",
       "Sort the messages by id, or set is_ordered to 0.", "game code"},
      {"bmg.id-twice", warning, "no two messages have one id", "The game finds only one of them.",
       "Give the other one its own id.", "game code"},
      {"bmg.escape", warning, "escapes are whole, and all characters are of the encoding",
       "The game reads on in the middle of an escape, or shows nothing; people see the text as its bytes.",
       "Type the text again: dio edit FILE set-text.", "wbmgt"},
  };
  return k_rules;
}

namespace {

std::string element(std::string_view list, size_t i, std::string_view member = {}) {
  return text(list, "[", i, "]", member.empty() ? "" : ".", member);
}

void check_sections(const Bmg& b, Reporter& r, u64 file_size) {
  if (const u64 size = u64(b.size) * (b.encoding == k_legacy ? k_block : 1); file_size && size != file_size)
    r.report("bmg.size", "size", {.message = text("the size is ", size, "; the file has ", file_size, " bytes")});
  const auto place = [&](FourCc name) { return size_t(b.find(name) - b.sections.data()); };
  if (!b.find(k_inf) || !b.find(k_dat) || place(k_dat) < place(k_inf)) {
    const std::string_view missing = !b.find(k_inf) ? "no section INF1" : !b.find(k_dat) ? "no section DAT1" : "";
    r.report("bmg.section", "section_count",
             {.message = missing.empty() ? "DAT1 comes before INF1" : text("there is ", missing)});
  }
  for (size_t i = 0; i < b.sections.size(); ++i) {
    const Section& s = b.sections[i];
    const std::string_view name = s.name.view();
    if (b.find(s.name) != &s)
      r.report("bmg.second", element("sections", i, "name"), {.message = text("there is a second section ", name)});
    constexpr FourCc k_known[] = {k_inf, k_dat, k_mid, fourcc("STR1"), fourcc("FLW1"), fourcc("FLI1")};
    if (std::ranges::find(k_known, s.name) == std::end(k_known))
      r.report("bmg.unknown", element("sections", i, "name"),
               {.message = text("unknown section ", escape_control_chars(name))});
    if (s.size % k_block)
      r.report("bmg.block", element("sections", i, "size"),
               {.message = text("section ", escape_control_chars(name), " has ", s.size, " bytes")});
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
               {.message = text("message ", same->second, " has the id ", id, ", too")});
    else if (b.is_ordered && i && id < b.messages[i - 1].id)
      r.report("bmg.id-order", element("messages", i, "id"),
               {.message = text("the id ", id, " comes after ", b.messages[i - 1].id)});
  }
}

void check_texts(const Bmg& b, Reporter& r) {
  if (!b.empty_text.empty())
    r.report("bmg.first", "empty_text", {.message = text("the first text has ", b.empty_text.size(), " bytes")});
  const Key key = Key("text").words(k_text_words[b.encoding % k_text_words.size()]);
  for (size_t i = 0; i < b.messages.size(); ++i)
    if (const auto& t = b.messages[i].text; t && !decode_text_field(key, *t))
      r.report("bmg.escape", element("messages", i, "text"),
               {.message = text("message ", i, " has an escape or a character that is damaged")});
}

}  // namespace

void check(const Bmg& b, Findings& findings) {
  Reporter r(findings);
  check_sections(b, r, findings.file_size);
  check_ids(b, r);
  check_texts(b, r);
}

}  // namespace dio::bmg

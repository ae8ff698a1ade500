#include "formats/registry.hpp"

#include "core/text_format.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "formats/families.hpp"

namespace dio {

#define DECLARE(name)                \
  namespace name {                   \
  std::span<const Format> formats(); \
  }
DIORAMA_FORMATS(DECLARE)

std::span<const Format* const> formats() {
  static const std::vector<const Format*> all = [] {
    std::vector<const Format*> list;
#define APPEND(name) \
  for (const Format& f : name::formats()) list.push_back(&f);
    DIORAMA_FORMATS(APPEND)
    return list;
  }();
  return all;
}

const Format* find_format(std::string_view id) {
  for (const Format* f : formats())
    if (f->id == id) return f;
  return nullptr;
}

std::string ReadAs::id() const {
  std::string out(format->id);
  if (options.layout) out += '-' + std::string(format->layouts->of(*options.layout));
  return out;
}

/// Calls f(format, layout) for each layout that a user can name.
static void for_each_layout(auto f) {
  for (const Format* format : formats())
    if (format->layouts)
      for (const EnumName& layout : format->layouts->words) f(ReadAs{format, {layout.value}}, layout.word);
}

const Format* find_archive_maker(const Format& archive) {
  for (const Format* f : formats())
    if (f->making && f->making->make_archive &&
        archive.extensions.find(f->making->archive_extension) != archive.extensions.npos)
      return f;
  return nullptr;
}

ReadAs find_format_and_layout(std::string_view id) {
  ReadAs found{find_format(id)};
  for_each_layout([&](const ReadAs& as, std::string_view) {
    if (as.id() == id) found = as;
  });
  return found;
}

ReadAs find_layout(std::string_view name) {
  ReadAs found;
  for_each_layout([&](const ReadAs& as, std::string_view layout) {
    if (layout == name) found = as;
  });
  return found;
}

std::vector<std::string_view> layout_names() {
  std::vector<std::string_view> all;
  for_each_layout([&](const ReadAs&, std::string_view layout) { all.push_back(layout); });
  return all;
}

/// The first bytes of a file as text, or as hex digits.
static std::string quote_first_bytes(ByteView bytes) {
  const auto prints = [](u8 b) { return b >= 0x20 && b < 0x7f; };
  return std::ranges::all_of(bytes, prints) ? '"' + std::string(bytes.begin(), bytes.end()) + '"' : encode_hex(bytes);
}

/// The format whose magic of at least four bytes starts the file, if that makes the format certain.
static std::optional<Detected> detect_by_magic(ByteView bytes, std::string_view name) {
  for (const Format* f : formats()) {
    if (f->magic.size() < 4 || bytes.size() < f->magic.size()) continue;
    if (!std::equal(f->magic.begin(), f->magic.end(), bytes.begin(), [](char a, u8 b) { return u8(a) == b; })) continue;
    Sniff s = f->sniff(bytes, name);
    if (s.certainty == Sniff::Certainty::certain) return Detected{f, std::move(s)};
  }
  return {};
}

/// Whether the file has the magic of a format that this library does not read. Formats without a magic, such as
/// programs that are searched for tables, must not claim it.
static bool is_foreign(ByteView bytes) {
  static constexpr std::string_view k_magics[] = {"glTF",    "\x89PNG",     "PK\x03\x04", "Rar!",
                                                  "BLENDER", "Kaydara FBX", "7z\xbc\xaf", "RIFF"};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::ranges::any_of(k_magics, [&](std::string_view magic) { return text.starts_with(magic); });
}

Result<Detected> detect(ByteView bytes, std::string_view name) {
  Detected best{nullptr, {}};
  std::string tie, look_alike;
  // Extensions may also be in capital letters.
  const size_t dot = std::min(name.find_last_of('.'), name.size());
  const std::string shown = std::string(name.substr(0, dot)) + lower_case(name.substr(dot));
  if (auto found = detect_by_magic(bytes, shown)) return std::move(*found);
  const bool foreign = is_foreign(bytes);
  for (const Format* f : formats()) {
    if (foreign) break;
    Sniff s = f->sniff(bytes, shown);
    if (s.certainty == Sniff::Certainty::no) {
      if (!s.reason.empty()) look_alike = std::move(s.reason);
      continue;
    }
    if (best.format && s.certainty == best.sniff.certainty)
      tie += (tie.empty() ? std::string(best.format->id) : "") + " or " + std::string(f->id);
    else if (!best.format || s.certainty > best.sniff.certainty) {
      best = {f, std::move(s)};
      tie.clear();
    }
  }
  if (best.format && tie.empty()) return best;
  if (best.format)
    return refuse("detect.tie", Location::in_file(name),
                  {.message = "ambiguous format: " + tie, .hint = "choose one with {--as FORMAT}"});
  const size_t start = std::min<size_t>(bytes.size(), 4);
  Location place = Location::of_bytes(0, start);
  place.file = name;
  return refuse(
      "detect.unknown", std::move(place),
      {.message = bytes.empty()        ? std::string("the file is empty")
                  : look_alike.empty() ? "unknown format (starts with " + quote_first_bytes(bytes.first(start)) + ")"
                                       : "unsupported format: " + look_alike,
       .hint = "{formats} lists the known formats; {--as FORMAT} reads the file as one of them"});
}

const Rule* find_rule(std::string_view id) {
  for (const Rule& r : library_rules())
    if (r.id == id) return &r;
  for (const Format* f : formats())
    for (const Rule& r : f->rules())
      if (r.id == id) return &r;
  for (const GameKind* k : game_kinds())
    for (const Rule& r : k->rules())
      if (r.id == id) return &r;
  return nullptr;
}

std::vector<Rule> rules_of_formats() {
  std::vector<Rule> out;
  for (const Format* f : formats()) out.insert(out.end(), f->rules().begin(), f->rules().end());
  for (const GameKind* k : game_kinds()) out.insert(out.end(), k->rules().begin(), k->rules().end());
  return out;
}

}  // namespace dio

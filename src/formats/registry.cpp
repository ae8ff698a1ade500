#include "formats/registry.hpp"

#include "core/printing.hpp"
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
  for (const Format* f : layouts())
    if (f->id == id) return f;
  return nullptr;
}

std::vector<const Format*> layouts() {
  std::vector<const Format*> all;
  for (const Format* f : formats())
    if (f->layouts)
      for (const Format& one : f->layouts()) all.push_back(&one);
  return all;
}

const Format& base_of(const Format& format) {
  for (const Format* f : formats())
    if (f->layouts)
      for (const Format& one : f->layouts())
        if (&one == &format) return *f;
  return format;
}

std::string_view layout_name(const Format& layout) {
  const std::string_view base = base_of(layout).id;
  return layout.id.substr(std::min(layout.id.size(), base.size() + 1));
}

const Format* find_layout(std::string_view name) {
  for (const Format* f : layouts())
    if (layout_name(*f) == name) return f;
  return nullptr;
}

Result<Detected> detect(ByteView bytes, std::string_view name) {
  Detected best{nullptr, {}};
  std::string tie, look_alike;
  // Extensions say the same in capital letters.
  const size_t dot = std::min(name.find_last_of('.'), name.size());
  const std::string shown = std::string(name.substr(0, dot)) + lower_case(name.substr(dot));
  for (const Format* f : formats()) {
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
  Diagnostic d;
  d.place.file = name;
  if (best.format) {
    d.id = "detect.tie";
    d.expected = "a file of one format";
    d.found = "it may be " + tie;
    d.hint = "say which with --as FORMAT";
  } else {
    d.id = "detect.unknown";
    d.expected = "a file of a known format";
    d.place.offset = 0;
    d.place.size = std::min<u64>(bytes.size(), 4);
    d.found = bytes.empty()         ? "an empty file"
              : !look_alike.empty() ? look_alike
                                    : "one that begins with " + hex_digits(bytes.first(size_t(d.place.size)));
    d.hint = "`dio formats` lists them; --as FORMAT reads it as one";
  }
  return refuse(std::move(d));
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

}  // namespace dio

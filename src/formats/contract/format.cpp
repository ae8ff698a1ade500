#include "formats/contract/format.hpp"

#include "formats/contract/building.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/file_parts.hpp"

namespace dio {

std::string_view to_string(Sniff::Certainty c) {
  constexpr std::string_view names[] = {"no", "possible", "likely", "certain"};
  return names[size_t(c)];
}

std::string_view Companion::format_id() const { return format->id; }

const CompanionOps& companion_ops_of(const Format& f) {
  static constexpr CompanionOps k_none;
  return f.belonging ? *f.belonging : k_none;
}
std::vector<std::string> companion_file_names(const Format& f, const AnyDocument& d, std::string_view name) {
  const CompanionOps& ops = companion_ops_of(f);
  std::vector<std::string> names;
  if (ops.beside) names = ops.beside(name);
  if (ops.named)
    for (std::string& one : ops.named(d, name)) names.push_back(std::move(one));
  return names;
}
bool Edit::is_generated_path(std::string_view path) const {
  return std::ranges::any_of(makes, [&](std::string_view m) {
    return path.starts_with(m) && (path.size() == m.size() || path[m.size()] == '.' || path[m.size()] == '[');
  });
}

const FilePart* FileParts::find_by_extension(std::string_view extension) const {
  for (const FilePart& part : list)
    for (std::string_view rest = part.extensions; !rest.empty();) {
      const size_t end = std::min(rest.find(' '), rest.size());
      if (rest.substr(0, end) == extension) return &part;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  return nullptr;
}

std::span<const Edit> edits_of(const Format& f) { return f.edits ? f.edits() : std::span<const Edit>(); }
std::span<const Question> questions_of(const Format& f) {
  return f.questions ? f.questions() : std::span<const Question>();
}
std::span<const MakeOption> make_options_of(const Format& f) {
  return f.making ? f.making->options : std::span<const MakeOption>();
}
std::span<const MakeOption> archive_options_of(const Format& f) {
  return f.making && f.making->archive_options ? f.making->archive_options() : std::span<const MakeOption>();
}

namespace {

/// FNV-1a: detects edits, not attacks.
struct Digest {
  u64 state = 0xcbf29ce484222325;
  void add(ByteView bytes) {
    u64 h = state;
    for (u8 b : bytes) h = (h ^ b) * 0x100000001b3;
    state = h;
  }
  std::string text() const {
    std::string s = "fnv1a64:";
    for (int i = 60; i >= 0; i -= 4) s += "0123456789abcdef"[state >> i & 15];
    return s;
  }
};

}  // namespace

std::string digest_of(ByteView bytes) {
  Digest d;
  d.add(bytes);
  return d.text();
}

Result<std::string> digest_of(const ByteSource& file) {
  Digest d;
  if (auto done = file.for_each_chunk([&](ByteView piece) { d.add(piece); }); !done)
    return refuse(std::move(done.error()));
  return d.text();
}

}  // namespace dio

#include "mime.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "samples/samples.hpp"

namespace dio::cli {
namespace {

struct Type {
  const Format* format;
  std::string name;
  std::vector<std::string> extensions;  // with the dot
  std::set<std::string> magic;          // at the start of a file
};

constexpr size_t k_magic = 4;  // fewer bytes are found at the start of texts, too

bool is_letter(u8 c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// The first bytes of a file, if the format needs each of them to know it without its name, and they are a name: what
/// starts with a number is many things. Empty: they are not.
std::string find_required_magic(const Format& format, const Bytes& file) {
  const auto is_certain = [&](ByteView bytes) {
    return format.sniff(bytes, "").certainty == Sniff::Certainty::certain;
  };
  if (file.size() <= k_magic || !is_letter(file[0]) || !is_letter(file[1]) || !is_certain(file)) return {};
  Bytes changed = file;
  for (size_t i = 0; i < k_magic; ++i) {
    bool is_needed = false;
    for (const u8 flip : {0xff, 0x01, 0x20, 0x80}) {
      changed[i] = file[i] ^ flip;
      is_needed |= !is_certain(changed);
    }
    changed[i] = file[i];
    if (!is_needed) return {};
  }
  return {file.begin(), file.begin() + k_magic};
}

std::vector<std::string> split_extensions(const Format& f) {
  std::vector<std::string> out;
  std::string_view left = f.extensions;
  while (!left.empty()) {
    const size_t end = std::min(left.find(' '), left.size());
    if (end) out.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return out;
}

/// Without those of a format that this one is a variant of, as kcl-ds is of kcl: their files have its type.
std::vector<std::string> uninherited_extensions(const Format& f) {
  std::vector<std::string> out = split_extensions(f);
  for (const Format* g : formats())
    if (f.id.starts_with(std::string(g->id) + "-"))
      for (const std::string& e : split_extensions(*g)) std::erase(out, e);
  return out;
}

std::vector<Type> collect_mime_types() {
  std::vector<Type> out;
  std::multiset<std::string> all;
  for (const Format* f : formats())
    for (const std::string& e : uninherited_extensions(*f)) all.insert(e);
  for (const Format* f : formats()) {
    if (!f->scenes && !f->pictures) continue;
    Type type{f, "application/x-diorama-" + std::string(f->id), {}, {}};
    // One that several formats have, or that is a number, says nothing.
    for (const std::string& e : uninherited_extensions(*f))
      if (all.count(e) == 1 && e.find_first_not_of("0123456789.") != e.npos) type.extensions.push_back(e);
    bool have_all = true;
    for (const Sample& s : samples_of(*f)) {
      const std::string magic = find_required_magic(*f, s.bytes);
      have_all &= !magic.empty();
      if (!magic.empty()) type.magic.insert(magic);
    }
    if (!have_all) type.magic.clear();
    if (!type.extensions.empty() || !type.magic.empty()) out.push_back(std::move(type));
  }
  return out;
}

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// As match values are written: letters and digits as they are, other bytes in octal.
std::string escape_match_value(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    const u8 b = u8(c);
    if (is_letter(b) || (b >= '0' && b <= '9'))
      out += c;
    else
      out += std::string("\\") + char('0' + (b >> 6)) + char('0' + (b >> 3 & 7)) + char('0' + (b & 7));
  }
  return out;
}

}  // namespace

std::string mime_info_xml() {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!-- Printed by dio. -->\n"
      "<mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n";
  for (const Type& t : collect_mime_types()) {
    out += "  <mime-type type=\"" + escape_xml(t.name) + "\">\n    <comment>" + escape_xml(t.format->title) + " (" +
           escape_xml(t.format->platform) + ")</comment>\n";
    if (!t.magic.empty()) {
      out += "    <magic priority=\"50\">\n";
      for (const std::string& m : t.magic)
        out += "      <match type=\"string\" offset=\"0\" value=\"" + escape_match_value(m) + "\"/>\n";
      out += "    </magic>\n";
    }
    for (const std::string& e : t.extensions) out += "    <glob pattern=\"*" + escape_xml(e) + "\"/>\n";
    out += "  </mime-type>\n";
  }
  return out + "</mime-info>\n";
}

/// As entries of desktops list them.
static std::string mime_type_list() {
  std::string out;
  for (const Type& t : collect_mime_types()) out += t.name + ";";
  return out;
}

std::string thumbnailer_entry() {
  return "[Thumbnailer Entry]\nTryExec=dio\nExec=dio thumbnail -s %s %i %o\nMimeType=" + mime_type_list() + "\n";
}

std::string desktop_entry() {
  return "[Desktop Entry]\nType=Application\nName=diorama\nGenericName=Map and model viewer\nComment=Look at map "
         "and model files of classic console games\nTryExec=dio\nExec=dio view %F\nTerminal=false\n"
         "Categories=Graphics;3DGraphics;Viewer;\nMimeType=" +
         mime_type_list() + "\n";
}

}  // namespace dio::cli

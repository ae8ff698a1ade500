#include "formats/platinum/sources/header_source.hpp"

#include <algorithm>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::platinum {

namespace {

constexpr u64 k_most_headers = 65536;

/// A member of the C structure, the matching field, and the name space of its numbers.
struct HeaderField {
  std::string_view name;
  i64 (*get)(const MapHeader&);
  void (*set)(MapHeader&, i64);
  i64 most;
  Space space;
  std::string_view prefix = {};  // of the names
};
template <auto Member>
i64 get(const MapHeader& h) {
  return h.*Member;
}
template <auto Member>
void set(MapHeader& h, i64 n) {
  h.*Member = static_cast<std::remove_reference_t<decltype(h.*Member)>>(n);
}
template <auto Member>
constexpr HeaderField field(std::string_view name, i64 most, Space space = Space::constants,
                            std::string_view prefix = {}) {
  return {name, get<Member>, set<Member>, most, space, prefix};
}
using H = MapHeader;
constexpr HeaderField k_all[] = {
    field<&H::area_data_archive_id>("areaDataArchiveID", 255, Space::areas),
    field<&H::preloaded_map_objects_archive_id>("preloadedMapObjectsArchiveID", 255),
    field<&H::map_matrix_id>("mapMatrixID", 65535, Space::matrices),
    field<&H::scripts_archive_id>("scriptsArchiveID", 65535, Space::scripts),
    field<&H::init_scripts_archive_id>("initScriptsArchiveID", 65535, Space::scripts),
    field<&H::msg_archive_id>("msgArchiveID", 65535, Space::messages),
    field<&H::day_music_id>("dayMusicID", 65535, Space::music),
    field<&H::night_music_id>("nightMusicID", 65535, Space::music),
    field<&H::wild_encounters_archive_id>("wildEncountersArchiveID", 65535, Space::encounters),
    field<&H::events_archive_id>("eventsArchiveID", 65535, Space::events),
    field<&H::map_label_text_id>("mapLabelTextID", 255, Space::labels),
    field<&H::map_label_window_id>("mapLabelWindowID", 255, Space::constants, "MAP_LABEL_WINDOW_"),
    field<&H::weather>("weather", 255, Space::weathers),
    field<&H::camera_type>("cameraType", 255, Space::cameras),
    field<&H::map_type>("mapType", 127, Space::constants, "MAP_TYPE_"),
    field<&H::battle_bg>("battleBG", 31, Space::backgrounds),
    field<&H::is_bike_allowed>("isBikeAllowed", 1),
    field<&H::is_running_allowed>("isRunningAllowed", 1),
    field<&H::is_escape_rope_allowed>("isEscapeRopeAllowed", 1),
    field<&H::is_fly_allowed>("isFlyAllowed", 1),
};

std::string format_field_value(const HeaderField& f, i64 n, const SourceNames& names) {
  if (f.space == Space::encounters && n == k_no_encounters) return "ENCOUNTERS_NONE";
  if (f.most == 1) return n ? "TRUE" : "FALSE";
  if (f.space != Space::constants || !f.prefix.empty())
    if (const std::string_view name = names.table_of(f.space).name(n, f.prefix); !name.empty())
      return std::string(name);
  std::string digits = format_hex(u64(n));
  for (char& c : digits)
    if (c >= 'a' && c <= 'f') c = char(c - 'a' + 'A');
  return digits;
}

/// Reads the table, token by token.
class TableReader {
 public:
  TableReader(std::string_view text, const std::string& path, const SourceNames& names)
      : text_(text), path_(path), names_(names), tokens_(tokenize_c(text)) {}

  struct Value {
    u64 header;
    size_t field, begin, end;
    i64 number;
  };
  std::optional<Diagnostic> problem;
  std::vector<Value> values;
  u64 count = 0;

  bool parse_table() {
    const auto start =
        std::find_if(tokens_.begin(), tokens_.end(), [](const CToken& t) { return t.is("sMapHeaders"); });
    at_ = size_t(start - tokens_.begin());
    if (start == tokens_.end()) return fail("the table `sMapHeaders[] = {`");
    while (at_ < tokens_.size() && !peek("{")) ++at_;
    if (!expect_token("{")) return false;
    const size_t begin = tokens_[at_ - 1].at;
    for (u64 next = 0; !peek("}"); ++next) {
      if (peek("[")) {
        ++at_;
        const auto number = parse_value({"]"}, Space::headers);
        if (!number || !expect_token("]") || !expect_token("=")) return false;
        if (number->number < 0 || number->number >= i64(k_most_headers)) {
          --at_;
          return fail(text("a header number below ", k_most_headers));
        }
        next = u64(number->number);
      }
      if (!parse_header(next)) return false;
      count = std::max(count, next + 1);
      if (peek(",")) ++at_;
    }
    if (const auto condition = find_c_conditional(text_, begin, tokens_[at_].at))
      return fail_at(*condition, "headers without preprocessor conditions", "'#'");
    return true;
  }

 private:
  bool parse_header(u64 header) {
    if (!expect_token("{")) return false;
    while (!peek("}")) {
      if (!expect_token(".")) return false;
      if (at_ >= tokens_.size()) return fail("the name of a member");
      const auto known = std::ranges::find(k_all, tokens_[at_].text, &HeaderField::name);
      if (known == std::end(k_all)) return fail("the name of a member of MapHeader");
      ++at_;
      if (!expect_token("=")) return false;
      const auto v = parse_value({",", "}"}, known->space);
      if (!v) return false;
      if (v->number < 0 || v->number > known->most)
        return fail_at(v->begin, text("0 to ", known->most, " for ", known->name), text(v->number));
      values.push_back({header, size_t(known - k_all), v->begin, v->end, v->number});
      if (peek(",")) ++at_;
    }
    return expect_token("}");
  }
  std::optional<Value> parse_value(std::initializer_list<std::string_view> ends, Space space) {
    const size_t start = at_;
    size_t depth = 0;
    while (at_ < tokens_.size()) {
      const CToken& t = tokens_[at_];
      if (!depth && std::ranges::any_of(ends, [&](std::string_view e) { return t.is(e); })) break;
      depth += t.is("(");
      depth -= depth && t.is(")");
      ++at_;
    }
    if (start == at_ || at_ >= tokens_.size()) {
      fail("a value");
      return {};
    }
    const size_t begin = tokens_[start].at, end = tokens_[at_ - 1].end();
    const auto number = evaluate_c_expression(text_.substr(begin, end - begin), [&](std::string_view name) {
      const auto own = names_.table_of(space).number(name);
      return own ? own : names_.table_of(Space::constants).number(name);
    });
    if (!number) {
      fail_at(begin, text("a number or a name from ", SourceNames::file_of(space)),
              in_quotes(truncate_utf8(std::string(text_.substr(begin, end - begin)), 40)));
      return {};
    }
    return Value{0, 0, begin, end, *number};
  }
  bool peek(std::string_view what) const { return at_ < tokens_.size() && tokens_[at_].is(what); }
  bool expect_token(std::string_view what) {
    if (!peek(what)) return fail("'" + std::string(what) + "'");
    ++at_;
    return true;
  }
  bool fail(std::string expected) {
    if (at_ >= tokens_.size()) return fail_at(text_.size(), std::move(expected), "the end of the file");
    return fail_at(tokens_[at_].at, std::move(expected), in_quotes(truncate_utf8(std::string(tokens_[at_].text), 40)));
  }
  bool fail_at(size_t at, std::string expected, std::string found) {
    if (problem) return false;
    const size_t line = size_t(std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at), '\n')) + 1;
    problem = make_diagnostic("layout.requires", Location::in_file(path_),
                              {.expected = std::move(expected), .found = text(found, " in line ", line)});
    return false;
  }

  std::string_view text_;
  const std::string& path_;
  const SourceNames& names_;
  std::vector<CToken> tokens_;
  size_t at_ = 0;
};

}  // namespace

Result<HeaderSource> HeaderSource::read(std::string text, std::string path, const SourceNames& names) {
  static_assert(std::size(k_all) == k_fields);
  HeaderSource out;
  out.text_ = std::move(text), out.path_ = std::move(path);
  TableReader reader(out.text_, out.path_, names);
  if (!reader.parse_table()) return refuse(std::move(*reader.problem));
  out.headers_.resize(size_t(reader.count));
  out.entries_.resize(size_t(reader.count));
  for (const auto& v : reader.values) {
    k_all[v.field].set(out.headers_[size_t(v.header)], v.number);
    out.entries_[size_t(v.header)].begin[v.field] = v.begin;
    out.entries_[size_t(v.header)].end[v.field] = v.end;
  }
  return out;
}

Result<std::string> HeaderSource::replace_headers(std::span<const MapHeader> now, const SourceNames& names) const {
  struct Change {
    size_t begin, end;
    std::string text;
  };
  std::vector<Change> changes;
  const auto fail = [&](std::string message) {
    return refuse("edit.limit", dio::Location::in_file(path_), {.message = std::move(message)});
  };
  if (now.size() != headers_.size())
    return fail(
        text("the table must keep its ", format_count(headers_.size(), "header"), "; it would have ", now.size()));
  for (size_t i = 0; i < now.size(); ++i)
    for (size_t k = 0; k < k_fields; ++k) {
      const i64 n = k_all[k].get(now[i]);
      if (n == k_all[k].get(headers_[i])) continue;
      if (!entries_[i].end[k])
        return fail(text("header ", i, " has no line for .", k_all[k].name, ", so it cannot be changed from 0 to ", n));
      changes.push_back({entries_[i].begin[k], entries_[i].end[k], format_field_value(k_all[k], n, names)});
    }
  sort_stably(changes, {}, &Change::begin);
  std::string out;
  size_t at = 0;
  for (const Change& c : changes) {
    out.append(text_, at, c.begin - at);
    out += c.text;
    at = c.end;
  }
  return out.append(text_, at);
}

}  // namespace dio::platinum

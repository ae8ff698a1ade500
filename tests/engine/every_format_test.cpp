// every_format_test.cpp: properties that every format must have. The tests use only the registry and the formats' own
// samples, so a new format in the registry is tested automatically.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bridge/gltf/gltf.hpp"
#include "bridge/report/diff.hpp"
#include "bridge/report/findings.hpp"
#include "bridge/report/hex.hpp"
#include "core/json.hpp"
#include "engine/expect_by_rule.hpp"
#include "formats/contract/format.hpp"
#include "invented/laws.hpp"
#include "layout/path_tree.hpp"
#include "operations/editing.hpp"
#include "operations/omit_derived.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"
#include "scene/scene.hpp"

namespace dio::test {
namespace {

struct Case {
  const Format* format;
  Sample sample;
  size_t number;  // among all samples
};
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> v;
    for (const Format* f : formats())
      for (Sample& s : samples_of(*f)) v.push_back({f, std::move(s), v.size()});
    return v;
  }();
  return all;
}
std::string name_of(std::string text) {
  for (char& c : text)
    if (!std::isalnum(u8(c))) c = '_';
  return text;
}

/// The document after an edit, without the digest of a file.
Value edited(Value decoded) {
  std::erase_if(decoded.members(), [](const Value::Member& m) { return m.first == "digest"; });
  return decoded;
}

bool only_whole_numbers(const Value& v) {
  if (v.is(Value::Kind::list) || v.is(Value::Kind::object))
    return std::all_of(v.members().begin(), v.members().end(),
                       [](const Value::Member& m) { return only_whole_numbers(m.second); });
  return v.is(Value::Kind::integer) || v.is(Value::Kind::null);
}

class EveryFormat : public testing::TestWithParam<const Format*> {};
INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat, testing::ValuesIn(formats()),
                         [](const auto& p) { return name_of(std::string(p.param->id)); });

class EverySample : public testing::TestWithParam<Case> {
 protected:
  const Format& format() const { return *GetParam().format; }
  const Bytes& bytes() const { return GetParam().sample.bytes; }
  OpenedFile opened() const {
    auto o = open(bytes(), GetParam().sample.name, &format());
    if (!o) ADD_FAILURE() << format_one_line(o.error());
    return o ? std::move(*o) : OpenedFile{};
  }
  /// The stride that keeps about `most` of `all`.
  size_t stride(size_t all, size_t most) const { return std::max<size_t>(1, all / most); }
};
INSTANTIATE_TEST_SUITE_P(Samples, EverySample, testing::ValuesIn(cases()), [](const auto& p) {
  return name_of(std::string(p.param.format->id) + "_" + p.param.sample.name);
});
void PrintTo(const Case& c, std::ostream* to) { *to << c.sample.name; }

// ---- properties of a format ----

TEST_P(EveryFormat, HasIdTitleAndSamples) {
  const Format& f = *GetParam();
  EXPECT_EQ(find_format(f.id), &f);
  EXPECT_TRUE(std::all_of(f.id.begin(), f.id.end(), [](char c) {
    return std::islower(u8(c)) || std::isdigit(u8(c)) || c == '-';
  })) << f.id;
  EXPECT_FALSE(f.title.empty());
  EXPECT_FALSE(f.platform.empty());
  EXPECT_TRUE(f.extensions.empty() || f.extensions.starts_with('.')) << f.extensions;
  EXPECT_FALSE(samples_of(f).empty());
  std::set<std::string> names;
  for (const Sample& s : samples_of(f)) {
    EXPECT_TRUE(names.insert(s.name).second) << "two samples of the name " << s.name;
    EXPECT_FALSE(s.about.empty()) << s.name;
  }
}

TEST_P(EveryFormat, RulesBelongToOneFamily) {
  // formats of one family share rules; the part of the id before the dot names the family
  std::set<std::string_view> ids, families;
  for (const Rule& r : GetParam()->rules()) families.insert(r.id.substr(0, r.id.find('.')));
  EXPECT_LE(families.size(), 1u) << GetParam()->id;
  // formats of one family have the same rules, or some have a subset
  const auto has_all = [](const Format& a, const Format& b) {
    return std::ranges::all_of(
        b.rules(), [&](const Rule& r) { return std::ranges::find(a.rules(), r.id, &Rule::id) != a.rules().end(); });
  };
  const auto is_of_them = [&](const Rule& r) { return families.contains(r.id.substr(0, r.id.find('.'))); };
  for (const Format* other : formats()) {
    const bool is_related = std::ranges::any_of(other->rules(), is_of_them);
    EXPECT_TRUE(!is_related || has_all(*GetParam(), *other) || has_all(*other, *GetParam())) << other->id;
  }
  // importing pictures, making files from scenes and edits may stop; checks may not
  const bool can_stop = std::ranges::any_of(formats(), [](const Format* f) {
    return f->rules == GetParam()->rules && (f->pictures || f->making || f->edits);
  });
  for (const Rule& r : GetParam()->rules()) {
    EXPECT_TRUE(ids.insert(r.id).second) << "two rules " << r.id;
    const Rule* known = find_rule(r.id);
    EXPECT_TRUE(known && known->sentence == r.sentence && known->severity == r.severity) << r.id;
    EXPECT_TRUE(can_stop || r.severity != Severity::stop) << r.id << ": a check does not stop";
    EXPECT_FALSE(r.sentence.empty() || r.why.empty() || r.source.empty()) << r.id;
  }
}

TEST_P(EveryFormat, SamplesAreReproducible) {
  const auto a = samples_of(*GetParam()), b = samples_of(*GetParam());
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].bytes, b[i].bytes) << a[i].name;
}

TEST_P(EveryFormat, MostSamplesHaveAScene) {
  if (!GetParam()->scenes) GTEST_SKIP();
  size_t shown = 0, all = 0;
  for (const Sample& s : samples_of(*GetParam())) {
    auto o = open(s.bytes, s.name, GetParam());
    ASSERT_TRUE(o) << s.name;
    shown += to_scene(*o).has_value();
    ++all;
  }
  EXPECT_GT(2 * shown, all);
}

TEST_P(EveryFormat, DoesNotClaimBlankFiles) {
  const Bytes nothing[] = {{}, {0}, Bytes(64, 0), Bytes(64, 0xff)};
  for (const Bytes& b : nothing) {
    EXPECT_LE(GetParam()->sniff(b, "file").certainty, Sniff::Certainty::possible);
    auto o = open(b, "file", GetParam());
    EXPECT_EQ(o ? "" : unclear(o.error(), b), "");
  }
}

// ---- properties of valid files ----

TEST_P(EverySample, IsDetectedAsItsFormat) {
  for (const Format* f : formats()) {
    const Sniff s = f->sniff(bytes(), GetParam().sample.name);
    EXPECT_TRUE(s.certainty == Sniff::Certainty::no || !s.reason.empty()) << f->id;
    EXPECT_TRUE(f == &format() || s.certainty != Sniff::Certainty::certain) << f->id << " claims it: " << s.reason;
  }
  auto found = detect(bytes(), GetParam().sample.name);
  ASSERT_TRUE(found) << format_one_line(found.error());
  EXPECT_EQ(found->format, &format());
}

/// A file with the magic of another program's format is unknown, even if tables of a known one are found in it.
TEST_P(EverySample, IsUnknownWithAForeignMagic) {
  std::vector<u8> foreign(bytes().begin(), bytes().end());
  if (foreign.size() < 4) return;
  std::ranges::copy(std::string_view("glTF"), foreign.begin());
  const auto found = detect(foreign, "scene.glb");
  ASSERT_FALSE(found) << found->format->id;
  EXPECT_EQ(found.error().id, "detect.unknown");
}

TEST_P(EverySample, RoundTripsByteForByte) {
  const auto verified = verify(opened(), json::round_trip_as_json());
  EXPECT_TRUE(verified.identical()) << verified.problem;
}

/// `round_trips_to` gives the same answer as saving and comparing the bytes.
TEST_P(EverySample, RoundTripsOnlyToItsOwnBytes) {
  const OpenedFile o = opened();
  const auto saved = o.document->save({});
  ASSERT_TRUE(saved) << format_one_line(saved.error());
  EXPECT_EQ(*saved, bytes());
  EXPECT_TRUE(o.document->round_trips_to(bytes()));
  const size_t n = bytes().size(), step = stride(n, 200);
  for (size_t i = 0; i < n; i += step) {
    Bytes other = bytes();
    other[i] ^= 1;
    EXPECT_FALSE(o.document->round_trips_to(other)) << i;
  }
  EXPECT_FALSE(o.document->round_trips_to(ByteView(bytes()).first(n - 1)));
}

TEST_P(EverySample, EveryByteIsInASpanOrGap) {
  const TraceResult t = format().trace(Exact(bytes()).view(), {});
  EXPECT_FALSE(t.stop) << format_one_line(*t.stop);
  const TraceResult again = format().trace(bytes(), {});
  EXPECT_EQ(broken_law(again.spans, true), "");
  EXPECT_EQ(again.notes.size(), opened().notes.size());
}

/// Tracing a few paths finds the same places as tracing everything.
TEST_P(EverySample, PartialTraceMatchesTheFullTrace) {
  const TraceResult all = format().trace(bytes(), {});
  const OpenedFile known = opened();
  const size_t n = all.spans.all.size(), step = stride(n, 40);
  for (const size_t together : {1, 7}) {
    for (size_t from = 1 + GetParam().number % step; from < n; from += step * together) {
      PathTree paths;
      std::vector<std::string> wanted;
      for (size_t i = from; i < n && wanted.size() < together; i += step) {
        wanted.push_back(all.spans.path(u32(i)));
        paths.add(wanted.back());
      }
      for (const TraceResult& some : {format().trace(bytes(), {.only = &paths}), known.trace(paths)}) {
        EXPECT_FALSE(some.stop);
        if (n > 1000) {
          EXPECT_LT(some.spans.all.size(), n) << wanted[0];
        }
        for (const std::string& path : wanted) {
          const auto here = some.spans.find(path), there = all.spans.find(path);
          ASSERT_EQ(here.has_value(), there.has_value()) << path;
          if (!here) continue;
          EXPECT_EQ(here->offset, there->offset) << path;
          EXPECT_EQ(here->size, there->size) << path;
          EXPECT_EQ(some.spans.show(*here).empty(), all.spans.show(*there).empty()) << path;
          EXPECT_EQ(some.spans[here->span].kind, all.spans[there->span].kind) << path;
          EXPECT_EQ(some.spans[here->span].bit, all.spans[there->span].bit) << path;
        }
      }
    }
  }
}

/// The JSON of the document equals the JSON of its span values.
TEST_P(EverySample, JsonMatchesTheSpanValues) {
  const TraceResult traced = format().trace(bytes(), {});
  const OpenedFile o = opened();
  const Dom dom = decode_to_dom(o);
  Value whole = decode(o);
  *whole.find("document") = traced.spans.value(0);
  for (const json::Style style : {json::Style{}, json::Style{.indent = 0}, json::Style{.indent = 3, .width = 40}})
    EXPECT_TRUE(json::write(dom, style) == json::write(whole, style)) << style.width;
  const auto gaps = traced.spans.gaps();
  EXPECT_TRUE(std::ranges::equal(gaps, o.document->residue(), [](const Gap& g, const UnreferencedBytes& r) {
    return g.offset == r.offset && g.size == r.bytes.size();
  }));
}

/// JSON as other programs write it: whole numbers without a fraction (jq) or all with one, and members sorted.
Value as_others_write(const Value& v, bool with_fraction) {
  if (v.is(Value::Kind::real) && v.number() == std::trunc(v.number()) && std::abs(v.number()) < 1e15)
    return with_fraction || (v.number() == 0 && std::signbit(v.number())) ? v : Value(i64(v.number()));
  if (v.is(Value::Kind::integer) && with_fraction && v.number() == f64(i64(v.number())) && std::abs(v.number()) < 1e15)
    return Value(v.number());
  if (v.is(Value::Kind::list)) {
    Value out = Value::list();
    for (size_t i = 0; i < v.size(); ++i) out.push(as_others_write(*v.at(i), with_fraction));
    return out;
  }
  if (!v.is(Value::Kind::object)) return v;
  std::map<std::string, const Value*> sorted;
  for (const auto& [name, member] : v.members()) sorted[name] = &member;
  Value out = Value::object();
  for (const auto& [name, member] : sorted) out.add(name, as_others_write(*member, with_fraction));
  return out;
}

TEST_P(EverySample, SurvivesJsonRewrittenByOtherPrograms) {
  for (const bool with_fraction : {false, true}) {
    const Value document = decode(opened());
    Value changed = as_others_write(document, with_fraction);
    std::string text = json::write(changed, {.indent = 0});
    if (!with_fraction) {  // the sign of zero is kept, its fraction is not
      for (size_t at = 0; (at = text.find("-0.0", at)) != text.npos; ++at)
        if (text.find_first_of("0123456789", at + 4) != at + 4) text.erase(at + 2, 2);
    }
    const auto read = json::read(text);
    ASSERT_TRUE(read) << format_one_line(read.error());
    const auto saved = encode(*read);
    ASSERT_TRUE(saved) << format_one_line(saved.error());
    EXPECT_EQ(*saved, this->bytes()) << with_fraction;
  }
}

TEST_P(EverySample, LeanJsonRoundTripsByteForByte) {
  const json::Style style{.indent = 1, .by_count = true};
  const OpenedFile o = opened();
  const auto small = omit_derived(o, json::round_trip_as_json(style));
  // Files that a new layout would change must keep all of their JSON, for example a KMP with a wrong length.
  const auto placed = encode(edited(decode(o)));
  if (!small) {
    EXPECT_FALSE(placed && *placed == bytes());
    return;
  }
  const auto value = json::read(json::write(small->dom, style));
  ASSERT_TRUE(value) << format_one_line(value.error());
  for (const char* name : {"size", "digest", "residue"}) EXPECT_FALSE(value->find(name)) << name;
  const auto saved = encode(*value);
  ASSERT_TRUE(saved) << format_one_line(saved.error());
  EXPECT_EQ(*saved, bytes());
  size_t derived = 0, left_out = 0;
  const Dom::Id document = small->dom.find(0, "document");
  for (Dom::Id i = document + 1; i < small->dom.count(); ++i) {
    derived += small->dom.is_derived(i);
    left_out += small->dom.is_omitted(i);
    EXPECT_TRUE(!small->dom.is_omitted(i) || small->dom.is_derived(i)) << small->dom.name(i);
  }
  const Spans spans = format().trace(bytes(), {}).spans;
  EXPECT_EQ(derived, std::ranges::count_if(spans.all, [](const Span& s) { return s.is_value() && s.key.is_derived; }));
  if (small->kept.empty()) {
    EXPECT_EQ(left_out, derived);
  } else {
    EXPECT_LT(left_out, derived);
  }
}

TEST_P(EverySample, EachValueCanBeSetByItsPath) {
  const TraceResult t = format().trace(bytes(), {});
  EXPECT_EQ(
      broken_poke(t.spans, [this](ByteView b) { return format().trace(b, {}); }, stride(t.spans.all.size(), 80)), "");
}

TEST_P(EverySample, SettingAValueToItselfChangesNothing) {
  const OpenedFile o = opened();
  const Spans spans = format().trace(bytes(), {}).spans;
  size_t n = GetParam().number;
  each_value(spans, [&](const SpanRef& spot) {
    if (n++ % stride(spans.all.size(), 40) || spans[spot.span].kind == Span::Kind::bytes) return;
    const Value v = spans.value(spot);
    if (v.is(Value::Kind::object)) return;  // objects cannot be typed as text
    const std::string typed = v.is(Value::Kind::text) && !v.text().starts_with("0x") ? '"' + v.text() + '"'
                              : v.is(Value::Kind::text)                              ? v.text()
                                                                                     : json::write(v);
    auto b = set_values(o, {{spans.path(spot), typed}});
    ASSERT_TRUE(b) << format_one_line(b.error());
    EXPECT_EQ(*b, bytes()) << spans.path(spot) << " = " << typed;
  });
}

TEST_P(EverySample, CanonicalFormIsStable) {
  const auto canonical = [&](const Bytes& b) {
    auto o = open(b, "canonical", &format());
    EXPECT_TRUE(o) << format_one_line(o.error());
    auto saved = o ? o->document->save({.canonical = true}) : Result<Bytes>(Bytes());
    // Only BRRES files may have parts that cannot move.
    EXPECT_TRUE(saved || saved.error().id == "brres.placement") << format_one_line(saved.error());
    return saved ? *saved : b;
  };
  const Bytes once = canonical(bytes());
  EXPECT_EQ(as_hex(canonical(once)), as_hex(once));
}

TEST_P(EverySample, NewLayoutKeepsTheDocument) {
  const Value before = decode(opened());
  auto placed = encode(edited(before), {.canonical = false, .lossy = true});
  ASSERT_TRUE(placed) << format_one_line(placed.error());
  auto o = open(*placed, "placed", &format());
  ASSERT_TRUE(o) << format_one_line(o.error());
  const Value after = decode(*o);
  auto again = encode(edited(after), {.canonical = false, .lossy = true});
  ASSERT_TRUE(again) << format_one_line(again.error());
  EXPECT_EQ(as_hex(*again), as_hex(*placed)) << "placing twice";
  // only whole numbers may change: offsets, sizes, and positions of missing parts
  for (const report::Change& c : report::diff(*before.find("document"), *after.find("document"))) {
    for (const Value* v : {&c.before, &c.after})
      EXPECT_TRUE(only_whole_numbers(*v))
          << report::to_string(c.kind) << " " << c.path_a << " " << c.path_b << ": " << c.was << " -> " << c.is;
  }
}

TEST_P(EverySample, HasNoDiffToItself) {
  const TraceResult a = format().trace(bytes(), {}), b = format().trace(bytes(), {});
  EXPECT_EQ(report::diff_text(report::diff(a.spans, b.spans)), "");
}

TEST_P(EverySample, FindingsHaveRulesAndPlaces) {
  const OpenedFile o = opened();
  for (const Diagnostic& d : check(o)) {
    expect_by_rule(d);
    EXPECT_TRUE(d.place.known()) << d.id << " " << format_one_line(d);
    EXPECT_NE(d.severity, Severity::stop) << d.id;
    EXPECT_FALSE(d.message.empty() && d.expected.empty() && d.found.empty()) << d.id;
  }
}

TEST_P(EverySample, IsUncertainWithoutARequiredName) {
  if (format().needs_name) {
    EXPECT_NE(format().sniff(bytes(), "").certainty, Sniff::Certainty::certain);
  }
}

TEST_P(EverySample, InfoIsAValidJsonObject) {
  const Value v = format().info(*opened().document);
  ASSERT_TRUE(v.is(Value::Kind::object));
  EXPECT_GT(v.size(), 0u);
  EXPECT_TRUE(json::read(json::write(v)));
}

TEST_P(EverySample, GivesAValidScene) {
  if (!format().scenes) GTEST_SKIP();
  auto s = to_scene(opened());
  if (!s && s.error().id == "scene.none") GTEST_SKIP() << "palettes and lights alone are nothing to see";
  ASSERT_TRUE(s) << format_one_line(s.error());
  for (const std::string& fault : scene::verify(s->scene)) ADD_FAILURE() << fault;
  EXPECT_TRUE(gltf::write_glb(s->scene));
}

// ---- properties of any bytes ----

/// Runs everything `dio` can do with a file. Returns the first failure other than a clear rejection.
std::string broken_for(const Format& format, ByteView bytes) {
  (void)format.sniff(bytes, "file");
  const TraceResult t = format.trace(bytes, {});
  auto o = open(Bytes(bytes.begin(), bytes.end()), "file", &format);
  if (!o) {
    if (!t.stop || t.stop->place.path != o.error().place.path || t.stop->id != o.error().id)
      return "the trace stops otherwise than the reader";
    const std::string why = unclear(o.error(), bytes);
    return why.empty() ? why : "\"" + format_one_line(o.error()) + "\": " + why;
  }
  if (t.stop) return "loads, but the trace stops: " + format_one_line(*t.stop);
  if (auto law = broken_law(t.spans, false); !law.empty()) return law;
  const RoundTripResult v = verify(*o, json::round_trip_as_json());
  if (!v.straight || !v.through_json) return v.problem;
  for (const Diagnostic& d : check(*o))
    if (!find_rule(d.id) || !d.place.known())
      return "a finding without rule or place: " + d.id + " " + format_one_line(d);
  (void)format.info(*o->document);
  if (auto placed = o->document->save({.canonical = true})) {
    auto again = open(*placed, "placed", &format);
    if (!again) return "what was placed does not load: " + format_one_line(again.error());
    auto twice = again->document->save({.canonical = true});
    if (!twice) return "what was placed cannot be placed again: " + format_one_line(twice.error());
    if (*twice != *placed) return "placing twice";
  } else if (placed.error().id.empty() || format_one_line(placed.error()).empty())
    return "is not placed, and nothing says why";
  if (!format.scenes) return {};
  auto s = to_scene(*o);
  if (!s) return {};
  if (const auto faults = scene::verify(s->scene); !faults.empty()) return faults[0];
  return gltf::write_glb(s->scene) ? "" : "a sound scene that cannot be written";
}

TEST_P(EverySample, DamagedFilesAreReadOrRejectedClearly) {
  const size_t all = bytes().size() * 12;
  each_damage(
      bytes(),
      [&](ByteView damaged, const std::string& what) {
        if (HasFailure()) return;
        EXPECT_EQ(broken_for(format(), damaged), "") << what;
      },
      // Slow steps test fewer changes of large files; the fuzz targets test more.
      stride(all, std::clamp<size_t>(100'000 / std::max<size_t>(1, bytes().size()), 6, 25)), GetParam().number);
}

/// The fast part of the test above, for many more changes.
TEST_P(EverySample, DamagedFilesRoundTripOrAreRejected) {
  const size_t all = bytes().size() * 12;
  each_damage(
      bytes(),
      [&](ByteView damaged, const std::string& what) {
        if (HasFailure()) return;
        auto r = format().load(damaged, {});
        if (!r) {
          EXPECT_EQ(unclear(r.error(), damaged), "") << what << ": " << format_one_line(r.error());
          return;
        }
        auto b = r->document->save({});
        ASSERT_TRUE(b) << what << ": " << format_one_line(b.error());
        EXPECT_TRUE(std::equal(b->begin(), b->end(), damaged.begin(), damaged.end())) << what;
      },
      // Rejected files are read twice, with a trace, so large files get fewer changes.
      stride(all, std::clamp<size_t>(1'500'000 / std::max<size_t>(1, bytes().size()), 50, 1000)), GetParam().number);
}

}  // namespace
}  // namespace dio::test

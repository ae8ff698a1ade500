// id_references_test.cpp: JSON with ids instead of numbers encodes to the same bytes. Removing or moving elements in
// it, without knowing the format, keeps all other references. Editing makes the same edit on the file for comparison.
#include "operations/id_references.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/json.hpp"
#include "engine/meanings.hpp"
#include "engine/seeds.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "kmp/generator.hpp"
#include "operations/changes.hpp"
#include "operations/editing.hpp"
#include "operations/operations.hpp"
#include "samples/samples.hpp"

namespace dio::test {
namespace {

Value by_id(const Bytes& file, const ReadAs& as) {
  const auto opened = open(file, "file", as);
  if (!opened) return {};
  Value whole = decode(*opened);
  replace_indices_with_ids(whole, opened->trace().spans);
  return whole;
}
/// The JSON read as `dio encode` does.
Result<Bytes> round_trip_as_json(const Value& whole) {
  const std::string text = json::write(whole);
  const auto dom = json::read_dom(text);
  EXPECT_TRUE(dom);
  return encode(*dom);
}
bool mentions(const Value& v, const std::string& text) {
  if (v.is(Value::Kind::text)) return v.text() == text;
  return (v.is(Value::Kind::list) || v.is(Value::Kind::object)) &&
         std::ranges::any_of(v.members(), [&](const Value::Member& m) { return mentions(m.second, text); });
}
/// Clears references as a program would: they become null, except in groups and chains, which are derived.
void clear(Value& v, const std::string& text, const Value& table, const std::string& path) {
  const bool is_list = v.is(Value::Kind::list);
  for (auto& [name, member] : v.members()) {
    const std::string own = is_list ? path + "[]" : member_path(path, name);
    const Value* entry = table.find(own);
    if (member.is(Value::Kind::text) && member.text() == text && !(entry && entry->find("chain")))
      member = Value();
    else if ((member.is(Value::Kind::object) || member.is(Value::Kind::list)) && !(entry && entry->find("count")))
      clear(member, text, table, own);
  }
}

/// The values of a file without derived ones, because gaps may be reused differently.
Value content_of(const Spans& spans, u32 span) {
  const Span& s = spans[span];
  const bool is_list = s.kind == Span::Kind::list;
  if (!is_list && s.kind != Span::Kind::object) return spans.value(span);
  Value out = is_list ? Value::list() : Value::object();
  spans.for_each_child(span, [&](u32 i) {
    const Key& k = spans[i].key;
    if (spans[i].is_value() && !k.is_placement && !k.is_derived)
      out.members().push_back({k.name ? k.name : "", content_of(spans, i)});
  });
  return out;
}

class FormatIdReferences : public testing::TestWithParam<const Format*> {};
INSTANTIATE_TEST_SUITE_P(Formats, FormatIdReferences, testing::ValuesIn(formats()), [](const auto& p) {
  std::string name(p.param->id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(FormatIdReferences, JsonWithIdsEncodesToTheSameBytes) {
  for (const Sample& s : samples_of(*GetParam())) {
    SCOPED_TRACE(s.name);
    const auto opened = open(s.bytes, s.name, GetParam());
    if (!opened) continue;
    const TraceResult traced = opened->trace();
    const References references(traced.spans);
    const Value whole = by_id(s.bytes, GetParam());
    EXPECT_EQ(whole.find("references") != nullptr,
              std::ranges::any_of(references.all(), [&](const ResolvedReference& r) {
                return r.count && r.list && !r.is_by_name() && references.exists(r);
              }));
    const auto again = round_trip_as_json(whole);
    ASSERT_TRUE(again) << format_one_line(again.error());
    EXPECT_EQ(*again, s.bytes);
    // Not only thanks to the digest: without it, ids and numbers give the same bytes.
    Value undigested = whole, plain = decode(*opened);
    for (Value* v : {&undigested, &plain}) v->find("digest")->operator=("");
    const auto one = round_trip_as_json(undigested), other = round_trip_as_json(plain);
    ASSERT_EQ(bool(one), bool(other));
    if (one) EXPECT_EQ(*one, *other);
  }
}

/// Removes an element in JSON and by an edit.
void remove_both_ways(const Bytes& file, const ReadAs& as, u64 seed, int& same) {
  std::mt19937_64 random(seed);
  const auto begun = Editing::begin(file, as);
  if (!begun) return;
  const auto lists = lists_of(begun->spans());
  if (lists.empty()) return;
  const u32 list = lists[size_t(random() % lists.size())];
  const std::string path = begun->spans().path(list);
  if (path == "sections" || is_made_again(path)) return;
  const u64 n = begun->spans().length(list), index = random() % n;
  // A group that extends beyond its list stays a number.
  for (const References references(begun->spans()); const ResolvedReference& r : references.all())
    if (r.is_run() && r.count && !references.exists(r)) return;
  const bool has_references = !References(begun->spans()).all().empty();
  Editing edited = std::move(*Editing::begin(file, as));
  const auto removed = edited.remove(path + "[" + std::to_string(index) + "]", Referrers::unlink);
  Value whole = by_id(file, as);
  Value* elements = value_at(*whole.find("document"), path);
  if (!elements || elements->size() != n) return;
  const Value* id = elements->at(size_t(index))->find("@id");
  const std::string target = id ? "@" + id->text() : "";
  elements->members().erase(elements->members().begin() + std::ptrdiff_t(index));
  if (!target.empty()) clear(*whole.find("document"), target, *whole.find("references"), "");
  const auto bytes = round_trip_as_json(whole);
  if (!removed || !bytes || !has_references) return;
  SCOPED_TRACE(path + "[" + std::to_string(index) + "], seed " + std::to_string(seed));
  const auto content = [&](const Bytes& b) {
    const TraceResult traced = as.format->trace(b, as.options);
    Value all = content_of(traced.spans, 0);
    std::erase_if(all.members(), [&](const Value::Member& m) {
      return std::ranges::any_of(edits_of(*as.format),
                                 [&](const Edit& e) { return e.is_stale && e.is_generated_path(m.first); });
    });
    return json::write(all);
  };
  EXPECT_EQ(content(*bytes), content(edited.bytes()));
  ++same;
}

TEST_P(FormatIdReferences, IdsSurviveRemovedElements) {
  int same = 0;
  const u64 first = from_environment("DIORAMA_SEED", 0), count = from_environment("DIORAMA_EDITS", 6);
  for (const Sample& s : samples_of(*GetParam()))
    for (u64 seed = first; seed < first + count && !HasFailure(); ++seed)
      remove_both_ways(s.bytes, GetParam(), seed, same);
  RecordProperty("compared", same);
}

TEST(IdReferences, IdsSurviveEditsOfGeneratedCourses) {
  int same = 0;
  const ReadAs as = find_format("kmp");
  for (u64 seed = 0; seed < from_environment("DIORAMA_COURSES", 400) && !testing::Test::HasFailure(); ++seed)
    remove_both_ways(KmpGenerator(seed).file(), as, seed, same);
  EXPECT_GT(same, 5);
}

TEST(IdReferences, IdsFollowReorderedElements) {
  const Sample s = samples_of(*find_format("kmp"))[0];
  Value whole = by_id(s.bytes, find_format("kmp"));
  auto& routes = value_at(*whole.find("document"), "POTI.entries")->members();
  ASSERT_GT(routes.size(), 1u);
  std::ranges::reverse(routes);
  const auto bytes = round_trip_as_json(whole);
  ASSERT_TRUE(bytes);
  auto expected = Editing::begin(s.bytes, find_format("kmp"));
  for (u64 i = 0; i + 1 < routes.size(); ++i)
    ASSERT_TRUE(expected->move("POTI.entries[" + std::to_string(routes.size() - 1) + "]", {.before = i, .after = {}}));
  EXPECT_EQ(meanings(find_format("kmp")->trace(*bytes, {}).spans, true), meanings(expected->spans(), true));
}

TEST(IdReferences, ErrorsNameTheInvalidId) {
  const Sample s = samples_of(*find_format("kmp"))[0];
  const Value whole = by_id(s.bytes, find_format("kmp"));
  const auto refused = [&](const auto& change) {
    Value v = whole;
    change(*v.find("document"));
    const auto bytes = round_trip_as_json(v);
    EXPECT_FALSE(bytes);
    if (bytes) return std::string();
    EXPECT_EQ(bytes.error().id, "json.reference");
    return format_one_line(bytes.error());
  };
  const std::string twice = refused([](Value& d) {
    Value* routes = value_at(d, "POTI.entries");
    routes->push(*routes->at(0));
  });
  EXPECT_NE(twice.find("another element has the id \"POTI.entries[0]\""), twice.npos) << twice;
  const std::string gone = refused([](Value& d) {
    auto& routes = value_at(d, "POTI.entries")->members();
    routes.erase(routes.begin());
  });
  EXPECT_NE(gone.find("no element has the id \"POTI.entries[0]\""), gone.npos) << gone;
  const std::string kind = refused([](Value& d) { *value_at(d, "ENPH.entries[0].first") = Value("@ITPT.entries[0]"); });
  EXPECT_NE(kind.find("not of ITPT.entries"), kind.npos) << kind;
}

}  // namespace
}  // namespace dio::test

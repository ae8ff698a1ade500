#include "bridge/report/diff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "bridge/hand_spans.hpp"
#include "core/json.hpp"

namespace {

using dio::Key;
using dio::Span;
using dio::Value;
using dio::Wire;
using dio::report::Change;
using dio::report::Changes;
using dio::report::diff;
using dio::report::diff_json;
using dio::report::diff_text;
using dio::test::HandSpans;

Value tree_of(std::string_view text) {
  auto v = dio::json::read(text);
  EXPECT_TRUE(v.has_value()) << text;
  return v ? *v : Value();
}
std::string text_of(std::string_view a, std::string_view b) { return diff_text(diff(tree_of(a), tree_of(b))); }

TEST(Diff, EqualValuesHaveNoChanges) {
  for (const char* text : {"null", "1", "[]", "{}", "[1, 1, 1]", R"({"a": [{"b": 1}, {"b": 1}, {"c": [0.5, -0.0]}]})"})
    EXPECT_EQ(text_of(text, text), "") << text;
  EXPECT_EQ(text_of(R"({"a": 1, "b": [2]})", R"({"b": [2], "a": 1})"), "");
  EXPECT_EQ(text_of(R"([{"a": 1, "b": 2}])", R"([{"b": 2, "a": 1}])"), "");
}

TEST(Diff, ReportsChangedTopLevelValues) {
  EXPECT_EQ(text_of("1", "2"), "~ (the whole document): 1 -> 2\n");
  EXPECT_EQ(text_of("1", "1.0"), "~ (the whole document): 1 -> 1.0\n");
  EXPECT_EQ(text_of("0.0", "-0.0"), "~ (the whole document): 0.0 -> -0.0\n");
  EXPECT_EQ(text_of("[]", "{}"), "~ (the whole document): [] -> {}\n");
  EXPECT_EQ(text_of("null", "[]"), "~ (the whole document): null -> []\n");
}

TEST(Diff, ComparesObjectMembersByName) {
  EXPECT_EQ(text_of(R"({"a": 1, "b": {"c": 2, "d": 3}})", R"({"x": 9, "a": 1, "b": {"c": 5}})"),
            "~ b.c: 2 -> 5\n"
            "- b.d: 3\n"
            "+ x: 9\n");
}

TEST(Diff, DoesNotReportNumbersAsMoved) {
  EXPECT_EQ(text_of("[1.0, 2.0, 3.0]", "[1.0, 2.5, 3.0]"), "~ [1]: 2.0 -> 2.5\n");
  EXPECT_EQ(text_of("[1, 2, 3]", "[3, 2, 1]"), "~ [0]: 1 -> 3\n~ [2]: 3 -> 1\n");
  EXPECT_EQ(text_of("[1, 2, 3]", "[1, 2, 3, 4]"), "+ [3]: 4\n");
  EXPECT_EQ(text_of("[1, 2, 3]", "[2, 3]"), "- [0]: 1\n");
  EXPECT_EQ(text_of("[1, 2, 3, 4, 5, 6]", "[2, 3, 4, 5, 6, 7]"), "- [0]: 1\n+ [5]: 7\n");
}

std::string list_of_objects(const std::vector<int>& ids, int changed = -1) {
  std::string s = "[";
  for (size_t i = 0; i < ids.size(); ++i) {
    s += (i ? ", " : "") + std::string("{\"id\": ") + std::to_string(ids[i]) +
         ", \"x\": " + std::to_string(ids[i] * 7) + ", \"y\": " + std::to_string(ids[i] == changed ? 1 : 0) +
         ", \"z\": 5}";
  }
  return s + "]";
}

TEST(Diff, DoesNotReportShiftedElementsAsMoved) {
  EXPECT_EQ(text_of(list_of_objects({1, 2, 3, 4}), list_of_objects({9, 1, 2, 3, 4})),
            "+ [0]: {\"id\": 9, \"x\": 63, \"y\": 0, \"z\": 5}\n");
  EXPECT_EQ(text_of(list_of_objects({1, 2, 3, 4}), list_of_objects({1, 3, 4})),
            "- [1]: {\"id\": 2, \"x\": 14, \"y\": 0, \"z\": 5}\n");
}

TEST(Diff, ReportsMovedElements) {
  EXPECT_EQ(text_of(list_of_objects({1, 2, 3, 4, 5}), list_of_objects({2, 3, 4, 1, 5})), "> [0] moved to [3]\n");
  EXPECT_EQ(text_of(list_of_objects({1, 2, 3, 4, 5}), list_of_objects({1, 5, 2, 3, 4})), "> [4] moved to [1]\n");
}

TEST(Diff, ReportsElementsThatMovedAndChanged) {
  EXPECT_EQ(text_of(list_of_objects({1, 2, 3, 4, 5}), list_of_objects({2, 3, 4, 5, 1}, 1)),
            "> [0] moved to [4]\n"
            "~ [0].y (now [4].y): 0 -> 1\n");
}

TEST(Diff, ReportsChangesInShiftedElements) {
  EXPECT_EQ(text_of(list_of_objects({1, 2, 3}), list_of_objects({8, 1, 2, 3}, 2)),
            "+ [0]: {\"id\": 8, \"x\": 56, \"y\": 0, \"z\": 5}\n"
            "~ [1].y (now [2].y): 0 -> 1\n");
}

TEST(Diff, ComparesFullyChangedElementsFieldByField) {
  EXPECT_EQ(text_of(R"([{"x": 1, "y": 1}, {"x": 2, "y": 2}, {"x": 3, "y": 3}])",
                    R"([{"x": 1, "y": 1}, {"x": 8, "y": 9}, {"x": 3, "y": 3}])"),
            "~ [1].x: 2 -> 8\n"
            "~ [1].y: 2 -> 9\n");
}

TEST(Diff, ReportsSwappedPolygonCornersAsChanges) {
  EXPECT_EQ(text_of(R"([{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}])",
                    R"([{"x": 1, "y": 2}, {"x": 5, "y": 6}, {"x": 3, "y": 4}])"),
            "~ [1].x: 3 -> 5\n~ [1].y: 4 -> 6\n~ [2].x: 5 -> 3\n~ [2].y: 6 -> 4\n");
}

TEST(Diff, ReportsChangesInNestedLists) {
  EXPECT_EQ(
      text_of(R"({"groups": [{"points": [{"x": 1, "y": 1}, {"x": 2, "y": 2}]}, {"points": []}]})",
              R"({"groups": [{"points": [{"x": 1, "y": 1}, {"x": 2, "y": 3}]}, {"points": [{"x": 0, "y": 0}]}]})"),
      "~ groups[0].points[1].y: 2 -> 3\n"
      "+ groups[1].points[0]: {\"x\": 0, \"y\": 0}\n");
}

TEST(Diff, WritesChangesAsJson) {
  const Value v = diff_json(diff(tree_of(list_of_objects({1, 2, 3, 4, 5})), tree_of(list_of_objects({2, 3, 4, 1, 6}))));
  EXPECT_EQ(dio::json::write(v, {.indent = 0}),
            R"({"schema": "diorama.diff/1", "changes": [{"kind": "moved", "a": "[0]", "b": "[3]"}, )"
            R"({"kind": "changed", "a": "[4].id", "b": "[4].id", "old": 5, "new": 6}, )"
            R"({"kind": "changed", "a": "[4].x", "b": "[4].x", "old": 35, "new": 42}]})");
}

TEST(Diff, ShowsWordsAndUnitsFromSpans) {
  const auto make = [](int kind, float size, dio::u64 third) {
    HandSpans h;
    h.number(Key("kind").words(dio::test::k_kinds), Wire::u16, dio::u64(kind));
    h.single(Key("size").unit("units"), size);
    h.numbers(Key("steps").unit("frames"), Wire::u16, {1, 2, third});
    h.text("name", "abc", 4);
    return h;
  };
  HandSpans a = make(3, 1, 3), b = make(4, 2.5, 9);
  EXPECT_EQ(diff_text(diff(a.done(), b.done())),
            "~ kind: 3 (moving road) -> 4 (camera)\n"
            "~ size: 1.0 units -> 2.5 units\n"
            "~ steps[2]: 3 frames -> 9 frames\n");
  EXPECT_TRUE(diff(a.done(), a.done()).empty());
  EXPECT_NE(diff_text(diff(a.done(), b.done()), true).find("\033[33m~\033[0m kind"), std::string::npos);
}

size_t index_of(const std::string& path) { return size_t(std::stoul(path.substr(path.find('[') + 1))); }

/// Applies the changes to the first list.
std::vector<Value> applied(const Value& a, size_t size_b, const Changes& changes) {
  std::vector<std::optional<Value>> b(size_b);
  std::vector<bool> used(a.size());
  for (const Change& c : changes) {
    if (c.kind != Change::Kind::added) used[index_of(c.path_a)] = true;
    if (c.kind == Change::Kind::moved)
      b[index_of(c.path_b)] = *a.at(index_of(c.path_a));
    else if (c.kind != Change::Kind::removed)
      b[index_of(c.path_b)] = c.after;
  }
  size_t i = 0;
  std::vector<Value> out;
  for (auto& place : b) {
    if (!place) {
      while (i < a.size() && used[i]) ++i;
      place = i < a.size() ? *a.at(i++) : Value("missing");
    }
    out.push_back(*place);
  }
  return out;
}

TEST(Diff, ChangesTransformOneNumberListIntoTheOther) {
  std::mt19937 random(4);
  for (int round = 0; round < 4000; ++round) {
    Value a = Value::list(), b = Value::list();
    const unsigned kinds = 1 + random() % 12;
    for (unsigned n = random() % 20; n; --n) a.push(int(random() % kinds));
    if (round % 2) {
      for (unsigned n = random() % 20; n; --n) b.push(int(random() % kinds));
    } else {
      for (const Value::Member& m : a.members()) {
        if (random() % 8 == 0) continue;
        b.push(random() % 8 ? m.second : Value(int(random() % kinds)));
        if (random() % 8 == 0) b.push(int(random() % kinds));
      }
    }
    const Changes changes = diff(a, b);
    const std::vector<Value> made = applied(a, b.size(), changes);
    for (size_t i = 0; i < b.size(); ++i)
      ASSERT_TRUE(made[i] == *b.at(i)) << dio::json::write(a) << "\n"
                                       << dio::json::write(b) << "\n"
                                       << diff_text(changes);
    EXPECT_LE(changes.size(), a.size() + b.size());
  }
}

TEST(Diff, ChangesTransformOneObjectListIntoTheOther) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int> ids(random() % 15);
    for (int& id : ids) id = int(random() % 20);
    std::vector<int> others = ids;
    for (unsigned n = random() % 4; n; --n) {
      if (!others.empty() && random() % 2) others.erase(others.begin() + long(random() % others.size()));
      others.insert(others.begin() + long(random() % (others.size() + 1)), int(random() % 20));
      if (random() % 2) std::swap(others.front(), others.back());
    }
    // Each element is one text, so elements are either equal or entirely different.
    const auto list = [](const std::vector<int>& of) {
      Value v = Value::list();
      for (const int id : of) v.push(Value::list()).push("id " + std::to_string(id));
      return v;
    };
    const Value a = list(ids), b = list(others);
    Changes changes = diff(a, b);
    // An entirely different element at the same place counts as changed, which is equivalent here.
    for (Change& c : changes) {
      if (c.kind != Change::Kind::changed) continue;
      c.after = *b.at(index_of(c.path_b));
    }
    const std::vector<Value> made = applied(a, b.size(), changes);
    for (size_t i = 0; i < b.size(); ++i)
      ASSERT_TRUE(made[i] == *b.at(i)) << dio::json::write(a) << "\n"
                                       << dio::json::write(b) << "\n"
                                       << diff_text(changes);
  }
}

TEST(Diff, ReportsASingleEditAsOneChange) {
  std::mt19937 random(6);
  for (int round = 0; round < 500; ++round) {
    std::vector<int> ids(30);
    for (size_t i = 0; i < ids.size(); ++i) ids[i] = int(i);
    std::shuffle(ids.begin(), ids.end(), random);
    std::vector<int> others = ids;
    const size_t at = random() % others.size();
    int changed = -1;
    switch (random() % 3) {
      case 0:
        others.erase(others.begin() + long(at));
        break;
      case 1:
        others.insert(others.begin() + long(at), 99);
        break;
      default:
        changed = ids[at];
        break;
    }
    const Changes changes = diff(tree_of(list_of_objects(ids)), tree_of(list_of_objects(others, changed)));
    EXPECT_EQ(changes.size(), 1u) << diff_text(changes);
  }
}

/// Long lists that are hard to compare: the diff must finish quickly with plausible counts.
TEST(Diff, ComparesLongListsQuickly) {
  constexpr int k_many = 8000;
  std::mt19937 random(8);
  const auto points = [&](auto x_of, int n) {
    Value list = Value::list();
    for (int i = 0; i < n; ++i) {
      Value& p = list.push(Value::object());
      p.add("x", x_of(i));
      p.add("y", i);
      p.add("z", i % 7);
      p.add("flags", 0);
    }
    return list;
  };
  const Value a = points([](int i) { return i; }, k_many);
  EXPECT_TRUE(diff(a, a).empty());
  // Every element changes, as if the whole map was moved.
  EXPECT_EQ(diff(a, points([](int i) { return i + 1000000; }, k_many)).size(), size_t(k_many));
  // The same, with one more element.
  EXPECT_LE(diff(a, points([](int i) { return i + 1000000; }, k_many + 1)).size(), size_t(k_many) + 2);
  // Shuffled.
  Value shuffled = a;
  std::shuffle(shuffled.members().begin(), shuffled.members().end(), random);
  const Changes moves = diff(a, shuffled);
  EXPECT_TRUE(std::all_of(moves.begin(), moves.end(), [](const Change& c) { return c.kind == Change::Kind::moved; }));
  // Few distinct numbers, with nothing to align on.
  Value noise_a = Value::list(), noise_b = Value::list();
  for (int i = 0; i < k_many; ++i) noise_a.push(int(random() % 3));
  for (int i = 0; i < k_many - 5; ++i) noise_b.push(int(random() % 3));
  EXPECT_LE(diff(noise_a, noise_b).size(), size_t(2 * k_many));
  // The same numbers with some removed.
  Value fewer = Value::list();
  for (const Value::Member& m : noise_a.members())
    if (random() % 100) fewer.push(m.second);
  EXPECT_LE(diff(noise_a, fewer).size(), (noise_a.size() - fewer.size()) * 2);
  // All elements are equal.
  const Value zeros = points([](int) { return 0; }, 0);
  Value many = Value::list(), more = Value::list();
  for (int i = 0; i < k_many; ++i) many.push(Value::object()).add("a", 0);
  for (int i = 0; i < k_many + 3; ++i) more.push(Value::object()).add("a", 0);
  EXPECT_EQ(diff(many, more).size(), 3u);
  EXPECT_EQ(diff(zeros, many).size(), size_t(k_many));
}

}  // namespace

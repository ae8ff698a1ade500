#include "bridge/report/schema.hpp"

#include <algorithm>
#include <cstring>

#include "core/command_text.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "layout/reference.hpp"

namespace dio::report {

namespace {

using Kind = Span::Kind;
using Field = Shape::Field;

bool is_real(const Span& s) { return s.wire == Wire::f32 || s.wire == Wire::f64 || s.fraction > 0; }

Field& find_or_add_field(Field& f, std::string_view name) {
  for (auto& p : f.parts)
    if (p->name == name) return *p;
  f.parts.push_back(std::make_unique<Field>());
  f.parts.back()->name = name;
  return *f.parts.back();
}

void record_span_kind(Field& f, const Span& s) {
  const auto same = [&](const Span& k) {
    return k.kind == s.kind && k.wire == s.wire && k.fraction == s.fraction && k.bits == s.bits;
  };
  if (std::none_of(f.kinds.begin(), f.kinds.end(), same)) f.kinds.push_back(s);
}

}  // namespace

const Field* Field::find(std::string_view member) const {
  for (const auto& p : parts)
    if (p->name == member) return p.get();
  return nullptr;
}

void Shape::merge_span(Field& f, const Spans& spans, u32 span, u64 base) {
  const Span& s = spans[span];
  const u64 offset = s.offset - base;
  if (f.seen == 0) {
    f.offset = offset;
    f.size = s.size;
  }
  f.in_place = f.in_place && f.offset == offset && s.kind != Kind::inferred;
  f.same_size = f.same_size && f.size == s.size;
  ++f.seen;
  f.derived |= s.key.is_derived;
  if (s.key.about) f.doc = s.key.about;
  if (s.key.measure) f.unit = s.key.measure;
  // Some elements may refer to others although the last one does not.
  if (s.key.vocabulary && (s.key.vocabulary->refers || !f.words || !f.words->refers)) f.words = s.key.vocabulary;
  record_span_kind(f, s);

  u64 n = s.kind == Kind::text ? s.raw : s.size;
  if (s.kind == Kind::numbers) {
    n = spans.count(s);
    Field& element = find_or_add_field(f, "");
    Span one = s;
    one.kind = Kind::number;
    record_span_kind(element, one);
    element.seen += n;
  } else if (s.kind == Kind::list || s.kind == Kind::object) {
    n = 0;
    spans.for_each_child(span, [&](u32 i) {
      const Span& child = spans[i];
      if (!child.is_value()) return;
      ++n;
      // The offset of an element counts from its own start, that of a member from the start of its object.
      merge_span(find_or_add_field(f, s.kind == Kind::list ? "" : child.key.name), spans, i,
                 s.kind == Kind::list ? child.offset : s.offset);
    });
  }
  f.least = std::min(f.least, n);
  f.most = std::max(f.most, n);
}

void Shape::add(const Spans& spans) { merge_span(root_, spans, 0, 0); }

void Shape::detect_optional_members(Value& document, const Format& format) {
  detect_optional_members(root_, document, document, format);
}

void Shape::detect_optional_members(Field& f, Value& v, Value& document, const Format& format) {
  for (size_t i = 0; i < v.members().size(); ++i) {
    const std::string name = v.members()[i].first;
    Field& member = find_or_add_field(f, name);
    if (!name.empty() && !member.confirmed) {
      member.confirmed = true;
      member.optional = member.seen < f.seen;
      if (!member.optional) {
        Value kept = std::move(v.members()[i].second);
        v.members().erase(v.members().begin() + std::ptrdiff_t(i));
        const auto without = format.from_values(Dom(document), 0, {});
        member.optional = without || without.error().id != "layout.missing-key";
        v.members().emplace(v.members().begin() + std::ptrdiff_t(i), name, std::move(kept));
      }
    }
    detect_optional_members(member, v.members()[i].second, document, format);
  }
}

namespace {

/// The field of a path inside `now`; null if there is none.
const Field* find_inside(const Field* now, std::string_view path) {
  while (now && !path.empty()) {
    if (path.starts_with('.')) path.remove_prefix(1);
    if (path.starts_with('[')) {
      path.remove_prefix(std::min(path.find(']'), path.size() - 1) + 1);
      now = now->find("");
      continue;
    }
    const std::string_view name = path.substr(0, path.find_first_of(".["));
    path.remove_prefix(name.size());
    const Field* next = now->find(name);
    if (!next)  // the index may be omitted
      if (const Field* element = now->find("")) next = element->find(name);
    now = next;
  }
  return now;
}

}  // namespace

const Field* Shape::find(std::string_view path) const { return find_inside(&root_, path); }

void Shape::mark_referenced_elements() {
  std::vector<Field*> around;
  mark_referenced_elements(root_, around);
}

void Shape::mark_referenced_elements(Field& f, std::vector<Field*>& around) {
  if (const Reference* reference = f.words ? f.words->refers : nullptr; reference && !around.empty()) {
    for (const Target& t : reference->targets) {
      const Field* list = nullptr;
      for (size_t i = around.size(); i-- && !list;)
        if (const Field* found = find_inside(around[i], t.list); found && found->find("")) list = found;
      if (list && !t.by.empty()) list = find_inside(list, t.inner);
      if (const Field* element = list ? list->find("") : nullptr) const_cast<Field*>(element)->is_target = true;
    }
    for (const auto& sibling : around.back()->parts)
      if (!reference->count.empty() && sibling->name == reference->count) sibling->is_run_length = true;
  }
  around.push_back(&f);
  for (const auto& part : f.parts) mark_referenced_elements(*part, around);
  around.pop_back();
}

std::string format_type(const Field& f) {
  std::string all;
  for (const Span& s : f.kinds) {
    std::string one;
    if (s.fraction > 0)
      one = (is_signed(s.wire) ? "fx" : "ufx") + std::to_string(8 * size_of(s.wire)) + '.' + std::to_string(s.fraction);
    else
      one = to_string(s.wire);
    const std::string n = f.least == f.most ? std::to_string(f.most) + ' ' : "";
    if (s.kind == Kind::object) one = "object";
    if (s.kind == Kind::list) one = "list";
    if (s.kind == Kind::numbers) one = n.empty() ? "list of " + one : n + one;
    if (s.kind == Kind::text) one = "text";
    if (s.kind == Kind::bytes) one = n.empty() ? "bytes" : format_count(f.most, "byte");
    if (s.kind == Kind::bits) one = format_count(s.bits, "bit");
    if (all.find(one) == all.npos) all += (all.empty() ? "" : " or ") + one;
  }
  return all;
}

// ---- JSON Schema
// -----------------------------------------------------------------------------------------------------

namespace {

Value make_type_schema(std::string_view type) {
  Value v = Value::object();
  v.add("type", type);
  return v;
}

/// `reference`: of the list, for its elements.
Value make_field_schema(const Field&, const Reference* reference = nullptr);

Value make_reference_schema() {
  Value v = make_type_schema("string");
  v.add("pattern", "^@");
  return v;
}

/// Either of two schemas.
Value make_either(Value one, Value other) {
  Value v = Value::object();
  Value& either = v.add("anyOf", Value::list());
  either.push(std::move(one));
  either.push(std::move(other));
  return v;
}

Value make_list_schema(Value element) {
  Value v = make_type_schema("array");
  v.add("items", std::move(element));
  return v;
}

/// What the numbers of the field refer to, so that JSON with ids may replace them; null if they refer to nothing.
const Reference* reference_of(const Field& f) {
  const Reference* r = f.words ? f.words->refers : nullptr;
  return r && !r->targets.empty() ? r : nullptr;
}

/// The schema of an index, which may also be the id of an element, or for a run the ids of all elements.
Value allow_ids(Value number, const Reference& reference) {
  Value v = make_either(std::move(number), make_reference_schema());
  if (!reference.count.empty()) v.members()[0].second.push(make_list_schema(make_reference_schema()));
  return v;
}

/// Numbers, in the range of their bits. Floats that are not finite are texts.
Value make_number_schema(const Span& s) {
  if (s.wire == Wire::fourcc) return make_type_schema("string");
  if (s.fraction > 0) return make_type_schema("number");
  if (is_real(s)) {
    Value v = Value::object();
    Value& types = v.add("type", Value::list());
    types.push("number");
    types.push("string");
    v.add("pattern", s.wire == Wire::f32 ? "^0x[0-9a-f]{8}$" : "^0x[0-9a-f]{16}$");
    return v;
  }
  Value v = make_type_schema("integer");
  const unsigned bits = s.kind == Kind::bits || s.wire == Wire::decimal ? s.bits : unsigned(8 * size_of(s.wire));
  // Bits have the wire type of their unit but may have a sign of their own.
  const bool both = s.kind == Kind::bits, sign = both || is_signed(s.wire);
  const u64 half = u64(1) << (bits - 1);
  v.add("minimum", sign ? -i64(half - 1) - 1 : i64(0));
  v.add("maximum", sign && !both ? half - 1 : half - 1 + half);
  return v;
}

/// The schema of an element that is not an object: itself, or an object with its id.
Value allow_id_of_element(Value element) {
  Value with_id = make_type_schema("object");
  Value& members = with_id.add("properties", Value::object());
  members.add("@id", make_type_schema("string"));
  members.add("@value", element);
  with_id.add("required", Value::list()).push("@value");
  with_id.add("additionalProperties", false);
  return make_either(std::move(element), std::move(with_id));
}

Value make_kind_schema(const Field& f, const Span& s) {
  switch (s.kind) {
    case Kind::object: {
      Value v = make_type_schema("object");
      Value& properties = v.add("properties", Value::object());
      Value required = Value::list();
      bool is_fixed = true;
      for (const auto& p : f.parts) {
        if (p->name.empty()) continue;
        properties.add(p->name, make_field_schema(*p));
        const bool is_optional = p->optional || p->seen != f.seen;
        is_fixed = is_fixed && !is_optional;
        if (!is_optional && !p->derived && !p->is_run_length) required.push(p->name);
      }
      if (f.is_target) properties.add("@id", make_type_schema("string"));
      if (required.size()) v.add("required", std::move(required));
      if (is_fixed) v.add("additionalProperties", false);  // others may have members that no sample has
      return v;
    }
    case Kind::list:
    case Kind::numbers: {
      Value v = make_type_schema("array");
      if (const Field* element = f.find("")) v.add("items", make_field_schema(*element, reference_of(f)));
      if (s.kind == Kind::numbers && f.least == f.most && f.seen > 1) {
        v.add("minItems", f.least);
        v.add("maxItems", f.most);
      }
      return v;
    }
    case Kind::text: {
      Value v = Value::object();
      Value& either = v.add("anyOf", Value::list());
      either.push(make_type_schema("string"));
      Value& hex = either.push(make_type_schema("object"));
      hex.add("properties", Value::object()).add("hex", make_type_schema("string"));
      hex.add("required", Value::list()).push("hex");
      return v;
    }
    case Kind::bytes: {
      Value v = make_type_schema("string");
      v.add("pattern", "^([0-9a-f]{2})*$");
      const Reference* reference = reference_of(f);
      if (!reference) return v;
      return make_either(std::move(v), make_list_schema(allow_ids(make_type_schema("integer"), *reference)));
    }
    default:
      return make_number_schema(s);
  }
}

std::string describe_field(const Field& f) {
  std::string text = f.doc ? f.doc : "";
  const auto sentence = [&](const std::string& s) { text += (text.empty() ? "" : ". ") + s; };
  if (f.unit) sentence(std::string("Unit: ") + f.unit);
  if (f.words && f.words->flags) {
    std::string sum = "A sum of", one = "and one of";
    for (const EnumName& w : f.words->words) {
      std::string& list = f.words->is_mask(w) ? sum : one;
      list += (list.ends_with("of") ? " " : ", ") + std::to_string(w.value) + " (" + std::string(w.word) + ")";
    }
    sentence(f.words->values ? sum + ", " + one : sum);
  }
  return text;
}

Value make_field_schema(const Field& f, const Reference* reference) {
  const auto is_number = [](const Span& s) { return s.kind == Kind::number || s.kind == Kind::bits; };
  if (!reference && std::ranges::all_of(f.kinds, is_number)) reference = reference_of(f);
  Value v;
  if (f.kinds.size() == 1) {
    v = make_kind_schema(f, f.kinds[0]);
  } else {
    v = Value::object();
    Value& either = v.add("anyOf", Value::list());
    for (const Span& s : f.kinds) {
      Value one = make_kind_schema(f, s);
      const auto& had = either.members();
      if (std::none_of(had.begin(), had.end(), [&](const Value::Member& m) { return m.second == one; }))
        either.push(std::move(one));
    }
    if (either.size() == 1) {
      Value only = std::move(either.members()[0].second);
      v = std::move(only);
    }
  }
  if (f.words && !f.words->flags && !f.words->words.empty()) {
    // Words name the known values; other values are also valid.
    Value with_words = Value::object();
    Value& any = with_words.add("anyOf", Value::list());
    for (const EnumName& w : f.words->words) {
      Value& one = any.push(Value::object());
      one.add("const", w.value);
      one.add("title", w.word);
    }
    any.push(std::move(v));
    Value& typed = any.push(Value::object()).add("enum", Value::list());  // a word, which reads as its number
    for (const EnumName& w : f.words->words) typed.push(w.word);
    v = std::move(with_words);
  }
  if (reference) v = allow_ids(std::move(v), *reference);
  if (f.is_target && std::ranges::any_of(f.kinds, [](const Span& s) { return s.kind != Kind::object; }))
    v = allow_id_of_element(std::move(v));
  if (const std::string text = describe_field(f); !text.empty()) v.add("description", text);
  return v;
}

}  // namespace

Value schema_json(const Shape& shape, std::string_view format, std::string_view title) {
  Value v = Value::object();
  v.add("$schema", "https://json-schema.org/draft/2020-12/schema");
  v.add("title", title);
  v.add("description",
        word_commands("Output of {decode} for " + std::string(format) + " files, and input of {encode}"));
  v.add("type", "object");
  Value& p = v.add("properties", Value::object());
  p.add("schema", Value::object()).add("const", "diorama.document/1");
  p.add("format", Value::object()).add("const", format);
  Value& size = p.add("size", make_type_schema("integer"));
  size.add("minimum", 0);
  size.add("description", "Size of the decoded file in bytes");
  p.add("digest", make_type_schema("string"))
      .add("description", "Hash of the decoded file; shows whether anything was edited");
  p.add("lean", make_type_schema("boolean"))
      .add("description", "Derived values may be missing; encoding computes all of them");
  Value& tail = p.add("tail", make_type_schema("string"));
  tail.add("pattern", "^([0-9a-f]{2})*$");
  tail.add("description", "In lean JSON: the bytes after the last described byte");
  Value& residue = p.add("residue", make_type_schema("array"));
  Value& run = residue.add("items", make_type_schema("object"));
  Value& parts = run.add("properties", Value::object());
  parts.add("offset", make_type_schema("integer")).add("minimum", 0);
  parts.add("bytes", make_type_schema("string")).add("pattern", "^([0-9a-f]{2})*$");
  Value& needed = run.add("required", Value::list());
  needed.push("offset");
  needed.push("bytes");
  residue.add("description", "Unreferenced bytes, kept so that encoding is byte-exact");
  p.add("references", make_type_schema("object"))
      .add("description",
           "In JSON with ids: the fields that refer to elements, and how to turn ids into numbers again");
  p.add("document", make_field_schema(shape.root()));
  Value& required = v.add("required", Value::list());
  for (const char* name : {"schema", "format", "document"}) required.push(name);
  return v;
}

// ---- tables
// ------------------------------------------------------------------------------------------------------------

namespace {

/// Escapes text for a table cell, which a bar would end.
std::string escape_table_cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

class Tables {
 public:
  std::string write_markdown(const Shape& shape) {
    write_table("The file", shape.root(), "");
    return std::move(out_);
  }

 private:
  static constexpr size_t k_words = 16;  // longer lists of words are cut

  /// An object whose members are all plain numbers of one kind: `x, y, z` in one row.
  static bool is_vector(const Field& f) {
    if (f.kinds.size() != 1 || f.kinds[0].kind != Kind::object || f.parts.size() < 2 || f.parts.size() > 4)
      return false;
    return std::all_of(f.parts.begin(), f.parts.end(), [&](const auto& p) {
      return p->kinds.size() == 1 && p->kinds[0].kind == Kind::number && !p->doc && !p->words &&
             p->kinds[0].wire == f.parts[0]->kinds[0].wire;
    });
  }
  static bool is_structure(const Field& f) {
    return std::any_of(f.kinds.begin(), f.kinds.end(), [](const Span& s) { return s.kind == Kind::object; }) &&
           !is_vector(f);
  }

  static std::string describe_meaning(const Field& f, bool sometimes) {
    std::string text = f.doc ? f.doc : "";
    const auto add = [&](const std::string& s) { text += (text.empty() ? "" : "; ") + s; };
    const char* unit = f.unit;
    if (!unit && is_vector(f)) unit = f.parts[0]->unit;
    if (unit) add(std::string("in ") + unit);
    if (f.words && !f.words->words.empty()) {
      std::string list;
      const auto& words = f.words->words;
      for (size_t i = 0; i < std::min(words.size(), k_words); ++i)
        list += (list.empty() ? "" : ", ") +
                (f.words->is_mask(words[i]) ? format_hex(u64(words[i].value)) : std::to_string(words[i].value)) + " " +
                std::string(words[i].word);
      if (words.size() > k_words) list += ", and " + std::to_string(words.size() - k_words) + " more";
      add((f.words->values  ? "flags in hexadecimal, and one of the other numbers: "
           : f.words->flags ? "flags: "
                            : "") +
          list);
    }
    if (sometimes) add("optional");
    return text;
  }

  void write_table(const std::string& title, const Field& f, const std::string& path) {
    out_ += (out_.empty() ? "## " : "\n## ") + title + "\n\n| offset | field | type | meaning |\n|---:|---|---|---|\n";
    const size_t before = later_.size();
    write_rows(f, "", 0, true, path, f.seen);
    std::vector<Later> mine(later_.begin() + std::ptrdiff_t(before), later_.end());
    later_.resize(before);
    for (const Later& l : mine) write_table("`" + l.path + "`", *l.field, l.path);
  }

  void write_rows(const Field& f, const std::string& prefix, u64 offset, bool in_place, const std::string& path,
                  u64 seen) {
    for (const auto& p : f.parts) {
      if (p->name.empty()) continue;
      const std::string name = prefix + p->name, full = path.empty() ? p->name : path + "." + p->name;
      const bool placed = in_place && p->in_place;
      const u64 at = offset + p->offset;
      std::string type = format_type(*p), link;
      if (is_vector(*p)) {
        type = format_type(*p->parts[0]);
        std::string names;
        for (const auto& axis : p->parts) names += (names.empty() ? "" : ", ") + axis->name;
        type += " " + names;
      }
      const Field* element = p->find("");
      if (element && is_structure(*element)) {
        type = "list of `" + full + "[]`";
        later_.push_back({full + "[]", element});
      } else if (element && !element->kinds.empty() && p->kinds[0].kind == Kind::list) {
        type = "list of " + format_type(*element);
      } else if (is_structure(*p)) {
        type = "`" + full + "`";
        later_.push_back({full, p.get()});
      }
      out_ += "| " + (placed ? format_hex(at, 2) : std::string("")) + " | `" + name + "` | " + escape_table_cell(type) +
              " | " + escape_table_cell(describe_meaning(*p, p->optional || p->seen < seen)) + " |\n";
    }
  }

  struct Later {
    std::string path;
    const Field* field;
  };
  std::string out_;
  std::vector<Later> later_;
};

}  // namespace

std::string schema_markdown(const Shape& shape) { return Tables().write_markdown(shape); }

}  // namespace dio::report

// editing.cpp: files that are edited, of diorama.h.
#include "operations/editing.hpp"

#include "bridge/report/refs.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "layout/selector.hpp"

using namespace dio;
using namespace dio::capi;

namespace {

constexpr const char* k_kinds[] = {"set", "put", "drop", "insert", "remove", "order"};

Value as_value(const Change& c) {
  Value v = Value::object();
  v.add("kind", k_kinds[size_t(c.kind)]);
  v.add("path", c.path);
  using enum Change::Kind;
  if (c.kind == insert || c.kind == remove) v.add("index", c.index);
  if (c.kind == set || c.kind == drop || c.kind == remove) v.add("before", c.before);
  if (c.kind == set || c.kind == put || c.kind == insert) v.add("after", c.after);
  if (c.kind == order) {
    Value& order_ = v.add("order", Value::list());
    for (const u32 from : c.order) order_.push(u64(from));
  }
  v.add("line", to_line(c));
  return v;
}

dio_buffer* result_of(const Editing& e, const std::vector<std::string>& done, const Changes& changes) {
  Value v = Value::object();
  v.add("schema", "diorama.edit/1");
  Value& lines = v.add("done", Value::list());
  for (const std::string& line : done) lines.push(line);
  Value& list = v.add("changes", Value::list());
  for (const Change& c : changes) list.push(as_value(c));
  Value& notes = v.add("notes", Value::list());
  for (const Diagnostic& d : e.notes()) notes.push(to_line(d));
  v.add("edits", u64(e.done()));
  v.add("can_undo", e.can_undo());
  v.add("can_redo", e.can_redo());
  return buffer_of(v);
}

template <class F>
dio_buffer* with_editing(dio_editing* editing, F&& f) {
  if (!is(editing, k_editing_tag))
    return buffer_of(wrong_argument({.message = "the pointer is not an editing of this library"}));
  if (!editing->editing) {
    Diagnostic d = *editing->error;
    return buffer_of(std::move(d));
  }
  return f(*editing->editing);
}

/// An error, with the name of the file.
dio_buffer* refused(const dio_editing& editing, Diagnostic d) {
  if (d.place.file.empty()) d.place.file = editing.name;
  return buffer_of(std::move(d));
}

}  // namespace

extern "C" {

dio_buffer* dio_edits(const dio_file* file) {
  return with_opened(file, [](const Opened& o) { return buffer_of(describe_edits(*o.format, o.format_id())); });
}

dio_buffer* dio_refs(const dio_file* file, const char* path, const dio_file* const* others, size_t count) {
  if (count && !others)
    return buffer_of(wrong_argument({.message = "the list of other files is null, but its count is not 0"}));
  return with_opened(file, [&](const Opened& o) {
    const Traced traced = o.trace();
    const auto parts = select(traced.spans, text_of(path));
    if (!parts) return buffer_of(parts.error(), file);
    const References references(traced.spans);
    std::vector<Traced> with;
    with.reserve(count);  // their spans stay where they are
    std::vector<report::NamedSpans> files = {{o.name, &traced.spans}};
    for (size_t i = 0; i < count; ++i) {
      if (!is(others[i], k_file_tag)) return buffer_of(no_file());
      if (!others[i]->opened) return buffer_of(not_opened(*others[i]), others[i]);
      with.push_back(others[i]->opened->trace());
      files.push_back({others[i]->name, &with.back().spans});
    }
    Value v = Value::object();
    v.add("schema", "diorama.refs/1");
    v.add("file", o.name);
    Value& list = v.add("parts", Value::list());
    for (const Spot& part : *parts) list.push(report::references_of(traced.spans, references, part, files));
    return buffer_of(v);
  });
}

dio_editing* dio_editing_begin(const dio_file* file, uint32_t flags) {
  auto editing = std::make_unique<dio_editing>();
  const auto begun = [&]() -> Result<Editing> {
    if (auto wrong = wrong_flags(flags, DIO_LOSSY)) return refuse(std::move(*wrong));
    if (!is(file, k_file_tag)) return refuse(no_file());
    editing->name = file->name;
    if (!file->opened) return refuse(not_opened(*file));
    const Opened& o = *file->opened;
    editing->opened = file->opened;
    return Editing::begin(o, {.lossy = (flags & DIO_LOSSY) != 0});
  };
  if (auto e = begun())
    editing->editing = std::move(*e);
  else {
    editing->error = std::move(e.error());
    if (editing->error->place.file.empty()) editing->error->place.file = editing->name;
  }
  return editing.release();
}

void dio_editing_close(dio_editing* editing) {
  if (is(editing, k_editing_tag)) delete editing;
}

uint32_t dio_editing_ok(const dio_editing* editing) { return is(editing, k_editing_tag) && editing->editing; }

dio_buffer* dio_editing_run(dio_editing* editing, const char* const* words, size_t count, uint32_t flags) {
  return with_editing(editing, [&](Editing& e) {
    if (auto wrong = wrong_flags(flags, DIO_UNLINK | DIO_CASCADE)) return buffer_of(std::move(*wrong));
    const auto list = words_of(words, count);
    if (!list) return buffer_of(list.error());
    const auto steps = edit_steps(*list);
    if (!steps) return refused(*editing, steps.error());
    if (steps->empty()) return buffer_of(wrong_argument({.message = "no edit is given"}));
    const size_t before = e.done();
    const auto done = e.run(*steps, referrers(flags));
    if (!done) return refused(*editing, done.error());
    if (e.done() > before) {  // what was undone before cannot be made again
      editing->renamed.resize(before);
      editing->renamed.emplace_back().note(e);
    }
    return result_of(e, *done, e.last());
  });
}

dio_buffer* dio_editing_undo(dio_editing* editing) {
  return with_editing(editing, [&](Editing& e) {
    if (!e.can_undo()) return buffer_of(wrong_argument({.message = "there is nothing to undo"}));
    const Changes back = inverse(e.last());
    e.undo();
    return result_of(e, {}, back);
  });
}

dio_buffer* dio_editing_redo(dio_editing* editing) {
  return with_editing(editing, [&](Editing& e) {
    if (!e.can_redo()) return buffer_of(wrong_argument({.message = "there is nothing to redo"}));
    e.redo();
    return result_of(e, {}, e.last());
  });
}

dio_buffer* dio_editing_follow(dio_editing* editing, const dio_file* other) {
  return with_editing(editing, [&](Editing& e) {
    return with_opened(other, [&](const Opened& o) {
      auto following = Editing::begin(o);
      if (!following) return buffer_of(following.error(), other);
      for (size_t i = 0; i < e.done(); ++i)
        if (const auto done = editing->renamed[i].follow(*following); !done) return buffer_of(done.error(), other);
      return buffer_of(following->bytes());
    });
  });
}

dio_buffer* dio_editing_save(dio_editing* editing, uint32_t flags) {
  return with_editing(editing, [&](Editing& e) {
    if (auto wrong = wrong_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return buffer_of(std::move(*wrong));
    const auto bytes = e.save(save_options(flags));
    return bytes ? buffer_of(*bytes) : refused(*editing, bytes.error());
  });
}

}  // extern "C"

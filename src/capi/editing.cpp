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

Value change_to_json(const Change& c) {
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
  v.add("line", format_one_line(c));
  return v;
}

dio_buffer* make_edit_result(const Editing& e, const std::vector<std::string>& done, const Changes& changes) {
  Value v = Value::object();
  v.add("schema", "diorama.edit/1");
  Value& lines = v.add("done", Value::list());
  for (const std::string& line : done) lines.push(line);
  Value& list = v.add("changes", Value::list());
  for (const Change& c : changes) list.push(change_to_json(c));
  Value& notes = v.add("notes", Value::list());
  for (const Diagnostic& d : e.notes()) notes.push(format_one_line(d));
  v.add("edits", u64(e.done()));
  v.add("can_undo", e.can_undo());
  v.add("can_redo", e.can_redo());
  return make_buffer(v);
}

template <class F>
dio_buffer* with_editing(dio_editing* editing, F&& f) {
  if (!has_handle_tag(editing, k_editing_tag))
    return make_buffer(argument_error({.message = "the pointer is not an editing of this library"}));
  if (!editing->editing) {
    Diagnostic d = *editing->error;
    return make_buffer(std::move(d));
  }
  return f(*editing->editing);
}

/// An error, with the name of the file.
dio_buffer* make_edit_error(const dio_editing& editing, Diagnostic d) {
  if (d.place.file.empty()) d.place.file = editing.name;
  return make_buffer(std::move(d));
}

}  // namespace

extern "C" {

dio_buffer* dio_edits(const dio_file* file) {
  return with_opened(file, [](const OpenedFile& o) { return make_buffer(describe_edits(*o.format, o.format_id())); });
}

dio_buffer* dio_refs(const dio_file* file, const char* path, const dio_file* const* others, size_t count) {
  if (count && !others)
    return make_buffer(argument_error({.message = "the list of other files is null, but its count is not 0"}));
  return with_opened(file, [&](const OpenedFile& o) {
    const TraceResult traced = o.trace();
    const auto parts = select(traced.spans, text_of(path));
    if (!parts) return make_buffer(parts.error(), file);
    const References references(traced.spans);
    std::vector<TraceResult> with;
    with.reserve(count);  // their spans stay where they are
    std::vector<report::NamedSpans> files = {{o.name, &traced.spans}};
    for (size_t i = 0; i < count; ++i) {
      if (!has_handle_tag(others[i], k_file_tag)) return make_buffer(invalid_file_handle());
      if (!others[i]->opened) return make_buffer(not_opened_error(*others[i]), others[i]);
      with.push_back(others[i]->opened->trace());
      files.push_back({others[i]->name, &with.back().spans});
    }
    Value v = Value::object();
    v.add("schema", "diorama.refs/1");
    v.add("file", o.name);
    Value& list = v.add("parts", Value::list());
    for (const SpanRef& part : *parts) list.push(report::collect_references(traced.spans, references, part, files));
    return make_buffer(v);
  });
}

dio_editing* dio_editing_begin(const dio_file* file, uint32_t flags) {
  auto editing = std::make_unique<dio_editing>();
  const auto begun = [&]() -> Result<Editing> {
    if (auto wrong = check_unknown_flags(flags, DIO_LOSSY)) return refuse(std::move(*wrong));
    if (!has_handle_tag(file, k_file_tag)) return refuse(invalid_file_handle());
    editing->name = file->name;
    if (!file->opened) return refuse(not_opened_error(*file));
    const OpenedFile& o = *file->opened;
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
  if (has_handle_tag(editing, k_editing_tag)) delete editing;
}

uint32_t dio_editing_ok(const dio_editing* editing) {
  return has_handle_tag(editing, k_editing_tag) && editing->editing;
}

dio_buffer* dio_editing_run(dio_editing* editing, const char* const* words, size_t count, uint32_t flags) {
  return with_editing(editing, [&](Editing& e) {
    if (auto wrong = check_unknown_flags(flags, DIO_UNLINK | DIO_CASCADE)) return make_buffer(std::move(*wrong));
    const auto list = copy_strings(words, count);
    if (!list) return make_buffer(list.error());
    const auto steps = parse_edit_steps(*list);
    if (!steps) return make_edit_error(*editing, steps.error());
    if (steps->empty()) return make_buffer(argument_error({.message = "no edit is given"}));
    const size_t before = e.done();
    const auto done = e.run(*steps, referrers(flags));
    if (!done) return make_edit_error(*editing, done.error());
    if (e.done() > before) {  // what was undone before cannot be made again
      editing->renamed.resize(before);
      editing->renamed.emplace_back().record_renames(e);
    }
    return make_edit_result(e, *done, e.last());
  });
}

dio_buffer* dio_editing_undo(dio_editing* editing) {
  return with_editing(editing, [&](Editing& e) {
    if (!e.can_undo()) return make_buffer(argument_error({.message = "there is nothing to undo"}));
    const Changes back = inverse(e.last());
    e.undo();
    return make_edit_result(e, {}, back);
  });
}

dio_buffer* dio_editing_redo(dio_editing* editing) {
  return with_editing(editing, [&](Editing& e) {
    if (!e.can_redo()) return make_buffer(argument_error({.message = "there is nothing to redo"}));
    e.redo();
    return make_edit_result(e, {}, e.last());
  });
}

dio_buffer* dio_editing_follow(dio_editing* editing, const dio_file* other) {
  return with_editing(editing, [&](Editing& e) {
    return with_opened(other, [&](const OpenedFile& o) {
      auto following = Editing::begin(o);
      if (!following) return make_buffer(following.error(), other);
      for (size_t i = 0; i < e.done(); ++i)
        if (const auto done = editing->renamed[i].follow(*following); !done) return make_buffer(done.error(), other);
      return make_buffer(following->bytes());
    });
  });
}

dio_buffer* dio_editing_save(dio_editing* editing, uint32_t flags) {
  return with_editing(editing, [&](Editing& e) {
    if (auto wrong = check_unknown_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return make_buffer(std::move(*wrong));
    const auto bytes = e.save(save_options(flags));
    return bytes ? make_buffer(*bytes) : make_edit_error(*editing, bytes.error());
  });
}

}  // extern "C"

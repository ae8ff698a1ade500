#include "capi/handles.hpp"

#include "core/printing.hpp"

namespace dio::capi {

const Rule& argument_rule() {
  static constexpr Rule k_argument{"capi.argument",
                                   Severity::stop,
                                   "arguments are as diorama.h documents them",
                                   "The mistake is in the program that calls the library, not in the file.",
                                   "Compare the call with the comments of diorama.h.",
                                   "diorama"};
  return k_argument;
}

Diagnostic wrong_argument(Said said) { return make_diagnostic(argument_rule().id, {}, std::move(said)); }
Diagnostic no_file() { return wrong_argument({.message = "the file is not a handle from dio_open"}); }

std::optional<Diagnostic> wrong_flags(u32 flags, u32 known) {
  if (!(flags & ~known)) return {};
  return wrong_argument({.message = "unknown flags " + hex_number(flags & ~known)});
}

Diagnostic not_opened(const dio_file& file) {
  if (file.error) return *file.error;
  return make_diagnostic(argument_rule().id, Place::in_file(file.name),
                         {.message = "the file was opened in parts; this needs all of it",
                          .hint = "open a member of it, or the whole file with dio_open"});
}

// ---- results ----

dio_buffer* buffer_of(std::string text) {
  auto* b = new dio_buffer;
  b->text = std::move(text);
  return b;
}

dio_buffer* buffer_of(Bytes bytes) {
  auto* b = new dio_buffer;
  b->bytes = std::move(bytes);
  return b;
}

dio_buffer* buffer_of(const Value& v, json::Style style) { return buffer_of(json::write(v, style) + '\n'); }

dio_buffer* buffer_of(Diagnostic d, const dio_file* file) {
  if (file && d.place.file.empty()) d.place.file = file->name;
  auto* b = buffer_of(json::write(report::finding_json(d), on_one_line()));
  b->ok = false;
  return b;
}

dio_buffer* buffer_of(std::vector<std::pair<std::string, Bytes>> files, Diagnostics notes, const dio_file& file,
                      const std::function<void(size_t number, Value& one)>& more) {
  Value v = Value::object();
  v.add("schema", "diorama.files/1");
  Value& list = v.add("files", Value::list());
  auto* b = new dio_buffer;
  for (auto& [name, bytes] : files) {
    Value& one = list.push(Value::object());
    one.add("name", std::move(name));
    one.add("size", u64(bytes.size()));
    if (more) more(b->files.size(), one);
    b->files.push_back(std::move(bytes));
  }
  Value& said = v.add("notes", Value::list());
  for (Diagnostic& d : notes) {
    if (d.place.file.empty()) d.place.file = file.name;
    said.push(report::finding_json(d));
  }
  b->text = json::write(v) + '\n';
  return b;
}

dio_scene* scene_handle(Result<Staged> staged, std::string name, OpenSource open) {
  auto* s = new dio_scene;
  s->name = std::move(name);
  if (!staged) {
    s->error = std::move(staged.error());
    if (s->error->place.file.empty()) s->error->place.file = s->name;
    return s;
  }
  s->staged = std::move(*staged);
  s->sources.emplace(s->staged.scene, s->name, std::move(open));
  return s;
}

}  // namespace dio::capi

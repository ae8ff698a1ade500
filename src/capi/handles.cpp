#include "capi/handles.hpp"

#include "core/text_format.hpp"

namespace dio::capi {

const Rule& argument_rule() {
  static constexpr Rule k_argument{"capi.argument",
                                   Severity::stop,
                                   "arguments are as diorama.h documents them",
                                   "The mistake is in the program that calls the library, not in the file: it asks "
                                   "for what is not there, or for what files of this format do not have.",
                                   "Compare the call with the comments of diorama.h.",
                                   "diorama"};
  return k_argument;
}

Diagnostic argument_error(DiagnosticText said) { return make_diagnostic(argument_rule().id, {}, std::move(said)); }
Diagnostic invalid_file_handle() { return argument_error({.message = "the file is not a handle from dio_open"}); }

Diagnostic invalid_scene_handle() {
  return argument_error({.message = "the scene is not a handle from dio_scene_of or dio_game_world"});
}

std::optional<Diagnostic> check_unknown_flags(u32 flags, u32 known) {
  if (!(flags & ~known)) return {};
  return argument_error({.message = "unknown flags " + format_hex(flags & ~known)});
}

Diagnostic not_opened_error(const dio_file& file) {
  if (file.error) return *file.error;
  return make_diagnostic(argument_rule().id, Location::in_file(file.name),
                         {.message = "the file was opened in parts; this needs all of it",
                          .hint = "open a member of it, or the whole file with dio_open"});
}

// ---- results ----

dio_buffer* make_buffer(std::string text) {
  auto* b = new dio_buffer;
  b->text = std::move(text);
  return b;
}

dio_buffer* make_buffer(Bytes bytes) {
  auto* b = new dio_buffer;
  b->bytes = std::move(bytes);
  return b;
}

dio_buffer* make_buffer(const Value& v, json::Style style) { return make_buffer(json::write(v, style) + '\n'); }

dio_buffer* make_buffer(Diagnostic d, const dio_file* file) {
  if (file && d.place.file.empty()) d.place.file = file->name;
  auto* b = make_buffer(json::write(report::finding_json(d), on_one_line()));
  b->ok = false;
  return b;
}

dio_buffer* make_buffer(std::vector<std::pair<std::string, Bytes>> files, Diagnostics notes, const dio_file& file,
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

dio_buffer* make_buffer(std::optional<Bytes> bytes, Diagnostics notes, const dio_file& file,
                        std::vector<Value::Member> more) {
  std::vector<std::pair<std::string, Bytes>> files;
  if (bytes) files.emplace_back(file_name(file.name), std::move(*bytes));
  auto* b = make_buffer(std::move(files), std::move(notes), file);
  auto whole = json::read(b->text);
  for (auto& [name, value] : more) whole->add(std::move(name), std::move(value));
  b->text = json::write(*whole) + '\n';
  return b;
}

dio_buffer* make_findings_buffer(Diagnostics found, bool is_of_game) {
  const report::Run run{.things = is_of_game ? "games" : "files", .with_findings = !found.empty()};
  auto* b = make_buffer(report::findings_json(report::group_findings(found), run));
  b->findings = std::move(found);
  return b;
}

// ---- arguments ----

std::optional<Diagnostic> check_byte_range(const void* bytes, size_t size) {
  if (size && !bytes) return argument_error({.message = "bytes is null, but size is not 0"});
  if (size > size_t(PTRDIFF_MAX))
    return argument_error({.message = "size " + std::to_string(size) + " is larger than memory"});
  return {};
}

SaveOptions save_options(u32 flags) { return {(flags & DIO_CANONICAL) != 0, (flags & DIO_LOSSY) != 0}; }

Referrers referrers(u32 flags) {
  return flags & DIO_CASCADE ? Referrers::cascade : flags & DIO_UNLINK ? Referrers::unlink : Referrers::refuse;
}

Diagnostic unsupported_by_format(const char* what, const OpenedFile& o) {
  return make_diagnostic(argument_rule().id, Location::in_file(o.name),
                         {.message = "the format " + o.format_id() + " has no " + what});
}

std::optional<Diagnostic> set_flag(bool& flag, const Argument& a) {
  if (a.value != "yes" && a.value != "no")
    return argument_error({.message = a.name + " must be yes or no, not " + in_quotes(a.value)});
  flag = a.value == "yes";
  return {};
}

Result<std::vector<std::string>> copy_strings(const char* const* words, size_t count) {
  if (count && !words) return refuse(argument_error({.message = "the list of words is null, but its count is not 0"}));
  std::vector<std::string> list;
  for (size_t i = 0; i < count; ++i) list.emplace_back(text_of(words[i]));
  return list;
}

Result<MemoryTree> make_memory_tree(const dio_named* files, size_t count) {
  if (count && !files) return refuse(argument_error({.message = "the list of files is null, but its count is not 0"}));
  MemoryTree tree;
  for (size_t i = 0; i < count; ++i) {
    if (auto wrong = check_byte_range(files[i].bytes, files[i].size)) return refuse(std::move(*wrong));
    const auto* first = static_cast<const u8*>(files[i].bytes);
    const std::string_view name = text_of(files[i].name);
    if (!tree.files.try_emplace(std::string(name), first, first + files[i].size).second)
      return refuse(argument_error({.message = "two files have the path " + in_quotes(name)}));
  }
  return tree;
}

OpenedFile again(const OpenedFile& o) {  // it was read before
  return std::move(*dio::open(o.bytes, o.name, {o.format, o.options}));
}

dio_scene* make_scene_handle(Result<SceneResult> staged, std::string name, OpenSource open) {
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

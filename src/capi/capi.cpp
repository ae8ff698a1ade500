// capi.cpp: what diorama.h declares, as calls of the library.
#include <cstdlib>
#include <cstring>

#include "bridge/gltf/gltf.hpp"
#include "bridge/report/findings.hpp"
#include "bridge/report/hex.hpp"
#include "bridge/report/json.hpp"
#include "bridge/report/tree.hpp"
#include "capi/diorama.h"
#include "formats/inside.hpp"
#include "formats/operations.hpp"

using namespace dio;

namespace {
// Callers hold untyped pointers, and mix them up: each kind starts with a word of its own.
constexpr u32 k_buffer_tag = 0xD10B0FFE, k_file_tag = 0xD10F11E5;
}  // namespace

struct dio_buffer {
  const u32 tag = k_buffer_tag;
  bool ok = true;
  std::string text;  // JSON, glTF
  Bytes bytes;       // anything else; one of the two is empty
};

struct dio_file {
  const u32 tag = k_file_tag;
  std::string name;
  Bytes bytes;                     // of a file that could not be read; those of others are in `opened`
  const Format* format = nullptr;  // may be known even so
  std::string format_id;           // with a NUL at its end
  std::optional<Opened> opened;
  std::optional<Diagnostic> error;
};

namespace {

constexpr Rule k_argument{"capi.argument", Severity::stop, "arguments are what diorama.h asks for",
                          "The mistake is in the program that uses the library; the file has nothing to do with it.",
                          "diorama"};

template <class T>
bool is(const T* object, u32 tag) {
  u32 found = 0;
  if (object) std::memcpy(&found, object, sizeof found);
  return found == tag;
}

std::string_view text_of(const char* s) { return s ? s : std::string_view(); }

Diagnostic wrong_argument(std::string expected, std::string found) {
  Diagnostic d;
  d.id = k_argument.id;
  d.expected = std::move(expected);
  d.found = std::move(found);
  return d;
}
Diagnostic no_file() { return wrong_argument("a file from dio_open", "something else"); }
std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

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
dio_buffer* buffer_of(const Value& v, json::Style style = {}) { return buffer_of(json::write(v, style) + '\n'); }

dio_buffer* buffer_of(Diagnostic d, const dio_file* file = nullptr) {
  if (file && d.place.file.empty()) d.place.file = file->name;
  json::Style one_line;
  one_line.indent = 0;
  auto* b = buffer_of(json::write(report::finding_json(d), one_line));
  b->ok = false;
  return b;
}
template <class T>
dio_buffer* buffer_of(Result<T> r, const dio_file* file = nullptr) {
  return r ? buffer_of(std::move(*r)) : buffer_of(std::move(r.error()), file);
}

// ---- arguments ----

std::optional<Diagnostic> wrong_run(const void* bytes, size_t size) {
  if (size && !bytes) return wrong_argument("bytes", "null");
  if (size > size_t(PTRDIFF_MAX)) return wrong_argument("a size that memory can have", std::to_string(size));
  return {};
}

std::optional<Diagnostic> wrong_flags(u32 flags, u32 known) {
  if (!(flags & ~known)) return {};
  return wrong_argument("flags of this function", std::to_string(flags));
}

SaveOptions options_of(u32 flags) { return {(flags & DIO_CANONICAL) != 0, (flags & DIO_LOSSY) != 0}; }

/// Does something with a file that was read; any other gives its error.
template <class F>
dio_buffer* with_opened(const dio_file* file, F&& f) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  if (!file->opened) return buffer_of(*file->error, file);
  return f(*file->opened);
}

/// Does something with the trace of a file of a known format, be it readable or not.
template <class F>
dio_buffer* with_spans(const dio_file* file, F&& f) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  if (!file->format) return buffer_of(*file->error, file);
  return f(file->format->trace(file->opened ? file->opened->bytes : file->bytes).spans);
}

Result<scene::Scene> scene_of(const Opened& o) {
  if (!o.format->to_scene) return refuse(wrong_argument("a format with something to show", std::string(o.format->id)));
  auto staged = to_scene(o);
  if (!staged) return refuse(std::move(staged.error()));
  return std::move(staged->scene);
}

}  // namespace

extern "C" {

// ---- the library ----

const char* dio_version(void) { return DIORAMA_VERSION; }

dio_buffer* dio_formats(void) { return buffer_of(describe_formats()); }

dio_buffer* dio_samples(void) {
  Value v = Value::object();
  v.add("schema", "diorama.samples/1");
  Value& list = v.add("samples", Value::list());
  for (const Format* f : formats())
    for (const Sample& s : f->samples()) {
      Value& one = list.push(Value::object());
      one.add("format", f->id);
      one.add("name", s.name);
      one.add("about", s.about);
      one.add("size", u64(s.bytes.size()));
    }
  return buffer_of(v);
}

dio_buffer* dio_sample(const char* format, const char* name) {
  const Format* f = find_format(text_of(format));
  if (!f) return buffer_of(wrong_argument("the id of a format", quoted(text_of(format))));
  for (Sample& s : f->samples())
    if (s.name == text_of(name)) return buffer_of(std::move(s.bytes));
  return buffer_of(wrong_argument("the name of a sample of " + std::string(f->id), quoted(text_of(name))));
}

dio_buffer* dio_explain(const char* id) {
  const Rule* rule = text_of(id) == k_argument.id ? &k_argument : find_rule(text_of(id));
  if (!rule) return buffer_of(wrong_argument("the id of a rule", quoted(text_of(id))));
  Value v = Value::object();
  v.add("schema", "diorama.explain/1");
  v.add("rule", rule->id);
  v.add("severity", to_string(rule->severity));
  v.add("sentence", rule->sentence);
  v.add("why", rule->why);
  v.add("source", rule->source);
  return buffer_of(v);
}

// ---- files ----

dio_file* dio_open(const void* bytes, size_t size, const char* name, const char* as, uint32_t flags) {
  auto* file = new dio_file;
  file->name = text_of(name);
  const auto refused = [&](Diagnostic d) {
    d.place.file = file->name;
    file->error = std::move(d);
    return file;
  };
  if (auto wrong = wrong_run(bytes, size)) return refused(std::move(*wrong));
  if (auto wrong = wrong_flags(flags, DIO_STRICT)) return refused(std::move(*wrong));
  const ByteView view(static_cast<const u8*>(bytes), size);
  const Format* format = nullptr;
  if (!text_of(as).empty()) {
    format = find_format(as);
    if (!format) return refused(wrong_argument("the id of a format", quoted(as)));
  } else {
    auto found = detect(view, file->name);
    if (!found) return refused(std::move(found.error()));
    format = found->format;
  }
  file->format = format;
  file->format_id = format->id;
  auto opened = dio::open(Bytes(view.begin(), view.end()), file->name, format, flags & DIO_STRICT);
  if (!opened) {
    file->bytes.assign(view.begin(), view.end());  // for the trace
    return refused(std::move(opened.error()));
  }
  file->opened = std::move(*opened);
  return file;
}

void dio_close(dio_file* file) {
  if (is(file, k_file_tag)) delete file;
}

uint32_t dio_file_ok(const dio_file* file) { return is(file, k_file_tag) && file->opened; }

dio_buffer* dio_error(const dio_file* file) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  return file->error ? buffer_of(*file->error) : nullptr;
}

const char* dio_file_format(const dio_file* file) {
  return is(file, k_file_tag) && file->format ? file->format_id.c_str() : nullptr;
}

dio_buffer* dio_info(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    Value v = Value::object();
    v.add("schema", "diorama.info/1");
    v.add("file", o.name);
    v.add("format", o.format->id);
    v.add("size", u64(o.bytes.size()));
    v.add("certainty", to_string(o.sniff.certainty));
    v.add("reason", o.sniff.reason);
    v.add("info", o.format->info(*o.document));
    json::Style one_line;
    one_line.indent = 0;
    return buffer_of(v, one_line);
  });
}

dio_buffer* dio_check(const dio_file* file) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  Value v = report::findings_json(file->opened ? check(*file->opened) : Diagnostics{*file->error});
  v.add("files", 1);
  return buffer_of(v);
}

dio_buffer* dio_trace(const dio_file* file) {
  return with_spans(file, [&](const Spans& spans) {
    Value v = report::hex_json(spans);
    v.add("file", file->name);
    v.add("format", file->format->id);
    return buffer_of(v);
  });
}

dio_buffer* dio_tree(const dio_file* file) {
  return with_spans(file, [&](const Spans& spans) {
    Value v = Value::object();
    v.add("schema", "diorama.tree/1");
    v.add("file", file->name);
    v.add("format", file->format->id);
    v.add("path", "");
    v.add("tree", report::tree_json(spans));
    return buffer_of(v);
  });
}

dio_buffer* dio_decode(const dio_file* file) {
  return with_opened(file, [](const Opened& o) { return buffer_of(decode(o)); });
}

dio_buffer* dio_encode(const char* json, size_t size, uint32_t flags) {
  if (auto wrong = wrong_run(json, size)) return buffer_of(std::move(*wrong));
  if (auto wrong = wrong_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return buffer_of(std::move(*wrong));
  const auto value = json::read({json, size});
  return value ? buffer_of(encode(*value, options_of(flags))) : buffer_of(value.error());
}

dio_buffer* dio_save(const dio_file* file, uint32_t flags) {
  if (auto wrong = wrong_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return buffer_of(std::move(*wrong));
  return with_opened(file, [&](const Opened& o) { return buffer_of(o.document->save(options_of(flags)), file); });
}

dio_buffer* dio_set(const dio_file* file, const char* const* assignments, size_t count) {
  if (count && !assignments) return buffer_of(wrong_argument("texts such as PATH=VALUE", "null"));
  std::vector<Assignment> list;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view text = text_of(assignments[i]);
    const size_t equals = text.find('=');
    if (equals == text.npos || equals == 0) return buffer_of(wrong_argument("PATH=VALUE", quoted(text)));
    list.push_back({std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))});
  }
  return with_opened(file, [&](const Opened& o) { return buffer_of(set_values(o, list), file); });
}

dio_buffer* dio_convert(const dio_file* file, const char* to) {
  return with_opened(file, [&](const Opened& o) {
    const std::string_view target = text_of(to);
    if (target == "json") return buffer_of(decode(o));
    if (target != "glb" && target != "gltf")
      return buffer_of(wrong_argument("\"glb\", \"gltf\" or \"json\"", quoted(target)));
    const auto scene = scene_of(o);
    if (!scene) return buffer_of(scene.error(), file);
    return target == "glb" ? buffer_of(gltf::write_glb(*scene), file) : buffer_of(gltf::write_gltf(*scene), file);
  });
}

// ---- archives ----

dio_buffer* dio_members(const dio_file* file) {
  return with_opened(file, [&](const Opened& o) {
    auto archive = Archive::open(o.bytes, o.name);
    if (!archive) return buffer_of(archive.error(), file);
    return buffer_of(describe_members(ArchiveTree(std::move(*archive), o.name), {}, true));
  });
}

dio_buffer* dio_member(const dio_file* file, const char* path) {
  return with_opened(file,
                     [&](const Opened& o) { return buffer_of(find_inside(o.bytes, o.name, text_of(path)), file); });
}

dio_buffer* dio_replace(const dio_file* file, const char* path, const void* bytes, size_t size) {
  if (auto wrong = wrong_run(bytes, size)) return buffer_of(std::move(*wrong));
  const auto* first = static_cast<const u8*>(bytes);
  return with_opened(file, [&](const Opened& o) {
    return buffer_of(replace_inside(o.bytes, o.name, text_of(path), Bytes(first, first + size)), file);
  });
}

// ---- results ----

uint32_t dio_buffer_ok(const dio_buffer* buffer) { return is(buffer, k_buffer_tag) && buffer->ok; }

const void* dio_buffer_data(const dio_buffer* buffer) {
  if (!is(buffer, k_buffer_tag)) return nullptr;
  return buffer->bytes.empty() ? static_cast<const void*>(buffer->text.c_str()) : buffer->bytes.data();
}

size_t dio_buffer_size(const dio_buffer* buffer) {
  if (!is(buffer, k_buffer_tag)) return 0;
  return buffer->bytes.empty() ? buffer->text.size() : buffer->bytes.size();
}

void dio_buffer_free(dio_buffer* buffer) {
  if (is(buffer, k_buffer_tag)) delete buffer;
}

// ---- memory ----

void* dio_alloc(size_t size) { return std::malloc(size ? size : 1); }

void dio_free(void* memory) { std::free(memory); }

}  // extern "C"

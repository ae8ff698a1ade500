// capi.cpp: what diorama.h declares, as calls of the library.
#include <cstdlib>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "bridge/linked_files/linked_files.hpp"
#include "bridge/report/budget.hpp"
#include "bridge/report/hex.hpp"
#include "bridge/report/tree.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "core/printing.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/making.hpp"
#include "layout/selector.hpp"
#include "operations/described.hpp"
#include "operations/find_files.hpp"
#include "operations/id_references.hpp"
#include "operations/inside.hpp"
#include "operations/lean.hpp"
#include "operations/operations.hpp"
#ifdef DIORAMA_SAMPLES
#include "samples/samples.hpp"
#include "samples/shape.hpp"
#endif

using namespace dio;
using namespace dio::capi;

namespace {

dio_buffer* as_json(const Opened& o) { return buffer_of(json::write(decoded(o)) + '\n'); }

// ---- arguments ----

/// Does something with the trace of a file of a known format, be it readable or not.
template <class F>
dio_buffer* with_spans(const dio_file* file, F&& f) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  if (!file->as.format || file->parts) return buffer_of(not_opened(*file), file);
  return f(file->as.format->trace(bytes_of(*file), file->as.options).spans);
}

/// Whether a file can be used with another.
bool goes_with(const Opened& other, const Opened& main) {
  const Belonging &a = belonging_of(*other.format), &b = belonging_of(*main.format);
  return a.goes_with == main.format->id || b.goes_with == other.format->id ||
         (b.takes && b.takes(*main.document, {other.name, other.format, other.document.get()}));
}

}  // namespace

namespace dio::capi {

bool is_scene(const dio_file& f) {
  return f.name.ends_with(".glb") || f.name.ends_with(".gltf") || (!f.as && gltf::looks_like_scene(bytes_of(f)));
}

Result<scene::Scene> read_scene(const dio_file& file, Diagnostics& notes) {
  if (file.error && file.error->id == argument_rule().id) return refuse(*file.error);
  const auto around = [&](const std::string& name) -> std::optional<Bytes> {
    const auto found = file.around.find(std::string(folder_of(file.name)) + name);
    return found == file.around.end() ? std::nullopt : std::optional(found->second);
  };
  auto read = gltf::read(bytes_of(file), [&](const std::string& name) -> Result<Bytes> {
    if (auto bytes = around(name)) return std::move(*bytes);
    return refuse("file.missing", Place::in_file(name), {.message = "no such file among those given with the scene"});
  });
  if (!read) return refuse(std::move(read.error()));
  notes.insert(notes.end(), std::make_move_iterator(read->notes.begin()), std::make_move_iterator(read->notes.end()));
  if (auto taken = take_files(read->document, around); !taken) return refuse(std::move(taken.error()));
  return std::move(read->document);
}

}  // namespace dio::capi

extern "C" {

// ---- the library ----

const char* dio_version(void) { return DIORAMA_VERSION; }

dio_buffer* dio_formats(void) { return buffer_of(describe_formats()); }

dio_buffer* dio_find(const void* bytes, size_t size, const char* name, uint32_t flags) {
  if (auto wrong = wrong_run(bytes, size)) return buffer_of(std::move(*wrong));
  if (auto wrong = wrong_flags(flags, DIO_EVERY_BYTE)) return buffer_of(std::move(*wrong));
  FindOptions options;
  options.every_byte = flags & DIO_EVERY_BYTE;
  return buffer_of(found_json(text_of(name), find_files({static_cast<const u8*>(bytes), size}, options)));
}

#ifdef DIORAMA_SAMPLES
dio_buffer* dio_schema(const char* format, const char* form) {
  const Format* f = find_format(text_of(format));
  if (!f) return buffer_of(wrong_argument({.message = "unknown format " + in_quotes(text_of(format))}));
  const report::Shape shape = shape_of(*f);
  if (text_of(form) == "markdown") return buffer_of(report::schema_markdown(shape));
  if (text_of(form) == "json") return buffer_of(report::schema_json(shape, f->id, f->title));
  return buffer_of(
      wrong_argument({.message = "unknown form " + in_quotes(text_of(form)) + "; it can be json or markdown"}));
}

dio_buffer* dio_samples(void) {
  Value v = Value::object();
  v.add("schema", "diorama.samples/1");
  Value& list = v.add("samples", Value::list());
  for (const Format* f : formats())
    for (const Sample& s : samples_of(*f)) {
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
  if (!f) return buffer_of(wrong_argument({.message = "unknown format " + in_quotes(text_of(format))}));
  for (Sample& s : samples_of(*f))
    if (s.name == text_of(name)) return buffer_of(std::move(s.bytes));
  return buffer_of(
      wrong_argument({.message = "the format " + std::string(f->id) + " has no sample " + in_quotes(text_of(name))}));
}
#endif

dio_buffer* dio_explain(const char* id) {
  const Rule* rule = text_of(id) == argument_rule().id ? &argument_rule() : find_rule(text_of(id));
  if (!rule) return buffer_of(wrong_argument({.message = "unknown rule " + in_quotes(text_of(id))}));
  return buffer_of(report::rule_json(*rule));
}

// ---- files ----

dio_file* dio_open(const void* bytes, size_t size, const char* name, const char* as, uint32_t flags) {
  auto* file = new dio_file;
  file->name = text_of(name);
  file->known = flags & DIO_KNOWN;
  const auto refused = [&](Diagnostic d) {
    d.place.file = file->name;
    file->error = std::move(d);
    return file;
  };
  if (auto wrong = wrong_run(bytes, size)) return refused(std::move(*wrong));
  if (auto wrong = wrong_flags(flags, DIO_STRICT | DIO_KNOWN)) return refused(std::move(*wrong));
  const ByteView view(static_cast<const u8*>(bytes), size);
  const auto unreadable = [&](Diagnostic d) {  // but for its bytes, its trace, and as a scene
    file->bytes.assign(view.begin(), view.end());
    return refused(std::move(d));
  };
  if (!text_of(as).empty()) {
    file->as = find_read_as(as);
    if (!file->as) return unreadable(wrong_argument({.message = "unknown format " + in_quotes(as)}));
  } else {
    auto found = detect(view, file->name);
    if (!found) return unreadable(std::move(found.error()));
    file->as = {found->format};
  }
  file->format_id = file->as.id();
  auto opened = dio::open(Bytes(view.begin(), view.end()), file->name, file->as, flags & DIO_STRICT);
  if (!opened) return unreadable(std::move(opened.error()));
  file->opened = std::make_shared<const Opened>(std::move(*opened));
  return file;
}

void dio_close(dio_file* file) {
  if (is(file, k_file_tag)) delete file;
}

uint32_t dio_file_ok(const dio_file* file) { return is(file, k_file_tag) && (file->opened || file->parts); }

dio_buffer* dio_error(const dio_file* file) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  return file->error ? buffer_of(*file->error) : nullptr;
}

const char* dio_file_format(const dio_file* file) {
  return is(file, k_file_tag) && file->as.format ? file->format_id.c_str() : nullptr;
}

dio_buffer* dio_info(const dio_file* file) {
  if (is(file, k_file_tag) && file->parts) {
    const Archive& archive = file->parts->archive();
    Value info = Value::object();
    info.add("members", u64(archive.members().size()));
    info.add("cut_members", archive.cut_members());
    const Sniff sniff = archive.format().archive->sniff_in_parts(archive.source(), file->name);
    return buffer_of(info_json(file->name, file->format_id, archive.source().size(), sniff, std::move(info)),
                     on_one_line());
  }
  return with_opened(file, [&](const Opened& o) {
    return buffer_of(info_json(o.name, o.format_id(), o.bytes.size(), o.sniff, info_of(o)), on_one_line());
  });
}

dio_file* dio_together(const dio_file* file, const dio_file* const* others, size_t count) {
  auto* out = new dio_file;
  const auto refused = [&](Diagnostic d) {
    d.place.file = out->name;
    out->error = std::move(d);
    return out;
  };
  if (!is(file, k_file_tag)) return refused(no_file());
  out->name = file->name;
  out->known = file->known;
  if (count && !others)
    return refused(wrong_argument({.message = "the list of other files is null, but its count is not 0"}));
  for (size_t i = 0; i < count; ++i)
    if (!is(others[i], k_file_tag)) return refused(no_file());
  if (!file->opened || is_scene(*file)) {
    out->around = file->around;
    for (size_t i = 0; i < count; ++i) out->around[others[i]->name] = copy_of(bytes_of(*others[i]));
  }
  if (!file->opened) {
    out->bytes = file->bytes;
    out->error = not_opened(*file);
    out->as = file->as;
    out->format_id = file->format_id;
    return out;
  }
  Opened both = again(*file->opened);
  both.looked_beside = true;
  for (const Opened& o : file->opened->beside) both.beside.push_back(again(o));
  both.beside_problems = file->opened->beside_problems;
  for (size_t i = 0; i < count && !is_scene(*file); ++i) {
    if (!others[i]->opened) {
      both.beside_problems.push_back(not_opened(*others[i]));
      continue;
    }
    const Opened& other = *others[i]->opened;
    if (!goes_with(other, both))
      return refused(wrong_argument({.message = other.name + " (" + std::string(other.format->title) +
                                                ") cannot be used with a " + std::string(both.format->title)}));
    both.beside.push_back(again(other));
  }
  out->as = {both.format, both.options};
  out->format_id = both.format_id();
  out->opened = std::make_shared<const Opened>(std::move(both));
  return out;
}

dio_buffer* dio_beside(const dio_file* file) {
  Value v = Value::object();
  v.add("schema", "diorama.beside/1");
  Value& names = v.add("names", Value::list());
  if (is(file, k_file_tag) && is_scene(*file) && !file->parts && !bytes_of(*file).empty()) {
    const auto files = gltf::files_of(bytes_of(*file));
    if (!files) return buffer_of(files.error(), file);
    for (const std::string& name : *files) names.push(std::string(folder_of(file->name)) + name);
    return buffer_of(v);
  }
  return with_opened(file, [&](const Opened& o) {
    if (const auto beside = belonging_of(*o.format).beside) {
      const std::string_view folder = folder_of(o.name);
      for (const std::string& name : beside(std::string_view(o.name).substr(folder.size())))
        names.push(std::string(folder) + name);
    }
    return buffer_of(v);
  });
}

dio_buffer* dio_trace(const dio_file* file) {
  return with_spans(file, [&](const Spans& spans) {
    Value v = report::hex_json(spans);
    v.add("file", file->name);
    v.add("format", file->format_id);
    return buffer_of(v);
  });
}

dio_buffer* dio_hex_page(const dio_file* file) {
  return with_spans(file, [&](const Spans& spans) {
    const Diagnostics findings = file->opened ? check(*file->opened) : Diagnostics{*file->error};
    return buffer_of(report::hex_html(spans, file_name(file->name), findings));
  });
}

dio_buffer* dio_explain_value(const dio_file* file, const char* path) {
  return with_spans(file, [&](const Spans& spans) {
    const auto found = select(spans, text_of(path));
    if (!found) return buffer_of(found.error(), file);
    Value v = Value::object();
    v.add("schema", "diorama.explain/1");
    v.add("file", file->name);
    Value known = report::value_json(spans, found->front());
    for (auto& [name, value] : known.members()) v.add(name, std::move(value));
    return buffer_of(v);
  });
}

dio_buffer* dio_tree(const dio_file* file) {
  return with_spans(file, [&](const Spans& spans) {
    Value v = Value::object();
    v.add("schema", "diorama.tree/1");
    v.add("file", file->name);
    v.add("format", file->format_id);
    v.add("path", "");
    v.add("tree", report::tree_json(spans));
    return buffer_of(v);
  });
}

dio_buffer* dio_decode(const dio_file* file) { return with_opened(file, as_json); }

dio_buffer* dio_decode_refs(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    Value whole = decode(o);
    refer_by_id(whole, o.trace().spans);
    return buffer_of(whole);
  });
}

dio_buffer* dio_decode_lean(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    const json::Style style{.indent = 1, .by_count = true};
    const auto small = lean(o, json::through_text(style));
    return small ? buffer_of(json::write(small->dom, style) + '\n') : as_json(o);
  });
}

dio_buffer* dio_encode(const char* json, size_t size, uint32_t flags) {
  if (auto wrong = wrong_run(json, size)) return buffer_of(std::move(*wrong));
  if (auto wrong = wrong_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return buffer_of(std::move(*wrong));
  const auto dom = json::read_dom({json, size});
  return dom ? buffer_of(encode(*dom, save_options(flags))) : buffer_of(dom.error());
}

dio_buffer* dio_save(const dio_file* file, uint32_t flags) {
  if (auto wrong = wrong_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return buffer_of(std::move(*wrong));
  return with_opened(file, [&](const Opened& o) { return buffer_of(o.document->save(save_options(flags)), file); });
}

dio_buffer* dio_set(const dio_file* file, const char* const* assignments, size_t count) {
  const auto list = pairs_of<Assignment>(assignments, count, "PATH=VALUE");
  if (!list) return buffer_of(list.error());
  return with_opened(file, [&](const Opened& o) { return buffer_of(set_values(o, *list), file); });
}

dio_buffer* dio_convert(const dio_file* file, const char* to) {
  return with_opened(file, [&](const Opened& o) {
    const std::string_view target = text_of(to);
    if (target == "json") return as_json(o);
    if (target != "glb" && target != "gltf")
      return buffer_of(
          wrong_argument({.message = "unknown output type " + in_quotes(target) + "; it can be glb, gltf or json"}));
    const auto companions = companions_of(o);
    const auto staged = to_scene(o, {.companions = companions});
    if (!staged) return buffer_of(staged.error(), file);
    return target == "glb" ? buffer_of(gltf::write_glb(staged->scene), file)
                           : buffer_of(gltf::write_gltf(staged->scene), file);
  });
}

dio_buffer* dio_budget(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    if (!o.format->budget) return buffer_of(without("budgets", o));
    return buffer_of(budget_json(o, o.format->budget(*o.document, companions_of(o))), on_one_line());
  });
}

dio_buffer* dio_budget_picture(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    if (!o.format->budget) return buffer_of(without("budgets", o));
    return buffer_of(report::budget_svg(o.format->budget(*o.document, companions_of(o)),
                                        std::string(file_name(o.name)) + ": resource use"));
  });
}

// ---- several files at once ----

dio_buffer* dio_make(const dio_file* file, const char* format, const char* const* options, size_t count) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  const Format* f = find_format(text_of(format));
  if (!f || !f->making)
    return buffer_of(
        wrong_argument({.message = in_quotes(text_of(format)) + " is not a format that can be made from scenes"}));
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return buffer_of(told.error());
  Diagnostics notes;
  const auto made = [&]() -> Result<Made> {
    if (is_scene(*file)) {
      const auto scene = read_scene(*file, notes);
      if (!scene) return refuse(scene.error());
      return f->making->make(*scene, *told);
    }
    if (!file->opened) return refuse(not_opened(*file));
    const Opened& o = *file->opened;
    if (o.format != f || !f->making->remake)
      return refuse(
          wrong_argument({.message = "a file of " + std::string(f->id) + " can be made from a scene or another " +
                                     std::string(f->id) + " file, not from " + o.format_id()}));
    return f->making->remake(*o.document, companions_of(o), *told);
  }();
  if (!made) return buffer_of(made.error(), file);
  notes.insert(notes.end(), made->notes.begin(), made->notes.end());
  std::vector<std::pair<std::string, Bytes>> files;
  for (const MadeFile& m : made->files) files.emplace_back(stem_of(file->name) + m.extension, m.bytes);
  return buffer_of(std::move(files), std::move(notes), *file);
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

dio_buffer* dio_buffer_file(const dio_buffer* buffer, size_t number) {
  if (!is(buffer, k_buffer_tag))
    return buffer_of(wrong_argument({.message = "the buffer is not a result of this library"}));
  if (number >= buffer->files.size())
    return buffer_of(wrong_argument({.message = "file " + std::to_string(number) + " is out of range; the result has " +
                                                counted(buffer->files.size(), "file")}));
  return buffer_of(buffer->files[number]);
}

void dio_buffer_free(dio_buffer* buffer) {
  if (is(buffer, k_buffer_tag)) delete buffer;
}

// ---- memory ----

void* dio_alloc(size_t size) { return std::malloc(size ? size : 1); }

void dio_free(void* memory) { std::free(memory); }

}  // extern "C"

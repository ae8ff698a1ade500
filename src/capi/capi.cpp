// capi.cpp: what diorama.h declares, as calls of the library.
#include <cstdlib>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "bridge/linked_files/linked_files.hpp"
#include "bridge/report/budget.hpp"
#include "bridge/report/hex.hpp"
#include "bridge/report/tree.hpp"
#include "bridge/scene_file/scene_file.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "core/text_format.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "layout/selector.hpp"
#include "operations/archive_tree.hpp"
#include "operations/describe_json.hpp"
#include "operations/find_files.hpp"
#include "operations/id_references.hpp"
#include "operations/make_archive.hpp"
#include "operations/omit_derived.hpp"
#include "operations/operations.hpp"
#ifdef DIORAMA_SAMPLES
#include "samples/samples.hpp"
#include "samples/shape.hpp"
#endif

using namespace dio;
using namespace dio::capi;

namespace {

dio_buffer* as_json(const OpenedFile& o) { return make_buffer(json::write(decode_to_dom(o)) + '\n'); }

// ---- arguments ----

/// Does something with the trace of a file of a known format, be it readable or not.
template <class F>
dio_buffer* with_spans(const dio_file* file, F&& f) {
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  if (!file->as.format || file->parts) return make_buffer(not_opened_error(*file), file);
  return f(file->as.format->trace(bytes_of(*file), file->as.options).spans);
}

/// The bytes of a file that was given with a scene, by its path relative to the folder of the scene.
std::optional<Bytes> find_around(const dio_file& scene, const std::string& name) {
  const auto found = scene.around.find(std::string(folder_of(scene.name)) + name);
  return found == scene.around.end() ? std::nullopt : std::optional(found->second);
}
auto resolver_of(const dio_file& scene) {
  return [&scene](const std::string& name) -> Result<Bytes> {
    if (auto bytes = find_around(scene, name)) return std::move(*bytes);
    return refuse("file.missing", Location::in_file(name),
                  {.message = "no such file among those given with the scene"});
  };
}

/// Whether a file can be used with another.
bool are_companions(const OpenedFile& other, const OpenedFile& main) {
  const CompanionOps &a = companion_ops_of(*other.format), &b = companion_ops_of(*main.format);
  return a.goes_with == main.format->id || b.goes_with == other.format->id ||
         (b.takes && b.takes(*main.document, {other.name, other.format, other.document.get()}));
}

}  // namespace

namespace dio::capi {

bool is_scene(const dio_file& f) {
  return has_scene_extension(f.name) || (!f.as && gltf::looks_like_gltf(bytes_of(f)));
}

Result<scene::Scene> read_scene(const dio_file& file, Diagnostics& notes) {
  if (file.error && file.error->id == argument_rule().id) return refuse(*file.error);
  auto read = read_scene_file(bytes_of(file), file.name, resolver_of(file));
  if (!read) return refuse(std::move(read.error()));
  notes.insert(notes.end(), std::make_move_iterator(read->notes.begin()), std::make_move_iterator(read->notes.end()));
  if (auto taken =
          inline_linked_files(read->document, [&](const std::string& name) { return find_around(file, name); });
      !taken)
    return refuse(std::move(taken.error()));
  return std::move(read->document);
}

}  // namespace dio::capi

extern "C" {

// ---- the library ----

const char* dio_version(void) { return DIORAMA_VERSION; }

dio_buffer* dio_formats(void) { return make_buffer(describe_formats()); }

dio_buffer* dio_find(const void* bytes, size_t size, const char* name, uint32_t flags) {
  if (auto wrong = check_byte_range(bytes, size)) return make_buffer(std::move(*wrong));
  if (auto wrong = check_unknown_flags(flags, DIO_EVERY_BYTE)) return make_buffer(std::move(*wrong));
  const FindOptions options{.every_byte = (flags & DIO_EVERY_BYTE) != 0};
  return make_buffer(found_json(text_of(name), find_files({static_cast<const u8*>(bytes), size}, options), options));
}

#ifdef DIORAMA_SAMPLES
dio_buffer* dio_schema(const char* format, const char* form) {
  const Format* f = find_format(text_of(format));
  if (!f) return make_buffer(argument_error({.message = "unknown format " + in_quotes(text_of(format))}));
  if (text_of(form) == "markdown") return make_buffer(report::schema_markdown(shape_of(*f)));
  if (text_of(form) == "json") return make_buffer(report::schema_json(widest_shape_of(*f), f->id, f->title));
  return make_buffer(
      argument_error({.message = "unknown form " + in_quotes(text_of(form)) + "; it can be json or markdown"}));
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
  return make_buffer(v);
}

dio_buffer* dio_sample(const char* format, const char* name) {
  const Format* f = find_format(text_of(format));
  if (!f) return make_buffer(argument_error({.message = "unknown format " + in_quotes(text_of(format))}));
  for (Sample& s : samples_of(*f))
    if (s.name == text_of(name)) return make_buffer(std::move(s.bytes));
  return make_buffer(
      argument_error({.message = "the format " + std::string(f->id) + " has no sample " + in_quotes(text_of(name))}));
}
#endif

dio_buffer* dio_explain(const char* id) {
  const Rule* rule = text_of(id) == argument_rule().id ? &argument_rule() : find_rule(text_of(id));
  if (!rule) return make_buffer(argument_error({.message = "unknown rule " + in_quotes(text_of(id))}));
  return make_buffer(report::rule_json(*rule));
}

// ---- files ----

dio_file* dio_open(const void* bytes, size_t size, const char* name, const char* as, uint32_t flags) {
  auto* file = new dio_file;
  file->name = text_of(name);
  file->known = flags & DIO_KNOWN;
  const auto fail_open = [&](Diagnostic d) {
    d.place.file = file->name;
    file->error = std::move(d);
    return file;
  };
  if (auto wrong = check_byte_range(bytes, size)) return fail_open(std::move(*wrong));
  if (auto wrong = check_unknown_flags(flags, DIO_STRICT | DIO_KNOWN)) return fail_open(std::move(*wrong));
  const ByteView view(static_cast<const u8*>(bytes), size);
  const auto keep_unreadable = [&](Diagnostic d) {  // but for its bytes, its trace, and as a scene
    file->bytes.assign(view.begin(), view.end());
    return fail_open(std::move(d));
  };
  if (!text_of(as).empty()) {
    file->as = find_format_and_layout(as);
    if (!file->as) return keep_unreadable(argument_error({.message = "unknown format " + in_quotes(as)}));
  } else {
    auto found = detect(view, file->name);
    if (!found) return keep_unreadable(std::move(found.error()));
    file->as = {found->format};
  }
  file->format_id = file->as.id();
  auto opened = dio::open(Bytes(view.begin(), view.end()), file->name, file->as, flags & DIO_STRICT);
  if (!opened) return keep_unreadable(std::move(opened.error()));
  file->opened = std::make_shared<const OpenedFile>(std::move(*opened));
  return file;
}

void dio_close(dio_file* file) {
  if (has_handle_tag(file, k_file_tag)) delete file;
}

uint32_t dio_file_ok(const dio_file* file) { return has_handle_tag(file, k_file_tag) && (file->opened || file->parts); }

dio_buffer* dio_error(const dio_file* file) {
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  return file->error ? make_buffer(*file->error) : nullptr;
}

const char* dio_file_format(const dio_file* file) {
  return has_handle_tag(file, k_file_tag) && file->as.format ? file->format_id.c_str() : nullptr;
}

dio_buffer* dio_info(const dio_file* file) {
  if (has_handle_tag(file, k_file_tag) && file->parts) {
    const Archive& archive = file->parts->archive();
    Value info = Value::object();
    info.add("members", u64(archive.members().size()));
    info.add("cut_members", archive.cut_members());
    const Sniff sniff = archive.format().archive->sniff_in_parts(archive.source(), file->name);
    return make_buffer(info_json(file->name, file->format_id, archive.source().size(), sniff, std::move(info)),
                       on_one_line());
  }
  return with_opened(file, [&](const OpenedFile& o) {
    return make_buffer(info_json(o.name, o.format_id(), o.bytes.size(), o.sniff, info_with_companions(o)),
                       on_one_line());
  });
}

dio_file* dio_together(const dio_file* file, const dio_file* const* others, size_t count) {
  auto* out = new dio_file;
  const auto fail_open = [&](Diagnostic d) {
    d.place.file = out->name;
    out->error = std::move(d);
    return out;
  };
  if (!has_handle_tag(file, k_file_tag)) return fail_open(invalid_file_handle());
  out->name = file->name;
  out->known = file->known;
  if (count && !others)
    return fail_open(argument_error({.message = "the list of other files is null, but its count is not 0"}));
  for (size_t i = 0; i < count; ++i)
    if (!has_handle_tag(others[i], k_file_tag)) return fail_open(invalid_file_handle());
  if (!file->opened || is_scene(*file)) {
    out->around = file->around;
    for (size_t i = 0; i < count; ++i) out->around[others[i]->name] = copy_of(bytes_of(*others[i]));
  }
  if (!file->opened) {
    out->bytes = file->bytes;
    out->error = not_opened_error(*file);
    out->as = file->as;
    out->format_id = file->format_id;
    return out;
  }
  OpenedFile both = *file->opened;  // nobody changes what a handle holds: they share their documents
  both.looked_beside = true;
  for (size_t i = 0; i < count && !is_scene(*file); ++i) {
    if (!others[i]->opened) {
      both.beside_problems.push_back(not_opened_error(*others[i]));
      continue;
    }
    const OpenedFile& other = *others[i]->opened;
    if (!are_companions(other, both))
      return fail_open(argument_error({.message = other.name + " (" + std::string(other.format->title) +
                                                  ") cannot be used with a " + std::string(both.format->title)}));
    both.beside.push_back(other);
  }
  out->as = {both.format, both.options};
  out->format_id = both.format_id();
  out->opened = std::make_shared<const OpenedFile>(std::move(both));
  return out;
}

dio_buffer* dio_beside(const dio_file* file) {
  Value v = Value::object();
  v.add("schema", "diorama.beside/1");
  Value& names = v.add("names", Value::list());
  if (has_handle_tag(file, k_file_tag) && is_scene(*file) && !file->parts && !bytes_of(*file).empty()) {
    const auto files = list_external_files(bytes_of(*file), file->name, resolver_of(*file));
    if (!files) return make_buffer(files.error(), file);
    for (const std::string& name : *files) names.push(std::string(folder_of(file->name)) + name);
    return make_buffer(v);
  }
  return with_opened(file, [&](const OpenedFile& o) {
    const std::string_view folder = folder_of(o.name);
    for (const std::string& name :
         companion_file_names(*o.format, *o.document, std::string_view(o.name).substr(folder.size())))
      names.push(std::string(folder) + name);
    return make_buffer(v);
  });
}

dio_buffer* dio_trace(const dio_file* file) {
  return with_spans(file, [&](const Spans& spans) {
    Value v = report::hex_json(spans);
    v.add("file", file->name);
    v.add("format", file->format_id);
    return make_buffer(v);
  });
}

dio_buffer* dio_hex_page(const dio_file* file) {
  return with_spans(file, [&](const Spans& spans) {
    const Diagnostics findings = file->opened ? check(*file->opened) : Diagnostics{*file->error};
    return make_buffer(report::hex_html(spans, file_name(file->name), findings), file);
  });
}

dio_buffer* dio_explain_value(const dio_file* file, const char* path) {
  return with_spans(file, [&](const Spans& spans) {
    const auto found = select(spans, text_of(path));
    if (!found) return make_buffer(found.error(), file);
    Value v = Value::object();
    v.add("schema", "diorama.explain/1");
    v.add("file", file->name);
    Value known = report::value_json(spans, found->front());
    for (auto& [name, value] : known.members()) v.add(name, std::move(value));
    return make_buffer(v);
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
    return make_buffer(v);
  });
}

dio_buffer* dio_decode(const dio_file* file) { return with_opened(file, as_json); }

dio_buffer* dio_decode_refs(const dio_file* file) {
  return with_opened(file, [](const OpenedFile& o) {
    Value whole = decode(o);
    replace_indices_with_ids(whole, o.trace().spans);
    return make_buffer(whole);
  });
}

dio_buffer* dio_decode_lean(const dio_file* file) {
  return with_opened(file, [](const OpenedFile& o) {
    const json::Style style{.indent = 1, .by_count = true};
    const auto small = omit_derived(o, json::round_trip_as_json(style));
    return small ? make_buffer(json::write(small->dom, style) + '\n') : as_json(o);
  });
}

dio_buffer* dio_encode(const char* json, size_t size, uint32_t flags) {
  if (auto wrong = check_byte_range(json, size)) return make_buffer(std::move(*wrong));
  if (auto wrong = check_unknown_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return make_buffer(std::move(*wrong));
  const auto dom = json::read_dom({json, size});
  return dom ? make_buffer(encode(*dom, save_options(flags))) : make_buffer(dom.error());
}

dio_buffer* dio_save(const dio_file* file, uint32_t flags) {
  if (auto wrong = check_unknown_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return make_buffer(std::move(*wrong));
  return with_opened(file,
                     [&](const OpenedFile& o) { return make_buffer(o.document->save(save_options(flags)), file); });
}

dio_buffer* dio_set(const dio_file* file, const char* const* assignments, size_t count) {
  const auto list = parse_assignments<Assignment>(assignments, count, "PATH=VALUE");
  if (!list) return make_buffer(list.error());
  return with_opened(file, [&](const OpenedFile& o) { return make_buffer(set_values(o, *list), file); });
}

dio_buffer* dio_convert(const dio_file* file, const char* to) {
  return with_opened(file, [&](const OpenedFile& o) {
    const std::string_view target = text_of(to);
    if (target == "json") return as_json(o);
    if (target != "glb" && target != "gltf")
      return make_buffer(
          argument_error({.message = "unknown output type " + in_quotes(target) + "; it can be glb, gltf or json"}));
    const auto companions = collect_companions(o);
    const auto staged = to_scene(o, {.companions = companions});
    if (!staged) return make_buffer(staged.error(), file);
    return target == "glb" ? make_buffer(gltf::write_glb(staged->scene), file)
                           : make_buffer(gltf::write_gltf(staged->scene), file);
  });
}

dio_buffer* dio_budget(const dio_file* file) {
  return with_opened(file, [](const OpenedFile& o) {
    if (!o.format->budget) return make_buffer(unsupported_by_format("budgets", o));
    return make_buffer(budget_json(o, o.format->budget(*o.document, collect_companions(o))), on_one_line());
  });
}

dio_buffer* dio_budget_picture(const dio_file* file) {
  return with_opened(file, [](const OpenedFile& o) {
    if (!o.format->budget) return make_buffer(unsupported_by_format("budgets", o));
    return make_buffer(report::budget_svg(o.format->budget(*o.document, collect_companions(o)),
                                          std::string(file_name(o.name)) + ": resource use"));
  });
}

// ---- several files at once ----

dio_buffer* dio_make(const dio_file* file, const char* format, const char* const* options, size_t count) {
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  const Format* f = find_format(text_of(format));
  const Format* const archived = f && !f->making ? find_archive_maker(*f) : nullptr;
  if (archived) f = archived;
  if (!f || !f->making)
    return make_buffer(
        argument_error({.message = in_quotes(text_of(format)) + " is not a format that can be made from scenes"}));
  const auto told = parse_assignments<Argument>(options, count, "NAME=VALUE");
  if (!told) return make_buffer(told.error());
  Diagnostics notes;
  const auto made = [&]() -> Result<Made> {
    if (is_scene(*file)) {
      const auto scene = read_scene(*file, notes);
      if (!scene) return refuse(scene.error());
      if (!archived) return f->making->make(*scene, *told);
      MemoryTree own;  // of the files given with the scene
      const std::string_view folder = folder_of(file->name);
      for (const auto& [name, bytes] : file->around)
        own.files[name.starts_with(folder) ? name.substr(folder.size()) : name] = bytes;
      return make_archive(*f->making, *scene, *told, own);
    }
    if (!file->opened) return refuse(not_opened_error(*file));
    const OpenedFile& o = *file->opened;
    if (o.format != f || !f->making->remake)
      return refuse(
          argument_error({.message = "a file of " + std::string(f->id) + " can be made from a scene or another " +
                                     std::string(f->id) + " file, not from " + o.format_id()}));
    return f->making->remake(*o.document, collect_companions(o), *told);
  }();
  if (!made) return make_buffer(made.error(), file);
  notes.insert(notes.end(), made->notes.begin(), made->notes.end());
  std::vector<std::pair<std::string, Bytes>> files;
  for (const BuiltFile& m : made->files) files.emplace_back(file_stem(file->name) + m.extension, m.bytes);
  return make_buffer(std::move(files), std::move(notes), *file);
}

// ---- results ----

uint32_t dio_buffer_ok(const dio_buffer* buffer) { return has_handle_tag(buffer, k_buffer_tag) && buffer->ok; }

const void* dio_buffer_data(const dio_buffer* buffer) {
  if (!has_handle_tag(buffer, k_buffer_tag)) return nullptr;
  return buffer->bytes.empty() ? static_cast<const void*>(buffer->text.c_str()) : buffer->bytes.data();
}

size_t dio_buffer_size(const dio_buffer* buffer) {
  if (!has_handle_tag(buffer, k_buffer_tag)) return 0;
  return buffer->bytes.empty() ? buffer->text.size() : buffer->bytes.size();
}

dio_buffer* dio_buffer_file(const dio_buffer* buffer, size_t number) {
  if (!has_handle_tag(buffer, k_buffer_tag))
    return make_buffer(argument_error({.message = "the buffer is not a result of this library"}));
  if (number >= buffer->files.size())
    return make_buffer(
        argument_error({.message = "file " + std::to_string(number) + " is out of range; the result has " +
                                   format_count(buffer->files.size(), "file")}));
  return make_buffer(buffer->files[number]);
}

void dio_buffer_free(dio_buffer* buffer) {
  if (has_handle_tag(buffer, k_buffer_tag)) delete buffer;
}

// ---- memory ----

void* dio_alloc(size_t size) { return std::malloc(size ? size : 1); }

void dio_free(void* memory) { std::free(memory); }

}  // extern "C"

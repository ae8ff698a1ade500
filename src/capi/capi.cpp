// capi.cpp: what diorama.h declares, as calls of the library.
#include <cstdlib>

#include "bridge/gltf/gltf.hpp"
#include "bridge/gltf/reader.hpp"
#include "bridge/linked_files/linked_files.hpp"
#include "bridge/png/png.hpp"
#include "bridge/raster/pictures.hpp"
#include "bridge/report/hex.hpp"
#include "bridge/report/tree.hpp"
#include "bridge/svg/plan_page.hpp"
#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "core/printing.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/making.hpp"
#include "formats/contract/pictures.hpp"
#include "formats/contract/plans.hpp"
#include "operations/id_references.hpp"
#include "operations/inside.hpp"
#include "operations/operations.hpp"
#ifdef DIORAMA_SAMPLES
#include "samples/samples.hpp"
#endif

using namespace dio;
using namespace dio::capi;

namespace {

dio_buffer* as_json(const Opened& o) { return buffer_of(json::write(decoded(o)) + '\n'); }

// ---- arguments ----

std::optional<Diagnostic> wrong_run(const void* bytes, size_t size) {
  if (size && !bytes) return wrong_argument({.message = "bytes is null, but size is not 0"});
  if (size > size_t(PTRDIFF_MAX))
    return wrong_argument({.message = "size " + std::to_string(size) + " is larger than memory"});
  return {};
}

SaveOptions options_of(u32 flags) { return {(flags & DIO_CANONICAL) != 0, (flags & DIO_LOSSY) != 0}; }

/// Does something with the trace of a file of a known format, be it readable or not.
template <class F>
dio_buffer* with_spans(const dio_file* file, F&& f) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  if (!file->as.format || file->parts) return buffer_of(not_opened(*file), file);
  return f(file->as.format->trace(file->opened ? file->opened->bytes : file->bytes, file->as.options).spans);
}

Diagnostic without(const char* what, const Opened& o) {
  return wrong_argument({.message = "the format " + o.format_id() + " has no " + what});
}

const Bytes& bytes_of(const dio_file& f) { return f.opened ? f.opened->bytes : f.bytes; }

/// Whether a file can be used with another.
bool goes_with(const Opened& other, const Opened& main) {
  const Belonging &a = belonging_of(*other.format), &b = belonging_of(*main.format);
  return a.goes_with == main.format->id || b.goes_with == other.format->id ||
         (b.takes && b.takes(*main.document, {other.name, other.format, other.document.get()}));
}

Result<scene::Scene> scene_of(const Opened& o) {
  if (!o.format->scenes) return refuse(without("scenes", o));
  const auto companions = companions_of(o);
  auto staged = to_scene(o, {.companions = companions});
  if (!staged) return refuse(std::move(staged.error()));
  return std::move(staged->scene);
}

}  // namespace

namespace dio::capi {

bool is_scene(const dio_file& f) { return !f.as || f.name.ends_with(".glb") || f.name.ends_with(".gltf"); }

Result<scene::Scene> read_scene(const dio_file& file, Diagnostics& notes) {
  const auto around = [&](const std::string& name) -> std::optional<Bytes> {
    const auto found = file.around.find(std::string(folder_of(file.name)) + name);
    return found == file.around.end() ? std::nullopt : std::optional(found->second);
  };
  auto read = gltf::read(::bytes_of(file), [&](const std::string& name) -> Result<Bytes> {
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

#ifdef DIORAMA_SAMPLES
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
  if (!text_of(as).empty()) {
    file->as = find_read_as(as);
    if (!file->as) return refused(wrong_argument({.message = "unknown format " + in_quotes(as)}));
  } else {
    auto found = detect(view, file->name);
    if (!found) {
      file->bytes.assign(view.begin(), view.end());  // it may be a scene
      return refused(std::move(found.error()));
    }
    file->as = {found->format};
  }
  file->format_id = file->as.id();
  auto opened = dio::open(Bytes(view.begin(), view.end()), file->name, file->as, flags & DIO_STRICT);
  if (!opened) {
    file->bytes.assign(view.begin(), view.end());  // for the trace
    return refused(std::move(opened.error()));
  }
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
  const auto described = [&](u64 size, const Sniff& sniff, Value info) {
    Value v = Value::object();
    v.add("schema", "diorama.info/1");
    v.add("file", file->name);
    v.add("format", file->format_id);
    v.add("size", size);
    v.add("certainty", to_string(sniff.certainty));
    v.add("reason", sniff.reason);
    v.add("info", std::move(info));
    return buffer_of(v, on_one_line());
  };
  if (is(file, k_file_tag) && file->parts) {
    const Archive& archive = file->parts->archive();
    Value info = Value::object();
    info.add("members", u64(archive.members().size()));
    info.add("cut_members", archive.cut_members());
    return described(archive.source().size(), archive.format().archive->sniff_in_parts(archive.source(), file->name),
                     std::move(info));
  }
  return with_opened(file,
                     [&](const Opened& o) { return described(o.bytes.size(), o.sniff, o.format->info(*o.document)); });
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
    for (size_t i = 0; i < count; ++i) out->around[others[i]->name] = bytes_of(*others[i]);
  }
  if (!file->opened) {
    out->bytes = file->bytes;
    out->error = not_opened(*file);
    out->as = file->as;
    out->format_id = file->format_id;
    return out;
  }
  const auto again = [](const Opened& o) {
    return dio::open(o.bytes, o.name, {o.format, o.options});
  };  // it was read before
  Opened both = *again(*file->opened);
  both.looked_beside = true;
  for (const Opened& o : file->opened->beside) both.beside.push_back(*again(o));
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
    both.beside.push_back(*again(other));
  }
  out->as = {both.format, both.options};
  out->format_id = both.format_id();
  out->opened = std::make_shared<const Opened>(std::move(both));
  return out;
}

dio_buffer* dio_beside(const dio_file* file) {
  return with_opened(file, [&](const Opened& o) {
    Value v = Value::object();
    v.add("schema", "diorama.beside/1");
    Value& names = v.add("names", Value::list());
    if (const auto beside = belonging_of(*o.format).beside) {
      const std::string_view folder = folder_of(o.name);
      for (const std::string& name : beside(std::string_view(o.name).substr(folder.size())))
        names.push(std::string(folder) + name);
    }
    return buffer_of(v);
  });
}

static dio_buffer* findings_buffer(Diagnostics found) {
  const bool has_findings = !found.empty();
  return buffer_of(report::findings_json(report::arranged(std::move(found)), {.with_findings = has_findings}));
}

dio_buffer* dio_check(const dio_file* file) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  Diagnostics found;
  if (file->opened) {
    found = check(*file->opened, file->known);
    Diagnostics others = unfit(*file->opened, companions_of(*file->opened));
    found.insert(found.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  } else {
    found.push_back(not_opened(*file));
  }
  return findings_buffer(std::move(found));
}

dio_buffer* dio_simulate(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    if (!o.format->simulate) return buffer_of(without("simulations", o));
    return findings_buffer(simulate(o));
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

dio_buffer* dio_encode(const char* json, size_t size, uint32_t flags) {
  if (auto wrong = wrong_run(json, size)) return buffer_of(std::move(*wrong));
  if (auto wrong = wrong_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return buffer_of(std::move(*wrong));
  const auto dom = json::read_dom({json, size});
  return dom ? buffer_of(encode(*dom, options_of(flags))) : buffer_of(dom.error());
}

dio_buffer* dio_save(const dio_file* file, uint32_t flags) {
  if (auto wrong = wrong_flags(flags, DIO_CANONICAL | DIO_LOSSY)) return buffer_of(std::move(*wrong));
  return with_opened(file, [&](const Opened& o) { return buffer_of(o.document->save(options_of(flags)), file); });
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
    const auto scene = scene_of(o);
    if (!scene) return buffer_of(scene.error(), file);
    return target == "glb" ? buffer_of(gltf::write_glb(*scene), file) : buffer_of(gltf::write_gltf(*scene), file);
  });
}

dio_buffer* dio_render(const dio_file* file, const char* const* options, size_t count) {
  if (!is(file, k_file_tag)) return buffer_of(no_file());
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return buffer_of(told.error());
  raster::Shot shot;
  shot.options.samples = 3;
  for (const Argument& a : *told)
    if (const auto problem = raster::set_option(shot, a.name, a.value))
      return buffer_of(wrong_argument({.message = a.name + " " + *problem}));
  const auto has = [&](std::string_view name) {
    return std::any_of(told->begin(), told->end(), [&](const Argument& a) { return a.name == name; });
  };
  if (has("size") && has("scale")) return buffer_of(wrong_argument({.message = "size and scale exclude each other"}));
  if (!has("size")) {
    const auto screen = raster::usual_size(shot.options.look, {shot.options.width, shot.options.height});
    shot.options.width = screen.width, shot.options.height = screen.height;
  }
  Diagnostics notes;
  const auto scene = is_scene(*file) ? read_scene(*file, notes)
                     : file->opened  ? scene_of(*file->opened)
                                     : Result<scene::Scene>(refuse(not_opened(*file)));
  if (!scene) return buffer_of(scene.error(), file);
  const auto taken = raster::picture_of(*scene, shot);
  return taken ? buffer_of(png::write_png(taken->image)) : buffer_of(taken.error(), file);
}

dio_buffer* dio_plan(const dio_file* file, const char* const* options, size_t count) {
  const auto told = pairs_of<Argument>(options, count, "NAME=VALUE");
  if (!told) return buffer_of(told.error());
  return with_opened(file, [&](const Opened& o) {
    if (!o.format->plans) return buffer_of(without("plans", o));
    svg::PageOptions page;
    page.title = o.name.substr(folder_of(o.name).size());
    page.kind = o.format->title;
    const auto companions = companions_of(o);
    PlanOptions drawn{.companions = companions};
    for (const Argument& a : *told) {
      if (a.name == "race") {
        if (a.value != "yes" && a.value != "no")
          return buffer_of(wrong_argument({.message = a.name + " must be yes or no, not " + in_quotes(a.value)}));
        drawn.race = a.value == "yes";
      } else if (const auto problem = svg::set_option(page, o.format->plans->layers, a.name, a.value)) {
        return buffer_of(wrong_argument({.message = a.name + " " + *problem}));
      }
    }
    return buffer_of(svg::page_of(o.format->plans->plan(*o.document, drawn), page).text);
  });
}

dio_buffer* dio_budget(const dio_file* file) {
  return with_opened(file, [](const Opened& o) {
    if (!o.format->budget) return buffer_of(without("budgets", o));
    Value v = Value::object();
    v.add("schema", "diorama.budget/1");
    v.add("file", o.name);
    v.add("format", o.format_id());
    Value budget = o.format->budget(*o.document, companions_of(o));
    for (auto& [name, value] : budget.members()) v.add(name, std::move(value));
    return buffer_of(v, on_one_line());
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
      if (file->error && file->error->id == argument_rule().id) return refuse(*file->error);
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

dio_buffer* dio_textures(const dio_file* file) {
  return with_opened(file, [&](const Opened& o) {
    if (!o.format->pictures) return buffer_of(without("textures", o));
    const auto companions = companions_of(o);
    const auto set = o.format->pictures->pictures(*o.document, {.companions = companions});
    if (!set) return buffer_of(set.error(), file);
    std::vector<std::pair<std::string, Bytes>> files;
    for (const NamedImage& i : set->images) files.emplace_back(i.file, png::write_png(i.image));
    if (!files.empty()) {
      Value manifest = Value::object();
      manifest.add("schema", "diorama.textures/1");
      manifest.add("file", o.name.substr(folder_of(o.name).size()));
      for (const auto& [name, value] : set->manifest.members()) manifest.add(name, value);
      const std::string text = json::write(manifest) + '\n';
      files.emplace_back("textures.json", Bytes(text.begin(), text.end()));
    }
    return buffer_of(std::move(files), set->notes, *file);
  });
}

// ---- archives ----

dio_buffer* dio_members(const dio_file* file) {
  if (is(file, k_file_tag) && file->parts) return buffer_of(describe_members(*file->parts, {}, true, false));
  return with_opened(file, [&](const Opened& o) {
    auto archive = Archive::open(o.bytes, o.name);
    if (!archive) return buffer_of(archive.error(), file);
    return buffer_of(describe_members(ArchiveTree(std::move(*archive), o.name), {}, true));
  });
}

dio_buffer* dio_member(const dio_file* file, const char* path) {
  if (is(file, k_file_tag) && file->parts) return buffer_of(file->parts->read(text_of(path)), file);
  return with_opened(file,
                     [&](const Opened& o) { return buffer_of(find_inside(o.bytes, o.name, text_of(path)), file); });
}

dio_buffer* dio_check_member(const dio_file* file, const char* path) {
  return with_opened(file, [&](const Opened& o) {
    auto archive = Archive::open(o.bytes, o.name);
    if (!archive) return buffer_of(archive.error(), file);
    auto found = check_member(std::make_shared<ArchiveTree>(std::move(*archive), o.name), text_of(path), file->known);
    if (!found) return buffer_of(found.error(), file);
    return findings_buffer(std::move(*found));
  });
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

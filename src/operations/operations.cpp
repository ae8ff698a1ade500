#include "operations/operations.hpp"

#include <algorithm>
#include <set>

#include "core/command_text.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/building.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/scenes.hpp"
#include "layout/path_tree.hpp"
#include "layout/references.hpp"
#include "operations/id_references.hpp"
#include "operations/value_changes.hpp"

namespace dio {

std::string file_stem(std::string_view name) {
  name.remove_prefix(name.find_last_of('/') + 1);  // npos + 1 is 0
  const size_t dot = name.find_last_of('.');
  return std::string(name.substr(0, dot == 0 ? name.npos : dot));
}

static Value node_kind_json(const NodeKind& kind) {
  using enum NodeKind::Shown;
  Value v = Value::object();
  const auto add_text = [&v](const char* name, std::string_view x) {
    if (!x.empty()) v.add(name, x);
  };
  const auto add_flag = [&v](const char* name, bool x) {
    if (x) v.add(name, true);
  };
  v.add("kind", kind.kind);
  add_text("path", kind.path);
  add_text("layer", kind.layer);
  add_text("overlay", kind.overlay);
  add_flag("content", kind.is_content);
  add_flag("faint", kind.shown == faintly);
  add_flag("hidden", kind.shown == hidden);
  add_flag("state", kind.is_state);
  if (!kind.has_label) v.add("label", false);
  add_text("label", kind.label);
  add_flag("hides_as_game", kind.hides_as_game);
  add_flag("tiles", kind.has_tiles);
  if (kind.tile_grid) v.add("tile_grid", scene::tile_grid_json(*kind.tile_grid));
  add_flag("height", kind.has_height);
  add_flag("point", kind.is_point);
  add_text("added_with", kind.added_with);
  if (kind.cell) v.add("cell", kind.cell);
  return v;
}

Value describe_formats(const std::function<u64(const Format&)>& samples) {
  Value v = Value::object();
  v.add("schema", "diorama.formats/1");
  Value& list = v.add("formats", Value::list());
  for (const Format* f : formats()) {
    Value& one = list.push(Value::object());
    one.add("id", f->id);
    one.add("title", f->title);
    one.add("platform", f->platform);
    one.add("extensions", f->extensions);
    one.add("checks", u64(f->rules().size()));
    one.add("gltf", f->scenes != nullptr);
    if (f->scenes && f->scenes->place) {
      Value& placed = one.add("placed", Value::list());
      for (const std::string_view kind : f->scenes->placed) placed.push(kind);
    }
    if (f->scenes && !f->scenes->kinds.empty()) {
      Value& kinds = one.add("node_kinds", Value::list());
      for (const NodeKind& kind : f->scenes->kinds) kinds.push(node_kind_json(kind));
    }
    if (f->simulate) one.add("simulates", true);
    if (f->archive) one.add("archive", true);
    if (f->archive && f->archive->is_wrapping) one.add("compressed", true);
    if (samples) one.add("samples", samples(*f));
    if (!f->making) continue;
    Value& options = one.add("options", Value::list());
    for (const MakeOption& o : f->making->options) {
      Value& option = options.push(Value::object());
      option.add("name", o.name);
      option.add("usage", o.usage);
      option.add("about", word_commands(o.about));
      option.add("remakes", o.remakes);
    }
  }
  return v;
}

Result<OpenedFile> open(Bytes&& bytes, std::string name, const ReadAs& as, bool strict) {
  const auto own = std::make_shared<OwnedByteSource>(std::move(bytes));
  auto opened = open(own, std::move(name), as, strict);
  if (!opened) bytes = std::move(*own).take();
  return opened;
}

Result<OpenedFile> open(std::shared_ptr<const ByteSource> file, std::string name, const ReadAs& as, bool strict) {
  OpenedFile o;
  o.name = std::move(name);
  o.file = std::move(file);
  o.bytes = o.file->whole().value_or(ByteView());
  const auto in_file = [&](Diagnostic d) {
    d.place.file = o.name;
    return refuse(std::move(d));
  };
  if (as.format) {
    o.format = as.format;
    o.options = as.options;
    o.sniff = as.format->sniff(o.bytes, o.name);
  } else {
    auto found = detect(o.bytes, o.name);
    if (!found) return in_file(std::move(found.error()));
    o.format = found->format;
    o.sniff = std::move(found->sniff);
  }
  LoadOptions owned = o.options;
  owned.stays = true;
  auto loaded = o.format->load(o.bytes, owned);
  if (!loaded) return in_file(std::move(loaded.error()));
  if (strict && !loaded->notes.empty()) {
    Diagnostic d = loaded->notes.front();
    d.severity = Severity::stop;
    return in_file(std::move(d));
  }
  o.document = std::move(loaded->document);
  o.document->source = o.file.get();
  o.notes = std::move(loaded->notes);
  for (Diagnostic& d : o.notes) d.place.file = o.name;
  return o;
}

TraceResult OpenedFile::trace() const { return format->trace(bytes, options); }
TraceResult OpenedFile::trace(const PathTree& only) const {
  LoadOptions of_some = options;
  of_some.only = &only;
  return document->source ? document->trace(of_some) : format->trace(bytes, of_some);
}

void open_sibling_files(OpenedFile& o, const std::function<std::optional<Bytes>(const std::string&)>& read) {
  open_sibling_files(o, [&](const std::string& name) -> std::shared_ptr<const ByteSource> {
    auto bytes = read(name);
    return bytes ? std::make_shared<OwnedByteSource>(std::move(*bytes)) : nullptr;
  });
}

void open_sibling_files(OpenedFile& o,
                        const std::function<std::shared_ptr<const ByteSource>(const std::string&)>& open_file) {
  if (!companion_ops_of(*o.format).beside) return;
  o.looked_beside = true;
  const size_t base = o.name.find_last_of('/') + 1;  // npos + 1 is 0
  for (const std::string& name : companion_file_names(*o.format, *o.document, std::string_view(o.name).substr(base))) {
    auto file = open_file(name);
    if (!file) continue;
    auto opened = open(std::move(file), o.name.substr(0, base) + name);
    if (opened)
      o.beside.push_back(std::move(*opened));
    else
      o.beside_problems.push_back(std::move(opened.error()));
  }
}

std::vector<Companion> collect_companions(const OpenedFile& o, std::vector<Companion> given) {
  const size_t count = given.size();
  for (const OpenedFile& n : o.beside)
    if (std::none_of(given.begin(), given.begin() + i64(count),
                     [&](const Companion& c) { return c.format == n.format; }))
      given.push_back({n.name, n.format, n.document.get()});
  return given;
}

void add_digest(scene::Scene& s, const OpenedFile& o) {
  if (!o.format->scenes || !o.format->scenes->supports_scene_import()) return;
  if (!s.extras.is(Value::Kind::object)) s.extras = Value::object();
  s.extras.add(k_digest_in_scenes, digest_of(o.bytes));
}

Result<SceneResult> to_scene(const OpenedFile& o, const SceneOptions& options) {
  if (!o.format->scenes) {
    const std::string_view main = companion_ops_of(*o.format).goes_with;
    return refuse(
        "scene.none", Location::in_file(o.name),
        {.message = "nothing to show: files of the format " + in_quotes(o.format->title) + " contain no model",
         .hint = o.format->archive ? "name a file in the archive; {ls FILE} lists the files"
                 : main.empty()    ? ""
                                   : "also pass the " + std::string(main) + " file that it belongs to"});
  }
  auto staged = o.format->scenes->to_scene(*o.document, options);
  if (!staged) {
    staged.error().place.file = o.name;
    return staged;
  }
  if (staged->scene.name.empty()) staged->scene.name = file_stem(o.name);
  add_digest(staged->scene, o);
  for (Diagnostic& d : staged->notes)
    if (d.place.file.empty()) d.place.file = o.name;
  return staged;
}

void add_offsets(Diagnostics& list, const Spans& spans) {
  for (Diagnostic& d : list) {
    if (d.place.known()) continue;
    std::string_view path = d.place.path;
    // a place inside something that is not there is shown at the nearest thing around it
    while (!path.empty()) {
      if (const auto spot = spans.find(path)) {
        const Span& s = spans[spot->span];
        d.place.offset = spot->offset;
        d.place.size = spot->size;
        if (s.kind == Span::Kind::bits) {
          d.place.bit = s.bit;
          d.place.bits = s.bits;
          if (!d.place.size) d.place.size = size_of(s.wire);
        }
        break;
      }
      const size_t cut = path.find_last_of(".[");
      path = path.substr(0, cut == path.npos ? 0 : cut);
    }
  }
}

static void add_offsets(Diagnostics& list, const OpenedFile& o) {
  PathTree paths;
  for (const Diagnostic& d : list)
    if (!d.place.known()) paths.add(d.place.path);
  if (!paths.is_empty()) add_offsets(list, o.trace(paths).spans);
}

/// What refers to elements that do not exist, where nothing else was found.
static void check_references(const Spans& spans, Findings& findings) {
  const References references(spans);
  std::set<std::string> known;
  for (const Diagnostic& d : findings.list) known.insert(d.place.path);
  for (const ResolvedReference& r : references.all()) {
    if (!r.count || !r.list || references.exists(r)) continue;
    const std::string path = spans.path(r.from);
    if (known.contains(path) || findings.references_elsewhere.contains(path)) continue;
    const std::string list = spans.path(r.list);
    Diagnostic d = make_diagnostic(
        r.is_by_name() ? Severity::warning : Severity::error, "layout.reference", path,
        {.message = r.is_by_name() ? "no element of " + list + " is called " + spans.show(r.from)
                                   : "the value refers to " + references.target(r) + ", but " + list + " has " +
                                         format_count(spans.length(r.list), "element") + ", counted from 0"});
    findings.list.push_back(std::move(d));
  }
}

Diagnostics run_format_rules(const Format& format, const AnyDocument& document, u64 file_size, const Spans* spans) {
  Findings findings(format.rules());
  findings.file_size = file_size;
  format.check(document, {}, findings);
  if (format.looks_for_references && spans) check_references(*spans, findings);
  return std::move(findings.list);
}

/// With offsets, in the order of the file.
static void locate_and_sort(Diagnostics& all, const OpenedFile& o) {
  add_offsets(all, o);
  for (Diagnostic& d : all) d.place.file = o.name;
  sort_stably(all, [](const Diagnostic& a, const Diagnostic& b) { return a.place.offset + 1 < b.place.offset + 1; });
}

Result<Diagnostics> check_archive_member(std::shared_ptr<const FileTree> tree, std::string_view path, bool known) {
  auto bytes = tree->read(path);
  if (!bytes) return refuse(std::move(bytes.error()));
  auto opened = open(std::move(*bytes), std::string(path));
  if (!opened) return refuse(std::move(opened.error()));
  const auto folder = std::make_shared<BranchTree>(tree, std::string(parent_folder(path)));
  open_sibling_files(*opened, [&](const std::string& name) -> std::optional<Bytes> {
    auto beside = folder->read(name);
    return beside ? std::optional(std::move(*beside)) : std::nullopt;
  });
  if (opened->format->check_folder) opened->folder = folder;
  return check(*opened, known);
}

Diagnostics check(const OpenedFile& o, bool known) {
  Findings findings(o.format->rules());
  findings.file_size = o.bytes.size();
  const std::vector<Companion> companions = collect_companions(o);
  std::optional<std::span<const Companion>> beside;
  if (o.looked_beside) beside = companions;
  o.format->check(*o.document, beside, findings);
  if (o.format->check_folder && o.folder) o.format->check_folder(*o.document, *o.folder, companions, findings);
  if (o.format->looks_for_references) check_references(o.trace().spans, findings);
  Diagnostics all = o.notes;
  all.insert(all.end(), std::make_move_iterator(findings.list.begin()), std::make_move_iterator(findings.list.end()));
  if (all.empty()) return o.beside_problems;
  locate_and_sort(all, o);
  all.insert(all.end(), o.beside_problems.begin(), o.beside_problems.end());
  if (!known && !all.empty() && o.format->is_known)
    if (const auto digest = digest_of(*o.file))
      std::erase_if(all, [&](const Diagnostic& d) { return o.format->is_known(*digest, d); });
  return all;
}

Diagnostics simulate(const OpenedFile& o) {
  Findings findings(o.format->rules());
  findings.file_size = o.bytes.size();
  o.format->simulate(*o.document, collect_companions(o), findings);
  locate_and_sort(findings.list, o);
  return std::move(findings.list);
}

Diagnostics find_companion_mismatches(const OpenedFile& o, std::span<const Companion> others) {
  if (others.empty() || !o.format->scenes || !o.format->scenes->notes_companions) return {};
  auto staged = to_scene(o, {.companions = others});
  if (!staged) return {};
  add_offsets(staged->notes, o);
  // Hints say how a scene shows what is right in the file.
  std::erase_if(staged->notes, [](const Diagnostic& d) { return d.severity == Severity::hint; });
  return std::move(staged->notes);
}

static Dom build_document_dom(const OpenedFile& o, std::string_view digest) {
  Dom dom;
  dom.expect(std::min<size_t>(o.bytes.size(), size_t(1) << 16));  // large files are mostly texels and the like
  dom.set_tree(0, Dom::Kind::object);
  dom.set_text(dom.add(0, "schema"), "diorama.document/1");
  dom.set_text(dom.add(0, "format"), o.format->id);
  dom.set_integer(dom.add(0, "size"), o.bytes.size());
  if (!digest.empty()) dom.set_text(dom.add(0, "digest"), dom.keep(digest));
  if (const auto& all = o.document->residue(); !all.empty()) {
    const Dom::Id residue = dom.add(0, "residue");
    dom.set_tree(residue, Dom::Kind::list);
    for (const UnreferencedBytes& r : all) {
      const Dom::Id run = dom.add(residue);
      dom.set_tree(run, Dom::Kind::object);
      dom.set_integer(dom.add(run, "offset"), r.offset);
      dom.set_bytes(dom.add(run, "bytes"), r.bytes);
    }
  }
  o.document->show(dom, dom.add(0, "document"));
  dom.set_source_file(*o.file);
  return dom;
}

Dom decode_to_dom(const OpenedFile& o) {
  const auto digest = digest_of(*o.file);
  return build_document_dom(o, digest ? *digest : digest_of(o.bytes));
}

Value decode(const OpenedFile& o) { return decode_to_dom(o).value(); }

/// A size or an offset; nothing if it is none.
static std::optional<u64> parse_size_value(const Dom& dom, Dom::Id i) {
  const Value v = i ? dom.number(i) : Value();
  if (v.is(Value::Kind::integer) && !v.negative()) return v.bits();
  if (v.is_whole_real() && v.number() >= 0) return u64(v.number());
  return {};
}

namespace {

/// A document that was made of values, and the digest of the file that they came from.
struct FromValues {
  ReadAs as;
  std::unique_ptr<AnyDocument> document;
  std::string digest;
  const Dom* values = nullptr;
  Dom::Id at = 0;  // of the document in them
};

Result<FromValues> from_values(const Dom& dom, std::optional<u64> limit) {
  using Id = Dom::Id;
  const auto text_in = [&](Id i) {
    return i && dom.is(i, Dom::Kind::text) ? "\"" + std::string(dom.text(i)) + "\"" : "no text";
  };
  const auto parse_bytes = [&](Id i) -> std::optional<FileBytes> {
    if (!i || !dom.is(i, Dom::Kind::text)) return {};
    if (dom.is_bytes(i) && dom.are_bytes_persistent()) return FileBytes::borrow(dom.bytes(i));
    if (dom.is_bytes(i)) return FileBytes(Bytes(dom.bytes(i).begin(), dom.bytes(i).end()));
    return decode_hex(dom.text(i));
  };
  const Id schema = dom.find(0, "schema");
  if (!schema || dom.text(schema) != "diorama.document/1")
    return refuse("layout.type", "schema", {.expected = "\"diorama.document/1\"", .found = text_in(schema)});
  const Id id = dom.find(0, "format");
  const ReadAs as = id && dom.is(id, Dom::Kind::text) ? find_format_and_layout(dom.text(id)) : ReadAs();
  if (!as.format)
    return refuse(make_diagnostic(
        "layout.type", "format", {.expected = "a format id", .found = text_in(id), .hint = "{formats} lists the ids"}));
  const Id document = dom.find(0, "document");
  if (!document || !dom.is(document, Dom::Kind::object))
    return refuse("layout.type", "document",
                  {.expected = "an object", .found = document ? "a value of another type" : "no document"});
  Encoding e;
  if (const Id omit_derived = dom.find(0, "lean"))
    e.omit_derived = dom.is(omit_derived, Dom::Kind::boolean) && dom.number(omit_derived).boolean();
  if (const Id size = dom.find(0, "size"); size && !e.omit_derived) {
    const auto bytes = parse_size_value(dom, size);
    if (!bytes || *bytes > k_max_file_size)
      return refuse("layout.type", "size", {.message = "size must be a whole number of bytes, at most 1 GiB"});
    e.size = *bytes;
    if (limit && e.size > *limit)
      return refuse("layout.limit", "size",
                    {.message = "the size " + std::to_string(e.size) + " exceeds the limit of " +
                                format_count(*limit, "byte") + " for JSON of this length"});
  }
  if (const Id digest = dom.find(0, "digest"); digest && !e.omit_derived) e.digest = dom.text(digest);
  if (const Id tail = dom.find(0, "tail"); tail && e.omit_derived) {
    auto b = parse_bytes(tail);
    if (!b) return refuse("layout.type", "tail", {.message = "tail must be a string of hex digits, two per byte"});
    e.tail = Bytes(b->begin(), b->end());
    e.size = b->size();
    e.residue.push_back({0, std::move(*b)});
  }
  if (const Id residue = dom.find(0, "residue"); residue && !e.omit_derived) {
    u64 end = 0;
    for (Id run = dom.first(residue); run; run = dom.next(run)) {
      const std::string path = "residue[" + std::to_string(e.residue.size()) + "]";
      const auto offset = parse_size_value(dom, dom.find(run, "offset"));
      auto b = parse_bytes(dom.find(run, "bytes"));
      if (!offset || !b)
        return refuse("layout.type", path,
                      {.message = "residue must be a list of {\"offset\": NUMBER, \"bytes\": \"HEX DIGITS\"}"});
      if (*offset < end || *offset > e.size || b->size() > e.size - *offset)
        return refuse("layout.type", path,
                      {.message = "the bytes at offset " + std::to_string(*offset) +
                                  " are out of order or extend beyond the size of the file"});
      end = *offset + b->size();
      e.residue.push_back({*offset, std::move(*b)});
    }
  }
  auto made = as.format->from_values(dom, document, e);
  if (!made) return refuse(std::move(made.error()));
  return FromValues{as, std::move(*made), std::move(e.digest), &dom, document};
}

/// Whether values that were written where the old ones were have kept to their places: they are read again as they are,
/// nothing that was not described before is left over, and nothing that the layout derives has to change.
bool reads_back_unchanged(const FromValues& made, ByteView written) {
  LoadOptions owned = made.as.options;
  owned.stays = true;
  const auto read = made.as.format->load(written, owned);
  if (!read || !read->document->has_current_derived_fields() || !read->document->is_settled()) return false;
  const auto same = [](const UnreferencedBytes& a, const UnreferencedBytes& b) {
    return a.offset == b.offset && a.bytes == b.bytes;
  };
  if (!std::ranges::equal(read->document->residue(), made.document->residue(), same)) return false;
  Dom is;
  read->document->show(is, 0);
  return same_content(*made.values, made.at, is, 0);
}

Result<Bytes> save_document(FromValues made, SaveOptions options) {
  if (!options.canonical && !made.digest.empty()) {  // unedited: the original bytes
    auto bytes = made.document->save({});
    if (bytes && (digest_of(*bytes) == made.digest || reads_back_unchanged(made, *bytes))) return bytes;
  }
  made.document->touch();
  auto bytes = made.document->save(options);
  if (!bytes) return bytes;
  // Values may contradict each other in ways that only a reader notices, such as a part that would begin in another.
  auto read = made.as.format->load(*bytes, made.as.options);
  if (read) return bytes;
  Diagnostic& d = read.error();
  d.place = Location(d.place.path);  // there is no file whose offsets it could name
  d.hint = "a file with these values could not be read";
  return refuse(std::move(d));
}

}  // namespace

Result<Bytes> encode(const Dom& dom, SaveOptions options, std::optional<u64> limit) {
  if (dom.find(0, "references")) {
    Value whole = dom.value();
    auto numbers = replace_ids_with_indices(whole);
    if (!numbers) return refuse(std::move(numbers.error()));
    if (*numbers) return encode(whole, options, limit);
  }
  auto made = from_values(dom, limit);
  if (!made) return refuse(std::move(made.error()));
  return save_document(std::move(*made), options);
}

static std::string describe_first_difference(ByteView a, ByteView b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i]) return "first difference at " + format_hex(i);
  return "the size is " + format_hex(a.size()) + ", but " + format_hex(b.size()) + " bytes were written";
}

std::optional<Diagnostic> find_decoding_problem(const Format& format, const ByteSource& file) {
  const auto bytes = file.whole();
  if (!bytes || !format.archive || !format.archive->packed_size) return {};
  auto size = format.archive->packed_size(*bytes);
  return size ? std::nullopt : std::optional(std::move(size.error()));
}

RoundTripResult verify(const OpenedFile& o, const JsonRoundTrip& round_trip_as_json) {
  RoundTripResult out;
  if (const auto problem = find_decoding_problem(*o.format, *o.file)) {
    out.decodes = false;
    out.problem = "the compressed data cannot be decompressed: " + format_one_line(*problem);
  }
  // Bytes are made only if there is a difference to show.
  const auto differs = [&](const char* how, const Result<Bytes>& written) {
    if (written && std::ranges::equal(*written, o.bytes)) return false;
    if (out.problem.empty())
      out.problem = std::string(how) + ": " +
                    (written ? describe_first_difference(o.bytes, *written) : format_one_line(written.error()));
    return true;
  };
  out.straight = o.document->round_trips_to(o.bytes) || !differs("directly", o.document->save({}));
  const Parsed parsed = [&](const Dom& dom) -> Result<Bytes> {
    auto made = from_values(dom, {});
    if (!made) return refuse(std::move(made.error()));
    out.through_json = made->document->round_trips_to(o.bytes);
    if (out.through_json) return Bytes();
    made->digest = digest_of(o.bytes);
    return save_document(std::move(*made), {});
  };
  const auto written = round_trip_as_json(build_document_dom(o, {}), parsed);  // only the bytes above need the digest
  if (!out.through_json) out.through_json = !differs("through JSON", written);
  return out;
}

}  // namespace dio

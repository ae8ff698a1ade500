#include "formats/platinum/sources/sources.hpp"

#include <algorithm>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/sources/documents.hpp"

namespace dio::platinum {

namespace {

struct ListText {
  SourceList list;
  Space space;
  std::string_view fresh;  // text of a new source
};
constexpr ListText k_lists[] = {{SourceList::matrices, Space::matrices, k_new_matrix},
                                {SourceList::areas, Space::areas, k_new_area},
                                {SourceList::prop_sets, Space::prop_sets, k_new_prop_set},
                                {SourceList::lights, Space::lights, {}},
                                {SourceList::events, Space::events, k_new_events}};
static_assert(std::size(k_lists) == k_source_lists);

constexpr std::string_view k_json = ".json", k_map_header = "MAP_HEADER_";

Bytes to_bytes(std::string_view text) { return Bytes(text.begin(), text.end()); }

/// The name with the next number: map_matrix_289 after map_matrix_288.
std::string next_name(std::string_view last, u32 number) {
  const size_t end = last.find_last_not_of("0123456789");
  const size_t width = last.size() - (end == last.npos ? 0 : end + 1);
  std::string digits = std::to_string(number);
  digits.insert(0, width - std::min(width, digits.size()), '0');
  return std::string(last.substr(0, last.size() - width)) + (width ? "" : "_") + digits;
}

}  // namespace

Sources::Sources(const FileTree& tree, std::string root) : tree_(&tree), root_(std::move(root)), names_(tree, root_) {
  for (const ListText& l : k_lists) {
    const auto order = read_text(root_ + std::string(SourceNames::file_of(l.space)));
    if (!order) continue;
    std::vector<std::string> files;
    bool any = false;
    for (const std::string_view line : split_lines(*order)) {
      // Never outside the folder.
      std::string name(file_name(line));
      if (name.ends_with(".bin") || name.ends_with(".txt")) name.resize(name.size() - 4);
      files.push_back(folder(l.list) + name + std::string(k_json));
      any |= tree.has(files.back());
    }
    if (any) files_[size_t(l.list)] = std::move(files);
  }
  const std::string path = root_ + std::string(SourceNames::file_of(Space::constants));
  if (tree.has(path)) headers_path_ = path;
}

std::string Sources::folder(SourceList list) const {
  return root_ + std::string(parent_folder(SourceNames::file_of(k_lists[size_t(list)].space))) + '/';
}

Result<std::string> Sources::read_text(const std::string& path) const {
  const auto bytes = tree_->read(path);
  if (!bytes) return refuse(bytes.error());
  return std::string(bytes->begin(), bytes->end());
}

Result<SourceText> Sources::read_json_source(const std::string& path) const {
  auto text = read_text(path);
  if (!text) return refuse(std::move(text.error()));
  return SourceText::read(std::move(*text), path);
}

bool Sources::build_adds_newline(const std::string& path) const {
  // The build adds a line break to the files in the second of two lists.
  const auto build = read_text(std::string(parent_folder(path)) + "/meson.build");
  if (!build) return false;
  const size_t named = build->find('\'' + std::string(file_name(path)) + '\'');
  if (named == build->npos) return false;
  return build->substr(0, build->find("files(", named)).find("--eofnewline", named) != std::string::npos;
}

Result<Bytes> Sources::read(SourceList list, u32 number) const {
  const auto& files = files_[size_t(list)];
  if (number >= files.size()) return refuse(missing_file(folder(list) + std::to_string(number)));
  const auto source = read_json_source(files[number]);
  if (!source) return refuse(source.error());
  const auto serialize_parsed = [&]<class T>(T value) -> Result<Bytes> {
    if (source->problem) return refuse(source->take_problem());
    auto bytes = save_new(std::move(value));
    if (!bytes) bytes.error().place.file = files[number];
    return bytes;
  };
  switch (list) {
    case SourceList::matrices:
      return serialize_parsed(parse_matrix(*source, names_));
    case SourceList::areas:
      return serialize_parsed(parse_area(*source, names_));
    case SourceList::prop_sets:
      return serialize_parsed(parse_prop_set(*source, names_));
    case SourceList::lights:
      return serialize_parsed(parse_area_light(*source, build_adds_newline(files[number])));
    case SourceList::events:
      return serialize_parsed(parse_events(*source, names_));
  }
  return refuse(missing_file(files[number]));
}

Result<Bytes> Sources::headers() const {
  auto text = read_text(headers_path_);
  if (!text) return refuse(std::move(text.error()));
  const auto source = HeaderSource::read(std::move(*text), headers_path_, names_);
  if (!source) return refuse(source.error());
  return save_new(MapHeaders{source->headers()});
}

std::optional<u32> Sources::find_header_by_name(std::string_view typed) const {
  std::string name = upper_case(typed);
  if (!name.starts_with(k_map_header)) name.insert(0, k_map_header);
  const auto number = names_.table_of(Space::headers).number(name);
  return number && *number >= 0 ? std::optional(u32(*number)) : std::nullopt;
}

// ---- writing ----

/// Warns about scripts that name removed objects, which the build rejects.
void Sources::note_broken_scripts(const std::string& events, const std::vector<std::string>& gone,
                                  Diagnostics& notes) const {
  const std::string_view name = file_name(events);
  std::string script(parent_folder(SourceNames::file_of(Space::scripts)));
  script =
      root_ + script + "/scripts" + std::string(name.substr(name.find('_'), name.rfind('.') - name.find('_'))) + ".s";
  const auto text_there = name.starts_with("events_") ? read_text(script) : Result<std::string>(std::string());
  if (!text_there) return;
  std::set<std::string_view> found;
  for (const CToken& token : tokenize_c(*text_there))
    if (std::ranges::find(gone, token.text) != gone.end()) found.insert(token.text);
  std::string named;
  for (const std::string_view one : found) (named += named.empty() ? "" : ", ") += one;
  if (!named.empty())
    notes.push_back(
        make_diagnostic(Severity::warning, "platinum.make-script", dio::Location::in_file(script),
                        {.message = "the script names objects that no longer exist: " + named,
                         .hint = "the decompilation cannot build the script until you remove these objects from it"}));
}

Result<std::vector<DependentFile>> add_to_member_lists(const FileTree& tree, const std::string& folder,
                                                       std::string_view last, const std::vector<std::string>& names) {
  std::vector<DependentFile> out;
  if (names.empty()) return out;
  const auto put = [&](const std::string& path, std::string_view text) { out.push_back({path, to_bytes(text)}); };
  const auto all = tree.list();
  for (auto p = std::lower_bound(all.begin(), all.end(), folder); p != all.end() && p->starts_with(folder); ++p) {
    if (p->find('/', folder.size()) != p->npos) continue;
    const bool is_order = p->ends_with(".order"), is_build = file_name(*p) == "meson.build";
    if (!is_order && !is_build) continue;
    const auto bytes = tree.read(*p);
    if (!bytes) return refuse(bytes.error());
    std::string text(bytes->begin(), bytes->end());
    const std::string_view bare = last.substr(0, last.rfind('.'));
    if (is_order) {
      // Lines may lack the extension.
      const auto lines = split_lines(text);
      const bool is_whole = std::ranges::find(lines, last) != lines.end();
      if (!is_whole && std::ranges::find(lines, bare) == lines.end() && !lines.empty()) continue;
      const std::string_view end = text.find("\r\n") == text.npos ? "\n" : "\r\n";
      if (!text.empty() && !text.ends_with('\n')) text += end;
      for (const std::string& name : names) (text += is_whole ? name : name.substr(0, name.rfind('.'))) += end;
      put(*p, text);
      continue;
    }
    const std::string word = '\'' + std::string(last) + '\'';
    const size_t at = text.find(word);
    if (at == text.npos) continue;
    const size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string indent = text.substr(line, std::min(text.find_first_not_of(" \t", line), at) - line);
    size_t after = at + word.size();
    const bool has_comma = after < text.size() && text[after] == ',';
    after += has_comma;
    std::string more;
    for (const std::string& name : names)
      more += (has_comma ? "\n" : ",\n") + indent + '\'' + name + '\'' + (has_comma ? "," : "");
    put(*p, text.insert(after, more));
  }
  return out;
}

Result<std::vector<DependentFile>> Sources::build_changed_sources(const SourceChanges& changes,
                                                                  Diagnostics& notes) const {
  std::vector<DependentFile> out;
  // Add only files that changed.
  const auto put = [&](const std::string& path, std::string_view was, std::string_view now) {
    if (was != now) out.push_back({path, to_bytes(now)});
  };
  SourceNames names = names_;
  for (const auto& [space, members] : changes.names)
    for (const auto& [number, name] : members) names.add(space, name, number);

  // Lands have constants: MAP_666 after MAP_665.
  const std::string maps_path = root_ + std::string(SourceNames::file_of(Space::lands));
  if (const auto maps = read_text(maps_path)) {
    std::string text = *maps;
    u32 count = 0;
    while (!names.table_of(Space::lands).name(count).empty()) ++count;
    for (; count && count < changes.lands; ++count) {
      const std::string last(names.table_of(Space::lands).name(count - 1));
      const std::string name = next_name(last, count);
      size_t at = text.rfind(last);
      at = at == text.npos ? text.size() : text.find('\n', at);
      text.insert(std::min(at, text.size()), "\n" + name);
      names.add(Space::lands, name, count);
    }
    put(maps_path, *maps, text);
  }

  // Name new members before anything refers to them.
  std::map<SourceList, std::vector<std::string>> fresh;  // paths
  std::optional<MapHeaders> headers;
  if (changes.headers) {
    auto table = load<MapHeaders>(*changes.headers);
    if (!table) return refuse(std::move(table.error()));
    headers = std::move(table->document.edit());
  }
  for (const auto& [list, members] : changes.members) {
    const auto& files = files_[size_t(list)];
    const ListText& of = k_lists[size_t(list)];
    std::vector<std::string>& paths = fresh[list];
    std::set<std::string> taken(files.begin(), files.end());
    for (const auto& [number, content] : members) {
      if (number < files.size()) continue;
      const std::string last = files.back().substr(0, files.back().size() - k_json.size());
      std::string stem = next_name(last, number);
      if (list == SourceList::events && headers) {
        // Name events after the map that uses them.
        const auto user = std::ranges::find(headers->headers, number, &MapHeader::events_archive_id);
        if (user != headers->headers.end())
          if (std::string name(names.table_of(Space::headers).name(user - headers->headers.begin(), k_map_header));
              !name.empty())
            stem = folder(list) + "events_" + lower_case(name.substr(k_map_header.size()));
      }
      std::string path = stem + std::string(k_json);
      for (int n = 2; taken.contains(path) || tree_->has(path); ++n) path = text(stem, '_', n, k_json);
      taken.insert(path);
      names.add(of.space, std::string(file_name(path).substr(0, file_name(path).size() - k_json.size())), number);
      paths.push_back(path);
    }
    std::vector<std::string> added;
    for (const std::string& path : paths) added.emplace_back(file_name(path));
    auto lists = add_to_member_lists(*tree_, folder(list), files.empty() ? "" : file_name(files.back()), added);
    if (!lists) return refuse(std::move(lists.error()));
    for (DependentFile& f : *lists) out.push_back(std::move(f));
  }

  for (const auto& [list, members] : changes.members) {
    const auto& files = files_[size_t(list)];
    size_t next = 0;  // index of the next new member
    for (const auto& [number, content] : members) {
      const bool is_new = number >= files.size();
      const std::string path = is_new ? fresh[list][next++] : files[number];
      auto text = is_new ? Result<std::string>(std::string(k_lists[size_t(list)].fresh)) : read_text(path);
      if (!text) return refuse(std::move(text.error()));
      auto source = SourceText::read(*text, path);
      if (!source) return refuse(std::move(source.error()));
      const auto apply_change = [&]<class T>(T, auto change) -> std::optional<Diagnostic> {
        auto wanted = load<T>(content);
        if (!wanted) return std::move(wanted.error());
        return change(wanted->document.value());
      };
      std::optional<Diagnostic> stop;
      switch (list) {
        case SourceList::matrices:
          stop = apply_change(MapMatrix{}, [&](const auto& v) { return update_matrix_source(*source, v, names); });
          break;
        case SourceList::areas:
          stop = apply_change(AreaData{}, [&](const auto& v) { return update_area_source(*source, v, names); });
          break;
        case SourceList::prop_sets:
          stop = apply_change(AreaBuild{}, [&](const auto& v) { return update_prop_set_source(*source, v, names); });
          break;
        case SourceList::events:
          stop = apply_change(ZoneEvent{}, [&](const auto& v) {
            std::vector<std::string> gone;
            auto problem = update_events_source(*source, v, names, notes, gone);
            if (!gone.empty()) note_broken_scripts(path, gone, notes);
            return problem;
          });
          break;
        case SourceList::lights:
          stop = make_diagnostic("edit.limit", dio::Location::in_file(path),
                                 {.message = "lights cannot be edited here; edit their source file in a text editor"});
          break;
      }
      if (stop) return refuse(std::move(*stop));
      put(path, is_new ? std::string_view() : std::string_view(*text), source->edited());
    }
  }
  if (headers) {
    auto was = read_text(headers_path_);
    if (!was) return refuse(std::move(was.error()));
    const auto table = HeaderSource::read(*was, headers_path_, names_);
    if (!table) return refuse(table.error());
    const auto now = table->replace_headers(headers->headers, names);
    if (!now) return refuse(now.error());
    put(headers_path_, *was, *now);
  }
  return out;
}

}  // namespace dio::platinum

// edits.cpp: edits of lists that need the positions of files on the disc: `dio edit game.bin add-file map=1
// file=MAP/MAP001.12 as=mesh state=night`.
#include <algorithm>

#include "containers/disc/cd_sector.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/game/make_map.hpp"
#include "formats/fft/game/map_names.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/layout/states.hpp"

namespace dio::fft {

namespace {

using Done = Result<GameEdited>;

/// A file in the folder of another.
std::string path_beside(const std::string& path, std::string_view name) {
  const std::string_view folder = parent_folder(path);
  return folder.empty() ? std::string(name) : text(folder, "/", name);
}

constexpr EnumName k_kind_words[] = {{k_alternate_type, "mesh"}, {k_texture_type, "texture"}};
constexpr EnumNames k_kinds{k_kind_words};

/// A list of the game, and a file of its disc.
struct Named {
  std::string gns;
  Gns list;
  u32 lba = 0, length = 0;
  std::string file;
  bool is_texture = false;
  std::string no_mesh;  // why it is not a mesh; empty: it is one

  /// Why a row of this type cannot load the file.
  std::optional<Diagnostic> row_type_error(u8 type) const {
    const auto is_no = [&](const std::string& what) {
      return make_diagnostic("edit.argument", {}, {.message = file + " is not a " + what});
    };
    if (type == k_texture_type && !is_texture) return is_no(text("texture: a texture has ", k_texture_size, " bytes"));
    if (type >= k_primary_type && !no_mesh.empty()) return is_no("mesh: " + no_mesh);
    return {};
  }
};

Diagnostic argument_problem(std::string message, std::string hint = {}) {
  return make_diagnostic("edit.argument", {}, {.message = std::move(message), .hint = std::move(hint)});
}

Result<MapFiles> find_map(const FileTree& files, u32 number) {
  const auto maps = find_maps(files);
  const auto map = std::ranges::find(maps, number, &MapFiles::number);
  if (map == maps.end()) return refuse(argument_problem(text("the game has no map ", number)));
  return *map;
}
Result<Gns> load_list(const FileTree& files, const std::string& gns) {
  const auto list = files.read(gns);
  if (!list) return refuse(list.error());
  auto loaded = load<Gns>(*list);
  if (!loaded) {
    loaded.error().place.file = gns;
    return refuse(std::move(loaded.error()));
  }
  return std::move(loaded->document.edit());
}
void set_content(Named& n, ByteView bytes) {
  n.length = u32(sectors_for(bytes.size()) * k_sector_data);
  n.is_texture = bytes.size() == k_texture_size;
  if (const auto mesh = load<Mesh>(bytes); !mesh) n.no_mesh = format_one_line(mesh.error());
}

Result<Named> load_gns_and_find_file(const Game& game, Arguments& a) {
  const FileTree& files = tree_of(game);
  const u32 number = u32(a.whole("map", 0, 999));
  const std::string typed(a.text("file"));
  if (a.problem) return refuse(std::move(*a.problem));
  const auto map = find_map(files, number);
  if (!map) return refuse(map.error());
  // MAP001.12 is in the folder of the list.
  Named out;
  out.gns = map->gns;
  out.file = files.has(typed) ? typed : path_beside(map->gns, typed);
  const auto lba = files.place(out.file);
  if (!files.has(out.file)) return refuse(argument_problem("the game has no file " + given(typed)));
  if (!lba) return refuse(argument_problem("files in a folder have no sectors; use the disc image"));
  const auto bytes = files.read(out.file);
  if (!bytes) return refuse(bytes.error());
  out.lba = u32(*lba);
  set_content(out, *bytes);
  auto list = load_list(files, map->gns);
  if (!list) return refuse(std::move(list.error()));
  out.list = std::move(*list);
  return out;
}

/// The number of a file of a map: 12 of MAP001.12.
u32 file_number(const std::string& path) {
  const auto is = parse_map_name(path);
  return is && is->file ? *is->file : 0;
}

/// A new file of a map. Its rows have a provisional sector until the file is on a disc.
Result<Named> plan_new_file(const Game& game, Arguments& a, ByteView content) {
  const FileTree& files = tree_of(game);
  const u32 number = u32(a.whole("map", 0, 999));
  const std::string typed(a.has("file") ? a.text("file") : "");
  if (a.problem) return refuse(std::move(*a.problem));
  const auto map = find_map(files, number);
  if (!map) return refuse(map.error());
  auto list = load_list(files, map->gns);
  if (!list) return refuse(std::move(list.error()));
  u32 last = 7;  // the first file of a map has the number 8, or less
  for (const std::string& path : map->files) last = std::max(last, file_number(path));
  Named out;
  out.gns = map->gns, out.list = std::move(*list);
  out.file = typed.empty()                   ? path_beside(map->gns, text(map->name, ".", last + 1))
             : typed.find('/') == typed.npos ? path_beside(map->gns, typed)
                                             : typed;
  if (files.has(out.file))
    return refuse(argument_problem("the game already has the file " + given(out.file),
                                   "leave out file=... for the next free name"));
  const auto is = parse_map_name(out.file);
  if (!is || is->number != number || !is->file || parent_folder(out.file) != parent_folder(map->gns))
    return refuse(argument_problem(
        text("files of map ", number, " have names such as ", path_beside(map->gns, text(map->name, ".", last + 1)))));
  set_content(out, content);
  out.lba = u32(provisional_sector(out.file));
  return out;
}

Done save_edited_gns(const Named& n, std::string done) {
  auto bytes = save_new(n.list);
  if (!bytes) return refuse(std::move(bytes.error()));
  GameEdited out;
  out.done = std::move(done);
  out.files.push_back({n.gns, std::move(*bytes)});
  return out;
}

Done add_file(const Game& game, std::optional<ByteView> source, std::span<const Argument> all) {
  Arguments a(all);
  const u8 type = u8(a.word("as", k_kinds, 255));
  const auto state = parse_state(a.text("state"));
  if (source) a.text("source");
  auto n = source ? plan_new_file(game, a, *source) : load_gns_and_find_file(game, a);
  if (!n) return refuse(std::move(n.error()));
  if (!a.done()) return refuse(std::move(*a.problem));
  if (!state) return refuse(state.error());
  if (k_kinds.of(type).empty()) return refuse("edit.argument", {}, {.message = "as=... must be mesh or texture"});
  size_t at = 0;  // after the last file
  for (size_t i = 0; i < n->list.rows.size(); ++i)
    if (n->list.rows[i].is_file()) at = i + 1;
  if (auto why = n->row_type_error(type)) return refuse(std::move(*why));
  const GnsRow row =
      make_row_for_state({k_weather_variable, {}, 1, type, k_row_mark, n->lba, n->length, k_row_end}, *state);
  const auto is_same = [&](const GnsRow& r) {
    return r.is_file() && r.type == type && r.variable == row.variable && r.state == row.state &&
           r.comparison == row.comparison;
  };
  if (const auto other = std::ranges::find_if(n->list.rows, is_same); other != n->list.rows.end())
    return refuse(
        "edit.argument", {},
        {.message = text("row ", other - n->list.rows.begin(), " already loads a file of this kind in this state"),
         .hint = text("set-file row=", other - n->list.rows.begin(), " changes the file that it loads")});
  insert_row(n->list, at, row);
  auto done = save_edited_gns(
      *n, text(n->gns, ": row ", at, " loads ", n->file, " in the state ", to_string(*state, has_snow(n->list))));
  if (done && source) done->files.push_back({n->file, Bytes(source->begin(), source->end())});
  return done;
}

Done set_file(const Game& game, std::span<const Argument> all) {
  Arguments a(all);
  auto n = load_gns_and_find_file(game, a);
  if (!n) return refuse(std::move(n.error()));
  const size_t row = size_t(a.whole("row", 0, i64(n->list.rows.size()) - 1));
  if (!a.done()) return refuse(std::move(*a.problem));
  if (!n->list.rows[row].is_file())
    return refuse("edit.argument", {}, {.message = text("row ", row, " of ", n->gns, " names no file")});
  if (auto why = n->row_type_error(n->list.rows[row].type)) return refuse(std::move(*why));
  GnsRow now = n->list.rows[row];
  now.lba = n->lba, now.length = n->length;
  erase_row(n->list, row);
  insert_row(n->list, row, now);
  return save_edited_gns(*n, text(n->gns, ": row ", row, " loads ", n->file));
}

constexpr Parameter k_add_file_parameters[] = {
    required("map", "N", ParameterKind::integer), optional("file", "PATH", ParameterKind::text),
    optional("source", "FILE", ParameterKind::file), one_of("as", {"mesh", "texture"}),
    required("state", "STATE", ParameterKind::text)};
constexpr Parameter k_set_file_parameters[] = {required("map", "N", ParameterKind::integer),
                                               required("row", "N", ParameterKind::integer),
                                               required("file", "PATH", ParameterKind::file)};

}  // namespace

std::span<const GameEdit> game_edits() {
  static constexpr GameEdit k_edits[] = {
      {"add-file", k_add_file_parameters,
       "Makes a map load a file in a state such as night,heavy-rain,arrangement=1: a texture, or a mesh whose parts "
       "replace those of the map. `file` names a file of the disc. With `source`, the game gets a new file with the "
       "content of your file, by default with the next free name, such as MAP001.14; a disc gets new sectors if it "
       "needs them.",
       nullptr, nullptr, add_file},
      {"set-file", k_set_file_parameters, "Changes which file of the disc a row in the list of a map loads.", set_file},
      {"make-map", k_make_map_parameters,
       "Turns a scene into a map in place of map N: polygons, textures, palettes, terrain and lights. All states of "
       "the "
       "map get the polygons and textures of the scene; the files of other states keep only their lights.",
       nullptr, make_map},
  };
  return k_edits;
}

}  // namespace dio::fft

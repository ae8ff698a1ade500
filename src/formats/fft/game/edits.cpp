// edits.cpp: edits of lists that need the positions of files on the disc: `dio edit game.bin add-file map=1
// file=MAP/MAP001.12 as=mesh state=night`.
#include <algorithm>

#include "containers/disc/cd_sector.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/fft/game/make_map.hpp"
#include "formats/fft/game/parts.hpp"
#include "formats/fft/layout/states.hpp"

namespace dio::fft {

namespace {

using Done = Result<GameEdited>;

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

Result<Named> load_gns_and_find_file(const Game& game, Arguments& a) {
  const FileTree& files = tree_of(game);
  const u32 number = u32(a.whole("map", 0, 999));
  const std::string typed(a.text("file"));
  if (a.problem) return refuse(std::move(*a.problem));
  const auto wrong = [](std::string message) { return refuse("edit.argument", {}, {.message = std::move(message)}); };
  const auto maps = find_maps(files);
  const auto map = std::ranges::find(maps, number, &MapFiles::number);
  if (map == maps.end()) return wrong(text("the game has no map ", number));
  // MAP001.12 is in the folder of the list.
  const size_t slash = map->gns.rfind('/');
  const std::string beside = slash == map->gns.npos ? typed : map->gns.substr(0, slash + 1) + typed;
  Named out;
  out.gns = map->gns;
  out.file = files.has(typed) ? typed : beside;
  const auto lba = files.place(out.file);
  if (!files.has(out.file)) return wrong("the game has no file " + given(typed));
  if (!lba) return wrong("files in a folder have no sectors; use the disc image");
  const auto bytes = files.read(out.file);
  if (!bytes) return refuse(bytes.error());
  out.lba = u32(*lba);
  out.length = u32(sectors_for(bytes->size()) * k_sector_data);
  out.is_texture = bytes->size() == k_texture_size;
  if (const auto mesh = load<Mesh>(*bytes); !mesh) out.no_mesh = format_one_line(mesh.error());
  const auto list = files.read(map->gns);
  if (!list) return refuse(list.error());
  auto loaded = load<Gns>(*list);
  if (!loaded) {
    loaded.error().place.file = map->gns;
    return refuse(std::move(loaded.error()));
  }
  out.list = std::move(loaded->document.edit());
  return out;
}

Done save_edited_gns(const Named& n, std::string done) {
  Document<Gns> d;
  d.edit() = n.list;
  auto bytes = save(d);
  if (!bytes) return refuse(std::move(bytes.error()));
  GameEdited out;
  out.done = std::move(done);
  out.files.push_back({n.gns, std::move(*bytes)});
  return out;
}

Done add_file(const Game& game, std::span<const Argument> all) {
  Arguments a(all);
  const u8 type = u8(a.word("as", k_kinds, 255));
  const auto state = parse_state(a.text("state"));
  auto n = load_gns_and_find_file(game, a);
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
  return save_edited_gns(
      *n, text(n->gns, ": row ", at, " loads ", n->file, " in the state ", to_string(*state, has_snow(n->list))));
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
    required("map", "N", ParameterKind::integer), required("file", "PATH", ParameterKind::file),
    one_of("as", {"mesh", "texture"}), required("state", "STATE", ParameterKind::text)};
constexpr Parameter k_set_file_parameters[] = {required("map", "N", ParameterKind::integer),
                                               required("row", "N", ParameterKind::integer),
                                               required("file", "PATH", ParameterKind::file)};

}  // namespace

std::span<const GameEdit> game_edits() {
  static constexpr GameEdit k_edits[] = {
      {"add-file", k_add_file_parameters,
       "Makes a map load a file of the disc in a state such as night,heavy-rain,arrangement=1: a texture, or a mesh "
       "whose parts replace those of the map.",
       add_file},
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

#include "formats/platinum/game/tables.hpp"

#include <algorithm>

#include "containers/packed/blz.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/parts_land.hpp"
#include "formats/platinum/sources/sources.hpp"

namespace dio::platinum {

namespace {

template <class T>
Matrix flatten_matrix(const T& m) {
  Matrix out;
  out.width = m.width;
  out.height = m.height;
  out.prefix = m.model_name_prefix;
  const auto append_rows = [](const auto& rows, auto& to) {
    for (const auto& row : rows)
      for (const auto cell : row) to.push_back(static_cast<std::remove_cvref_t<decltype(to[0])>>(cell));
  };
  append_rows(m.map_header_ids, out.headers);
  append_rows(m.altitudes, out.altitudes);
  append_rows(m.land_data_ids, out.lands);
  return out;
}

/// For Platinum, Diamond and Pearl.
Header to_common_record(const auto& h) {
  return {h.area_data_archive_id,
          h.preloaded_map_objects_archive_id,
          h.map_matrix_id,
          h.scripts_archive_id,
          h.init_scripts_archive_id,
          h.msg_archive_id,
          h.wild_encounters_archive_id,
          h.events_archive_id,
          h.camera_type,
          h.map_type,
          h.weather,
          h.map_label_text_id};
}
Header to_common_record(const MapHeaderHgss& h) {
  const u32 encounters = h.wild_encounters_archive_id == 0xFF ? k_no_encounters : h.wild_encounters_archive_id;
  return {h.area_data_archive_id,
          0,
          h.map_matrix_id,
          h.scripts_archive_id,
          h.init_scripts_archive_id,
          h.msg_archive_id,
          encounters,
          h.events_archive_id,
          h.camera_type,
          h.map_type,
          h.weather,
          h.map_label_text_id};
}

PropMotion to_common_record(const auto& list)
  requires requires { list.anime_ids; }
{
  PropMotion out;
  for (const i32 id : list.anime_ids) {
    if (id < 0) break;
    out.animations.push_back(u32(id));
  }
  const bool has_flags = list.flags != 0xFF;
  out.deferred_load = has_flags && (list.flags & 1);
  out.deferred_add = has_flags && (list.flags & 2);
  out.bicycle_slope = list.bicycle_slope != 0;
  if constexpr (std::is_same_v<decltype(list), const BmAnimeListHgss&>) {
    out.by_time = list.flags == BmAnimeListHgss::k_by_time;
    out.deferred_add |= out.by_time;
  }
  return out;
}

Result<Animation> load_animation(ByteView bytes) {
  const auto load_as = [&]<class T>(T) -> Result<Animation> {
    auto file = load<T>(bytes);
    if (!file) return refuse(std::move(file.error()));
    return Animation(std::move(file->document.edit()));
  };
  const std::string_view magic(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 4));
  if (magic == "BTA0") return load_as(nitro::Nsbta{});
  if (magic == "BTP0") return load_as(nitro::Nsbtp{});
  if (magic == "BMA0") return load_as(nitro::Nsbma{});
  if (magic == "BVA0") return load_as(nitro::Nsbva{});
  return load_as(nitro::Nsbca{});
}

}  // namespace

void GameTables::add_load_note(Diagnostic d, std::string file) const {
  if (notes_.size() >= 1000) return;  // limits memory for many damaged files
  d.place.file = std::move(file);
  notes_.push_back(std::move(d));
}

template <class T, class F>
void GameTables::for_each_member(FileRole role, const F& take) {
  const Members& members = files_.of(role);
  for (u32 i = 0; i < members.count(); ++i) {
    auto bytes = members.read(i);
    auto file = bytes ? dio::load<T>(*bytes) : Result<LoadResult<Document<T>>>(refuse(std::move(bytes.error())));
    if (!file) add_load_note(std::move(file.error()), members.path(i));
    take(file ? std::optional<T>(std::move(file->document.edit())) : std::nullopt);
  }
}

template <class T>
void GameTables::append_headers(ByteView table) {
  const auto file = dio::load<HeaderList<T>>(table);
  if (!file) return add_load_note(file.error(), files_.path(FileRole::headers));
  for (const T& h : file->document.value().headers) headers.push_back(to_common_record(h));
}

void GameTables::load_headers() {
  const std::string& path = files_.path(FileRole::headers);
  if (path.empty()) return;  // GameFiles::missing
  auto bytes = files_.read(path);
  if (!bytes) return add_load_note(std::move(bytes.error()), path);
  ByteView table = *bytes;
  if (!path.ends_with("map_headers.bin") && !files_.is_source(path)) {
    constexpr u32 k_arm9_address = 0x02000000;
    if (packed_arm9_end(table)) {
      auto unpacked = decompress_arm9(table, k_arm9_address);
      if (!unpacked) return add_load_note(std::move(unpacked.error()), path);
      *bytes = std::move(*unpacked);
      table = *bytes;
    }
    const HeaderForm form = files_.edition() == Edition::platinum        ? HeaderForm::platinum
                            : files_.edition() == Edition::diamond_pearl ? HeaderForm::diamond_pearl
                                                                         : HeaderForm::heartgold_soulsilver;
    const auto found = find_header_table(table, {}, names.size(), form);
    if (!found) {
      return add_load_note(
          make_diagnostic("layout.requires", {}, {.message = "the program has no table of map headers"}), path);
    }
    headers_offset = found->offset;
    table = table.subspan(size_t(found->offset), size_t(found->count * k_header_size));
  }
  switch (files_.edition()) {
    case Edition::platinum:
      return append_headers<MapHeader>(table);
    case Edition::diamond_pearl:
      return append_headers<MapHeaderDp>(table);
    case Edition::heart_gold_soul_silver:
      return append_headers<MapHeaderHgss>(table);
  }
}

Result<GameTables> GameTables::load(const FileTree& tree) {
  auto files = GameFiles::find(tree);
  if (!files) return refuse(std::move(files.error()));
  GameTables out;
  out.files_ = std::move(*files);
  out.notes_ = out.files_.notes();
  const auto load_single_file = [&]<class T>(FileRole role, T) -> std::optional<T> {
    const std::string& path = out.files_.path(role);
    if (path.empty()) return {};
    auto bytes = tree.read(path);
    auto file = bytes ? dio::load<T>(*bytes) : Result<LoadResult<Document<T>>>(refuse(std::move(bytes.error())));
    if (file) return std::move(file->document.edit());
    out.add_load_note(std::move(file.error()), path);
    return {};
  };
  if (auto names = load_single_file(FileRole::names, MapNames{}))
    for (MapName& n : names->names) out.names.push_back(std::move(n.name));
  out.draw_lists = load_single_file(FileRole::matshp, Matshp{});
  out.room_draw_lists = load_single_file(FileRole::room_matshp, Matshp{});
  out.load_headers();
  out.for_each_member<MapMatrix>(FileRole::matrices, [&](auto m) {
    out.matrices.push_back(m ? std::optional(flatten_matrix(*m)) : std::nullopt);
  });
  if (out.files_.edition() == Edition::heart_gold_soul_silver)
    out.for_each_member<AreaDataHgss>(FileRole::areas, [&](auto a) {
      out.areas.emplace_back();
      if (a)
        out.areas.back() = {a->map_prop_archives_id, a->map_texture_archive_id, a->area_light_archive_id,
                            a->area_type == 0};
    });
  else
    out.for_each_member<AreaData>(FileRole::areas, [&](auto a) {
      out.areas.emplace_back();
      if (a) out.areas.back() = {a->map_prop_archives_id, a->map_texture_archive_id, a->area_light_archive_id, false};
    });
  out.for_each_member<AreaBuild>(FileRole::prop_sets, [&](auto b) {
    out.prop_sets.emplace_back();
    if (b) out.prop_sets.back() = std::move(b->map_prop_model_ids);
  });
  const auto append_motions_to = [](std::vector<std::optional<PropMotion>>& all) {
    return [&all](auto l) { all.push_back(l ? std::optional(to_common_record(*l)) : std::nullopt); };
  };
  if (out.files_.edition() == Edition::heart_gold_soul_silver) {
    out.for_each_member<BmAnimeListHgss>(FileRole::anime_lists, append_motions_to(out.motions));
    out.for_each_member<BmAnimeListHgss>(FileRole::room_anime_lists, append_motions_to(out.room_motions));
  } else {
    out.for_each_member<BmAnimeList>(FileRole::anime_lists, append_motions_to(out.motions));
  }
  out.for_each_member<AreaLight>(FileRole::lights, [&](auto l) { out.lights.push_back(std::move(l)); });
  out.for_each_member<ZoneEvent>(FileRole::events, [&](auto e) { out.events.push_back(std::move(e)); });
  if (const Members& motions = out.files_.of(FileRole::texture_motions); motions.count()) {
    auto bytes = motions.read(0);
    auto file = bytes ? dio::load<Fldtanime>(*bytes) : Result<LoadResult<Document<Fldtanime>>>(refuse(bytes.error()));
    if (file)
      out.texture_motions = std::move(file->document.edit());
    else
      out.add_load_note(std::move(file.error()), motions.path(0));
  }
  return out;
}

template <class T>
std::shared_ptr<const T> GameTables::load_cached_member(DocumentCache<T>& kept, FileRole role, u32 number) const {
  const Members& members = files_.of(role);
  if (number >= members.count()) return {};
  if (const auto hit = kept.find(number)) return *hit;
  std::shared_ptr<const T> out;
  auto bytes = members.read(number);
  if (!bytes) {
    add_load_note(std::move(bytes.error()), members.path(number));
  } else {
    const auto store_result = [&](auto file, auto take) {
      if (file)
        out = std::make_shared<const T>(take(*file));
      else
        add_load_note(std::move(file.error()), members.path(number));
    };
    if constexpr (std::is_same_v<T, Animation>)
      store_result(load_animation(*bytes), [](auto& a) { return std::move(a); });
    else
      store_result(dio::load<T>(*bytes), [](auto& f) { return std::move(f.document.edit()); });
  }
  kept.insert(number, out, bytes ? bytes->size() : 0);
  return out;
}

std::shared_ptr<const LandData> GameTables::land(u32 n) const { return load_cached_member(lands_, FileRole::lands, n); }
std::shared_ptr<const nitro::Nsbmd> GameTables::prop(u32 n, FileRole role) const {
  return load_cached_member(role == FileRole::room_props ? room_props_ : props_, role, n);
}
std::shared_ptr<const nitro::Nsbtx> GameTables::map_textures(u32 n) const {
  return load_cached_member(map_textures_, FileRole::map_textures, n);
}
std::shared_ptr<const nitro::Nsbtx> GameTables::prop_textures(u32 n) const {
  if (n < prop_sets.size() && prop_sets[n] && prop_sets[n]->empty())
    return {};  // the game loads no textures for an empty set
  return load_cached_member(prop_textures_, FileRole::prop_textures, n);
}
std::shared_ptr<const nitro::Nsbtx> GameTables::motion_textures(u32 n) const {
  return load_cached_member(motion_textures_, FileRole::texture_motions, n + 1);
}
std::shared_ptr<const Animation> GameTables::animation(u32 n) const {
  return load_cached_member(animations_, FileRole::animations, n);
}

const PropMotion* GameTables::motion(u32 number, FileRole role) const {
  const auto& all = role == FileRole::room_props ? room_motions : motions;
  return number < all.size() && all[number] ? &*all[number] : nullptr;
}

FileRole GameTables::prop_role_of_area(const Area& area) const {
  return area.indoor && files_.of(FileRole::room_props).there() ? FileRole::room_props : FileRole::props;
}
FileRole GameTables::prop_role_of_set(u32 prop_set) const {
  for (const auto& area : areas)
    if (area && area->prop_set == prop_set) return prop_role_of_area(*area);
  return FileRole::props;
}

std::string GameTables::header_name(u32 header) const {
  std::string out;
  if (header < names.size())
    for (const char c : names[header]) {
      if (!c) break;
      if (c > ' ' && c < 0x7F) out += c;
    }
  return out;
}

std::optional<u32> GameTables::find_cell_area(const Matrix& m, size_t cell, u32 entered) const {
  const u32 header = cell < m.headers.size() ? m.headers[cell] : entered;
  if (header >= headers.size()) return {};
  return headers[header].area;
}

std::vector<Use> GameTables::list_land_uses() const {
  std::vector<Use> out;
  const auto add_uses_of_matrix = [&](u32 matrix, u32 entered) {
    const Matrix& m = *matrices[matrix];
    std::vector<Use> found;
    for (size_t c = 0; c < m.cells(); ++c)
      if (const auto area = find_cell_area(m, c, entered); area && m.lands[c] < files_.of(FileRole::lands).count())
        found.push_back({m.lands[c], *area, matrix, m.headers.empty() ? entered : m.headers[c]});
    sort_stably(found);
    const auto same = [](const Use& a, const Use& b) {
      return a.land == b.land && a.area == b.area && a.matrix == b.matrix;
    };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    out.insert(out.end(), found.begin(), found.end());
  };
  // A matrix without headers has the same uses for all headers with one area.
  std::vector<std::pair<u32, u32>> done;
  for (u32 h = 0; h < headers.size(); ++h) {
    const u32 matrix = headers[h].matrix;
    if (matrix >= matrices.size() || !matrices[matrix]) continue;
    const std::pair key(matrix, matrices[matrix]->headers.empty() ? headers[h].area : ~u32(0));
    if (std::find(done.begin(), done.end(), key) != done.end()) continue;
    done.push_back(key);
    add_uses_of_matrix(matrix, h);
  }
  sort_stably(out);
  const auto same = [](const Use& a, const Use& b) {
    return a.land == b.land && a.area == b.area && a.matrix == b.matrix;
  };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

std::optional<u32> find_header_by_name(const GameTables& t, std::string_view typed) {
  if (typed.starts_with("header/")) typed.remove_prefix(7);
  if (const auto number = parse_whole_number(typed)) {
    if (*number >= 0 && u64(*number) < t.headers.size()) return u32(*number);
    return {};
  }
  for (u32 h = 0; h < t.headers.size(); ++h)
    if (!t.header_name(h).empty() && lower_case(t.header_name(h)) == lower_case(typed)) return h;
  // The name in the sources.
  const auto in_sources = t.files().sources() ? t.files().sources()->find_header_by_name(typed) : std::nullopt;
  return in_sources && *in_sources < t.headers.size() ? in_sources : std::nullopt;
}

}  // namespace dio::platinum

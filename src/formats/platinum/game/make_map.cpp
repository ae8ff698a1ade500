#include "formats/platinum/game/make_map.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/text_format.hpp"
#include "formats/contract/arguments.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/nitro/parts.hpp"
#include "formats/platinum/from_scene/land_map_builder.hpp"
#include "formats/platinum/from_scene/preserved_map.hpp"
#include "formats/platinum/from_scene/prop_model_builder.hpp"
#include "formats/platinum/game/changed_files.hpp"
#include "formats/platinum/game/exported_lands.hpp"
#include "formats/platinum/game/land_model_editor.hpp"
#include "formats/platinum/game/memory_limits.hpp"
#include "formats/platinum/game/parts.hpp"
#include "formats/platinum/game/prop_model_importer.hpp"
#include "formats/platinum/game/prop_model_writer.hpp"
#include "formats/platinum/game/scene_events.hpp"
#include "formats/platinum/layout/matshp.hpp"
#include "formats/platinum/parts.hpp"
#include "formats/platinum/parts_land.hpp"
#include "scene/append_scene.hpp"
#include "scene/extras.hpp"
#include "scene/transforms.hpp"
#include "scene/triangle_match.hpp"

namespace dio::platinum {

using scene::Index;

namespace {

using MaybeDiagnostic = std::optional<Diagnostic>;

Diagnostic argument_error(std::string message, std::string hint = {}) {
  return make_diagnostic("edit.argument", {}, {.message = std::move(message), .hint = std::move(hint)});
}

class GameMapBuilder {
 public:
  GameMapBuilder(const GameTables& t, const scene::Scene& s, MapOptions options, MapTarget wanted)
      : t_(t), s_(s), options_(std::move(options)), wanted_(std::move(wanted)), changed_(t.files()) {}

  Result<GameEdited> build() {
    auto lands = find_exported_lands(t_, s_, options_.units);
    if (!options_.middle)
      for (const ExportedLand& l : lands) options_.only.push_back({l.x, l.z});
    const bool goes_back = !lands.empty() && !options_.middle && replaces_exported_land(t_, lands, wanted_);
    if (!goes_back && (!lands.empty() || options_.of_export)) add_elsewhere_note(lands);
    if (!goes_back) lands.clear();
    if (!lands.empty()) before_ = build_original_maps(t_, s_, options_, lands);
    options_.wants_model = [&](const BuiltLandMap& m) {
      const BuiltLandMap* was = find_original_map(m);
      return !was || (!(was->appearance == m.appearance) && !edit_model(m, lands));
    };
    auto maps = build_land_maps(s_, options_);
    if (!maps) return refuse(std::move(maps.error()));
    maps_ = std::move(*maps);
    apply_export_origin(lands);
    for (Diagnostic& d : maps_.notes) out_.notes.push_back(std::move(d));
    for (const auto step :
         {&GameMapBuilder::choose_matrix, &GameMapBuilder::choose_areas, &GameMapBuilder::choose_lands,
          &GameMapBuilder::add_prop_models, &GameMapBuilder::write_lands, &GameMapBuilder::remove_unused_textures,
          &GameMapBuilder::write_matrix, &GameMapBuilder::write_events, &GameMapBuilder::write_header,
          &GameMapBuilder::write_draw_lists})
      if (auto stop = (this->*step)()) return refuse(std::move(*stop));
    for (const u32 area : areas_shown_)
      if (auto stop = area_memory_error(changed_, area)) return refuse(std::move(*stop));
    auto files = changed_.build_changed_files(out_.notes);
    if (!files) return refuse(std::move(files.error()));
    out_.files = std::move(*files);
    out_.done = summary();
    return std::move(out_);
  }

 private:
  std::string header_text(u32 header) const {
    const std::string name = t_.header_name(header);
    return text("header/", header, name.empty() ? "" : " ", name);
  }

  // ---- exported origin ----

  /// Says that the unedited parts of exported lands do not go to another place. `lands`: empty for the export of a
  /// file.
  void add_elsewhere_note(std::span<const ExportedLand> lands) {
    std::string names;
    for (const ExportedLand& l : lands.first(std::min<size_t>(lands.size(), 4)))
      names += text(names.empty() ? "" : ", ", "land/", l.land);
    if (lands.size() > 4) names += ", ...";
    const bool is_of_file = lands.empty();
    out_.notes.push_back(make_diagnostic(
        Severity::warning, "platinum.make-elsewhere", {},
        {.message = (is_of_file ? std::string("the scene was exported from a file without its game")
                                : text("the scene was exported from ", names, ", but goes elsewhere")) +
                    ": permissions, behaviours, heights and sounds are made from the floors, not taken from the export",
         .hint = is_of_file ? "a scene of {world GAME land/N} keeps them, if it goes back to its own place"
                            : "without header, matrix, at and area, the scene goes back to its own place"}));
  }

  /// The built map at a position.
  const BuiltLandMap* find_map_at(f64 x, f64 z) const {
    for (const BuiltLandMap& m : maps_.maps) {
      const f64 off_x = maps_.west + (m.column + 0.5) * 2 * k_half_map - x,
                off_z = maps_.north + (m.row + 0.5) * 2 * k_half_map - z;
      if (std::fabs(off_x) < 1 && std::fabs(off_z) < 1) return &m;
    }
    return nullptr;
  }
  /// An exported scene goes back to its original place unless another target is requested.
  void apply_export_origin(std::span<const ExportedLand> lands) {
    for (const ExportedLand& l : lands)
      if (const BuiltLandMap* m = find_map_at(l.x, l.z)) origin_[size_t(m - maps_.maps.data())] = l;
    if (origin_.empty() || wanted_.header || wanted_.matrix || wanted_.new_matrix) return;
    const auto& [index, land] = *origin_.begin();
    const BuiltLandMap& m = maps_.maps[index];
    if (!land.matrix || *land.matrix >= t_.matrices.size() || land.cell[0] < m.column || land.cell[1] < m.row) return;
    wanted_.matrix = land.matrix;
    wanted_.at = {land.cell[0] - m.column, land.cell[1] - m.row};
  }
  const BuiltLandMap* find_original_map(const BuiltLandMap& m) const {
    const auto was = std::ranges::find_if(
        before_.maps, [&](const BuiltLandMap& b) { return b.column == m.column && b.row == m.row; });
    return was == before_.maps.end() ? nullptr : &*was;
  }
  /// Edits the model of an exported land in place. False if the model must be rebuilt.
  bool edit_model(const BuiltLandMap& m, std::span<const ExportedLand> lands) {
    const f64 x = before_.west + (m.column + 0.5) * 2 * k_half_map, z = before_.north + (m.row + 0.5) * 2 * k_half_map;
    const auto land = std::ranges::find_if(
        lands, [&](const ExportedLand& l) { return std::fabs(l.x - x) < 1 && std::fabs(l.z - z) < 1; });
    const BuiltLandMap* was = find_original_map(m);
    if (land == lands.end() || options_.units != 1) return false;
    // A model that was painted where lights made the colours must be rebuilt.
    if (!scene::has_shuffled_colors(s_) && !was->appearance.has_same_colors(m.appearance)) return false;
    if (!land_editor_) land_editor_.emplace(t_, s_);
    auto model = land_editor_->edit(*land);
    if (!model) return false;
    edited_models_[{m.column, m.row}] = std::move(*model);
    return true;
  }
  /// The unedited parts of a map, which stay unchanged. Nothing if the map was not exported.
  std::optional<PreservedLandMap> preserve_map(size_t map, Diagnostics& notes) const {
    const auto origin = origin_.find(map);
    if (origin == origin_.end()) return {};
    const BuiltLandMap* was = find_original_map(maps_.maps[map]);
    const auto land = t_.land(origin->second.land);
    if (!was || !land) return {};
    const BuiltLandMap& m = maps_.maps[map];
    const auto edited = edited_models_.find({m.column, m.row});
    return preserve_unedited_parts(*land, *was, m, edited == edited_models_.end() ? nullptr : &edited->second, notes);
  }

  // ---- target ----

  /// Chooses the cells of the maps.
  MaybeDiagnostic choose_matrix() {
    const u32 own = wanted_.header ? t_.headers[*wanted_.header].matrix : 0;
    const auto others = std::ranges::count_if(t_.headers, [&](const Header& h) { return h.matrix == own; });
    const bool has_own = wanted_.header && own < t_.matrices.size() && t_.matrices[own] &&
                         t_.matrices[own]->headers.empty() && others == 1;
    std::optional<u32> number = wanted_.matrix;
    if (!number && !wanted_.new_matrix && has_own) number = own;
    if (!number) {
      if (!wanted_.header) return argument_error("make-map needs header=..., the map that the scene becomes");
      if (wanted_.at) return argument_error("at=X,Z is a cell of an existing matrix; name the matrix with matrix=N");
      is_new_matrix_ = true;
      matrix_.model_name_prefix = "map";
      resize_matrix();
      return {};
    }
    auto now = changed_.read_as<MapMatrix>(FileRole::matrices, *number);
    if (!now) return std::move(now.error());
    matrix_number_ = *number, matrix_ = std::move(*now);
    if (!wanted_.at && !wanted_.matrix) {  // all cells of the header's own matrix
      for (const auto& row : matrix_.land_data_ids) old_lands_.insert(old_lands_.end(), row.begin(), row.end());
      std::erase(old_lands_, k_no_land);
      resize_matrix();
      return {};
    }
    at_ = wanted_.at.value_or(std::array<u32, 2>{});
    if (!wanted_.at && (matrix_.width != maps_.across || matrix_.height != maps_.down))
      return argument_error(text("matrix ", *number, " has ", matrix_.width, " x ", matrix_.height,
                                 " cells, but the scene has ", maps_.across, " x ", maps_.down,
                                 " maps; give the cell of the north-west map with at=X,Z"));
    if (at_[0] + maps_.across > matrix_.width || at_[1] + maps_.down > matrix_.height)
      return argument_error(
          text("the scene has ", maps_.across, " x ", maps_.down, " maps, but from at=", at_[0], ",", at_[1],
               " on, matrix ", *number, " has only ", matrix_.width - std::min<u32>(at_[0], matrix_.width), " x ",
               matrix_.height - std::min<u32>(at_[1], matrix_.height), " cells"),
          "matrix=new makes a matrix of the right size");
    warn_about_shared_cells();
    return {};
  }
  void add_warning(std::string message, std::string hint = {}) {
    out_.notes.push_back(make_diagnostic(Severity::warning, "platinum.make-shared", {},
                                         {.message = std::move(message), .hint = std::move(hint)}));
  }
  /// Warns about other maps that change as well.
  void warn_about_shared_cells() {
    if (!wanted_.header) return;
    std::set<u32> others;
    if (matrix_.map_header_ids.empty()) {
      for (u32 h = 0; h < t_.headers.size(); ++h)
        if (t_.headers[h].matrix == matrix_number_ && h != wanted_.header) others.insert(h);
    } else {
      for (const BuiltLandMap& m : maps_.maps) {
        const u32 h = matrix_.map_header_ids[at_[1] + m.row][at_[0] + m.column];
        if (h != k_everywhere && h != wanted_.header && cell(m) != k_no_land) others.insert(h);
      }
    }
    std::string names;
    for (const u32 h : others) names += (names.empty() ? "" : ", ") + header_text(h);
    if (!others.empty())
      add_warning(text(matrix_.map_header_ids.empty() ? "maps that use the same matrix also change: "
                                                      : "the replaced cells belonged to other maps: ",
                       names));
  }
  void resize_matrix() {
    matrix_.width = u8(maps_.across), matrix_.height = u8(maps_.down);
    matrix_.map_header_ids.clear(), matrix_.altitudes.clear();
    matrix_.has_map_header_ids = matrix_.has_altitudes = 0;
    matrix_.land_data_ids.assign(maps_.down, std::vector<u16>(maps_.across, k_no_land));
  }
  u16& cell(const BuiltLandMap& m) { return matrix_.land_data_ids[at_[1] + m.row][at_[0] + m.column]; }
  u16 cell(const BuiltLandMap& m) const { return matrix_.land_data_ids[at_[1] + m.row][at_[0] + m.column]; }
  /// The header of a map: the requested one, or the header of its cell.
  std::optional<u32> find_map_header(const BuiltLandMap& m) const {
    if (wanted_.header) return wanted_.header;
    if (!matrix_.map_header_ids.empty()) {
      const u32 header = matrix_.map_header_ids[at_[1] + m.row][at_[0] + m.column];
      if (header != k_everywhere && header < t_.headers.size()) return header;
      return {};
    }
    for (u32 h = 0; h < t_.headers.size(); ++h)
      if (t_.headers[h].matrix == matrix_number_) return h;
    return {};
  }

  // ---- areas ----

  /// Chooses the areas of each map.
  MaybeDiagnostic choose_areas() {
    if (!wanted_.header && (wanted_.area || wanted_.new_area)) return argument_error("area=... needs header=...");
    if (wanted_.new_area) {
      if (auto stop = create_area()) return stop;
    } else if (wanted_.header) {
      header_area_ = wanted_.area.value_or(t_.headers[*wanted_.header].area);
    }
    for (const BuiltLandMap& m : maps_.maps) {
      const auto header = find_map_header(m);
      if (const auto origin = origin_.find(areas_.size()); !header && origin != origin_.end()) {
        // Filler is shown with these areas.
        std::set<u32>& areas = areas_.emplace_back();
        for (const Use& use : t_.list_land_uses())
          if (use.land == origin->second.land && use.area < t_.areas.size() && t_.areas[use.area])
            areas.insert(use.area);
        areas_shown_.insert(areas.begin(), areas.end());
        continue;
      }
      if (!header)
        return argument_error(text("cell ", at_[0] + m.column, ",", at_[1] + m.row, " of matrix ", matrix_number_,
                                   " belongs to no map; name a map with header=..."));
      std::set<u32>& areas = areas_.emplace_back();
      areas.insert(wanted_.header ? header_area_ : t_.headers[*header].area);
      // A matrix without headers is shown with the areas of all headers that use it.
      if (!is_new_matrix_ && matrix_.map_header_ids.empty())
        for (u32 h = 0; h < t_.headers.size(); ++h)
          if (t_.headers[h].matrix == matrix_number_ && h != wanted_.header) areas.insert(t_.headers[h].area);
      areas_shown_.insert(areas.begin(), areas.end());
    }
    std::set<FileRole> roles;  // prop roles of all areas
    for (const u32 area : areas_shown_) {
      const auto data = changed_.read_as<AreaData>(FileRole::areas, area);
      if (!data) return data.error();
      sets_[area] = {data->map_prop_archives_id, data->map_texture_archive_id};
      const bool is_new = area >= t_.areas.size();
      const u32 like = is_new && wanted_.header ? t_.headers[*wanted_.header].area : area;
      if (like < t_.areas.size() && t_.areas[like]) roles.insert(t_.prop_role_of_area(*t_.areas[like]));
    }
    if (roles.size() > 1)
      return argument_error("the map has both indoor and outdoor areas, whose props are numbered differently");
    if (!roles.empty()) writer_.set_role(*roles.begin());
    return {};
  }
  /// Whether no new area is needed: no other header uses the area or its sets, and all lands shown with it are
  /// replaced.
  bool has_own_area() const {
    const u32 area = t_.headers[*wanted_.header].area;
    if (area >= t_.areas.size() || !t_.areas[area]) return false;
    const auto is_shared_with_other_areas = [&](auto member) {
      return std::ranges::count_if(t_.areas,
                                   [&](const auto& a) { return a && (*a).*member == (*t_.areas[area]).*member; }) > 1;
    };
    if (is_shared_with_other_areas(&Area::prop_set) || is_shared_with_other_areas(&Area::texture_set) ||
        std::ranges::count(t_.headers, area, &Header::area) > 1)
      return false;
    return std::ranges::all_of(t_.list_land_uses(), [&](const Use& u) {
      if (u.area != area || std::ranges::find(old_lands_, u.land) != old_lands_.end()) return true;
      return std::ranges::any_of(maps_.maps, [&](const BuiltLandMap& m) { return cell(m) == u.land; });
    });
  }
  /// Creates an area with its own sets and the light of the header's area.
  MaybeDiagnostic create_area() {
    const u32 was = t_.headers[*wanted_.header].area;
    if (!wanted_.light && has_own_area()) {
      header_area_ = was;
      return {};
    }
    const bool has_model = was < changed_.count(FileRole::areas);
    auto area = has_model ? changed_.read_as<AreaData>(FileRole::areas, was) : Result<AreaData>(AreaData{});
    if (!area) return std::move(area.error());
    auto props = serialize_as_file(AreaBuild{});
    auto textures = serialize_as_file(nitro::Nsbtx{});
    if (!props) return std::move(props.error());
    if (!textures) return std::move(textures.error());
    // Both sets share one number.
    const u32 set = std::max(changed_.count(FileRole::prop_sets), changed_.count(FileRole::prop_textures));
    changed_.set_file(FileRole::prop_sets, set, std::move(*props));
    changed_.set_file(FileRole::prop_textures, set, *textures);
    area->map_prop_archives_id = u16(set);
    area->map_texture_archive_id = u16(changed_.append_member(FileRole::map_textures, std::move(*textures)));
    if (wanted_.light) {
      u16& light = area->area_light_archive_id;  // in HeartGold and SoulSilver, the low byte is the area type
      const bool has_type = t_.files().edition() == Edition::heart_gold_soul_silver;
      light = has_type ? u16((light & 0xFF) | *wanted_.light << 8) : u16(*wanted_.light);
    }
    auto bytes = serialize_as_file(*area);
    if (!bytes) return std::move(bytes.error());
    header_area_ = changed_.append_member(FileRole::areas, std::move(*bytes));
    if (header_area_ > 255)
      return make_diagnostic("edit.limit", {}, {.message = "the game would have more than 256 areas"});
    told_.push_back(text("area/", header_area_, " is new"));
    return {};
  }

  // ---- props ----

  /// Adds new prop models, and adds models to the prop sets of all areas that need them.
  MaybeDiagnostic add_prop_models() {
    PropModelBuilder models(s_, options_);
    for (BuiltLandMap& m : maps_.maps)
      for (SceneProp& p : m.props)
        if (!p.number) models.add_prop(p);
    auto made = models.build();
    if (!made) return std::move(made.error());
    for (Diagnostic& d : made->notes) out_.notes.push_back(std::move(d));
    std::vector<u32> numbers;  // numbers of the new models
    for (NewProp& p : made->props) {
      auto number = store_prop_model(p);
      if (!number) return std::move(number.error());
      numbers.push_back(*number);
    }
    std::map<u32, std::set<u32>> sets_of;  // prop sets, by model
    for (size_t i = 0; i < maps_.maps.size(); ++i) {
      BuiltLandMap& m = maps_.maps[i];
      for (SceneProp& p : m.props) {
        if (!p.number) {
          const auto model = models.find_model_index(p);
          if (!model) {
            const auto known = find_models_by_name(p.name);
            if (known.empty())
              return argument_error(text("object ", given(s_.nodes[p.node].name), " stands for the prop ",
                                         given(p.name),
                                         ", but it has no mesh, and the game has no prop model of this name"));
            p.record.model_id = known.front();
          } else {
            p.record.model_id = numbers[*model];
            models.normalize_scale(p);
          }
        }
        const bool is_of_game = p.number || !writer_.has_stored(p.record.model_id);
        if (is_of_game && !p.source && scene::is_rotated(s_, p.node))
          add_warning(
              text("object ", given(s_.nodes[p.node].name), " is rotated, but the game ignores the rotation of props"));
        if (p.number && *p.number >= t_.files().of(writer_.role()).count())
          return argument_error(
              text("object ", given(s_.nodes[p.node].name), " uses prop model ", *p.number, ", which does not exist"));
        // Existing props stay as they were.
        const auto old = origin_.contains(i) ? t_.land(origin_.at(i).land) : nullptr;
        const bool was_there =
            old && p.source && *p.source < old->props.size() && old->props[*p.source].model_id == p.record.model_id;
        if (!was_there)
          for (const u32 area : areas_[i]) sets_of[p.record.model_id].insert(sets_[area].props);
        m.land.props.push_back(p.record);
      }
    }
    for (auto& [model, sets] : sets_of) {
      if (writer_.has_stored(model)) sets.merge(writer_.find_sets_with(model));  // they get its new textures
      if (auto stop = add_prop_to_sets(model, sets)) return stop;
    }
    return {};
  }
  /// Adds a model and its textures to prop sets.
  MaybeDiagnostic add_prop_to_sets(u32 model, const std::set<u32>& sets) {
    if (writer_.has_stored(model)) return writer_.add_to_sets(model, sets);
    PropModelImporter bringer(t_, changed_, model, writer_.role());
    for (const u32 set : sets)
      if (auto stop = bringer.import_into_set(set)) return stop;
    return {};
  }
  /// The numbers of the prop models with this name.
  std::vector<u32> find_models_by_name(std::string_view name) {
    if (model_names_.empty())
      for (u32 i = 0; i < t_.files().of(writer_.role()).count(); ++i)
        if (const auto file = t_.prop(i, writer_.role()); file && !file->models.empty())
          model_names_.emplace(file->models[0].name, i);
    std::vector<u32> out;
    const auto [first, last] = model_names_.equal_range(name);
    for (auto it = first; it != last; ++it) out.push_back(it->second);
    return out;
  }
  /// Stores a prop model with its animations: replaces a model with the same name if no other land shows it, or adds a
  /// new one.
  Result<u32> store_prop_model(NewProp& p) {
    const auto alike = find_models_by_name(p.name);
    const auto ours = std::ranges::find_if(alike, [&](u32 model) { return is_used_only_by_replaced_lands(model); });
    const auto there = ours == alike.end() ? std::nullopt : std::optional(*ours);
    const FileRole props = writer_.role();
    const u32 number = there.value_or(changed_.count(props));
    if (number >= k_most_prop_models)
      return refuse("edit.limit", {},
                    {.message = text("the game would have more than ", k_most_prop_models, " prop models")});
    if (there)
      for (const u32 set : writer_.find_sets_with(number))
        if (const auto old = t_.prop(number, props))
          for (const nitro::Model& m : old->models) old_names_[{FileRole::prop_textures, set}].add(m);
    if (p.animations.size() > PropModelWriter::k_most_animations)
      return refuse("edit.limit", {},
                    {.message = text("prop ", given(p.name), " has ", p.animations.size(), " animations (at most ",
                                     PropModelWriter::k_most_animations, ")")});
    if (auto stop =
            writer_.store(number, {std::move(p.model), std::move(p.textures), std::move(p.animations), p.is_deferred}))
      return refuse(std::move(*stop));
    (there ? props_replaced_ : props_new_)++;
    return number;
  }
  // ---- lands ----

  /// Chooses the land of each map: the land of its cell if no other cell uses it, or else an unused old land, or a new
  /// one.
  MaybeDiagnostic choose_lands() {
    std::erase_if(old_lands_, [&](u32 land) { return !is_used_by_one_cell(land); });
    u32 next = t_.files().of(FileRole::lands).count();
    Diagnostics ignored;                                                            // noted again when the map is built
    for (const auto& [map, origin] : origin_) std::erase(old_lands_, origin.land);  // the origin keeps its land
    for (size_t i = 0; i < maps_.maps.size(); ++i) {
      const BuiltLandMap& m = maps_.maps[i];
      const auto origin = origin_.find(i);
      // The cells of a replaced matrix are empty now.
      const u16 before = replaces_whole_matrix() && origin != origin_.end() ? u16(origin->second.land) : cell(m);
      u32 number = next;
      const bool has_names = std::ranges::any_of(m.props, [](const SceneProp& p) { return !p.number; });
      if (const auto keeps = has_names ? std::nullopt : preserve_map(i, ignored);
          keeps && !keeps->is_changed && before == origin_.at(i).land) {
        unchanged_.insert(i);
        lands_.push_back(origin_.at(i).land);
        cell(maps_.maps[i]) = u16(lands_.back());
        continue;
      }
      if (before != k_no_land && is_used_by_one_cell(before)) {
        number = before;
      } else if (before == k_no_land && !old_lands_.empty()) {
        number = old_lands_.front();
        old_lands_.erase(old_lands_.begin());
      } else if (++next > k_no_land) {
        return make_diagnostic("edit.limit", {}, {.message = "the game would have too many lands"});
      }
      if (number < t_.files().of(FileRole::lands).count()) replaced_.insert(number);
      lands_.push_back(number);
    }
    if (!old_lands_.empty()) {
      std::string left;
      for (const u32 land : old_lands_) left += text(left.empty() ? "" : ", ", "land/", land);
      add_warning(text("no map shows ", left, " any more"), "{edit GAME remove PART} removes these lands");
    }
    return {};
  }
  bool is_used_by_one_cell(u32 land) const {
    return land < t_.files().of(FileRole::lands).count() && count_cells_with_land(t_, land) == 1;
  }

  MaybeDiagnostic write_lands() {
    const HeightForm form = t_.files().edition() == Edition::diamond_pearl ? HeightForm::triangles : HeightForm::plates;
    for (size_t i = 0; i < maps_.maps.size(); ++i) {
      if (unchanged_.contains(i)) continue;
      BuiltLandMap& m = maps_.maps[i];
      std::set<u32> texture_sets;
      for (const u32 area : areas_[i]) texture_sets.insert(sets_[area].textures);
      const auto keeps = preserve_map(i, out_.notes);
      if (keeps && replaced_.contains(lands_[i])) ++lands_edited_;
      if (keeps)
        m.land = keeps->land;
      else
        m.land.bdhc = build_heights(m, out_.notes, form);
      if (const u64 size = bdhc_arrays_size(m.land.bdhc); form == HeightForm::triangles && size > k_bdhc_buffer)
        return make_diagnostic(
            "edit.limit", {},
            {.message = text("the heights of map ", m.column, ",", m.row, " take ", size,
                             " bytes as triangles (at most ", k_bdhc_buffer, ")"),
             .hint = "use fewer or larger slopes, or add an object named navmesh with a simple floor"});
      if (t_.files().edition() == Edition::heart_gold_soul_silver && !keeps)
        m.land.sounds = Sounds{k_sounds_mark, 0, {}, {}};
      if (!keeps || keeps->has_new_model) {
        const auto renamed = writer_.merge_textures(FileRole::map_textures, texture_sets, m.textures);
        if (!renamed) return renamed.error();
        for (nitro::Model& model : m.land.model.models) renamed->apply(model);
      }
      for (const nitro::Model& model : m.land.model.models)
        for (const u32 set : texture_sets) wanted_names_[{FileRole::map_textures, set}].add(model);
      const auto number = lands_[i];
      m.land.settle();
      auto bytes = serialize_as_file(std::move(m.land));
      if (!bytes) return std::move(bytes.error());
      changed_.set_file(FileRole::lands, number, std::move(*bytes));
      cell(m) = u16(number);
      // Clear the altitude, because it would raise only the model, which already has its height.
      const bool stays_raised = keeps && !keeps->has_new_model;
      if (!matrix_.altitudes.empty() && !stays_raised) matrix_.altitudes[at_[1] + m.row][at_[0] + m.column] = 0;
      if (!matrix_.map_header_ids.empty() && wanted_.header)
        matrix_.map_header_ids[at_[1] + m.row][at_[0] + m.column] = u16(*wanted_.header);
    }
    return {};
  }

  /// Whether only replaced lands show a prop.
  bool is_used_only_by_replaced_lands(u32 model) const {
    for (u32 i = 0; i < t_.files().of(FileRole::lands).count(); ++i)
      if (const auto land = replaced_.contains(i) ? nullptr : t_.land(i))
        if (std::ranges::find(land->props, model, &Prop::model_id) != land->props.end()) return false;
    return true;
  }

  /// Removes textures from the sets that only replaced models used.
  MaybeDiagnostic remove_unused_textures() {
    for (const Use& use : t_.list_land_uses())
      if (const auto old = replaced_.contains(use.land) ? t_.land(use.land) : nullptr)
        if (use.area < t_.areas.size() && t_.areas[use.area])
          for (const nitro::Model& model : old->model.models)
            old_names_[{FileRole::map_textures, t_.areas[use.area]->texture_set}].add(model);
    for (auto& [role_and_set, old] : old_names_) {
      const auto [role, set] = role_and_set;
      TextureNames& wanted = wanted_names_[role_and_set];
      if (role == FileRole::map_textures) {
        for (const Use& use : t_.list_land_uses())
          if (!replaced_.contains(use.land) && use.area < t_.areas.size() && t_.areas[use.area] &&
              t_.areas[use.area]->texture_set == set)
            if (const auto land = t_.land(use.land))
              for (const nitro::Model& model : land->model.models) wanted.add(model);
      } else if (auto stop = writer_.collect_texture_names(set, wanted)) {
        return stop;
      }
      if (auto stop = writer_.remove_unwanted(role, set, old, wanted)) return stop;
    }
    return {};
  }
  MaybeDiagnostic write_draw_lists() { return writer_.write_draw_lists(); }

  MaybeDiagnostic write_matrix() {
    if (size_t(matrix_.width) * matrix_.height > k_most_cells)
      return make_diagnostic(
          "edit.limit", {},
          {.message = text("the matrix would have ", matrix_.width, " x ", matrix_.height, " cells (at most 900)")});
    auto bytes = serialize_as_file(matrix_);
    if (!bytes) return std::move(bytes.error());
    if (is_new_matrix_)
      matrix_number_ = changed_.append_member(FileRole::matrices, std::move(*bytes));
    else
      changed_.set_file(FileRole::matrices, matrix_number_, std::move(*bytes));
    return {};
  }

  // ---- events and header ----

  /// Whether the scene goes back to the place it was exported from.
  bool is_reimport() const { return !origin_.empty(); }
  bool replaces_whole_matrix() const { return is_new_matrix_ || (!wanted_.at && !wanted_.matrix); }
  /// Warns about events outside a matrix that became smaller.
  MaybeDiagnostic warn_about_outside_events() {
    if (!wanted_.header || !replaces_whole_matrix()) return {};
    const u32 number = t_.headers[*wanted_.header].events;
    if (number >= t_.events.size() || !t_.events[number]) return {};
    const ZoneEvent& e = *t_.events[number];
    u64 out = 0;
    const auto count_outside = [&](const auto& list) {
      for (const auto& one : list)
        out += i64(one.x) >= matrix_.width * k_tiles || i64(one.z) >= matrix_.height * k_tiles;
    };
    count_outside(e.bg_events), count_outside(e.object_events), count_outside(e.warp_events),
        count_outside(e.coord_events);
    if (out)
      add_warning(text(format_count(out, "event"), " of the old map would be outside the new map"),
                  "events in the scene replace the events of the old map");
    return {};
  }
  bool is_on_built_maps(i64 x, i64 z) const {
    return std::ranges::any_of(maps_.maps, [&](const BuiltLandMap& m) {
      return x >= 0 && z >= 0 && u64(x) / k_tiles == at_[0] + m.column && u64(z) / k_tiles == at_[1] + m.row;
    });
  }
  /// The events file for an event: by its position, unless it was exported from another file and has not moved.
  Result<u32> choose_events_file(const SceneEvent& e, const BuiltLandMap& m) {
    if (is_reimport())
      if (const auto source = read_event_source(s_.nodes[e.node], t_.files()))
        if (const auto was = find_event_tile(*source, t_))
          if (matrix_.map_header_ids.empty() || *was == std::array<i64, 2>{e.x, e.z}) return source->file;
    const auto header = find_map_header(m);
    if (!header)
      return refuse(
          argument_error(text("object ", given(s_.nodes[e.node].name),
                              " is in a cell that belongs to no map, so no events file can contain its event")));
    const u32 number = t_.headers[*header].events;
    header_of_events_.try_emplace(number, *header);
    return number;
  }
  MaybeDiagnostic write_events() {
    const auto exported = is_reimport() ? find_exported_events(s_, t_.files()) : std::vector<ExportedEvents>();
    if (maps_.events.empty() && exported.empty())
      return is_reimport() ? MaybeDiagnostic() : warn_about_outside_events();
    if (!t_.files().of(FileRole::events).there()) {
      out_.notes.push_back(
          make_diagnostic(Severity::warning, "platinum.make-events", {},
                          {.message = text("omitted ", format_count(maps_.events.size(), "event"),
                                           ", because the game has no ", t_.files().of(FileRole::events).path())}));
      return {};
    }
    std::map<u32, std::vector<SceneEvent>> by_file;
    for (const ExportedEvents& e : exported)
      if (e.file < t_.events.size() && t_.events[e.file] && e.header < t_.headers.size()) {
        by_file[e.file];
        header_of_events_[e.file] = e.header;
      }
    for (SceneEvent e : maps_.events) {
      const auto m = std::ranges::find_if(
          maps_.maps, [&](const BuiltLandMap& one) { return e.x / k_tiles == one.column && e.z / k_tiles == one.row; });
      if (m == maps_.maps.end()) continue;
      e.x += at_[0] * k_tiles, e.z += at_[1] * k_tiles;
      const auto file = choose_events_file(e, *m);
      if (!file) return file.error();
      by_file[*file].push_back(e);
    }
    for (const auto& [number, events] : by_file)
      if (auto stop = write_events_file(number, events, exported)) return stop;
    return {};
  }
  MaybeDiagnostic write_events_file(u32 number, std::span<const SceneEvent> events,
                                    std::span<const ExportedEvents> exported) {
    const bool is_there = number < changed_.count(FileRole::events);
    auto file = is_there ? changed_.read_as<ZoneEvent>(FileRole::events, number) : Result<ZoneEvent>(ZoneEvent{});
    if (!file) return std::move(file.error());
    EventImportFilter wanted{
        .is_replaced = [&](i64 x,
                           i64 z) { return (!is_reimport() && replaces_whole_matrix()) || is_on_built_maps(x, z); },
        .is_back = is_reimport()};
    if (const auto one = std::ranges::find(exported, number, &ExportedEvents::file); one != exported.end())
      wanted.exported = *one;
    const auto done = import_scene_events(*file, number, s_, events, wanted, t_, out_.notes);
    if (!done) return done.error();
    if (is_reimport() && !done->added && !done->changed && !done->removed) return {};
    const u32 header = header_of_events_.contains(number) ? header_of_events_.at(number) : 0;
    auto bytes = serialize_as_file(std::move(*file));
    if (!bytes) return std::move(bytes.error());
    if (bytes->size() > k_events_room)
      return make_diagnostic("edit.limit", {},
                             {.message = text("the events of ", header_text(header), " would take ", bytes->size(),
                                              " bytes (at most ", k_events_room, ")")});
    const auto users = std::ranges::count_if(t_.headers, [&](const Header& h) { return h.events == number; });
    if (is_there && (users == 1 || is_reimport()))
      changed_.set_file(FileRole::events, number, std::move(*bytes));
    else
      events_of_[header] = changed_.append_member(FileRole::events, std::move(*bytes));
    if (is_reimport())
      told_.push_back(text("events of ", header_text(header), ": ", done->changed, " changed, ", done->added,
                           " added, ", done->removed, " removed"));
    else
      told_.push_back(format_count(events.size(), "event") +
                      (done->removed ? text(", replacing ", done->removed) : ""));
    return {};
  }

  template <class T>
  MaybeDiagnostic write_header_as() {
    const std::string& path = t_.files().path(FileRole::headers);
    auto bytes = changed_.read(path);
    if (!bytes) return std::move(bytes.error());
    const size_t size = t_.headers.size() * k_header_size;
    if (t_.headers_offset + size > bytes->size())
      return make_diagnostic("edit.argument", dio::Location::in_file(path),
                             {.message = "the program is compressed; decompress it first"});
    const auto table = bytes->begin() + std::ptrdiff_t(t_.headers_offset);
    auto list = load<HeaderList<T>>(ByteView(*bytes).subspan(size_t(t_.headers_offset), size));
    if (!list) return std::move(list.error());
    auto& headers = list->document.edit().headers;
    if (wanted_.header) {
      headers[*wanted_.header].area_data_archive_id = u8(header_area_);
      headers[*wanted_.header].map_matrix_id = u16(matrix_number_);
    }
    for (const auto& [header, events] : events_of_) headers[header].events_archive_id = u16(events);
    const auto again = save(list->document);
    if (!again) return again.error();
    if (std::equal(again->begin(), again->end(), table)) return {};
    std::ranges::copy(*again, table);
    changed_.set_file(path, std::move(*bytes));
    return {};
  }
  MaybeDiagnostic write_header() {
    switch (t_.files().edition()) {
      case Edition::platinum:
        return write_header_as<MapHeader>();
      case Edition::diamond_pearl:
        return write_header_as<MapHeaderDp>();
      case Edition::heart_gold_soul_silver:
        return write_header_as<MapHeaderHgss>();
    }
    return {};
  }

  std::string summary() const {
    std::string out = wanted_.header ? header_text(*wanted_.header) : text("matrix/", matrix_number_);
    out += " now shows the scene: ";
    u64 added = 0;
    for (size_t i = 0; i < lands_.size(); ++i) added += !replaced_.contains(lands_[i]) && !unchanged_.contains(i);
    std::string which;
    for (size_t i = 0; i < std::min<size_t>(lands_.size(), 4); ++i) which += text(i ? ", " : "", lands_[i]);
    if (lands_.size() > 4) which += ", ...";
    out += text(lands_.size() == 1 ? "land " : "lands ", which, " (", added, " new, ", replaced_.size() - lands_edited_,
                " replaced) in matrix ", matrix_number_, is_new_matrix_ ? " (new)" : "");
    if (lands_edited_) out += text("; ", format_count(lands_edited_, "land"), " edited");
    if (!unchanged_.empty()) out += text("; ", format_count(unchanged_.size(), "land"), " unchanged");
    if (maps_.maps.size() > 1) out += text("; ", maps_.across, " x ", maps_.down, " maps");
    if (const u64 added = writer_.textures_added()) out += text("; ", format_count(added, "texture"), " added");
    if (const u64 removed = writer_.textures_removed())
      out += text("; ", format_count(removed, "texture"), " of the old map removed");
    u64 props = 0;
    for (const BuiltLandMap& m : maps_.maps) props += m.props.size();
    if (props) out += "; " + format_count(props, "prop");
    if (props_new_) out += text("; ", format_count(props_new_, "new prop model"));
    if (props_replaced_) out += text("; ", format_count(props_replaced_, "prop model"), " replaced");
    for (const std::string& one : told_) out += "; " + one;
    return out;
  }

  struct Sets {
    u32 props = 0, textures = 0;
  };

  const GameTables& t_;
  const scene::Scene& s_;
  MapOptions options_;
  MapTarget wanted_;
  ChangedFiles changed_;
  BuiltLandMaps maps_;
  GameEdited out_;
  MapMatrix matrix_{};
  u32 matrix_number_ = 0;
  bool is_new_matrix_ = false;
  std::array<u32, 2> at_{};           // the cell of the north-west map
  std::vector<u32> old_lands_;        // lands of a replaced matrix
  u32 header_area_ = 0;               // area of the requested header
  std::vector<std::set<u32>> areas_;  // areas of each map
  std::set<u32> areas_shown_;
  std::map<u32, Sets> sets_;  // sets of areas
  PropModelWriter writer_{t_, changed_};
  std::multimap<std::string, u32, std::less<>> model_names_;
  std::map<std::pair<FileRole, u32>, TextureNames> wanted_names_, old_names_;  // by texture set
  std::vector<u32> lands_;
  std::set<u32> replaced_;
  std::optional<LandModelEditor> land_editor_;
  std::map<std::pair<u32, u32>, nitro::Nsbmd> edited_models_;  // by column and row of the map
  BuiltLandMaps before_;                   // maps built from the game's own lands, for an exported scene
  std::map<size_t, ExportedLand> origin_;  // exported land of each map
  std::set<size_t> unchanged_;             // unchanged maps
  std::map<u32, u32> events_of_;           // new events files, by header
  std::map<u32, u32> header_of_events_;    // a header that uses the events file
  u64 lands_edited_ = 0, props_new_ = 0, props_replaced_ = 0;
  std::vector<std::string> told_;
};

}  // namespace

Result<GameEdited> make_map(const Game& game, const scene::Scene& s, std::span<const Argument> all) {
  const GameTables& t = tables_of(game);
  Arguments a(all);
  MapTarget wanted;
  if (a.has("scene")) a.text("scene");
  if (t.headers.empty())  // notes explain why there are none
    for (const Diagnostic& d : t.notes())
      if (d.place.file == t.files().path(FileRole::headers)) return refuse(d);
  if (a.has("header")) {
    const std::string_view typed = a.text("header");
    wanted.header = find_header_by_name(t, typed);
    if (!wanted.header)
      return refuse(argument_error(text("there is no map ", given(typed)), "{maps GAME} lists the maps"));
  }
  const auto parse_number_or_new = [&](std::string_view name, bool& is_new, std::optional<u32>& number, u32 count) {
    if (!a.has(name)) return;
    if (a.text(name) == "new")
      is_new = true;
    else
      number = u32(a.whole(name, 0, i64(count) - 1));
  };
  parse_number_or_new("matrix", wanted.new_matrix, wanted.matrix, u32(t.matrices.size()));
  parse_number_or_new("area", wanted.new_area, wanted.area, u32(t.areas.size()));
  if (a.has("light")) wanted.light = u32(a.whole("light", 0, i64(t.lights.size()) - 1));
  if (a.has("at")) {
    const auto at = a.list("at", 2, 0, 255);
    if (at.size() == 2) wanted.at = {u32(at[0]), u32(at[1])};
  }
  std::vector<Argument> of_model;
  for (const Argument& one : all)
    if (std::ranges::find(make_land_options(), one.name, &MakeOption::name) != make_land_options().end()) {
      a.text(one.name);
      of_model.push_back(one);
    }
  MapOptions options = parse_map_options(s, of_model, a);
  if (a.has("middle")) {
    const auto middle = a.list("middle", 2, -1e6, 1e6);
    options.notes_outside = true;
    if (middle.size() == 2) options.middle = {middle[0] * options.units, middle[1] * options.units};
  }
  if (!a.done()) return refuse(std::move(*a.problem));
  if (wanted.light && !wanted.new_area)
    return refuse(argument_error("light=N applies only to a new area: add area=new"));
  auto made = GameMapBuilder(t, s, std::move(options), std::move(wanted)).build();
  return made;
}

}  // namespace dio::platinum

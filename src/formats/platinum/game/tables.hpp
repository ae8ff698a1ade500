// tables.hpp: the tables of all maps, read once into a common form for all editions, and the large files they refer to,
// read on demand.
#pragma once
#include <map>
#include <memory>
#include <variant>

#include "formats/nitro/layout/files.hpp"
#include "formats/nitro/layout/joints.hpp"
#include "formats/platinum/game/files.hpp"
#include "formats/platinum/layout/land_data.hpp"
#include "formats/platinum/layout/tables.hpp"

namespace dio::platinum {

inline constexpr u32 k_everywhere = 0;  // the header of cells that belong to no map

/// The numbers in a map header that refer to other files or tables.
struct Header {
  u32 area = 0, objects = 0, matrix = 0, scripts = 0, init_scripts = 0, messages = 0, encounters = 0, events = 0;
  u32 camera = 0;
  u32 type = 0, weather = 0, label = 0;
};

struct Matrix {
  u32 width = 0, height = 0;
  std::string prefix;
  std::vector<u16> headers;   // by cell, from west to east, then southward; empty: all cells have the entered header
  std::vector<u8> altitudes;  // by cell; empty: all 0
  std::vector<u16> lands;     // by cell; k_no_land: empty
  size_t cells() const { return lands.size(); }
};

struct Area {
  u32 prop_set = 0, texture_set = 0, light = 0;
  bool indoor = false;  // HeartGold and SoulSilver: uses the indoor props
};

/// The animations of a prop.
struct PropMotion {
  std::vector<u32> animations;  // numbers, up to the first -1
  bool deferred_load = false, deferred_add = false, bicycle_slope = false;
  bool by_time = false;  // one animation for each time of day plays (HeartGold, SoulSilver)
};

using Animation = std::variant<nitro::Nsbca, nitro::Nsbta, nitro::Nsbtp, nitro::Nsbma, nitro::Nsbva>;

/// A use of a land by a matrix cell, with the area of a header.
struct Use {
  u32 land = 0, area = 0, matrix = 0;
  u32 header = 0;  // the first header with this use
  auto operator<=>(const Use&) const = default;
};

/// A cache of files of one kind as documents, limited by the size of the files.
template <class T>
class DocumentCache {
 public:
  /// Nothing if the file is not cached; null if it is known to be unreadable.
  std::optional<std::shared_ptr<const T>> find(u32 number) {
    const auto entry = entries_.find(number);
    if (entry == entries_.end()) return {};
    entry->second.used = ++clock_;
    return entry->second.value;
  }
  void insert(u32 number, std::shared_ptr<const T> value, u64 size) {
    total_ += size;
    entries_[number] = {std::move(value), size, ++clock_};
    while (total_ > k_room && entries_.size() > 1) {
      auto oldest = entries_.begin();
      for (auto e = entries_.begin(); e != entries_.end(); ++e)
        if (e->second.used < oldest->second.used) oldest = e;
      total_ -= oldest->second.size;
      entries_.erase(oldest);
    }
  }

 private:
  static constexpr u64 k_room = 64 << 20;
  struct Entry {
    std::shared_ptr<const T> value;
    u64 size = 0, used = 0;
  };
  std::map<u32, Entry> entries_;
  u64 total_ = 0, clock_ = 0;
};

/// Everything the game looks up to show a map. Damaged files are missing here; the notes give the reason.
class GameTables {
 public:
  /// Ids: game.unknown.
  static Result<GameTables> load(const FileTree&);

  const GameFiles& files() const { return files_; }
  /// The files that could not be read so far.
  const Diagnostics& notes() const { return notes_; }

  std::vector<Header> headers;
  u64 headers_offset = 0;          // offset of the table in its file
  std::vector<std::string> names;  // names of headers
  std::vector<std::optional<Matrix>> matrices;
  std::vector<std::optional<Area>> areas;
  std::vector<std::optional<std::vector<u16>>> prop_sets;        // numbers of models
  std::vector<std::optional<PropMotion>> motions, room_motions;  // by prop model
  std::optional<Matshp> draw_lists, room_draw_lists;
  std::optional<Fldtanime> texture_motions;
  std::vector<std::optional<AreaLight>> lights;
  std::vector<std::optional<ZoneEvent>> events;

  /// Archive members; null if missing or damaged. A member lives as long as its pointer.
  std::shared_ptr<const LandData> land(u32 number) const;
  /// `role`: props, or room_props.
  std::shared_ptr<const nitro::Nsbmd> prop(u32 number, FileRole role = FileRole::props) const;
  std::shared_ptr<const nitro::Nsbtx> map_textures(u32 number) const;
  std::shared_ptr<const nitro::Nsbtx> prop_textures(u32 number) const;
  std::shared_ptr<const nitro::Nsbtx> motion_textures(
      u32 number) const;  // pictures of texture_motions->textures[number]
  std::shared_ptr<const Animation> animation(u32 number) const;

  /// The animations of a prop model; null if there is no list.
  const PropMotion* motion(u32 number, FileRole role = FileRole::props) const;

  /// The prop models that an area or a prop set refers to: props or room_props.
  FileRole prop_role_of_area(const Area&) const;
  FileRole prop_role_of_set(u32 prop_set) const;
  /// The name of a header in the table of names, without unprintable characters; empty if there is none.
  std::string header_name(u32 header) const;
  /// Every land with its areas, sorted: from the header of its cell, or else from the headers that use the matrix.
  std::vector<Use> list_land_uses() const;
  /// The area of a cell in a matrix entered with a header.
  std::optional<u32> find_cell_area(const Matrix&, size_t cell, u32 entered) const;

 private:
  template <class T>
  std::shared_ptr<const T> load_cached_member(DocumentCache<T>&, FileRole, u32 number) const;
  template <class T, class F>
  void for_each_member(FileRole, const F& take);
  void load_headers();
  template <class T>
  void append_headers(ByteView);
  void add_load_note(Diagnostic, std::string file) const;
  GameFiles files_;
  mutable Diagnostics notes_;
  mutable DocumentCache<LandData> lands_;
  mutable DocumentCache<nitro::Nsbmd> props_, room_props_;
  mutable DocumentCache<nitro::Nsbtx> map_textures_, prop_textures_, motion_textures_;
  mutable DocumentCache<Animation> animations_;
};

/// A header by its number, or by its name in any case of letters.
std::optional<u32> find_header_by_name(const GameTables&, std::string_view typed);

}  // namespace dio::platinum

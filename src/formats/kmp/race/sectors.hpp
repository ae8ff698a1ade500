// sectors.hpp: in which sector of a course a kart is, as the game finds it.
#pragma once
#include <optional>

#include "formats/kmp/layout.hpp"

namespace dio::kmp {

/// The road from a checkpoint to those that follow it. Everything is seen from above; numbers are f32, as in the game.
/// Source: the decompiled game, as Kinoko has it (README, C).
class Sectors {
 public:
  explicit Sectors(const Kmp&);

  struct Found {
    u16 sector;
    f32 ratio;  // 0 at its checkpoint, 1 at the next one
  };
  /// From the sector where the kart was last. Nothing: the game leaves it there. Key checkpoints and the lap line end
  /// the search in their direction, so that they cannot be skipped by place alone.
  std::optional<Found> find(Vec2 place, u16 from) const;
  /// Whether a sector has a place between its four sides.
  bool has(u16 sector, Vec2 place) const;
  /// Whether a search never ends, because checkpoints without a key or a lap line lead in a circle: the game hangs.
  bool is_endless(Vec2 place, u16 from) const;

  size_t size() const { return sectors_.size(); }
  std::span<const u16> next(u16 sector) const { return sectors_[sector].next; }
  std::span<const u16> previous(u16 sector) const { return sectors_[sector].previous; }
  bool leads_to(u16 from, u16 to) const;
  const CheckPoint& point(u16 sector) const { return sectors_[sector].point; }
  Vec2 middle(u16 sector) const;

  /// How much of a lap lies before a sector, and how much is in it. A group that group 0 does not lead to lies before
  /// all others: -1 of their parts.
  struct Part {
    f32 before, size;
  };
  Part part(u16 sector) const { return sectors_[sector].part; }
  f32 completion(const Found& f) const { return part(f.sector).before + f.ratio * part(f.sector).size; }
  /// The highest type of a checkpoint: the last key; 0 if there are none; -1 without a lap line.
  int last_key() const { return last_key_; }

 private:
  struct Sector {
    CheckPoint point;
    Vec2 ahead;  // across its line, of length 1
    std::vector<u16> previous, next;
    Part part{};
  };
  enum class SectorSide : u8 { inside, between_sides, outside };
  struct Search;
  SectorSide classify_point(u16 sector, Vec2 place, f32& ratio) const;
  void compute_lap_parts(const std::vector<Group>&);

  std::vector<Sector> sectors_;
  int last_key_ = -1;
};

}  // namespace dio::kmp

// sectors.hpp: finds the sector of a course that contains a kart, as the game does.
#pragma once
#include <optional>

#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

/// A sector is the road from a checkpoint to the next ones. Everything is seen from above; numbers are f32, as in the
/// game. Source: Kinoko, a decompilation of the game (README.md, "Sources").
class Sectors {
 public:
  explicit Sectors(const Kmp&);

  struct Found {
    u16 sector;
    f32 ratio;  // 0 at its checkpoint, 1 at the next one
  };
  /// Searches from the sector where the kart was last. If it finds nothing, the game leaves the kart there. Key
  /// checkpoints and the lap line end the search in their direction, so a kart cannot skip them by its position alone.
  std::optional<Found> find(Vec2 place, u16 from) const;
  /// Whether a place is between the four sides of a sector.
  bool has(u16 sector, Vec2 place) const;
  /// Whether the search never ends because a loop of checkpoints has neither a key nor the lap line: the game hangs.
  bool is_endless(Vec2 place, u16 from) const;

  size_t size() const { return sectors_.size(); }
  std::span<const u16> next(u16 sector) const { return sectors_[sector].next; }
  std::span<const u16> previous(u16 sector) const { return sectors_[sector].previous; }
  bool leads_to(u16 from, u16 to) const;
  const CheckPoint& point(u16 sector) const { return sectors_[sector].point; }
  Vec2 middle(u16 sector) const;

  const LapPart& part(u16 sector) const { return sectors_[sector].part; }
  f32 completion(const Found& f) const { return part(f.sector).before + f.ratio * part(f.sector).size; }
  /// The highest key: the last one; 0 if there are no keys; -1 without a lap line.
  int last_key() const { return last_key_; }

 private:
  struct Sector {
    CheckPoint point;
    Vec2 ahead;  // across its line, of length 1
    std::vector<u16> previous, next;
    LapPart part{};
  };
  enum class SectorSide : u8 { inside, between_sides, outside };
  struct Search;
  SectorSide classify_point(u16 sector, Vec2 place, f32& ratio) const;

  std::vector<Sector> sectors_;
  int last_key_ = -1;
};

}  // namespace dio::kmp

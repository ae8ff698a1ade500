// lap.hpp: the rules by which the game counts laps.
#pragma once
#include "formats/kmp/race/sectors.hpp"

namespace dio::kmp {

/// The state of a kart that the game uses to count laps: its position, and what the game remembers. Source: Kinoko, a
/// decompilation of the game (README.md, "Sources").
class Racer {
 public:
  /// At the start of a race: searches for the first sector from sector 0.
  Racer(const Sectors&, Vec2 start);
  /// At a sector, in the middle of a race.
  Racer(const Sectors&, Sectors::Found, int highest_key);

  /// Moves the kart by one frame.
  void move_to(Vec2 place);

  u16 sector() const { return sector_; }
  int lap() const { return lap_; }  // 0 before the lap line is crossed for the first time
  /// The highest key since the lap began; a lap counts only with the last one.
  int highest_key() const { return highest_key_; }
  /// Completion of the lap when the sector was entered.
  f32 completion() const { return completion_; }
  std::optional<u8> respawn() const { return respawn_; }
  /// Whether the last move found a sector.
  bool is_on_course() const { return is_on_course_; }

 private:
  void enter_sector(Sectors::Found);
  const Sectors* sectors_;
  u16 sector_ = 0;
  int lap_ = 0, highest_key_;
  f32 completion_ = 0.999999f;
  std::optional<u8> respawn_;
  bool has_entered_ = false, is_on_course_ = true;
};

}  // namespace dio::kmp

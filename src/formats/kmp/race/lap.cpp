#include "formats/kmp/race/lap.hpp"

#include <utility>

#include "formats/kmp/semantics.hpp"

namespace dio::kmp {

constexpr f32 k_jump = 0.95f;  // of a lap: more than that is around the lap line

Racer::Racer(const Sectors& sectors, Vec2 start) : sectors_(&sectors), highest_key_(sectors.last_key()) {
  if (!sectors.size()) return;
  const auto found = sectors.find(start, 0);
  sector_ = found ? found->sector : 0;
  if (names_respawn(sectors.point(sector_))) respawn_ = sectors.point(sector_).respawn;
}

Racer::Racer(const Sectors& sectors, Sectors::Found at, int highest_key)
    : sectors_(&sectors),
      sector_(at.sector),
      highest_key_(highest_key),
      completion_(sectors.completion(at)),
      has_entered_(true) {}

void Racer::move_to(Vec2 place) {
  const auto found = sectors_->find(place, sector_);
  is_on_course_ = found.has_value();
  if (found && (found->sector != sector_ || !has_entered_)) enter_sector(*found);
}

void Racer::enter_sector(Sectors::Found to) {
  const u16 before = std::exchange(sector_, to.sector);
  has_entered_ = true;
  const f32 now = sectors_->completion(to), back = completion_ - now;
  completion_ = now;
  const CheckPoint &point = sectors_->point(to.sector), &old = sectors_->point(before);
  if (names_respawn(point)) respawn_ = point.respawn;
  if (kind_of(point) != CheckKind::normal) {
    if (point.type > highest_key_)
      highest_key_ = point.type;
    else if (highest_key_ == sectors_->last_key() &&
             ((point.type == 0 && sectors_->leads_to(before, to.sector)) || back > k_jump)) {
      highest_key_ = 0;
      ++lap_;
    }
  }
  if ((old.type == 0 && sectors_->leads_to(to.sector, before)) || back < -k_jump) {
    highest_key_ = sectors_->last_key();
    --lap_;
  }
}

}  // namespace dio::kmp

// plan_styles.hpp: styles of course parts on the plan: kmp-editor's colours, darker where they would not show on
// white.
#pragma once
#include <array>
#include <vector>

#include "scene/plan.hpp"

namespace dio::kmp {

enum class PlanStyleOf : u8 {
  road,
  off_road,
  area,
  area_fall,
  quad_0,
  quad_1,
  quad_2,
  quad_3,
  quad_4,
  quad_5,
  checkpoint,
  checkpoint_key,
  checkpoint_lap,
  checkpoint_lap_checks,
  checkpoint_neither,
  route,
  route_camera,
  route_unused,
  route_point,
  item_width,
  item_path,
  item_low,
  item_link,
  item_point,
  item_first,
  item_no_stop,
  enemy_width,
  enemy_path,
  enemy_short_cut,
  enemy_link,
  enemy_point,
  enemy_first,
  enemy_mushroom,
  respawn_link,
  respawn,
  start,
  start_grid,
  start_pole,
  object,
  object_off,
  object_route,
  camera,
  camera_view,
  cannon,
  end_point,
  dark,  // of names, from here on
  area_name,
  checkpoint_name,
  key_name,
  lap_name,
  route_name,
  item_name,
  enemy_name,
  respawn_name,
  start_name,
  object_name,
  camera_name,
  cannon_name,
  end_name,
  count
};

constexpr scene::Index index_of(PlanStyleOf i) { return scene::Index(i); }
/// All styles, indexed by PlanStyleOf.
std::vector<scene::PlanStyle> make_plan_inks();

}  // namespace dio::kmp

#include "formats/kmp/plan/plan_styles.hpp"

namespace dio::kmp {

namespace {

struct Definition {
  PlanStyleOf of;
  const char* name;
  u32 stroke, fill;  // RRGGBBAA; 0: none
  f32 width = 1, dash = 0;
};
constexpr Definition k_inks[] = {
    {PlanStyleOf::road, "road", 0xe4e4e8ff, 0xe4e4e8ff, .6f},
    {PlanStyleOf::off_road, "off-road", 0xe6ecd8ff, 0xe6ecd8ff, .6f},
    {PlanStyleOf::area, "area", 0xd08800b0, 0xffb2000c, 1, 6},
    {PlanStyleOf::area_fall, "area-fall", 0xb8382890, 0xc8302808, 1, 3},
    {PlanStyleOf::quad_0, "quad-0", 0x0040ff28, 0x0040ff16, .6f},
    {PlanStyleOf::quad_1, "quad-1", 0x00a0a038, 0x00b4b426, .6f},
    {PlanStyleOf::quad_2, "quad-2", 0x8040ff38, 0x8040ff22, .6f},
    {PlanStyleOf::quad_3, "quad-3", 0x4080c040, 0x60b0ff30, .6f},
    {PlanStyleOf::quad_4, "quad-4", 0x60709040, 0x60709028, .6f},
    {PlanStyleOf::quad_5, "quad-5", 0xc060c038, 0xe080e020, .6f},
    {PlanStyleOf::checkpoint, "checkpoint", 0x2040f0ff, 0x2040f0ff, 1.2f},
    {PlanStyleOf::checkpoint_key, "checkpoint-key", 0xe000e0ff, 0xe000e0ff, 3.2f},
    {PlanStyleOf::checkpoint_lap, "checkpoint-lap", 0xff40c8ff, 0xff40c8ff, 6},
    {PlanStyleOf::checkpoint_lap_checks, "checkpoint-lap-checks", 0xffffffff, 0, 3, 4},
    {PlanStyleOf::checkpoint_neither, "checkpoint-neither", 0x707070ff, 0x707070ff, 1.2f, 3},
    {PlanStyleOf::route, "route", 0x009c9cff, 0, 1.4f},
    {PlanStyleOf::route_camera, "route-camera", 0x8a3cb0a0, 0, 1, 5},
    {PlanStyleOf::route_unused, "route-unused", 0x80909cff, 0, 1, 2},
    {PlanStyleOf::route_point, "route-point", 0, 0x007c7cff},
    {PlanStyleOf::item_width, "item-width", 0, 0x30b00014},
    {PlanStyleOf::item_path, "item-path", 0x1f9000ff, 0, 1.2f},
    {PlanStyleOf::item_low, "item-low", 0x20b080ff, 0, 1.3f},
    {PlanStyleOf::item_link, "item-link", 0x2fa000ff, 0, 1, 3},
    {PlanStyleOf::item_point, "item-point", 0, 0x008c00ff},
    {PlanStyleOf::item_first, "item-first", 0, 0x004c00ff},
    {PlanStyleOf::item_no_stop, "item-no-stop", 0x008c00ff, 0xb0b0b0ff, .8f},
    {PlanStyleOf::enemy_width, "enemy-width", 0, 0xff800016},
    {PlanStyleOf::enemy_path, "enemy-path", 0xff8000ff, 0, 3.2f},
    {PlanStyleOf::enemy_short_cut, "enemy-short-cut", 0xff70b8ff, 0, 3.2f},
    {PlanStyleOf::enemy_link, "enemy-link", 0xff8000ff, 0, 1.4f, 4},
    {PlanStyleOf::enemy_point, "enemy-point", 0, 0xf00000ff},
    {PlanStyleOf::enemy_first, "enemy-first", 0, 0x900000ff},
    {PlanStyleOf::enemy_mushroom, "enemy-mushroom", 0x900060ff, 0xff80f0ff, .8f},
    {PlanStyleOf::respawn_link, "respawn-link", 0xa8a000a0, 0, .8f, 2},
    {PlanStyleOf::respawn, "respawn", 0x6c6c00ff, 0xb4b400ff, 1.3f},
    {PlanStyleOf::start, "start", 0x2020d0ff, 0x4040ffff, 1.6f},
    {PlanStyleOf::start_grid, "start-grid", 0x4040ffff, 0x4040ff20, .8f},
    {PlanStyleOf::start_pole, "start-pole", 0x2020d0ff, 0x4040ffc0, 1},
    {PlanStyleOf::object, "object", 0xb000b0ff, 0xff40ffff, .9f},
    {PlanStyleOf::object_off, "object-off", 0xb000b0a0, 0xffffffff, .9f},
    {PlanStyleOf::object_route, "object-route", 0xb000b0a0, 0, .8f, 2},
    {PlanStyleOf::camera, "camera", 0x500c70ff, 0x8a3cb0ff, .8f},
    {PlanStyleOf::camera_view, "camera-view", 0x8a3cb0a0, 0, .8f, 3},
    {PlanStyleOf::cannon, "cannon", 0xa00000ff, 0xff3030ff, 1.3f},
    {PlanStyleOf::end_point, "end-point", 0x5000a0ff, 0x9040ffff, 1.2f},
    {PlanStyleOf::dark, "dark", 0x1c222cff, 0},
    {PlanStyleOf::area_name, "area-name", 0x946000ff, 0},
    {PlanStyleOf::checkpoint_name, "checkpoint-name", 0x1830b8ff, 0},
    {PlanStyleOf::key_name, "key-name", 0xa800a8ff, 0},
    {PlanStyleOf::lap_name, "lap-name", 0xc8108cff, 0},
    {PlanStyleOf::route_name, "route-name", 0x006c6cff, 0},
    {PlanStyleOf::item_name, "item-name", 0x1c6c00ff, 0},
    {PlanStyleOf::enemy_name, "enemy-name", 0xb43000ff, 0},
    {PlanStyleOf::respawn_name, "respawn-name", 0x606000ff, 0},
    {PlanStyleOf::start_name, "start-name", 0x1818b0ff, 0},
    {PlanStyleOf::object_name, "object-name", 0x8c008cff, 0},
    {PlanStyleOf::camera_name, "camera-name", 0x5c1480ff, 0},
    {PlanStyleOf::cannon_name, "cannon-name", 0xa00000ff, 0},
    {PlanStyleOf::end_name, "end-name", 0x5000a0ff, 0},
};

constexpr bool are_in_order() {
  for (size_t i = 0; i < std::size(k_inks); ++i)
    if (size_t(k_inks[i].of) != i) return false;
  return std::size(k_inks) == size_t(PlanStyleOf::count);
}
static_assert(are_in_order());

std::optional<scene::Rgba> rgba(u32 c) {
  if (!c) return {};
  return scene::Rgba{u8(c >> 24), u8(c >> 16), u8(c >> 8), u8(c)};
}

}  // namespace

std::vector<scene::PlanStyle> make_plan_inks() {
  std::vector<scene::PlanStyle> out;
  for (const Definition& d : k_inks) out.push_back({d.name, rgba(d.stroke), rgba(d.fill), d.width, d.dash});
  return out;
}

}  // namespace dio::kmp

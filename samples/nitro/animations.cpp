// animations.cpp: animations of the models in models.cpp: every kind of curve, all steps.
#include "samples/nitro/models.hpp"
#include "samples/nitro/parts.hpp"

namespace dio::nitro {

using namespace make;

namespace {

constexpr u8 k_every = 0, k_every_2nd = 1, k_every_4th = 2;

f64 wave(f64 frame, f64 frames) { return turned(2, 360 * frame / frames).x.y; }

/// Constants say the number of frames where curves say their last.
void fill_last(TextureAnimation& a) {
  for (TextureTrack& m : a.materials)
    for (TextureChannel* c : {&m.scale_s, &m.scale_t, &m.rotation, &m.translation_s, &m.translation_t})
      if (c->constant) c->last = a.frames;
}
void fill_last(ColorAnimation& a) {
  for (ColorTrack& m : a.materials)
    for (ColorChannel* c : {&m.diffuse, &m.ambient, &m.specular, &m.emission, &m.alpha})
      if (c->constant) c->last = a.frames;
}
template <class Animation>
Animation animation(std::string name, u16 frames) {
  Animation a{};
  a.name = std::move(name);
  a.frames = frames;
  return a;
}
template <class File, class Animation>
File file_of(std::vector<Animation> all) {
  File f{};
  f.header.version = 1;
  f.animations = std::move(all);
  return f;
}

void move(Track& t, TranslationChannel x, TranslationChannel y, TranslationChannel z) {
  t.translation = {std::move(x), std::move(y), std::move(z)};
  t.translation_identity = t.translation_model = 0;
}
void turn(Track& t, RotationChannel c) {
  t.rotation = std::move(c);
  t.rotation_identity = t.rotation_model = 0;
}
void grow(Track& t, ScaleChannel x, ScaleChannel y, ScaleChannel z) {
  t.scale = {std::move(x), std::move(y), std::move(z)};
  t.scale_identity = t.scale_model = 0;
}
Track still_track(u8 node) {
  Track t{};
  t.node = node;
  t.identity = 1;
  return t;
}

}  // namespace

Nsbca windmill_joints() {
  // the wheel turns evenly, the rest stays as the model has it
  JointAnimation turning_wheel = animation<JointAnimation>("turn", 24);
  {
    Rotations r;
    Track wheel = track(2), door = track(3);
    turn(wheel, turning(k_every, 24, [&](f64 f) { return r.pivot(2, 15 * f); }));
    turn(door, still_rotation(r.pivot(1, -60)));
    turning_wheel.tracks = {still_track(0), track(1), wheel, door};
    turning_wheel.pivots = r.pivots;
  }
  // a gust: the cap swings round, the wheel races; sampled more coarsely, with frames left at the end
  JointAnimation gust = animation<JointAnimation>("gust", 31);
  gust.interpolate = gust.interpolate_last = 1;
  {
    Rotations r;
    Track cap = track(1), wheel = track(2), door = track(3);
    move(cap, still(0), moving(k_every_4th, true, 31, [](f64 f) { return 7 + wave(f, 30) / 8; }), still(0));
    turn(cap, turning(k_every_4th, 31, [&](f64 f) { return r.pivot(1, 30 + 20 * wave(f, 30)); }));
    turn(wheel, turning(k_every_2nd, 31,
                        [&](f64 f) { return r.basis(turned(0, -10) * turned(1, 3) * turned(2, 24 * f + 1)); }));
    turn(door, turning(k_every_2nd, 31, [&](f64 f) { return r.pivot(1, -60 + 50 * wave(f, 30)); }));
    gust.tracks = {still_track(0), cap, wheel, door};
    gust.pivots = r.pivots, gust.bases = r.bases;
  }
  return file_of<Nsbca>(std::vector{std::move(turning_wheel), std::move(gust)});
}

Nsbca eel_joints() {
  JointAnimation swim = animation<JointAnimation>("swim", 18);
  swim.interpolate = 1;
  Rotations r;
  const auto bend = [&](f64 late) {
    return [&r, late](f64 f) { return r.basis(turned(0, 4) * turned(1, 25 * wave(f - late, 18)) * turned(2, 3)); };
  };
  Track head = track(0), neck = track(1), spine = track(2), tail = track(3);
  // far enough for samples of 32 bits; along z as the head goes
  move(head, moving(k_every, true, 18, [](f64 f) { return wave(f, 18) / 2; }), still(0),
       moving(k_every_2nd, false, 18, [](f64 f) { return 0.75 * f; }));
  turn(head, still_rotation(r.basis(turned(0, 4) * turned(1, 6) * turned(2, 3))));
  turn(neck, turning(k_every, 18, bend(2)));
  grow(neck, growing(k_every_2nd, true, 18, [](f64 f) { return 1.25 + wave(f, 18) / 4; }), still_scale(1),
       still_scale(1.5));
  turn(spine, turning(k_every_2nd, 18, bend(4)));
  spine.rotation.curve.unused_0 = 0;
  spine.scale_model = 0, spine.scale_identity = 1;
  turn(tail, turning(k_every_4th, 18, bend(6)));
  move(tail, still(0), moving(k_every_4th, false, 18, [](f64 f) { return wave(f, 18) / 8; }), still(-1));
  grow(tail, growing(k_every, false, 18, [](f64 f) { return 16 + 8 * wave(f, 18); }), still_scale(1), still_scale(1));
  swim.tracks = {head, neck, spine, tail};
  swim.pivots = r.pivots, swim.bases = r.bases;
  return file_of<Nsbca>(std::vector{std::move(swim)});
}

Nsbca crane_joints() {
  JointAnimation lift = animation<JointAnimation>("lift", 13);
  Rotations r;
  Track foot = track(0), arm = track(1), hook = track(2);
  grow(foot, still_scale(1), growing(k_every_4th, true, 13, [](f64 f) { return 3 + wave(f, 24); }), still_scale(1));
  turn(arm, turning(k_every, 13, [&](f64 f) { return r.pivot(2, 25 + f); }));
  arm.translation_identity = 0;  // from the model, by that bit alone
  arm.scale_identity = 0;
  hook.translation_identity = 0;
  turn(hook, still_rotation(r.pivot(2, -25)));
  lift.tracks = {foot, arm, hook};
  lift.pivots = r.pivots;
  return file_of<Nsbca>(std::vector{std::move(lift)});
}

Nsbta windmill_textures() {
  TextureAnimation flow = animation<TextureAnimation>("flow", 32);
  TextureTrack water{};
  water.name = "water";
  water.scale_s = water.scale_t = texture_still(1);
  water.rotation = texture_still_angle(0);
  water.translation_s = texture_moving(k_every, true, 32, [](f64 f) { return f / 32; });
  water.translation_t = texture_still(0);
  flow.materials = {std::move(water)};
  fill_last(flow);
  return file_of<Nsbta>(std::vector{std::move(flow)});
}

Nsbta banners_textures() {
  TextureAnimation wind = animation<TextureAnimation>("wind", 19), calm = animation<TextureAnimation>("calm", 6);
  TextureTrack cloth{};
  cloth.name = "cloth";
  cloth.scale_s = texture_moving(k_every_2nd, true, 19, [](f64 f) { return 1 + wave(f, 18) / 4; });
  cloth.scale_t = texture_still(1, true);
  cloth.rotation = texture_turning(k_every_4th, 19, [](f64 f) { return 10 * wave(f, 18); });
  cloth.translation_s = texture_moving(k_every, false, 19, [](f64 f) { return f; });
  cloth.translation_t = texture_moving(k_every_4th, false, 19, [](f64 f) { return f / 16; });
  wind.materials = {cloth};
  wind.flag = 1;
  cloth.scale_s = texture_still(1);
  cloth.scale_t = texture_still(2);
  cloth.rotation = texture_turning(k_every, 6, [](f64 f) { return 60 * f; });
  cloth.translation_s = texture_still(0.5);
  cloth.translation_t = texture_moving(k_every_2nd, true, 6, [](f64 f) { return f / 6; });
  calm.materials = {std::move(cloth)};
  calm.texture_matrix_mode = 2;
  fill_last(wind), fill_last(calm);
  return file_of<Nsbta>(std::vector{std::move(wind), std::move(calm)});
}

Nsbtp windmill_patterns() {
  PatternAnimation storm = animation<PatternAnimation>("storm", 40);
  storm.texture_names = {{"sail"}, {"sail_torn"}};
  storm.palette_names = {{"sail_pl"}, {"water_pl"}};
  PatternTrack sail{};
  sail.name = "sail";
  sail.keys = {{0, 0, 0}, {12, 1, 0}, {30, 1, 1}, {36, 0, k_no_palette}};
  storm.materials = {std::move(sail)};
  return file_of<Nsbtp>(std::vector{std::move(storm)});
}

Nsbtp swatches_patterns() {
  PatternAnimation nightfall = animation<PatternAnimation>("nightfall", 20);
  nightfall.texture_names = {{"photo"}, {"photo_night"}};
  PatternTrack photo{};
  photo.name = "photo";
  photo.keys = {{0, 0, k_no_palette}, {10, 1, k_no_palette}};
  nightfall.materials = {std::move(photo)};
  return file_of<Nsbtp>(std::vector{std::move(nightfall)});
}

Nsbma windmill_colors() {
  ColorAnimation dusk = animation<ColorAnimation>("dusk", 21);
  ColorTrack sail{}, water{};
  sail.name = "sail";
  sail.diffuse = color_moving(k_every_2nd, 21, [](f64 f) { return rgb(25, 25 - u32(f), 25 - u32(f)); });
  sail.ambient = color_moving(k_every_4th, 21, [](f64 f) { return rgb(12 - u32(f) / 2, 12 - u32(f) / 2, 12); });
  sail.specular = color_still(rgb(4, 4, 4));
  sail.emission = color_moving(k_every, 21, [](f64 f) { return rgb(u32(f) / 4, 0, 0); });
  sail.alpha = color_still(31);
  water.name = "water";
  water.diffuse = color_still(rgb(25, 25, 25));
  water.ambient = color_still(rgb(12, 12, 12));
  water.specular = color_still(rgb(4, 4, 4));
  water.emission = color_still(0);
  water.alpha = color_moving(k_every, 21, [](f64 f) { return u16(20 + f / 2); });
  dusk.materials = {std::move(sail), std::move(water)};
  fill_last(dusk);
  return file_of<Nsbma>(std::vector{std::move(dusk)});
}

Nsbva windmill_visibility() {
  VisibilityAnimation open_door = animation<VisibilityAnimation>("open_door", 12);
  open_door.node_count = 4;
  open_door.words.assign((12 * 4 + 31) / 32, 0);
  for (u32 frame = 0; frame < 12; ++frame)
    for (u32 node = 0; node < 4; ++node)
      if (node != 3 || frame < 4 || frame > 8)
        open_door.words[(frame * 4 + node) / 32] |= 1u << (frame * 4 + node) % 32;
  return file_of<Nsbva>(std::vector{std::move(open_door)});
}

std::vector<Sample> nsbca_samples() {
  return {
      {"windmill.nsbca", "two animations of windmill.nsbmd: pivots and bases in shared pools",
       bytes_of(windmill_joints())},
      {"eel.nsbca", "a swimming eel: every kind of curve, each step", bytes_of(eel_joints())},
      {"crane.nsbca", "joints that grow; values taken from the model", bytes_of(crane_joints())},
  };
}
std::vector<Sample> nsbta_samples() {
  return {
      {"windmill.nsbta", "the water of windmill.nsbmd flows", bytes_of(windmill_textures())},
      {"banners.nsbta", "two animations of banners.nsbmd: all five numbers of a texture matrix",
       bytes_of(banners_textures())},
  };
}
std::vector<Sample> nsbtp_samples() {
  return {
      {"windmill.nsbtp", "the sails of windmill.nsbmd tear: textures and palettes", bytes_of(windmill_patterns())},
      {"swatches.nsbtp", "textures without palettes", bytes_of(swatches_patterns())},
  };
}
std::vector<Sample> nsbma_samples() {
  return {{"windmill.nsbma", "evening colours for windmill.nsbmd", bytes_of(windmill_colors())}};
}
std::vector<Sample> nsbva_samples() {
  return {{"windmill.nsbva", "the door of windmill.nsbmd is gone for a while", bytes_of(windmill_visibility())}};
}

}  // namespace dio::nitro

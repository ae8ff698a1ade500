// motion.cpp: scene animations that move objects, as played by the engine: keys with linear interpolation of their
// numbers, 30 frames per second. Sources: psxsplash, interpolation.cpp, animation.cpp, cutscene.hh.
#include "formats/splashpack/from_scene/motion.hpp"

#include <algorithm>
#include <numbers>
#include <set>

#include "core/elementary.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/scene/baked_collision.hpp"
#include "scene/channels.hpp"
#include "scene/transforms.hpp"

namespace dio::splashpack {
using scene::Channel;
using scene::Vec4;

std::vector<Index> with_ancestors(const scene::Scene& s, std::span<const Index> nodes) {
  std::set<Index> all;
  for (Index n : nodes)
    for (; n != k_none && all.insert(n).second;) n = s.nodes[n].parent;
  return {all.begin(), all.end()};
}

AnimationPlayer::AnimationPlayer(const scene::Scene& s, const scene::Animation& animation,
                                 std::span<const Index> nodes) {
  std::map<Index, size_t> where;
  for (const Index n : nodes) {
    const auto parent = where.find(s.nodes[n].parent);
    where.emplace(n, moving_.size());
    moving_.push_back({&s.nodes[n], parent == where.end() ? nodes.size() : parent->second});
  }
  for (const Channel& c : animation.channels) {
    const auto known = where.find(c.node);
    if (known == where.end()) continue;
    moving_[known->second].channels[size_t(c.target)] = &c;
    first = std::min(first, f64(c.times.front()));
    last = std::max(last, f64(c.times.back()));
  }
}

void AnimationPlayer::transforms_at(f64 time, f64 near, std::vector<Affine>& out) const {
  out.resize(moving_.size());
  for (size_t i = 0; i < moving_.size(); ++i) {
    const AnimatedNode& m = moving_[i];
    scene::Node node;
    node.translation = m.node->translation, node.rotation = m.node->rotation, node.scale = m.node->scale;
    const auto& [place, turn, size] = m.channels;
    if (place) std::ranges::copy_n(scene::value_at(*place, time, near).begin(), 3, node.translation.begin());
    if (turn) node.rotation = scene::value_at(*turn, time, near);
    if (size) std::ranges::copy_n(scene::value_at(*size, time, near).begin(), 3, node.scale.begin());
    const Affine own = scene::local_transform(node);
    out[i] = m.parent == moving_.size() ? own : out[m.parent] * own;
  }
}

namespace {

// Source: engine, cutscene.hh and animation.hh.
constexpr size_t k_most_animations = 16, k_most_tracks = 8, k_most_keys = 64;
constexpr u32 k_last_frame = 8191;  // 13 bits
constexpr f64 k_frames_a_second = 30;
constexpr u64 k_most_motion_steps = 1 << 24;                // nodes times frames, for all animations
constexpr f64 k_angle = 1024 / std::numbers::pi;            // 1024 is half a turn
constexpr u8 k_position = 2, k_rotation = 3, k_active = 4;  // types of tracks
constexpr u8 k_linear = 0, k_step = 1;

using Numbers = std::array<f64, 3>;

f64 max_difference(const Numbers& a, const Numbers& b) {
  return std::max({std::fabs(a[0] - b[0]), std::fabs(a[1] - b[1]), std::fabs(a[2] - b[2])});
}

/// Reduces frames to keys whose linear interpolation is never farther than `near` from the frames.
std::vector<u32> fit_linear_keys(const std::vector<Numbers>& all, f64 near) {
  std::vector<u32> keys{0};
  std::vector<std::array<u32, 2>> open;
  if (all.size() > 1) open.push_back({0, u32(all.size() - 1)});
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    u32 worst = from;
    f64 most = near;
    for (u32 f = from + 1; f < to; ++f) {
      Numbers line{};
      const f64 t = f64(f - from) / (to - from);
      for (size_t k = 0; k < 3; ++k) line[k] = all[from][k] + t * (all[to][k] - all[from][k]);
      if (const f64 off = max_difference(line, all[f]); off > most) most = off, worst = f;
    }
    if (worst == from) {
      keys.push_back(to);
      continue;
    }
    open.push_back({worst, to});
    open.push_back({from, worst});
  }
  return keys;
}

/// The angles about Y, X and Z of a rotation, applied in reverse order, in engine numbers: X, Y, Z. Chooses the angles
/// nearest to the previous ones, because the engine interpolates them linearly.
Numbers nearest_euler_angles(const Mat3d& m, const Numbers& before) {
  const auto e = [&](size_t row, size_t column) { return m.columns[column][row]; };
  const f64 level = std::sqrt(e(0, 2) * e(0, 2) + e(2, 2) * e(2, 2));
  const f64 x = elementary::atan2(-e(1, 2), level);
  const bool is_level = level > 1e-6;
  const f64 y = is_level ? elementary::atan2(e(0, 2), e(2, 2)) : elementary::atan2(-e(2, 0), e(0, 0));
  const f64 z = is_level ? elementary::atan2(e(1, 0), e(1, 1)) : 0;
  constexpr f64 k_half = std::numbers::pi;
  Numbers best{};
  f64 least = HUGE_VAL;
  for (const Numbers& way : {Numbers{x, -y, -z}, Numbers{k_half - x, k_half - y, k_half - z}}) {
    Numbers near{};
    for (size_t k = 0; k < 3; ++k)
      near[k] = std::floor(before[k] + std::remainder(way[k] * k_angle - before[k], 2048.0) + 0.5);
    if (const f64 off = max_difference(near, before); off < least) least = off, best = near;
  }
  return best;
}

class PackAnimationBuilder {
 public:
  PackAnimationBuilder(const scene::Scene& s, const MakeSettings& settings, std::span<const Index> objects,
                       const SkinSectionBuilder& skins, Pack& pack)
      : s_(s), settings_(settings), objects_(objects), skins_(skins), pack_(pack) {
    for (const Animation& a : pack.animations) {
      (void)names_.make_unique_name(a.name.value_or(""));
      kept_.insert(escape_control_chars(a.name.value_or("")));
    }
    for (const Cutscene& c : pack.cutscenes) kept_.insert(escape_control_chars(c.name.value_or("")));
    kept_.erase("");
  }

  void build(Diagnostics& notes) {
    for (size_t i = 0; i < s_.animations.size(); ++i)
      unused_ += !is_kept_in_extras(s_.animations[i]) && !add_animation(Index(i)) && !skins_.used()[i];
    const auto over = [](u64 n, std::string_view one, size_t most, std::string_view where) {
      return text(format_count(n, one), n == 1 ? " is" : " are", " over the limit of ", most, where);
    };
    const auto lost = [&](u64 n, DiagnosticText said) {
      if (n) notes.push_back(make_diagnostic(Severity::warning, "splashpack.make-lost", {}, std::move(said)));
    };
    lost(unused_,
         {.message = format_count(unused_, "animation") + (unused_ == 1 ? " moves" : " move") + " no objects or joints",
          .hint = "these animations are omitted from the pack"});
    lost(too_many_, {.message = over(too_many_, "animation", k_most_animations, ""),
                     .hint = "animations over the limit are omitted from the pack"});
    lost(more_tracks_, {.message = over(more_tracks_, "track", k_most_tracks, " in an animation"),
                        .hint = "tracks over the limit are omitted from the pack; split the animation, because several "
                                "animations can play at the same time"});
    lost(long_, {.message = text(format_count(long_, "animation"), long_ == 1 ? " is" : " are", " longer than ",
                                 k_last_frame, " frames (30 per second)"),
                 .hint = "these animations are omitted from the pack"});
    lost(far_,
         {.message = format_count(far_, "track") + (far_ == 1 ? " moves" : " move") +
                     " beyond 32767 units of the pack or 16 turns (the first one: " + first_far_ + ")",
          .hint = "these tracks are omitted from the pack" +
                  (farthest_ > 0 ? "; " + fitting_scaling(settings_, farthest_ / 32767, "their positions") : "")});
    lost(sized_,
         {.message = format_count(sized_, "object") + (sized_ == 1 ? " changes its size" : " change their sizes"),
          .hint = "the engine cannot scale objects, so their size stays the same"});
    lost(rough_, {.message = text(format_count(rough_, "track"), rough_ == 1 ? " needs" : " need", " more than ",
                                  k_most_keys, " keyframes"),
                  .hint = text("these tracks are reduced to ", k_most_keys, " keyframes")});
  }

 private:
  /// Whether the extras of the scene contain the animation as in a pack. Programs that drop the extras of animations
  /// keep their names.
  bool is_kept_in_extras(const scene::Animation& a) const {
    const auto kind = read_text_extra(a.extras, "kind");
    if (!kind) return kept_.contains(a.name);
    const bool is_scene = kind == "cutscene";
    return (is_scene || kind == "animation") && s_.extras.find(is_scene ? "cutscenes" : "animations");
  }

  bool add_animation(Index index) {
    const scene::Animation& a = s_.animations[index];
    // Animated nodes and their ancestors.
    std::vector<u8> moves(s_.nodes.size());
    if ((steps_ += s_.nodes.size()) > k_most_motion_steps) return false;
    f64 first = HUGE_VAL, last = -HUGE_VAL;
    for (const scene::Channel& c : a.channels) moves[c.node] = 1;
    for (const scene::VisibilityChannel& c : a.visibility_channels) moves[c.node] = 1;
    for (size_t n = 0; n < moves.size(); ++n)
      if (s_.nodes[n].parent != k_none) moves[n] |= moves[s_.nodes[n].parent];
    std::vector<std::pair<u16, Index>> moved;  // objects, and their nodes
    for (size_t o = 0; o < objects_.size(); ++o) {
      const scene::Node& n = s_.nodes[objects_[o]];
      if (skins_.is_clip(u16(o), index) || (n.skin != k_none && !(pack_.objects[o].flags & k_skinned))) continue;
      const Index at = n.skin != k_none ? skins_.find_object_frame(objects_[o]) : objects_[o];
      if (at != k_none && moves[at]) moved.emplace_back(u16(o), at);
    }
    if (moved.empty()) return false;
    const auto span = [&](const auto& c) {
      first = std::min(first, f64(c.times.front())), last = std::max(last, f64(c.times.back()));
    };
    std::ranges::for_each(a.channels, span);
    std::ranges::for_each(a.visibility_channels, span);
    const f64 frames = std::ceil((last - first) * k_frames_a_second - 0.02);
    if (!(frames <= k_last_frame)) {
      ++long_;
      return true;
    }
    Animation out;
    out.frame_count = u16(std::max(frames, 0.0));
    for (const auto& [object, node] : moved) add_object_tracks(a, object, node, first, last, out);
    if (out.tracks.empty()) return false;
    if (pack_.animations.size() == k_most_animations) {
      ++too_many_;
      return true;
    }
    out.name = names_.make_unique_name(a.name.empty() ? text("animation_", pack_.animations.size()) : a.name);
    pack_.animations.push_back(std::move(out));
    return true;
  }

  void add_object_tracks(const scene::Animation& a, u16 object, Index node, f64 first, f64 last, Animation& out) {
    const std::vector<Index> chain = with_ancestors(s_, std::array{node});
    if ((steps_ += chain.size() * (out.frame_count + u64(1))) > k_most_motion_steps) {
      ++long_;
      return;
    }
    const AnimationPlayer playing(s_, a, chain);
    const auto in_chain = [&](const auto& c) { return std::ranges::binary_search(chain, c.node); };
    bool is_step = true, is_sized = false;
    for (const scene::Channel& c : a.channels) {
      if (!in_chain(c)) continue;
      is_step &= c.interpolation == Channel::Interpolation::step;
      is_sized |= c.target == Channel::Target::scale;
    }
    sized_ += is_sized;
    std::vector<Numbers> places, turns, seen;
    std::vector<Affine> at;
    for (u32 f = 0; f <= out.frame_count; ++f) {
      const f64 time = std::min(first + f / k_frames_a_second, last);
      if (playing.any()) {
        playing.transforms_at(time, 0.02 / k_frames_a_second, at);
        const Affine place = extract_rigid_transform(at.back());
        Numbers raw = settings_.to_pack_units(place.origin);
        for (f64& x : raw) x = std::floor(x + 0.5);
        places.push_back(raw);
        // Angles use the axes of scenes from packs.
        const Mat3d turn = settings_.convert_axes(place.linear);
        const MakeSettings usual;
        turns.push_back(nearest_euler_angles(usual.convert_axes(turn), turns.empty() ? Numbers{} : turns.back()));
      }
      bool is_seen = true;
      for (const Index n : chain) {
        const auto c = std::ranges::find(a.visibility_channels, n, &scene::VisibilityChannel::node);
        is_seen &= c == a.visibility_channels.end() ? s_.nodes[n].visible
                                                    : scene::value_at(*c, time + 1e-4, s_.nodes[n].visible);
      }
      seen.push_back({f64(is_seen), 0, 0});
    }
    const Object& o = pack_.objects[object];
    const Numbers stands{f64(o.position.x.raw), f64(o.position.y.raw), f64(o.position.z.raw)};
    const auto still = [](const std::vector<Numbers>& all, f64 near) {
      return std::ranges::all_of(all, [&](const Numbers& n) { return max_difference(n, all.front()) <= near; });
    };
    if (!places.empty() && !(still(places, 0) && max_difference(places[0], stands) <= 1))
      add_track(k_position, object, places, is_step, out);
    if (!turns.empty() && !(still(turns, 0) && has_rotation(o, turns[0])))
      add_track(k_rotation, object, turns, is_step, out);
    if (std::ranges::any_of(a.visibility_channels, in_chain)) add_track(k_active, object, seen, true, out);
  }

  /// Whether an object has this rotation from the start.
  bool has_rotation(const Object& o, const Numbers& angles) const {
    const auto rotation_about = [&](size_t axis, f64 angle) {
      Mat3d m;
      const f64 c = elementary::cos(angle / k_angle), s = elementary::sin(angle / k_angle);
      const size_t y = (axis + 1) % 3, z = (axis + 2) % 3;
      m.columns[y][y] = m.columns[z][z] = c, m.columns[y][z] = s, m.columns[z][y] = -s;
      return m;
    };
    const MakeSettings usual;
    const Mat3d turn = usual.convert_axes(rotation_about(1, -angles[1]) * rotation_about(0, angles[0]) *
                                          rotation_about(2, -angles[2]));
    for (size_t row = 0; row < 3; ++row)
      for (size_t column = 0; column < 3; ++column)
        if (!(std::fabs(turn.columns[column][row] * 4096 - o.rotation[row * 3 + column].raw) < 16)) return false;
    return true;
  }

  void omit_far_track(u8 type, u16 object, const std::vector<Numbers>& all) {
    if (!far_++) first_far_ = escape_control_chars(pack_.objects[object].name);
    if (type == k_position)
      for (const Numbers& n : all) farthest_ = std::max(farthest_, max_difference(n, {}));
  }

  void add_track(u8 type, u16 object, const std::vector<Numbers>& all, bool is_step, Animation& out) {
    if (out.tracks.size() == k_most_tracks) {
      ++more_tracks_;
      return;
    }
    for (const Numbers& n : all)
      if (!(max_difference(n, {}) <= 32767)) return omit_far_track(type, object, all);
    std::vector<u32> keys;
    if (is_step) {
      for (u32 f = 0; f < all.size(); ++f)
        if (!f || all[f] != all[f - 1]) keys.push_back(f);
      rough_ += keys.size() > k_most_keys;
      if (keys.size() > k_most_keys) keys.resize(k_most_keys);
    } else {
      f64 near = 1;
      for (keys = fit_linear_keys(all, near); keys.size() > k_most_keys; keys = fit_linear_keys(all, near)) near *= 2;
      rough_ += near > 4;
    }
    Track track;
    track.type = type;
    track.target = pack_.objects[object].name;
    for (const u32 f : keys) {
      Keyframe& k = track.keys.emplace_back(Keyframe{is_step ? k_step : k_linear, u16(f), {}});
      for (size_t i = 0; i < 3; ++i) k.values[i] = i16(std::floor(all[f][i] + 0.5));
    }
    out.tracks.push_back(std::move(track));
  }

  const scene::Scene& s_;
  const MakeSettings& settings_;
  std::span<const Index> objects_;
  const SkinSectionBuilder& skins_;
  Pack& pack_;
  Names names_;
  std::set<std::string> kept_;
  u64 steps_ = 0;
  std::string first_far_;
  f64 farthest_ = 0;  // position of a track out of range
  u64 unused_ = 0, too_many_ = 0, more_tracks_ = 0, long_ = 0, far_ = 0, sized_ = 0, rough_ = 0;
};

}  // namespace

void add_animations(const scene::Scene& s, const MakeSettings& settings, std::span<const Index> objects,
                    const SkinSectionBuilder& skins, Pack& pack, Diagnostics& notes) {
  PackAnimationBuilder(s, settings, objects, skins, pack).build(notes);
}

}  // namespace dio::splashpack

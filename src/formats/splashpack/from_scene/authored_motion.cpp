#include "formats/splashpack/from_scene/authored_motion.hpp"

#include <algorithm>
#include <cmath>

#include "core/sorting.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::splashpack {
namespace {

/// Track types whose values are not plain integers.
enum TrackType : u8 {
  camera_position = 0,
  camera_rotation = 1,
  object_position = 2,
  object_rotation = 3,
  element_position = 8,
  element_color = 9,
  camera_h = 10,
  object_uv_offset = 13,
  light_position = 14,
  light_color = 15,
  light_intensity = 16,
  light_radius = 17
};

constexpr f64 k_most_frames = 8191;  // of a keyframe

class MotionReader {
 public:
  MotionReader(const MakeSettings& settings, Pack& pack, Diagnostics& notes)
      : settings_(settings), pack_(pack), notes_(notes) {}

  Cutscene read_cutscene(const Value& given, const std::string& path) {
    Cutscene out;
    read_common(given, path, out, false);
    if (const Value* sounds = list_in(given, "sounds"))
      for (size_t i = 0; i < sounds->size(); ++i)
        add_sound(*sounds->at(i), text(path, ".sounds[", i, "]"), out.audio_events);
    sort_stably(out.audio_events, {}, &AudioEvent::frame);
    return out;
  }
  Animation read_animation(const Value& given, const std::string& path) {
    Animation out;
    read_common(given, path, out, true);
    return out;
  }

 private:
  static const Value* list_in(const Value& given, std::string_view name) {
    const Value* v = given.find(name);
    return v && v->is(Value::Kind::list) ? v : nullptr;
  }
  static u32 whole(const Value& given, std::string_view name, f64 most, f64 otherwise) {
    return u32(std::clamp(std::round(read_number_extra(given, name).value_or(otherwise)), 0.0, most));
  }

  void read_common(const Value& given, const std::string& path, auto& out, bool is_animation) {
    out.name = std::string(read_text_extra(given, "name").value_or("unnamed"));
    if (const Value* tracks = list_in(given, "tracks"))
      for (size_t i = 0; i < tracks->size(); ++i)
        if (auto track = read_track(*tracks->at(i), text(path, ".tracks[", i, "]"), is_animation))
          out.tracks.push_back(*std::move(track));
    u32 last = 0;
    for (const Track& track : out.tracks) last = std::max<u32>(last, track.keys.back().frame);
    out.frame_count = u16(whole(given, "frames", k_most_frames, last));
    if (const Value* clips = list_in(given, "clips"))
      for (size_t i = 0; i < clips->size(); ++i)
        add_clip(*clips->at(i), text(path, ".clips[", i, "]"), out.skin_events);
    sort_stably(out.skin_events, {}, &SkinEvent::frame);
  }

  std::optional<Track> read_track(const Value& given, const std::string& path, bool is_animation) {
    Track out;
    const auto word = read_text_extra(given, "type");
    const auto type = std::ranges::find_if(k_track_type_words, [&](const EnumName& w) { return word == w.word; });
    if (type == std::end(k_track_type_words)) {
      std::string words;
      for (const EnumName& w : k_track_type_words) words += text(words.empty() ? "" : ", ", w.word);
      note_lost(notes_, path + ".type",
                word ? text("unknown type \"", escape_control_chars(*word), "\"") : "the track has no type",
                "the track is omitted; known types are " + words);
      return {};
    }
    out.type = u8(type->value);
    if (is_animation && (out.type == camera_position || out.type == camera_rotation || out.type == camera_h)) {
      note_lost(notes_, path + ".type", "only cutscenes can move the camera", "the track is omitted");
      return {};
    }
    if (const auto target = read_text_extra(given, "target")) out.target = std::string(*target);
    if (!find_target(out)) {
      note_lost(notes_, path + ".target",
                out.target ? text("the pack has no target \"", escape_control_chars(*out.target), "\"")
                           : std::string("the track has no target"),
                "the track is omitted; a target is an object, a canvas, or an element of a canvas (canvas/element)");
      return {};
    }
    if (out.is_of_light()) {
      const auto light = find_light(given);
      if (!light) {
        note_lost(notes_, path + ".light", "no light of the pack has this name", "the track is omitted");
        return {};
      }
      out.light = *light;
    }
    const Value* keys = list_in(given, "keys");
    for (size_t i = 0; keys && i < keys->size(); ++i)
      if (const auto key = read_key(*keys->at(i), text(path, ".keys[", i, "]"), out.type)) out.keys.push_back(*key);
    sort_stably(out.keys, {}, &Keyframe::frame);
    if (!out.keys.empty()) return out;
    note_lost(notes_, path, "the track has no keyframes", "the track is omitted");
    return {};
  }

  /// Whether the target of a track (an object, a canvas or an element) exists.
  bool find_target(const Track& track) const {
    const auto list = std::ranges::find(k_track_targets, i64(track.type), &Target::is);
    if (list == std::end(k_track_targets)) return true;  // a track without a target
    if (!track.target) return false;
    if (list->list == "objects")
      return std::ranges::find(pack_.objects, *track.target, &Object::name) != pack_.objects.end();
    const size_t slash = std::min(track.target->find('/'), track.target->size());
    const auto canvas = std::ranges::find(pack_.canvases, track.target->substr(0, slash), &UiCanvas::name);
    if (canvas == pack_.canvases.end()) return false;
    constexpr u8 k_canvas_visible = 5;
    if (track.type == k_canvas_visible) return slash == track.target->size();
    return slash < track.target->size() && std::ranges::find(canvas->elements, track.target->substr(slash + 1),
                                                             &UiElement::name) != canvas->elements.end();
  }

  /// By name or number.
  std::optional<u8> find_light(const Value& given) const {
    if (!pack_.lights) return {};
    const auto& lights = pack_.lights->entries;
    if (const auto name = read_text_extra(given, "light")) {
      const auto at = std::ranges::find_if(lights, [&](const PackLight& l) { return l.name == *name; });
      return at == lights.end() ? std::nullopt : std::optional(u8(at - lights.begin()));
    }
    const auto number = read_number_extra(given, "light");
    return number && *number >= 0 && *number < f64(lights.size()) ? std::optional(u8(*number)) : std::nullopt;
  }

  std::optional<Keyframe> read_key(const Value& given, const std::string& path, u8 type) {
    std::array<f64, 3> numbers{};
    size_t count = 1;
    const Value* value = given.find("value");
    if (value && value->is(Value::Kind::list) && value->size() <= numbers.size()) {
      const auto list = parse_number_list(*value, value->size());
      if (list) std::ranges::copy(*list, numbers.begin());
      count = list ? list->size() : 0;
    } else if (const auto number = read_number_extra(given, "value")) {
      numbers[0] = *number;
    } else if (const auto flag = read_flag_extra(given, "value")) {
      numbers[0] = *flag;
    } else {
      note_lost(notes_, path + ".value", "the keyframe has no value", "the keyframe is omitted");
      return {};
    }
    if (const size_t wanted = value_count(type); count != wanted)
      note_lost(notes_, path + ".value", text("expected ", format_count(wanted, "number"), ", found ", count),
                "missing numbers are 0");
    Keyframe out{};
    out.frame = u16(whole(given, "frame", k_most_frames, 0));
    if (const auto word = read_text_extra(given, "interpolation")) {
      const auto known =
          std::ranges::find_if(k_interpolation_words, [&](const EnumName& w) { return *word == w.word; });
      if (known != std::end(k_interpolation_words))
        out.interpolation = u8(known->value);
      else
        note_lost(notes_, path + ".interpolation", text("unknown interpolation \"", escape_control_chars(*word), "\""),
                  "linear is used; known interpolations are linear, step, ease in, ease out, ease in and out");
    }
    const Point raw = to_raw(numbers, type);
    for (size_t k = 0; k < 3; ++k) {
      if (!(std::fabs(raw[k]) <= 32767)) {
        const std::string fit =
            is_length(type) ? fitting_scaling(settings_, std::fabs(raw[k]) / 32767, "this value") : std::string();
        note_lost(notes_, path + ".value", text(f32(numbers[k]), " is out of range"),
                  "the keyframe is omitted; " + (fit.empty() ? "use a smaller value" : fit));
        return {};
      }
      out.values[k] = i16(std::lround(raw[k]));
    }
    return out;
  }

  /// The number of values of a keyframe.
  static size_t value_count(u8 type) {
    switch (type) {
      case camera_position:
      case camera_rotation:
      case object_position:
      case object_rotation:
      case element_color:
      case light_position:
      case light_color:
        return 3;
      case element_position:
      case object_uv_offset:
        return 2;
      default:
        return 1;
    }
  }

  static bool is_length(u8 type) {
    return type == camera_position || type == object_position || type == light_position || type == light_radius;
  }

  /// Converts metres, degrees and fractions to pack numbers.
  Point to_raw(const std::array<f64, 3>& n, u8 type) const {
    constexpr f64 k_half_turn = 1024;
    switch (type) {
      case camera_position:
      case object_position:
      case light_position:
        return settings_.to_pack_units(Point{n[0], n[1], n[2]});
      case camera_rotation:
      case object_rotation: {
        const Point turned = settings_.convert_axes(Point{n[0], n[1], n[2]});
        return {turned[0] * k_half_turn / 180, turned[1] * k_half_turn / 180, turned[2] * k_half_turn / 180};
      }
      case light_intensity:
        return {n[0] * 4096, 0, 0};
      case light_radius:
        return {settings_.to_pack_units(n[0]), 0, 0};
      default:
        return {n[0], n[1], n[2]};
    }
  }

  void add_sound(const Value& given, const std::string& path, std::vector<AudioEvent>& events) {
    AudioEvent out{};
    out.frame = u16(whole(given, "frame", 65535, 0));
    const auto name = read_text_extra(given, "clip");
    const auto at = name ? std::ranges::find_if(pack_.audio_clips, [&](const AudioClip& c) { return c.name == *name; })
                         : pack_.audio_clips.end();
    const u32 number = name ? u32(at - pack_.audio_clips.begin()) : whole(given, "clip", 255, 255);
    if (number >= pack_.audio_clips.size())
      return note_lost(notes_, path + ".clip", "no sound has this name", "the event is omitted");
    out.clip = u8(number);
    out.volume = u8(whole(given, "volume", 128, 100));
    out.pan = u8(whole(given, "pan", 127, 64));
    events.push_back(out);
  }

  void add_clip(const Value& given, const std::string& path, std::vector<SkinEvent>& events) {
    const auto object = read_text_extra(given, "object"), clip = read_text_extra(given, "clip");
    for (size_t s = 0; object && clip && s < pack_.skins.size(); ++s) {
      const Skin& skin = pack_.skins[s];
      if (skin.object >= pack_.objects.size() || pack_.objects[skin.object].name != *object) continue;
      const auto at = std::ranges::find(skin.clips, *clip, &SkinClip::name);
      if (at == skin.clips.end()) break;
      SkinEvent out{};
      out.frame = u16(whole(given, "frame", 65535, 0));
      out.skin = u8(s), out.clip = u8(at - skin.clips.begin());
      out.loop = read_flag_extra(given, "loop").value_or(false);
      events.push_back(out);
      return;
    }
    note_lost(notes_, path, "no object with bones has this name and clip", "the event is omitted");
  }

  const MakeSettings& settings_;
  Pack& pack_;
  Diagnostics& notes_;
};

}  // namespace

bool is_authored_motion(const Value& entry) { return entry.is(Value::Kind::object) && !entry.find("frame_count"); }

void add_authored_motion(const scene::Scene& scene, const MakeSettings& settings, Pack& pack, Diagnostics& notes) {
  MotionReader reader(settings, pack, notes);
  for (const char* name : {"cutscenes", "animations"}) {
    const Value* all = scene.extras.find(name);
    for (size_t i = 0; all && all->is(Value::Kind::list) && i < all->size(); ++i) {
      if (!is_authored_motion(*all->at(i))) continue;
      const std::string path = text(name, "[", i, "]");
      if (std::string_view(name) == "cutscenes")
        pack.cutscenes.push_back(reader.read_cutscene(*all->at(i), path));
      else
        pack.animations.push_back(reader.read_animation(*all->at(i), path));
    }
  }
}

}  // namespace dio::splashpack

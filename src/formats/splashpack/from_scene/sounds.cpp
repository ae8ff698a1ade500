// sounds.cpp: the sounds of a scene, already converted or from files.
#include <algorithm>

#include "core/base64.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/media.hpp"
#include "formats/splashpack/from_scene/sound_files.hpp"
#include "formats/splashpack/layout/limits.hpp"

namespace dio::splashpack {
namespace {

constexpr u16 k_usual_rate = 22050;
constexpr u64 k_most_clips = 65535;  // the format uses 16-bit counts
constexpr u64 k_engine_clips = 32;   // source: engine, audiomanager.hh
constexpr u64 k_clip_start = 16;     // in sound memory, the position of the first sound

class SoundSectionBuilder {
 public:
  SoundSectionBuilder(const scene::Scene& s, Diagnostics& notes) : s_(s), notes_(notes) {}

  Result<BuiltSounds> build() {
    add_sound_list("audio_clips", {});
    add_sound_list("sound", false);
    add_sound_list("looping_sound", true);
    if (fault_) return refuse(*std::move(fault_));
    warn_dropped_sounds();
    return std::move(out_);
  }

 private:
  void add_sound_list(const std::string& name, std::optional<bool> loops) {
    const Value* list = s_.extras.find(name);
    if (fault_ || !list || !list->is(Value::Kind::list)) return;
    for (size_t i = 0; i < list->size() && !fault_; ++i) {
      if (out_.clips.size() == k_most_clips) {
        fault_ = make_diagnostic("splashpack.make-many", name,
                                 {.message = text("the scene has more than ", k_most_clips, " sounds")});
        return;
      }
      add_sound(*list->at(i), text(name, "[", i, "]"), loops);
    }
  }

  void add_sound(const Value& given, const std::string& place, std::optional<bool> loops) {
    AudioClip clip;
    SpuClip sound;
    const auto rate = read_number_extra(given, "rate");
    clip.rate = rate && *rate >= 1 && *rate <= 65535 ? u16(*rate) : 0;
    if (const auto name = read_text_extra(given, "name")) clip.name = std::string(*name);
    if (const auto file = read_text_extra(given, "file")) {
      // The property of a sound overrides its list, which overrides its file.
      auto loop = read_flag_extra(given, "loop");
      if (!loop && loops == true) loop = true;
      auto made = convert_sound_file(given, *file, place, {.rate = clip.rate, .loop = loop});
      if (!made) return;
      sound.samples = std::move(made->samples);
      clip.rate = made->rate;
      clip.loop = made->is_looping;
      if (!clip.name) clip.name = std::string(file->substr(0, std::min(file->rfind('.'), file->size())));
    } else {
      const auto digits = read_text_extra(given, "samples");
      auto samples = digits ? decode_base64(*digits) : std::nullopt;
      if (!samples)
        notes_.push_back(make_diagnostic(
            Severity::warning, "splashpack.make-lost", place + ".samples",
            {.message = digits ? "the samples of the sound are not valid base64" : "the sound has no samples",
             .hint = "the sound is silent"}));
      else
        sound.samples = *std::move(samples);
      if (!rate) clip.rate = k_usual_rate;
      if (const auto loop = read_number_extra(given, "loop")) clip.loop = u8(std::clamp(*loop, 0.0, 255.0));
      if (const auto loop = read_flag_extra(given, "loop")) clip.loop = *loop;
    }
    if (clip.name && clip.name->size() > 255) clip.name->resize(255);  // its length is a byte
    clip.size = u32(sound.samples.size());
    sound.rate = clip.rate, sound.loop = clip.loop;
    if (loops)  // a file that replaces a sound of the pack
      if (const auto old = std::ranges::find(out_.clips, clip.name, &AudioClip::name); old != out_.clips.end()) {
        out_.spu.clips[size_t(old - out_.clips.begin())] = std::move(sound);
        *old = std::move(clip);
        return;
      }
    out_.clips.push_back(std::move(clip));
    out_.spu.clips.push_back(std::move(sound));
  }

  /// A file read by the creator of the scene: `bytes`, in Base64.
  std::optional<ConsoleSound> convert_sound_file(const Value& given, std::string_view file, const std::string& place,
                                                 const SoundOptions& options) {
    const auto digits = read_text_extra(given, "bytes");
    const auto bytes = digits ? decode_base64(*digits) : std::nullopt;
    if (!bytes) {
      fault_ = make_diagnostic(
          "splashpack.make-sound", place + ".file",
          {.message = text("the folder of the scene has no file \"", escape_control_chars(file), "\"")});
      return {};
    }
    auto made = convert_to_console_sound(*bytes, options);
    if (made) return *std::move(made);
    fault_ = std::move(made.error());
    fault_->place.path = text(place, ".file (", escape_control_chars(file), ")");
    return {};
  }

  /// The engine loads the sounds in order and drops those that do not fit.
  void warn_dropped_sounds() {
    u64 at = k_clip_start, left_out = 0, used = 0;
    for (size_t i = 0; i < out_.clips.size(); ++i) {
      const u64 size = (u64(out_.clips[i].size) + 15) / 16 * 16;
      used += size;
      if (i >= k_engine_clips || at + size > k_spu_memory)
        left_out += size != 0;
      else
        at += size;
    }
    if (left_out)
      notes_.push_back(
          make_diagnostic(Severity::warning, "splashpack.make-sounds", "audio_clips",
                          {.message = text("the scene has ", format_count(out_.clips.size(), "sound"), " with ", used,
                                           " bytes in total; the engine loads at most ", k_engine_clips, " sounds and ",
                                           k_spu_memory - k_clip_start, " bytes"),
                           .hint = text("the engine drops ", left_out, " of them")}));
  }

  const scene::Scene& s_;
  Diagnostics& notes_;
  BuiltSounds out_;
  std::optional<Diagnostic> fault_;
};

}  // namespace

Result<BuiltSounds> build_sounds(const scene::Scene& scene, const MakeSettings& settings, Diagnostics& notes) {
  if (!settings.since(k_sections)) return BuiltSounds();
  return SoundSectionBuilder(scene, notes).build();
}

}  // namespace dio::splashpack

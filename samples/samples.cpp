#include "samples/samples.hpp"

#include "formats/contract/format.hpp"
#include "formats/families.hpp"

namespace dio {

#define DECLARE(name)                    \
  namespace name {                       \
  std::span<const SampleList> samples(); \
  }
DIORAMA_FORMATS(DECLARE)
#define DECLARE_GAME(name)            \
  namespace name {                    \
  const GameKind& game_kind();        \
  std::vector<Sample> game_samples(); \
  }
DIORAMA_GAMES(DECLARE_GAME)

static std::vector<Sample> samples_of(const Format& format, bool only_shape) {
  static const std::vector<SampleList> all = [] {
    std::vector<SampleList> lists;
#define APPEND(name) \
  for (const SampleList& s : name::samples()) lists.push_back(s);
    DIORAMA_FORMATS(APPEND)
    return lists;
  }();
  std::vector<Sample> out;
  for (const SampleList& s : all)
    if (s.format == format.id && s.only_shape == only_shape)
      for (Sample& sample : s.samples()) out.push_back(std::move(sample));
  return out;
}

std::vector<Sample> samples_of(const Format& format) { return samples_of(format, false); }
std::vector<Sample> shape_samples_of(const Format& format) { return samples_of(format, true); }

std::vector<Sample> samples_of(const GameKind& kind) {
#define RETURN(name) \
  if (&kind == &name::game_kind()) return name::game_samples();
  DIORAMA_GAMES(RETURN)
  return {};
}

}  // namespace dio

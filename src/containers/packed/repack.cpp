#include "containers/packed/repack.hpp"

#include <algorithm>

namespace dio {
namespace {

/// Bytes that have no step.
struct Run {
  u64 first, end;
};

class Repacking {
 public:
  Repacking(ByteView before, std::span<const Match> steps, ByteView after)
      : before_(before), steps_(steps), after_(after), shift_(i64(after.size()) - i64(before.size())) {
    head_ = tail_ = steps.size();
    if (shift_) align();
    find_runs();
  }

  const std::vector<Run>& runs() const { return runs_; }
  /// Calls keep(step) for each kept step and encode(run) for the bytes in between, in order.
  void for_each(auto keep, auto encode) const {
    auto run = runs_.begin();
    for_each_step([&](size_t i, u64, u64 at) {
      while (run != runs_.end() && run->end <= at) encode(*run++);
      if (run == runs_.end() || at < run->first) keep(steps_[i]);
    });
    while (run != runs_.end()) encode(*run++);
  }

 private:
  /// Calls f(number, place before, place now) for the steps before and after the inserted or removed bytes.
  void for_each_step(auto f) const {
    u64 at = 0;
    for (size_t i = 0; i < head_; at += steps_[i++].length) f(i, at, at);
    at = tail_start_;
    for (size_t i = tail_; i < steps_.size(); at += steps_[i++].length) f(i, at, u64(i64(at) + shift_));
  }

  /// Whether a step still produces the current bytes.
  bool is_right(const Match& s, u64 from, i64 at) const {
    if (at < 0 || u64(at) + s.length > after_.size()) return false;
    if (!s.distance) return before_[from] == after_[size_t(at)];
    if (at < i64(s.distance)) return false;
    const auto first = after_.begin() + at;
    return std::equal(first, first + s.length, first - s.distance);
  }

  /// Finds where bytes were inserted or removed: steps before head_ stay, steps from tail_ on move.
  void align() {
    std::vector<u32> starts(steps_.size() + 1, 0);
    for (size_t i = 0; i < steps_.size(); ++i) starts[i + 1] = starts[i] + steps_[i].length;
    // The number of bytes without a step, if all steps from each one on move.
    std::vector<u32> moved(steps_.size() + 1, 0);
    for (size_t i = steps_.size(); i-- > 0;)
      moved[i] = moved[i + 1] + (is_right(steps_[i], starts[i], i64(starts[i]) + shift_) ? 0 : steps_[i].length);
    u64 least = ~u64(0), stay = 0;
    for (size_t i = 0, j = 0; i <= steps_.size(); ++i) {
      while (j < steps_.size() && i64(starts[j]) + shift_ < i64(starts[i])) ++j;
      const i64 gap = (j < steps_.size() ? i64(starts[j]) + shift_ : i64(after_.size())) - i64(starts[i]);
      if (const u64 lost = stay + moved[j] + u64(std::max<i64>(gap, 0)); lost < least && gap >= 0) {
        least = lost;
        head_ = i;
        tail_ = j;
      }
      if (i < steps_.size() && !is_right(steps_[i], starts[i], starts[i])) stay += steps_[i].length;
    }
    tail_start_ = starts[tail_];
  }

  void find_runs() {
    u64 done = 0;
    for_each_step([&](size_t i, u64 from, u64 at) {
      if (!is_right(steps_[i], from, i64(at))) return;
      if (at > done) runs_.push_back({done, at});
      done = at + steps_[i].length;
    });
    if (done < after_.size()) runs_.push_back({done, after_.size()});
  }

  ByteView before_;
  std::span<const Match> steps_;
  ByteView after_;
  i64 shift_;
  size_t head_ = 0, tail_ = 0;
  u64 tail_start_ = 0;
  std::vector<Run> runs_;
};

}  // namespace

bool repack_steps(ByteView before, std::span<const Match> steps, ByteView after, u32 window, const EncodeRun& encode,
                  const std::function<void(std::span<const Match>)>& put) {
  const Repacking repacking(before, steps, after);
  u64 effort = 0;
  for (const Run& r : repacking.runs()) effort += r.end - r.first + window;
  if (effort > after.size() / 2 && effort > 16 * u64(window)) return false;
  repacking.for_each([&](const Match& s) { put({&s, 1}); },
                     [&](Run r) {
                       const u64 from = r.first - std::min<u64>(r.first, window);
                       put(encode(after.subspan(size_t(from), size_t(r.end - from)), u32(r.first - from)));
                     });
  return true;
}

void append_trailing_bytes(Bytes& out, ByteView packed, u64 data_end, u64 usual_alignment) {
  const ByteView rest = packed.subspan(size_t(data_end));
  const auto round_up = [](u64 size, u64 alignment) { return (size + alignment - 1) / alignment * alignment; };
  if (std::ranges::all_of(rest, [](u8 b) { return b == 0; }))
    for (const u64 alignment : {usual_alignment, u64(32), u64(16), u64(8), u64(4)})
      if (round_up(data_end, alignment) == packed.size()) {
        out.resize(size_t(round_up(out.size(), alignment)));
        return;
      }
  out.insert(out.end(), rest.begin(), rest.end());
}

}  // namespace dio

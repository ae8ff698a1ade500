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
    starts_.reserve(steps.size() + 1);
    u64 at = 0;
    for (const Match& s : steps) {
      starts_.push_back(at);
      at += s.length;
    }
    starts_.push_back(at);
    align();
  }

  /// Calls keep(step) for each step that is kept, and encode(run) for what is between them, in order.
  void for_each(auto keep, auto encode) const {
    u64 done = 0;
    const auto visit = [&](size_t i, i64 shift) {
      const u64 at = starts_[i] + u64(shift);
      if (at < done || !is_right(i, shift)) return;
      if (at > done) encode(Run{done, at});
      keep(steps_[i]);
      done = at + steps_[i].length;
    };
    for (size_t i = 0; i < head_; ++i) visit(i, 0);
    for (size_t i = tail_; i < steps_.size(); ++i) visit(i, shift_);
    if (done < after_.size()) encode(Run{done, after_.size()});
  }

 private:
  /// Whether a step that is moved by `shift` gives the bytes that are there now.
  bool is_right(size_t i, i64 shift) const {
    const Match& s = steps_[i];
    const i64 at = i64(starts_[i]) + shift;
    if (at < 0 || u64(at) + s.length > after_.size()) return false;
    if (!s.distance) return before_[starts_[i]] == after_[size_t(at)];
    if (at < i64(s.distance)) return false;
    const auto first = after_.begin() + at;
    return std::equal(first, first + s.length, first - s.distance);
  }

  /// Finds the place where bytes were inserted or removed: the steps before head_ stay, those from tail_ on move.
  void align() {
    head_ = tail_ = steps_.size();
    if (!shift_) return;
    // How many bytes would have no step among the moved steps from each one on.
    std::vector<u64> moved(steps_.size() + 1, 0);
    for (size_t i = steps_.size(); i-- > 0;) moved[i] = moved[i + 1] + (is_right(i, shift_) ? 0 : steps_[i].length);
    u64 least = ~u64(0), stay = 0;
    for (size_t i = 0, j = 0; i <= steps_.size(); ++i) {
      while (j < steps_.size() && i64(starts_[j]) + shift_ < i64(starts_[i])) ++j;
      const i64 gap = (j < steps_.size() ? i64(starts_[j]) + shift_ : i64(after_.size())) - i64(starts_[i]);
      if (const u64 lost = stay + moved[j] + u64(std::max<i64>(gap, 0)); lost < least && gap >= 0) {
        least = lost;
        head_ = i;
        tail_ = j;
      }
      if (i < steps_.size() && !is_right(i, 0)) stay += steps_[i].length;
    }
  }

  ByteView before_;
  std::span<const Match> steps_;
  ByteView after_;
  i64 shift_;
  std::vector<u64> starts_;
  size_t head_ = 0, tail_ = 0;
};

}  // namespace

std::optional<std::vector<Match>> repack_steps(ByteView before, std::span<const Match> steps, ByteView after,
                                               u32 window, const EncodeRun& encode) {
  const Repacking repacking(before, steps, after);
  u64 effort = 0;
  repacking.for_each([](const Match&) {}, [&](Run r) { effort += r.end - r.first + window; });
  if (effort > after.size() / 2 && effort > 16 * u64(window)) return {};
  std::vector<Match> out;
  out.reserve(steps.size());
  repacking.for_each([&](const Match& s) { out.push_back(s); },
                     [&](Run r) {
                       const u64 from = r.first - std::min<u64>(r.first, window);
                       const auto made = encode(after.subspan(size_t(from), size_t(r.end - from)), u32(r.first - from));
                       out.insert(out.end(), made.begin(), made.end());
                     });
  return out;
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

// flag_groups.hpp: writes steps as in LZ10, LZ11, Yaz0 and BLZ: one byte of flags, highest bit first, then eight steps.
#pragma once
#include "core/bytes.hpp"

namespace dio {

class FlagGroups {
 public:
  /// Begins a step; append its bytes next.
  void begin_step(Bytes& out, bool flag) {
    if (used_ == 8) {
      flags_ = out.size();
      out.push_back(0);
      used_ = 0;
    }
    if (flag) out[flags_] = u8(out[flags_] | 0x80 >> used_);
    ++used_;
  }

 private:
  size_t flags_ = 0;
  int used_ = 8;
};

}  // namespace dio

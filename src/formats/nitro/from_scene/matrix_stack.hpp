// matrix_stack.hpp: assigns matrices to matrix stack slots while a model is drawn.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace dio::nitro {

/// Slots 0 to 30; the hardware cannot store to the last one.
inline constexpr u8 k_usable_slots = 31;

class MatrixStack {
 public:
  /// The lowest free slot; nothing if all are in use.
  std::optional<u8> allocate_slot() {
    for (u8 i = 0; i < k_usable_slots; ++i)
      if (!used_[i]) {
        used_[i] = true;
        return i;
      }
    return {};
  }
  void free_slot(u8 slot) { used_[slot] = false; }
  size_t free_slot_count() const { return size_t(std::count(used_.begin(), used_.end(), false)); }

 private:
  std::array<bool, k_usable_slots> used_{};
};

/// Splits triangles into batches that need at most `most` different matrices each, unless one triangle alone needs
/// more. Keeps the order within a batch.
std::vector<std::vector<u32>> split_into_batches(std::span<const std::vector<u32>> needs, size_t most);

}  // namespace dio::nitro

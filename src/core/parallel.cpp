#include "core/parallel.hpp"

namespace dio {

static ParallelFor parallel_for_of_program = nullptr;

void set_parallel_for(ParallelFor f) { parallel_for_of_program = f; }

void parallel_for(size_t count, const std::function<void(size_t)>& work) {
  if (parallel_for_of_program && count > 1) return parallel_for_of_program(count, work);
  for (size_t i = 0; i < count; ++i) work(i);
}

}  // namespace dio

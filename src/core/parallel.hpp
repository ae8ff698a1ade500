// parallel.hpp: independent work on several threads, if the calling program provides them.
#pragma once
#include <cstddef>
#include <functional>

namespace dio {

/// Calls `work` with each number below `count`, in any order, on any threads, and returns when all are done.
using ParallelFor = void (*)(size_t count, const std::function<void(size_t)>& work);

/// The library starts no threads by itself: without this call, everything runs on the calling thread, in order. Call it
/// before any other function of the library.
void set_parallel_for(ParallelFor);

/// The results must not depend on the order of the calls.
void parallel_for(size_t count, const std::function<void(size_t)>& work);

}  // namespace dio

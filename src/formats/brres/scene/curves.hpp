// curves.hpp: animation curves: Hermite curves of files, and polylines of scenes.
#pragma once
#include <span>
#include <vector>

#include "formats/brres/layout/srt.hpp"

namespace dio::brres {

inline constexpr f64 k_frames_per_second = 60;

/// The value of a Hermite curve. Before the first key and after the last, the value of that key.
f64 value_at(std::span<const SrtKey> keys, f64 frame);

/// The samples that a polyline needs to be at most `tolerance` away from all samples: indices, with the first and the
/// last. Samples have `width` numbers each.
std::vector<size_t> find_polyline_keys(std::span<const f64> samples, size_t width, f64 tolerance);

/// The keys of a Hermite curve through samples at the frames 0, 1, 2 and so on. At these frames, the curve is at most
/// `tolerance` away from the samples.
std::vector<SrtKey> fit_hermite_curve(std::span<const f64> samples, f64 tolerance);

}  // namespace dio::brres

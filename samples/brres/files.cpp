// files.cpp: small files made from nothing.
#include "formats/brres/parts.hpp"
#include "samples/samples.hpp"

namespace dio::brres {

std::span<const SampleList> samples() { return {}; }

}  // namespace dio::brres

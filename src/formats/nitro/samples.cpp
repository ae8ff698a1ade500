// samples.cpp: small files made from nothing.
#include "formats/nitro/parts.hpp"

namespace dio::nitro {

std::vector<Sample> nsbmd_samples() { return {}; }
std::vector<Sample> nsbtx_samples() { return {}; }
std::vector<Sample> nsbca_samples() { return {}; }
std::vector<Sample> nsbtp_samples() { return {}; }
std::vector<Sample> nsbta_samples() { return {}; }
std::vector<Sample> nsbma_samples() { return {}; }
std::vector<Sample> nsbva_samples() { return {}; }

}  // namespace dio::nitro

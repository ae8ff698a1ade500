// models.hpp: models, textures and animations made from nothing.
#pragma once
#include "formats/nitro/parts.hpp"
#include "samples/samples.hpp"

namespace dio::nitro {

// models.cpp
Nsbmd crate();
Nsbmd windmill();
Nsbmd eel();
Nsbmd crane();
Nsbmd meadow();
Nsbmd fountain();
Nsbmd teapot();
Nsbmd banners();
Nsbmd shop_window();
Nsbmd swatches();
Nsbtx swatches_textures();
Nsbtx posters();
std::vector<Sample> nsbmd_samples();
std::vector<Sample> nsbtx_samples();

// animations.cpp: each of the model it is named after
Nsbca windmill_joints();
Nsbca eel_joints();
Nsbca crane_joints();
Nsbtp windmill_patterns();
Nsbtp swatches_patterns();
Nsbta windmill_textures();
Nsbta banners_textures();
Nsbma windmill_colors();
Nsbva windmill_visibility();
std::vector<Sample> nsbca_samples();
std::vector<Sample> nsbtp_samples();
std::vector<Sample> nsbta_samples();
std::vector<Sample> nsbma_samples();
std::vector<Sample> nsbva_samples();

}  // namespace dio::nitro

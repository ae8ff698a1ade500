// matshp.hpp: prop draw lists, read from the table or derived from the models.
#pragma once
#include <span>

#include "formats/nitro/layout/model.hpp"
#include "formats/platinum/layout/tables.hpp"

namespace dio::platinum {

/// The draws of a model in the table; none if they are outside the table or the table has no such model.
std::span<const Draw> find_model_draws(const Matshp&, size_t model);

/// Derives the draws of a model for the table: each shape with its material, sorted by material, then in SBC order.
/// Source: measured on 475 of 478 game lists.
std::vector<Draw> derive_sbc_draws(const nitro::Model&);

/// Returns the derived draws in the order of `before` if both have the same draws, to keep a chosen order. Three game
/// models draw their door last.
std::vector<Draw> prefer_existing_order(std::span<const Draw> before, std::vector<Draw> derived);

/// Builds the table from one list per model. Animated models have no list, because they would not move. Nothing if the
/// table cannot count all models or draws.
std::optional<Matshp> build_matshp(std::span<const std::vector<Draw>> lists);

}  // namespace dio::platinum

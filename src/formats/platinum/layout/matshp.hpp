// matshp.hpp: the draw lists of props, read from the table or made from the models.
#pragma once
#include <span>

#include "formats/nitro/layout/model.hpp"
#include "formats/platinum/layout/tables.hpp"

namespace dio::platinum {

/// The draws of a model in the table; none if they are not inside it, or if it has no such model.
std::span<const Draw> find_model_draws(const Matshp&, size_t model);

/// The draws of a model in the form of the table: each shape with its material, sorted by material, then in the order
/// of the SBC. Source: measured, 475 of 478 real lists.
std::vector<Draw> derive_sbc_draws(const nitro::Model&);

/// The derived draws in the order of `before`, if both have the same draws: an order that someone chose is kept. Three
/// real models draw their door last.
std::vector<Draw> prefer_existing_order(std::span<const Draw> before, std::vector<Draw> derived);

/// The table of these lists, one for each model. Animated models have none: they would not move. Nothing if there are
/// more models or draws than the table can count.
std::optional<Matshp> build_matshp(std::span<const std::vector<Draw>> lists);

}  // namespace dio::platinum

// matshp.hpp: the draw lists of props, taken from the table and made from the models.
#pragma once
#include <span>

#include "formats/nitro/layout/model.hpp"
#include "formats/platinum/layout/tables.hpp"

namespace dio::platinum {

/// The draws that the table has for a model; none if they do not lie inside it, or if the table knows no such model.
std::span<const Draw> draws_of(const Matshp&, size_t model);

/// What a model draws, as the table has it: each shape with its material, sorted by material; what has the same one
/// stays in the order of the SBC. Source: measured, 475 of 478 real lists.
std::vector<Draw> derive_draws(const nitro::Model&);

/// The new draws of a model that has had others: an order that someone chose stays if what is drawn is the same. Three
/// real models draw their door last.
std::vector<Draw> keep_order(std::span<const Draw> before, std::vector<Draw> derived);

/// The table of these lists, one for each model. Models with animations have none: a list would not move them. Nothing
/// if there are more models, or draws, than the table can count.
std::optional<Matshp> make_matshp(std::span<const std::vector<Draw>> lists);

}  // namespace dio::platinum

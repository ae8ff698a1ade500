#include "formats/platinum/layout/matshp.hpp"

#include <algorithm>

#include "core/sorting.hpp"
#include "formats/nitro/scene/sbc_run.hpp"

namespace dio::platinum {

std::span<const Draw> find_model_draws(const Matshp& f, size_t model) {
  if (model >= f.models.size()) return {};
  const auto [count, first] = f.models[model];
  if (count == 0 || u64(first) + count > f.draws.size()) return {};
  return std::span(f.draws).subspan(first, count);
}

std::vector<Draw> derive_sbc_draws(const nitro::Model& model) {
  std::vector<Draw> draws;
  for (const nitro::Draw& d : nitro::run_sbc(model).draws)
    if (d.shape != nitro::k_called && d.material != nitro::k_unset) draws.push_back({u16(d.material), d.shape});
  sort_stably(draws, [](Draw a, Draw b) { return a.material_id < b.material_id; });
  return draws;
}

std::vector<Draw> prefer_existing_order(std::span<const Draw> before, std::vector<Draw> derived) {
  if (std::is_permutation(before.begin(), before.end(), derived.begin(), derived.end()))
    return {before.begin(), before.end()};
  return derived;
}

std::optional<Matshp> build_matshp(std::span<const std::vector<Draw>> lists) {
  constexpr size_t k_most = 0xFFFF;
  Matshp f;
  for (const auto& list : lists) {
    if (f.models.size() == k_most || list.size() > k_most - f.draws.size()) return {};
    f.models.push_back({u16(list.size()), list.empty() ? k_no_draws : u16(f.draws.size())});
    f.draws.insert(f.draws.end(), list.begin(), list.end());
  }
  return f;
}

}  // namespace dio::platinum

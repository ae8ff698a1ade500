#include "formats/platinum/scene/land_instances.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "formats/contract/reporter.hpp"
#include "formats/nitro/scene/surfaces.hpp"
#include "formats/platinum/game/check/checks.hpp"

namespace dio::platinum {
namespace {

const Matrix* find_matrix(const GameTables& t, u32 number) {
  return number < t.matrices.size() && t.matrices[number] ? &*t.matrices[number] : nullptr;
}

/// Counts the textures of a land that an area lacks; nothing if either is missing.
class TextureCoverage {
 public:
  explicit TextureCoverage(const GameTables& t) : t_(t) {}
  std::optional<size_t> count_missing_textures(u32 land, u32 area) {
    if (area >= t_.areas.size() || !t_.areas[area]) return {};
    const auto [known, fresh] = known_.try_emplace({land, t_.areas[area]->texture_set});
    if (!fresh) return known->second;
    const auto file = t_.land(land);
    const auto set = t_.map_textures(t_.areas[area]->texture_set);
    if (file && set && !file->model.models.empty())
      known->second = missing_names(file->model.models[0], set->textures).size();
    return known->second;
  }

 private:
  const GameTables& t_;
  std::map<std::pair<u32, u32>, std::optional<size_t>> known_;  // by land and texture set
};

/// Gives filler cells, which belong to no map, the nearest area that has all their textures.
void assign_areas_to_filler(const GameTables& t, std::vector<LandInstance>& lands) {
  if (lands.size() > k_most_maps) return;  // every land is compared with every other
  TextureCoverage fit(t);
  for (LandInstance& p : lands) {
    if (p.header != k_everywhere || fit.count_missing_textures(p.land, p.area.value_or(~0u)) == 0) continue;
    u64 nearest = std::numeric_limits<u64>::max();
    std::set<u32> unfit;
    std::optional<u32> found;
    std::optional<u32> any;  // the nearest area, used if none has all textures
    u64 nearest_any = nearest;
    for (const LandInstance& other : lands) {
      if (other.header == k_everywhere || !other.area) continue;
      const i64 dx = i64(other.x) - p.x, dz = i64(other.z) - p.z;
      const u64 distance = u64(dx * dx + dz * dz);
      if (distance < nearest_any) nearest_any = distance, any = other.area;
      if (distance >= nearest || unfit.contains(*other.area)) continue;
      if (fit.count_missing_textures(p.land, *other.area) != 0) {
        unfit.insert(*other.area);
        continue;
      }
      nearest = distance, found = other.area;
    }
    if (!found) found = any;
    if (!found) continue;
    p.area = found;
    p.borrowed = true;
  }
}

/// Collects the lands of a matrix entered with a header that `wanted` accepts. `lends`: first gives filler an area,
/// which requires reading all surrounding lands.
MatrixInstance collect_lands(const GameTables& t, u32 number, u32 entered, bool lends, const auto& wanted) {
  MatrixInstance out;
  out.matrix = number;
  const Matrix* m = find_matrix(t, number);
  if (!m) return out;
  for (size_t cell = 0; cell < m->cells(); ++cell) {
    if (m->lands[cell] == k_no_land) continue;
    LandInstance p;
    p.land = m->lands[cell];
    p.x = u32(cell % m->width), p.z = u32(cell / m->width);
    if (cell < m->altitudes.size()) p.altitude = m->altitudes[cell];
    p.header = cell < m->headers.size() ? m->headers[cell] : entered;
    p.area = t.find_cell_area(*m, cell, entered);
    out.lands.push_back(p);
  }
  if (lends && !m->headers.empty()) assign_areas_to_filler(t, out.lands);
  std::erase_if(out.lands, [&](const LandInstance& p) { return !wanted(p); });
  return out;
}

/// The header that uses a matrix; if there are several, the first whose area lacks the fewest textures.
std::optional<u32> find_header_of_matrix(const GameTables& t, u32 matrix) {
  const Matrix* m = find_matrix(t, matrix);
  std::optional<u32> best;
  size_t fewest = 0;
  TextureCoverage fit(t);
  std::set<u32> areas;
  for (u32 h = 0; h < t.headers.size(); ++h) {
    const u32 area = t.headers[h].area;
    if (t.headers[h].matrix != matrix || !areas.insert(area).second) continue;
    size_t missing = 0;
    for (size_t cell = 0; m && m->headers.empty() && cell < m->cells(); ++cell)
      if (m->lands[cell] != k_no_land) missing += fit.count_missing_textures(m->lands[cell], area).value_or(1);
    if (best && missing >= fewest) continue;
    best = h, fewest = missing;
  }
  return best;
}

constexpr auto k_all = [](const LandInstance&) { return true; };

/// A whole matrix with the header that uses it, or with guessed areas if there is none.
MatrixInstance make_whole_matrix(const GameTables& t, u32 number) {
  const auto entered = find_header_of_matrix(t, number);
  MatrixInstance out = collect_lands(t, number, entered.value_or(k_everywhere), true, k_all);
  out.whole = true;
  if (entered) return out;
  for (LandInstance& p : out.lands)
    if (p.header == k_everywhere && !p.borrowed) p.area = guess_area(t, p.land), p.guessed = true;
  return out;
}

MatrixInstance make_single_land(const GameTables& t, u32 land) {
  MatrixInstance out;
  LandInstance p;
  p.land = land;
  TextureCoverage fit(t);
  std::optional<Use> best;
  size_t fewest = std::numeric_limits<size_t>::max();
  for (const Use& u : t.list_land_uses()) {
    if (u.land != land) continue;
    const size_t missing = fit.count_missing_textures(land, u.area).value_or(fewest - 1);
    if (missing < fewest) fewest = missing, best = u;
  }
  if (best) {
    const Matrix& m = *find_matrix(t, best->matrix);
    size_t cell = 0;
    for (size_t i = 0; i < m.cells(); ++i)
      if (m.lands[i] == land && (m.headers.empty() || (i < m.headers.size() && m.headers[i] == best->header))) {
        cell = i;
        break;
      }
    out.matrix = best->matrix;
    p.x = u32(cell % m.width), p.z = u32(cell / m.width);
    p.header = best->header;
    p.area = best->area;
  }
  if (!best || (p.header == k_everywhere && fewest)) {
    p.area = guess_area(t, land);
    p.borrowed = best.has_value();
    p.guessed = !best;
  }
  out.lands.push_back(p);
  return out;
}

u32 find_largest_matrix(const GameTables& t) {
  const auto rank_matrix = [](const Matrix& m) {
    const size_t lands = m.lands.size() - size_t(std::count(m.lands.begin(), m.lands.end(), k_no_land));
    return std::pair(!m.headers.empty(), lands);
  };
  u32 best = 0;
  std::pair<bool, size_t> most{false, 0};
  for (u32 i = 0; i < t.matrices.size(); ++i)
    if (const Matrix* m = find_matrix(t, i); m && rank_matrix(*m) > most) most = rank_matrix(*m), best = i;
  return best;
}

Diagnostic unknown_part_error(std::string_view part) {
  return make_diagnostic("game.part", part,
                         {.message = "no such part: give land/N, header/N, matrix/N, area/N or the name of a map",
                          .hint = "{maps GAME} lists the maps"});
}

}  // namespace

std::optional<u32> guess_area(const GameTables& t, u32 land) {
  TextureCoverage fit(t);
  return nitro::find_fewest_missing(u32(t.areas.size()),
                                    [&](u32 area) { return fit.count_missing_textures(land, area); });
}

Result<MatrixGroup> find_part_lands(const GameTables& t, std::string_view part) {
  MatrixGroup out;
  std::string why = "this part of the game has no lands to show";
  const std::string_view kind = part.substr(0, part.find('/'));
  u32 number = 0;
  if (part.empty()) {
    number = find_largest_matrix(t);
    out.matrices.push_back(make_whole_matrix(t, number));
  } else {
    const std::string_view digits = part.substr(std::min(part.size(), kind.size() + 1));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size()) return refuse(unknown_part_error(part));
    if (kind == "land" && number < t.files().of(FileRole::lands).count()) {
      out.centred = true;
      out.matrices.push_back(make_single_land(t, number));
    } else if (kind == "matrix" && find_matrix(t, number)) {
      out.matrices.push_back(make_whole_matrix(t, number));
    } else if (kind == "header" && number < t.headers.size()) {
      const u32 matrix = t.headers[number].matrix;
      if (const Matrix* m = find_matrix(t, matrix); m && !m->headers.empty())
        why = text("no cell of matrix ", matrix, " belongs to this map, so it has no land to show");
      out.matrices.push_back(collect_lands(t, matrix, number, number == k_everywhere,
                                           [&](const LandInstance& p) { return p.header == number; }));
      out.name = t.header_name(number);
    } else if (kind == "area" && number < t.areas.size() && t.areas[number]) {
      std::set<u32> done;
      for (u32 h = 0; h < t.headers.size(); ++h)
        if (t.headers[h].area == number && done.insert(t.headers[h].matrix).second)
          out.matrices.push_back(
              collect_lands(t, t.headers[h].matrix, h, true, [&](const LandInstance& p) { return p.area == number; }));
    } else {
      return refuse(unknown_part_error(part));
    }
  }
  if (out.name.empty())
    out.name = part.empty() ? "matrix " + std::to_string(number) : std::string(kind) + " " + std::to_string(number);
  std::erase_if(out.matrices, [](const MatrixInstance& m) { return m.lands.empty(); });
  if (out.matrices.empty()) {
    std::string missing;
    for (const std::string& path : t.files().missing()) missing += (missing.empty() ? "missing: " : ", ") + path;
    return refuse("scene.none", part, {.message = std::move(why), .hint = std::move(missing)});
  }
  size_t room = k_most_maps;
  for (MatrixInstance& m : out.matrices) {
    const size_t kept = std::min(room, m.lands.size());
    out.left_out += m.lands.size() - kept;
    m.lands.resize(kept);
    room -= kept;
    std::set<u32> headers;
    for (const LandInstance& p : m.lands) headers.insert(p.header);
    m.headers.assign(headers.begin(), headers.end());
  }
  std::erase_if(out.matrices, [](const MatrixInstance& m) { return m.lands.empty(); });
  return out;
}

}  // namespace dio::platinum

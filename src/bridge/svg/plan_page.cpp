#include "bridge/svg/plan_page.hpp"

#include <algorithm>
#include <cmath>

#include "bridge/raster/pictures.hpp"
#include "bridge/svg/clip_far.hpp"
#include "bridge/svg/label_placement.hpp"
#include "bridge/svg/markup.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"

namespace dio::svg {

using namespace scene;

namespace {

constexpr f64 k_margin = 20, k_header = 58, k_legend_width = 268, k_ticks = 52;  // pixels
constexpr f64 k_row = 17, k_tight_row = 14.5, k_least_row = 9;                   // of the legend
constexpr f64 k_legend_head = 58, k_legend_foot = 36;                            // above and below the rows
constexpr u32 k_least_width = 1600, k_most_width = 2600;
constexpr f64 k_names_on_least = 400;  // that the smallest width has room for
constexpr u32 k_least_height = 640, k_most_height = 2400;
constexpr f64 k_room = 26;            // pixels around the important points, for names
constexpr f64 k_least_extent = 1000;  // units: the minimum extent of a plan

f64 distance(const PlanPoint& a, const PlanPoint& b) { return std::sqrt(square(a[0] - b[0]) + square(a[1] - b[1])); }

// ---- the content of the page ----

/// The range of the main group of points: a point far away, such as a damaged one or one in the sky, would make
/// everything else small. Far is more than ten times the length of the middle half away from it.
void compute_range_without_outliers(std::vector<f64> values, f64& low, f64& high) {
  sort_stably(values);
  const size_t n = values.size();
  const f64 first = values[n / 4], third = values[n - 1 - n / 4], reach = 10 * std::max(third - first, k_least_extent);
  low = *std::lower_bound(values.begin(), values.end(), first - reach);
  high = *std::prev(std::upper_bound(values.begin(), values.end(), third + reach));
}

Box bounds_without_outliers(const std::vector<PlanPoint>& points) {
  std::vector<f64> x, y;
  for (const PlanPoint& p : points) x.push_back(p[0]), y.push_back(p[1]);
  Box out;
  compute_range_without_outliers(std::move(x), out.left, out.right);
  compute_range_without_outliers(std::move(y), out.top, out.bottom);
  return out;
}

/// In units of the map.
Box compute_plan_extent(const Plan& plan) {
  const bool has_core = !plan.matters.empty();
  const auto& core = has_core ? plan.matters : plan.more;
  Box out{-5000, -5000, 5000, 5000};
  if (!core.empty()) out = bounds_without_outliers(core);
  if (has_core) {
    const f64 reach = 0.15 * std::max({out.right - out.left, out.bottom - out.top, k_least_extent});
    const Box near{out.left - reach, out.top - reach, out.right + reach, out.bottom + reach};
    for (const PlanPoint& p : plan.more)
      if (near.contains(p)) {
        out.left = std::min(out.left, p[0]), out.right = std::max(out.right, p[0]);
        out.top = std::min(out.top, p[1]), out.bottom = std::max(out.bottom, p[1]);
      }
  }
  const auto widen_to_minimum = [](f64& low, f64& high) {
    const f64 lacks = k_least_extent - (high - low);
    if (lacks > 0) low -= lacks / 2, high += lacks / 2;
  };
  widen_to_minimum(out.left, out.right);
  widen_to_minimum(out.top, out.bottom);
  return out;
}

/// 1, 2 or 5 with zeros, at least the given number.
f64 round_up_to_grid_step(f64 least) {
  f64 step = 1;
  while (step * 10 < least) step *= 10;
  for (const f64 factor : {1.0, 2.0, 5.0})
    if (step * factor >= least) return step * factor;
  return step * 10;
}

std::string format_grouped(f64 whole) {
  std::string digits = std::to_string(std::llround(std::fabs(whole)));
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return (whole < 0 ? "\xe2\x88\x92" : "") + digits;
}

// ---- the page ----

struct Colors {
  bool is_dark;
  Rgba text, faint, grid, frame;
};
Colors choose_page_colors(const Rgba& ground) {
  const u32 light = ground[3] < 128 ? 255 : (299u * ground[0] + 587u * ground[1] + 114u * ground[2]) / 1000;
  if (light < 110) return {true, {232, 236, 242, 255}, {160, 168, 180, 255}, {255, 255, 255, 26}, {150, 156, 168, 255}};
  return {false, {28, 34, 44, 255}, {108, 116, 130, 255}, {40, 60, 100, 24}, {150, 156, 168, 255}};
}

class Writer {
 public:
  Writer(const Plan& plan, const PageOptions& options)
      : plan_(plan), options_(options), colors_(choose_page_colors(options.ground)) {
    page_.width = options.width ? options.width : choose_page_width();
    // A page too small for a legend shows only the map.
    has_legend_ = page_.width >= 720 && (!options.height || options.height >= 420);
    has_header_ = page_.width >= 300 && (!options.height || options.height >= 200);
    const bool has_ticks = has_header_;
    map_.left = has_ticks ? k_ticks : 0;
    map_.top = has_header_ ? k_header + 14 : 0;
    map_.right = std::max(map_.left + 1, page_.width - (has_legend_   ? k_legend_width + k_margin
                                                        : has_header_ ? 10
                                                                      : 0));
    const Box extent = compute_plan_extent(plan);
    const f64 across = map_.right - map_.left - 2 * k_room, wide = extent.right - extent.left,
              high = extent.bottom - extent.top;
    f64 down = across * high / wide + 2 * k_room;
    const f64 foot = has_header_ ? k_margin : 0;
    if (options.height)
      page_.height = options.height;
    else
      page_.height = u32(std::clamp(std::ceil(down + map_.top + foot), std::max(f64(k_least_height), legend_height()),
                                    std::max(f64(k_most_height), legend_height())));
    map_.bottom = std::max(map_.top + 1, page_.height - foot);
    down = map_.bottom - map_.top;
    const f64 room = std::min({k_room, across / 4, down / 8});
    scale_ = std::max(1e-9, std::min((map_.right - map_.left - 2 * room) / wide, (down - 2 * room) / high));
    page_.pixels_per_unit = scale_;
    page_.origin = {(map_.left + map_.right) / 2 - scale_ * (extent.left + extent.right) / 2,
                    (map_.top + map_.bottom) / 2 - scale_ * (extent.top + extent.bottom) / 2};
  }

  Page write() &&;

 private:
  const Plan& plan_;
  const PageOptions& options_;
  const Colors colors_;
  Page page_;
  Box map_;
  f64 scale_ = 1;
  bool has_legend_ = true, has_header_ = true;
  Markup svg_;
  std::vector<size_t> outside_;  // of each layer

  PlanPoint to_page_coordinates(const PlanPoint& p) const {
    return {page_.origin[0] + scale_ * p[0], page_.origin[1] + scale_ * p[1]};
  }
  bool is_shown(const PlanLayer& layer) const {
    return options_.shown.empty() ||
           std::find(options_.shown.begin(), options_.shown.end(), layer.id) != options_.shown.end();
  }
  size_t count_legend_rows() const {
    size_t rows = 0;
    for (const PlanLayer& l : plan_.layers) rows += 1 + l.legend.size();
    return rows;
  }
  /// The height of all rows, in rows: sections have space above.
  f64 legend_length() const { return f64(count_legend_rows()) + 0.35 * f64(plan_.layers.size()); }
  f64 legend_height() const {
    return has_legend_ ? map_.top + k_legend_head + k_tight_row * legend_length() + k_legend_foot + k_margin : 0;
  }

  /// With many names, a page is larger, so that they find room.
  u32 choose_page_width() const {
    size_t names = 0;
    for (const PlanLayer& l : plan_.layers)
      for (const PlanItem& i : l.items) names += count_names(i);
    return u32(
        std::clamp(k_least_width * std::sqrt(f64(names) / k_names_on_least), f64(k_least_width), f64(k_most_width)));
  }
  static size_t count_names(const PlanItem& item) {
    size_t names = item.names.size();
    for (const PlanItem& i : item.items) names += count_names(i);
    return names;
  }

  /// Inks are made for white: on a dark background they are lighter.
  std::optional<Rgba> lighten_for_dark_ground(std::optional<Rgba> c) const {
    if (c && colors_.is_dark)
      for (size_t i = 0; i < 3; ++i) (*c)[i] = u8((*c)[i] + (255 - (*c)[i]) * 2 / 5);
    return c;
  }
  std::string build_css() const;
  void draw_ground_and_grid();
  void mark_covered_cells(const PlanItem&, Covered&, size_t layer);
  void collect_names(const PlanItem&, size_t layer, bool shown, std::vector<WantedName>&) const;
  void draw_element(const PlanItem&);
  void draw_element(const PlanShape&);
  void draw_element(const PlanMarker&);
  void draw_legend_sample(const LegendRow&, f64 x, f64 y);
  void draw_legend();
  void draw_scale_bar(f64 x, f64 y, f64 most);
  std::string make_path_data(const std::vector<PlanPoint>& run, bool is_closed) const;
  std::string make_arrow_heads(const std::vector<std::vector<PlanPoint>>& runs) const;
  const std::string& ink(Index i) const { return plan_.inks[i].name; }
};

std::string Writer::build_css() const {
  const std::string halo = options_.ground[3] ? color(options_.ground) : "#ffffff";
  std::string css =
      "\ntext{font-family:'DejaVu Sans','Bitstream Vera Sans',Verdana,Arial,sans-serif;fill:" + color(colors_.text) +
      "}\n.title{font-size:21px;font-weight:bold}.about{font-size:12px;fill:" + color(colors_.faint) +
      "}\n.section{font-size:12px;font-weight:bold}.row{font-size:11px}.empty{opacity:.45}"
      ".tick{font-size:9px;fill:" +
      color(colors_.faint) + "}\n.grid{fill:none;stroke:" + color(colors_.grid) +
      ";stroke-opacity:" + opacity(colors_.grid) + "}.frame{fill:none;stroke:" + color(colors_.frame) +
      "}.solid{fill:" + color(colors_.text) + ";stroke:none}\n.names text{paint-order:stroke;stroke:" + halo +
      ";stroke-width:2.6px;stroke-linejoin:round;stroke-opacity:.85;stroke-dasharray:none}.names "
      ".bold{font-weight:bold}\n"
      "path,line,circle,rect{stroke-linejoin:round;stroke-linecap:butt}\n";
  for (const PlanStyle& i : plan_.inks) {
    const auto fill = lighten_for_dark_ground(i.fill), stroke = lighten_for_dark_ground(i.stroke);
    css += "." + i.name + "{fill:" + (fill ? color(*fill) : "none");
    if (fill && (*fill)[3] != 255) css += ";fill-opacity:" + opacity(*fill);
    if (stroke) {
      css += ";stroke:" + color(*stroke) + ";stroke-width:" + format_number(f64(i.width));
      if ((*stroke)[3] != 255) css += ";stroke-opacity:" + opacity(*stroke);
      if (i.dash > 0) css += ";stroke-dasharray:" + format_number(f64(i.dash));
      // Heads of arrows, and texts.
      css += "}." + i.name + "-head{stroke:none;fill:" + color(*stroke) + "}text." + i.name + "{fill:" + color(*stroke);
    }
    css += "}\n";
  }
  return css;
}

std::string Writer::make_path_data(const std::vector<PlanPoint>& run, bool is_closed) const {
  std::vector<PlanPoint> on;
  for (const PlanPoint& p : run) on.push_back(to_page_coordinates(p));
  std::string d;
  for (const auto& piece : is_closed ? clip_polygon(std::move(on)) : clip_polyline(std::move(on))) {
    PlanPoint last{};
    for (size_t i = 0; i < piece.size(); ++i) {
      const PlanPoint& p = piece[i];
      // Detail finer than a pixel is left out, but never an end point.
      if (i && i + 1 < piece.size() && distance(p, last) < 0.4) continue;
      d += (i ? "L" : "M") + pair(p[0], p[1]);
      last = p;
    }
    if (is_closed && !piece.empty()) d += 'Z';
  }
  return d;
}

std::string arrow_head_path(const PlanPoint& tip, const PlanPoint& ahead, f64 length, f64 half_width) {
  const PlanPoint back{tip[0] - ahead[0] * length, tip[1] - ahead[1] * length};
  return "M" + pair(tip[0], tip[1]) + "L" + pair(back[0] - ahead[1] * half_width, back[1] + ahead[0] * half_width) +
         "L" + pair(back[0] + ahead[1] * half_width, back[1] - ahead[0] * half_width) + "Z";
}

std::string Writer::make_arrow_heads(const std::vector<std::vector<PlanPoint>>& runs) const {
  constexpr f64 k_between = 30, k_length = 6.5, k_half_width = 3.4;
  std::string d;
  for (const auto& run : runs) {
    f64 since = k_between / 2;
    for (size_t i = 1; i < run.size(); ++i) {
      const PlanPoint a = to_page_coordinates(run[i - 1]), b = to_page_coordinates(run[i]);
      const f64 length = distance(a, b);
      since += length;
      if (since < k_between || length < 3) continue;
      const PlanPoint ahead{(b[0] - a[0]) / length, (b[1] - a[1]) / length};
      const PlanPoint tip{(a[0] + b[0]) / 2 + ahead[0] * k_length / 2, (a[1] + b[1]) / 2 + ahead[1] * k_length / 2};
      if (!map_.contains(tip)) continue;
      d += arrow_head_path(tip, ahead, k_length, k_half_width);
      since = 0;
    }
  }
  return d;
}

void Writer::draw_element(const PlanShape& s) {
  std::string d;
  for (const auto& run : s.runs) d += make_path_data(run, s.is_closed);
  if (d.empty()) return;
  svg_.add("path", {{"class", ink(s.ink)}, {"d", d}});
  if (!s.has_arrows) return;
  const std::string heads = make_arrow_heads(s.runs);
  if (!heads.empty()) svg_.add("path", {{"class", ink(s.ink) + "-head"}, {"d", heads}});
}

/// A symbol of that shape around a point of the page.
void mark_sign_cells(Markup& svg, const std::string& name, PlanMarker::Form form, const PlanPoint& at, f64 r,
                     const std::optional<PlanPoint>& heading) {
  const auto [x, y] = at;
  const PlanPoint h = heading.value_or(PlanPoint{0, -1});
  const auto around = [&](f64 ahead, f64 right) {
    return pair(x + h[0] * ahead - h[1] * right, y + h[1] * ahead + h[0] * right);
  };
  switch (form) {
    case PlanMarker::Form::disc:
      svg.add("circle", {{"class", name}, {"cx", format_number(x)}, {"cy", format_number(y)}, {"r", format_number(r)}});
      break;
    case PlanMarker::Form::square:
      svg.add("path",
              {{"class", name},
               {"d", "M" + around(r, r) + "L" + around(-r, r) + "L" + around(-r, -r) + "L" + around(r, -r) + "Z"}});
      break;
    case PlanMarker::Form::diamond:
      svg.add("path",
              {{"class", name},
               {"d", "M" + pair(x, y - r) + "L" + pair(x + r, y) + "L" + pair(x, y + r) + "L" + pair(x - r, y) + "Z"}});
      break;
    case PlanMarker::Form::camera:  // a body, and a lens that opens to the front
      svg.add("path",
              {{"class", name},
               {"d", "M" + around(-r, -r * 0.7) + "L" + around(r * 0.5, -r * 0.7) + "L" + around(r * 0.5, -r * 0.2) +
                         "L" + around(r * 1.3, -r * 0.75) + "L" + around(r * 1.3, r * 0.75) + "L" +
                         around(r * 0.5, r * 0.2) + "L" + around(r * 0.5, r * 0.7) + "L" + around(-r, r * 0.7) + "Z"}});
      break;
    case PlanMarker::Form::arrow:
      svg.add("path", {{"class", name},
                       {"d", "M" + around(r * 1.3, 0) + "L" + around(-r, r * 0.85) + "L" + around(-r * 0.4, 0) + "L" +
                                 around(-r, -r * 0.85) + "Z"}});
      break;
  }
}

void Writer::draw_element(const PlanMarker& s) {
  const PlanPoint at = to_page_coordinates(s.at);
  const std::string& name = ink(s.ink);
  const f64 r = f64(s.radius);
  if (!map_.contains(at)) {
    // At the edge, in the direction from the middle of the map.
    if (r < 3) return;  // points of paths: the path shows enough
    constexpr f64 k_inset = 7;
    const PlanPoint middle{(map_.left + map_.right) / 2, (map_.top + map_.bottom) / 2};
    const f64 t = std::min((map_.right - map_.left - 2 * k_inset) / 2 / std::max(1.0, std::fabs(at[0] - middle[0])),
                           (map_.bottom - map_.top - 2 * k_inset) / 2 / std::max(1.0, std::fabs(at[1] - middle[1])));
    const f64 length = distance(at, middle);
    const PlanPoint ahead{(at[0] - middle[0]) / length, (at[1] - middle[1]) / length};
    const PlanPoint edge{middle[0] + (at[0] - middle[0]) * t, middle[1] + (at[1] - middle[1]) * t};
    svg_.add("path", {{"class", name + "-head outside"},
                      {"d", arrow_head_path({edge[0] + ahead[0] * 5, edge[1] + ahead[1] * 5}, ahead, 9, 4)}});
    return;
  }
  if (s.heading && s.pointer > 0) {
    const PlanPoint h = *s.heading, tip{at[0] + h[0] * f64(s.pointer), at[1] + h[1] * f64(s.pointer)};
    const f64 length = std::min(5.0, f64(s.pointer) * 0.45);
    svg_.add("path", {{"class", name},
                      {"d", "M" + pair(at[0], at[1]) + "L" + pair(tip[0] - h[0] * length, tip[1] - h[1] * length)}});
    svg_.add("path", {{"class", name + "-head"}, {"d", arrow_head_path(tip, h, length, length * 0.55)}});
  }
  mark_sign_cells(svg_, name, s.form, at, r, s.heading);
}

void Writer::draw_element(const PlanItem& item) {
  svg_.open("g", {{"id", item.id}});
  if (!item.title.empty()) svg_.add("title", {}, item.title);
  for (const PlanShape& s : item.shapes) draw_element(s);
  for (const PlanMarker& s : item.signs) draw_element(s);
  for (const PlanItem& i : item.items) draw_element(i);
  svg_.close();
}

void Writer::mark_covered_cells(const PlanItem& item, Covered& covered, size_t layer) {
  for (const PlanShape& s : item.shapes) {
    if (!plan_.inks[s.ink].stroke) continue;
    for (const auto& run : s.runs)
      for (size_t i = 0; i < run.size(); ++i) {
        if (!i && !s.is_closed) continue;
        covered.mark_line_cells(to_page_coordinates(run[i ? i - 1 : run.size() - 1]), to_page_coordinates(run[i]));
      }
  }
  for (const PlanMarker& s : item.signs) {
    const PlanPoint at = to_page_coordinates(s.at);
    if (!map_.contains(at)) {
      if (s.radius >= 3) ++outside_[layer];
      continue;
    }
    const f64 r = f64(s.radius);
    covered.mark_sign_cells({at[0] - r, at[1] - r, at[0] + r, at[1] + r});
    if (!s.heading || !(s.pointer > 0)) continue;
    for (const f64 way : {0.6 * f64(s.pointer), f64(s.pointer)}) {
      const f64 x = at[0] + (*s.heading)[0] * way, y = at[1] + (*s.heading)[1] * way;
      covered.mark_sign_cells({x - 1, y - 1, x + 1, y + 1});
    }
  }
  for (const PlanItem& i : item.items) mark_covered_cells(i, covered, layer);
}

void Writer::collect_names(const PlanItem& item, size_t layer, bool shown, std::vector<WantedName>& names) const {
  for (const PlanName& n : item.names) names.push_back({layer, &n, shown});
  for (const PlanItem& i : item.items) collect_names(i, layer, shown, names);
}

void Writer::draw_ground_and_grid() {
  if (options_.ground[3])
    svg_.add("rect", {{"id", "ground"},
                      {"width", std::to_string(page_.width)},
                      {"height", std::to_string(page_.height)},
                      {"fill", color(options_.ground)},
                      {"fill-opacity", options_.ground[3] == 255 ? "" : opacity(options_.ground)}});
  svg_.open("g", {{"id", "grid"}});
  const f64 step = round_up_to_grid_step(90 / scale_);
  std::string lines;
  const auto for_each_grid_line = [&](f64 low, f64 high, f64 origin, auto f) {
    const f64 first = std::ceil((low - origin) / scale_ / step);
    for (f64 i = first; origin + i * step * scale_ <= high; ++i) f(origin + i * step * scale_, i * step);
  };
  for_each_grid_line(map_.left, map_.right, page_.origin[0],
                     [&](f64 x, f64) { lines += "M" + pair(x, map_.top) + "L" + pair(x, map_.bottom); });
  for_each_grid_line(map_.top, map_.bottom, page_.origin[1],
                     [&](f64 y, f64) { lines += "M" + pair(map_.left, y) + "L" + pair(map_.right, y); });
  if (!lines.empty()) svg_.add("path", {{"class", "grid"}, {"d", lines}});
  if (has_header_) {
    const auto draw_tick_label = [&](f64 x, f64 y, const char* anchor, const std::string& text) {
      svg_.add("text", {{"class", "tick"}, {"x", format_number(x)}, {"y", format_number(y)}, {"text-anchor", anchor}},
               text);
    };
    for_each_grid_line(map_.left + 14, map_.right - 20, page_.origin[0], [&](f64 x, f64 at) {
      draw_tick_label(x, map_.top - 4, "middle", (at == 0 ? "x " : "") + format_grouped(at));
    });
    for_each_grid_line(map_.top + 6, map_.bottom - 4, page_.origin[1], [&](f64 y, f64 at) {
      draw_tick_label(map_.left - 4, y + 3, "end", (at == 0 ? "z " : "") + format_grouped(at));
    });
  }
  svg_.close();
}

void Writer::draw_scale_bar(f64 x, f64 y, f64 most) {
  f64 units = round_up_to_grid_step(most / scale_ / 2.5);
  if (units * scale_ > most) units /= 2;
  const f64 length = units * scale_;
  svg_.open("g", {{"id", "scale"}});
  svg_.add("path",
           {{"class", "solid"},
            {"d", "M" + pair(x, y) + "h" + format_number(length / 2) + "v4h" + format_number(-length / 2) + "Z"}});
  svg_.add("path", {{"fill", "none"},
                    {"stroke", color(colors_.text)},
                    {"d", "M" + pair(x, y) + "h" + format_number(length) + "v4h" + format_number(-length) + "Z"}});
  const f64 metres = units * plan_.metres_per_unit;
  svg_.add("text", {{"class", "row"}, {"x", format_number(x)}, {"y", format_number(y - 5)}},
           format_grouped(units) + " " + plan_.unit + " (" +
               (metres >= 10 ? format_grouped(metres) : format_number(metres)) + " m)");
  svg_.close();
}

void Writer::draw_legend_sample(const LegendRow& row, f64 x, f64 y) {
  const auto& i = plan_.inks;
  const std::string& name = row.ink < i.size() ? i[row.ink].name : i.front().name;
  using enum LegendRow::Sample;
  switch (row.sample) {
    case line:
      svg_.add("path", {{"class", name}, {"d", "M" + pair(x - 9, y) + "h18"}});
      break;
    case field:
      svg_.add("path", {{"class", name}, {"d", "M" + pair(x - 9, y - 4.5) + "h18v9h-18Z"}});
      break;
    case disc:
      mark_sign_cells(svg_, name, PlanMarker::Form::disc, {x, y}, 3.6, {});
      break;
    case square:
      mark_sign_cells(svg_, name, PlanMarker::Form::square, {x, y}, 4, {});
      break;
    case diamond:
      mark_sign_cells(svg_, name, PlanMarker::Form::diamond, {x, y}, 4.5, {});
      break;
    case camera:
      mark_sign_cells(svg_, name, PlanMarker::Form::camera, {x, y}, 5, PlanPoint{1, 0});
      break;
    case arrow:
      mark_sign_cells(svg_, name, PlanMarker::Form::arrow, {x, y}, 5.5, PlanPoint{1, 0});
      break;
    case none:
      break;
  }
}

void Writer::draw_legend() {
  const f64 left = page_.width - k_legend_width, right = page_.width - k_margin, top = map_.top;
  svg_.open("g", {{"id", "legend"}});
  // North, at the top; then the scale.
  const f64 x = right - 14, y = top + 22;
  svg_.open("g", {{"id", "north"}});
  svg_.add("title", {}, "north is -Z");
  svg_.add("path",
           {{"class", "solid"},
            {"d", "M" + pair(x, y - 20) + "L" + pair(x + 6, y) + "L" + pair(x, y - 4) + "L" + pair(x - 6, y) + "Z"}});
  svg_.add("text",
           {{"class", "section"}, {"x", format_number(x)}, {"y", format_number(y + 12)}, {"text-anchor", "middle"}},
           "N");
  svg_.close();
  draw_scale_bar(left, top + 20, k_legend_width - k_margin - 60);
  f64 at = top + k_legend_head;
  const f64 row = std::clamp((map_.bottom - at - k_legend_foot) / std::max(1.0, legend_length()), k_least_row, k_row);
  for (const Index i : plan_.legend) {
    const PlanLayer& l = plan_.layers[i];
    if (at > map_.bottom) break;
    const bool hidden = !is_shown(l), empty = l.items.empty();
    svg_.open("g", {{"class", hidden || empty ? "empty" : ""}});
    svg_.add("text", {{"class", "section"}, {"x", format_number(left)}, {"y", format_number(at)}}, l.id);
    svg_.add("text", {{"class", "row"}, {"x", format_number(left + 44)}, {"y", format_number(at)}},
             l.name + (hidden ? " (hidden)" : ""));
    svg_.add("text",
             {{"class", "section"}, {"x", format_number(right)}, {"y", format_number(at)}, {"text-anchor", "end"}},
             l.count);
    at += row;
    for (const LegendRow& r : l.legend) {
      if (at > map_.bottom) break;
      draw_legend_sample(r, left + 20, at - 4);
      svg_.add("text", {{"class", "row"}, {"x", format_number(left + 44)}, {"y", format_number(at)}}, r.text);
      if (!r.count.empty())
        svg_.add("text",
                 {{"class", "row"}, {"x", format_number(right)}, {"y", format_number(at)}, {"text-anchor", "end"}},
                 r.count);
      at += row;
    }
    svg_.close();
    at += row * 0.35;
  }
  const auto draw_legend_note = [&](const std::string& text) {
    if (at <= map_.bottom)
      svg_.add("text", {{"class", "about"}, {"x", format_number(left)}, {"y", format_number(at)}}, text);
    at += row;
  };
  if (page_.outside) draw_legend_note("\xe2\x96\xb8 outside the plan: " + std::to_string(page_.outside));
  if (page_.unnamed) draw_legend_note("names without room: " + std::to_string(page_.unnamed) + " (see tooltips)");
  svg_.close();
}

Page Writer::write() && {
  const std::string width = std::to_string(page_.width), height = std::to_string(page_.height);
  Covered covered(map_);
  outside_.resize(plan_.layers.size());
  std::vector<WantedName> wanted;
  for (size_t l = 0; l < plan_.layers.size(); ++l) {
    const bool shown = is_shown(plan_.layers[l]);
    for (const PlanItem& i : plan_.layers[l].items) {
      if (shown) mark_covered_cells(i, covered, l);
      collect_names(i, l, shown, wanted);
    }
    page_.outside += outside_[l];
  }
  const PlacedNames names =
      placed(std::move(wanted), [this](const PlanPoint& p) { return to_page_coordinates(p); }, map_, covered);
  page_.unnamed = names.without_room;

  svg_.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                    {"xmlns:inkscape", "http://www.inkscape.org/namespaces/inkscape"},
                    {"width", width},
                    {"height", height},
                    {"viewBox", "0 0 " + width + " " + height}});
  svg_.add("title", {}, options_.title);
  svg_.add("desc", {}, "Plan of a " + options_.kind + ": " + plan_.about);
  svg_.add("style", {}, build_css());
  svg_.open("clipPath", {{"id", "map-edge"}});
  const std::string map_x = format_number(map_.left), map_y = format_number(map_.top),
                    map_width = format_number(map_.right - map_.left),
                    map_height = format_number(map_.bottom - map_.top);
  svg_.add("rect", {{"x", map_x}, {"y", map_y}, {"width", map_width}, {"height", map_height}});
  svg_.close();
  draw_ground_and_grid();

  svg_.open(
      "g",
      {{"id", "map"}, {"inkscape:groupmode", "layer"}, {"inkscape:label", "map"}, {"clip-path", "url(#map-edge)"}});
  for (size_t l = 0; l < plan_.layers.size(); ++l) {
    const PlanLayer& layer = plan_.layers[l];
    svg_.open("g", {{"id", layer.id},
                    {"inkscape:groupmode", "layer"},
                    {"inkscape:label", layer.id + " " + layer.name},
                    {"style", is_shown(layer) ? "" : "display:none"}});
    for (const PlanItem& i : layer.items) draw_element(i);
    bool has_names = false;
    for (const PlacedName& n : names.names) {
      if (n.layer != l) continue;
      if (!has_names) svg_.open("g", {{"id", layer.id + "-names"}, {"class", "names"}});
      has_names = true;
      svg_.add("text",
               {{"class", ink(n.name->ink) + (n.name->is_bold ? " bold" : "")},
                {"x", format_number(n.x)},
                {"y", format_number(n.y)},
                {"font-size", format_number(f64(n.name->size))},
                {"text-anchor", n.anchor == std::string_view("start") ? "" : n.anchor}},
               n.text);
    }
    if (has_names) svg_.close();
    svg_.close();
  }
  svg_.close();
  svg_.add("rect", {{"class", "frame"}, {"x", map_x}, {"y", map_y}, {"width", map_width}, {"height", map_height}});
  if (has_header_) {
    svg_.add("text", {{"class", "title"}, {"x", format_number(map_.left)}, {"y", "30"}}, options_.title);
    svg_.add("text", {{"class", "about"}, {"x", format_number(map_.left)}, {"y", "49"}},
             options_.kind + ": " + plan_.about);
  }
  if (has_legend_)
    draw_legend();
  else if (has_header_)
    draw_scale_bar(map_.left + 10, map_.bottom - 14, (map_.right - map_.left) / 3);
  page_.text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + std::move(svg_).finish();
  return std::move(page_);
}

}  // namespace

std::optional<std::string> set_option(PageOptions& options, std::span<const PlanLayerName> layers,
                                      std::string_view name, std::string_view value) {
  if (name == "size") {
    raster::RenderOptions shot;
    if (auto problem = raster::set_option(shot, name, value)) return problem;
    options.width = shot.options.width, options.height = shot.options.height;
    return {};
  }
  if (name == "background") {
    raster::RenderOptions shot;
    if (auto problem = raster::set_option(shot, name, value)) return problem;
    options.ground = *shot.background;
    return {};
  }
  if (name != "show") return "is unknown; options are size, show, background";
  options.shown.clear();
  std::string all;
  for (const PlanLayerName& l : layers) all += (all.empty() ? "" : ", ") + lower_case(l.id);
  while (true) {
    const size_t comma = value.find(',');
    const std::string wanted = upper_case(value.substr(0, comma));
    const auto layer = std::find_if(layers.begin(), layers.end(), [&](const PlanLayerName& l) {
      return !wanted.empty() && (wanted == l.id || wanted == l.also);
    });
    if (layer == layers.end())
      return "names an unknown layer, \"" + std::string(value.substr(0, comma)) + "\"; layers are " + all;
    options.shown.emplace_back(layer->id);
    if (comma == value.npos) return {};
    value.remove_prefix(comma + 1);
  }
}

Page page_of(const Plan& plan, const PageOptions& options) { return Writer(plan, options).write(); }

}  // namespace dio::svg

#include "bridge/report/budget.hpp"

#include <algorithm>

#include "bridge/svg/markup.hpp"

namespace dio::report {
namespace {

constexpr u64 k_page_width = 1064, k_margin = 20, k_line = 30, k_names = 210, k_bar = 480;

u64 integer_member(const Value& v, std::string_view name) {
  const Value* n = v.find(name);
  return n && n->is(Value::Kind::integer) && !n->negative() ? n->bits() : 0;
}
std::string_view text_member(const Value& v, std::string_view name) {
  const Value* t = v.find(name);
  return t && t->is(Value::Kind::text) ? std::string_view(t->text()) : std::string_view();
}
std::string group_digits(u64 n) {
  std::string s = std::to_string(n);
  for (size_t i = s.size(); i > 3; i -= 3) s.insert(i - 3, ",");
  return s;
}

class Svg {
 public:
  svg::Markup page;
  void add_rect(u64 x, u64 y, u64 width, u64 height, std::string_view style, std::string_view title = {}) {
    const std::string left = std::to_string(x), top = std::to_string(y), across = std::to_string(width),
                      down = std::to_string(height);
    const svg::Markup::Attributes attributes = {
        {"x", left}, {"y", top}, {"width", across}, {"height", down}, {"class", style}};
    if (title.empty()) return page.add("rect", attributes);
    page.open("rect", attributes);
    page.add("title", {}, title);
    page.close();
  }
  void text(u64 x, u64 y, std::string_view style, std::string_view text) {
    page.add("text", {{"x", std::to_string(x)}, {"y", std::to_string(y)}, {"class", style}}, text);
  }
  void line(u64 x1, u64 y1, u64 x2, u64 y2) {
    const auto at = [](u64 x, u64 y) { return std::to_string(x) + " " + std::to_string(y); };
    page.add("path", {{"d", "M" + at(x1, y1) + "L" + at(x2, y2)}, {"class", "grid"}});
  }
};

u64 draw_bars(Svg& svg, const Value& budgets, u64 y) {
  for (const auto& [none, b] : budgets.members()) {
    const u64 used = integer_member(b, "used"), of = integer_member(b, "of"), share = share_of(used, of);
    svg.text(k_margin, y + 15, "name", text_member(b, "name"));
    svg.add_rect(k_margin + k_names, y, k_bar, 20, "room", text_member(b, "about"));
    if (used)
      svg.add_rect(k_margin + k_names, y, std::max<u64>(std::min<u64>(share, 1000) * k_bar / 1000, 1), 20,
                   share > 1000  ? "over"
                   : share > 800 ? "tight"
                                 : "fine",
                   text_member(b, "about"));
    svg.text(k_margin + k_names + k_bar + 12, y + 15, "figures",
             group_digits(used) + " of " + group_digits(of) + " " + std::string(text_member(b, "unit")) + ", " +
                 std::to_string(share / 10) + " %");
    y += k_line;
  }
  return y;
}

u64 draw_map(Svg& svg, const Value& map, u64 y) {
  const u64 width = integer_member(map, "width"), height = integer_member(map, "height");
  const u64 scale = std::max<u64>(1, (width + 1023) / 1024);  // units a pixel
  svg.text(k_margin, y + 16, "title", text_member(map, "title"));
  y += 30;
  svg.add_rect(k_margin, y, width / scale, height / scale, "room");
  const Value none = Value::list();
  const Value* areas = map.find("areas");
  for (const auto& [unnamed, a] : (areas ? *areas : none).members()) {
    const u64 x = k_margin + integer_member(a, "x") / scale, top = y + integer_member(a, "y") / scale;
    const u64 w = std::max<u64>(integer_member(a, "width") / scale, 1),
              h = std::max<u64>(integer_member(a, "height") / scale, 1);
    const std::string_view kind = text_member(a, "kind"), name = text_member(a, "name");
    const bool is_known = kind == "reserved" || kind == "texels" || kind == "palette" || kind == "letters";
    svg.add_rect(x, top, w, h, is_known ? kind : "texels",
                 std::string(name) + ": (" + std::to_string(integer_member(a, "x")) + ", " +
                     std::to_string(integer_member(a, "y")) + "), " + std::to_string(integer_member(a, "width")) +
                     " x " + std::to_string(integer_member(a, "height")) + " " + std::string(text_member(map, "unit")));
    if (w >= 12 * name.size() / 2 + 8 && h >= 20) svg.text(x + 5, top + 16, "label", name);
  }
  if (const Value* grid = map.find("grid")) {
    const u64 across = integer_member(*grid, "width"), down = integer_member(*grid, "height");
    for (u64 x = across; across && x < width; x += across)
      svg.line(k_margin + x / scale, y, k_margin + x / scale, y + height / scale);
    for (u64 at = down; down && at < height; at += down)
      svg.line(k_margin, y + at / scale, k_margin + width / scale, y + at / scale);
  }
  y += height / scale + 14;
  u64 x = k_margin;
  for (const auto& [kind, about] : {std::pair("reserved", "reserved by the engine"), std::pair("texels", "textures"),
                                    std::pair("palette", "palettes"), std::pair("letters", "glyphs")}) {
    svg.add_rect(x, y, 16, 16, kind);
    svg.text(x + 22, y + 13, "figures", about);
    x += 160;
  }
  return y + 24;
}

}  // namespace

u64 share_of(u64 used, u64 of) { return of ? u64(f64(used) * 1000 / f64(of) + 0.5) : 0; }

std::vector<Value> find_exceeded_budgets(const Value& budget) {
  std::vector<Value> out;
  if (const Value* budgets = budget.find("budgets"))
    for (const auto& [none, b] : budgets->members())
      if (integer_member(b, "used") > integer_member(b, "of")) out.push_back(b);
  return out;
}

std::string budget_svg(const Value& budget, std::string_view title) {
  // The page is as high as its content.
  const auto draw_page = [&](Svg& svg) {
    svg.text(k_margin, 32, "title", title);
    if (budget.find("engine"))
      svg.text(k_margin, 54, "figures", "engine " + std::string(text_member(budget, "engine")));
    u64 y = 72;
    if (const Value* budgets = budget.find("budgets")) y = draw_bars(svg, *budgets, y);
    if (const Value* map = budget.find("map")) y = draw_map(svg, *map, y + 14);
    return y + k_margin;
  };
  Svg measured, svg;
  const std::string width = std::to_string(k_page_width), height = std::to_string(draw_page(measured));
  svg.page.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                        {"width", width},
                        {"height", height},
                        {"viewBox", "0 0 " + width + " " + height}});
  svg.page.add("style", {},
               "text{font-family:sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}"
               ".name,.figures{font-size:13px}.label{font-size:11px}.room{fill:#f2f2f2;stroke:#999}.fine{fill:#4a8f5c}"
               ".tight{fill:#d9a020}.over{fill:#c0392b}.reserved{fill:#c9c9c9;stroke:#888}"
               ".texels{fill:#9cc3e6;stroke:#36648b}.palette{fill:#e08a3c;stroke:none}"
               ".letters{fill:#cdb4e0;stroke:#6b4a86}"
               ".grid{stroke:#555;stroke-opacity:.35;stroke-dasharray:3 3;fill:none}");
  svg.page.add("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", "#fff"}});
  draw_page(svg);
  return std::move(svg.page).finish();
}

}  // namespace dio::report

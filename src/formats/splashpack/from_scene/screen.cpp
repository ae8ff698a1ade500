// screen.cpp: fonts, canvases and their pictures, from the extras of a scene.
#include <algorithm>
#include <map>
#include <utility>

#include "core/base64.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/splashpack/from_scene/media.hpp"
#include "formats/splashpack/parts.hpp"

namespace dio::splashpack {

namespace {

constexpr Rect k_system_font = {960, 464, 64, 48};  // source: engine at HEAD, font.hh
constexpr u32 k_font_width = 64;                    // words: 256 texels of 4 bits

/// The defaults for elements of each type: visible, in neutral grey.
std::vector<Value> default_elements() {
  std::vector<Value> out;
  for (const EnumName& w : k_ui_type_words) {
    UiElement e;
    e.type = UiType(w.value);
    e.red = e.green = e.blue = k_neutral;
    out.push_back(to_value(e));
  }
  return out;
}

/// Names and texts are optional; `completed` adds members that always exist.
void copy_optional_texts(const Value& given, Value& to) {
  for (const char* name : {"name", "text"})
    if (const auto text = read_text_extra(given, name); text && !to.find(name)) to.add(name, *text);
}

bool is_list(const Value* v) { return v && v->is(Value::Kind::list); }

}  // namespace

class UiCanvasBuilder {
 public:
  UiCanvasBuilder(const scene::Scene& s, const MakeSettings& settings, Diagnostics& notes)
      : s_(s), settings_(settings), notes_(notes) {}

  Result<Screen> build() {
    add_fonts();
    if (!fault_) add_canvases();
    if (fault_) return refuse(*std::move(fault_));
    if (lost_pictures_)
      note("canvases", {.message = text(format_count(lost_pictures_, "picture"), lost_pictures_ == 1 ? " is" : " are",
                                        " missing or unreadable"),
                        .hint = "nothing is drawn in their place"});
    return std::move(out_);
  }

 private:
  void note(std::string path, DiagnosticText said) {
    notes_.push_back(make_diagnostic(Severity::warning, "splashpack.make-lost", std::move(path), std::move(said)));
  }
  void refuse_entry_count(std::string path, size_t most, size_t found) {
    fault_ = make_diagnostic("splashpack.make-many", std::move(path),
                             {.message = text("the list has ", found, " entries (limit: ", most, ")")});
  }

  // ---- fonts

  void add_fonts() {
    const Value* given = s_.extras.find("fonts");
    if (!is_list(given)) return;
    if (given->size() > 255) return refuse_entry_count("fonts", 255, given->size());
    UiFont one{8, 8, 960, 0, 0, 0, 0, {}};
    one.advances.fill(8);
    const Value usual = to_value(one);
    Value list = Value::list();
    for (const auto& [unused, font] : given->members()) list.push(fill_missing_members(font, usual));
    auto read = parse_pack_list(settings_.layout, "fonts", std::move(list), notes_);
    if (!read) return;
    for (size_t i = 0; i < read->fonts.size(); ++i) {
      UiFont& font = read->fonts[i];
      const auto digits = read_text_extra(*given->at(i), "texels");
      auto texels = digits ? decode_base64(*digits) : std::nullopt;
      if (!texels)
        note(text("fonts[", i, "].texels"),
             {.message = digits ? "the texels of the font are not valid base64" : "the font has no texels",
              .hint = "the glyphs of the font are not drawn"});
      place_font(i, font);
      font.offset = 0;
      font.size = texels ? u32(texels->size()) : 0;
      VramFont letters{font.glyph_width, font.glyph_height, font.x, font.y, font.height, {}};
      if (texels) letters.texels = *std::move(texels);
      out_.fonts_.push_back(font);
      out_.letters_.push_back(std::move(letters));
    }
  }

  /// The old position if it is free; otherwise the start of a texture page.
  void place_font(size_t i, UiFont& font) {
    const auto rect = [&](u32 x, u32 y) { return Rect{x, y, k_font_width, font.height}; };
    const auto is_free = [&](const Rect& r) {
      const auto clear_of = [&](const Rect& other) { return !r.overlaps(other); };
      return r.x + r.width <= k_video_width && r.y % k_page_height + r.height <= k_page_height &&
             r.y < k_video_height && clear_of(k_system_font) && std::ranges::all_of(Reserved::k_buffers, clear_of) &&
             std::ranges::all_of(out_.letters_, [&](const VramFont& f) { return clear_of(rect_of(f)); });
    };
    if (font.height == 0 || is_free(rect(font.x, font.y))) return;
    for (u32 x = k_video_width - k_page_width; x < k_video_width; x -= k_page_width)  // ends below 0
      for (u32 y = 0; y < k_video_height; y += k_page_height)
        if (is_free(rect(x, y))) {
          const u16 was_x = std::exchange(font.x, u16(x)), was_y = std::exchange(font.y, u16(y));
          return note(text("fonts[", i, "]"),
                      {.message = text("the position (", was_x, ", ", was_y, ") in VRAM is already taken"),
                       .hint = text("the font is moved to (", x, ", ", y, ")")});
        }
    note(text("fonts[", i, "]"),
         {.message = "VRAM has no room for the font", .hint = "the font keeps its position and overlaps other data"});
  }
  static Rect rect_of(const VramFont& f) { return {f.x, f.y, k_font_width, f.height}; }
  friend class Screen;

  // ---- canvases

  void add_canvases() {
    const Value* given = s_.extras.find("canvases");
    if (const auto file = read_text_extra(s_.extras, "canvases_file"); file && !given) {
      fault_ = make_diagnostic(
          "splashpack.make-picture", "canvases_file",
          {.message = text("the folder of the scene has no file \"", escape_control_chars(*file), "\"")});
      return;
    }
    if (!is_list(given)) return;
    if (given->size() > 65535) return refuse_entry_count("canvases", 65535, given->size());
    const std::vector<Value> usual = default_elements();
    Value usual_canvas = to_value(UiCanvas());
    usual_canvas.add("elements", Value::list());  // stored elsewhere in the file
    Value list = Value::list();
    for (size_t i = 0; i < given->size(); ++i) {
      const Value& canvas = *given->at(i);
      Value& to = list.push(fill_missing_members(canvas, usual_canvas));
      if (const auto name = read_text_extra(canvas, "name"); name && !to.find("name")) to.add("name", *name);
      if (const auto seen = read_flag_extra(canvas, "visible")) set(to, "flags", *seen ? 1 : 0);
      const Value* elements = canvas.find("elements");
      Value* all = to.find("elements");
      if (!is_list(elements) || !all) continue;
      *all = Value::list();
      if (elements->size() > 255) return refuse_entry_count(text("canvases[", i, "].elements"), 255, elements->size());
      for (size_t k = 0; k < elements->size(); ++k) {
        const std::string path = text("canvases[", i, "].elements[", k, "]");
        Value made = build_element(*elements->at(k), path, usual);
        if (!is_readable(made, path, usual_canvas)) continue;
        all->push(std::move(made));
        add_element_picture(i, all->size() - 1, *elements->at(k), all->members().back().second);
        if (fault_) return;
      }
    }
    auto read = parse_pack_list(settings_.layout, "canvases", std::move(list), notes_);
    if (!read) return out_.shown_.clear(), out_.wishes_.clear(), out_.texels_.clear();
    out_.canvases_ = std::move(read->canvases);
    for (UiCanvas& c : out_.canvases_) {
      shorten(c.name);
      for (UiElement& e : c.elements) shorten(e.name);
    }
  }
  /// Whether an element can be stored; if not, it is left out with a note. The others stay.
  bool is_readable(const Value& element, const std::string& path, const Value& usual_canvas) {
    Value canvas = usual_canvas;
    *canvas.find("elements") = Value::list();
    canvas.find("elements")->push(element);
    Value list = Value::list();
    list.push(std::move(canvas));
    Diagnostics own;
    if (parse_pack_list(settings_.layout, "canvases", std::move(list), own)) return true;
    constexpr std::string_view k_here = "canvases[0].elements[0]";
    for (Diagnostic& d : own) {
      if (d.place.path.starts_with(k_here)) d.place.path.replace(0, k_here.size(), path);
      d.hint = "the element is omitted";
      notes_.push_back(std::move(d));
    }
    return false;
  }
  static void shorten(std::optional<std::string>& name) {
    if (name && name->size() > 255) name->resize(255);  // its length is a byte
  }
  static void set(Value& object, std::string_view name, Value v) {
    if (Value* member = object.find(name)) *member = std::move(v);
  }

  void warn_property(std::string path, DiagnosticText said) {
    notes_.push_back(make_diagnostic(Severity::warning, "splashpack.make-property", std::move(path), std::move(said)));
  }

  /// The number of an element type; that of images, if it is unknown.
  size_t parse_element_type(const Value& given, const std::string& path, size_t types) {
    const Value* told = given.find("type");
    if (const auto n = read_number_extra(given, "type"); n && *n >= 0 && *n < f64(types)) return size_t(*n);
    std::string words;
    for (const EnumName& w : k_ui_type_words) {
      if (read_text_extra(given, "type") == w.word) return size_t(w.value);
      words += text(words.empty() ? "" : ", ", w.word);
    }
    warn_property(path + ".type", {.message = !told ? "the element has no type"
                                              : told->is(Value::Kind::text)
                                                  ? text("unknown type \"", escape_control_chars(told->text()), "\"")
                                                  : "the type is not a known name or number",
                                   .hint = text("the element becomes an image; known types are ", words)});
    return 0;
  }

  /// With all fields of its type.
  Value build_element(const Value& given, const std::string& path, std::span<const Value> usual) {
    const size_t type = parse_element_type(given, path, usual.size());
    // Members of elements of any type, and members that only scenes have.
    const auto is_known = [&](const std::string& name) {
      for (const char* ours : {"type", "name", "text", "visible", "file", "bytes", "picture"})
        if (name == ours) return true;
      return std::ranges::any_of(usual, [&](const Value& one) { return one.find(name) != nullptr; });
    };
    if (given.is(Value::Kind::object))
      for (const auto& [name, unused] : given.members())
        if (!is_known(name))
          warn_property(path, {.message = text("unknown field \"", escape_control_chars(name), "\""),
                               .hint = "the field is ignored"});
    Value out = fill_missing_members(given, usual[type]);
    set(out, "type", type);
    copy_optional_texts(given, out);
    if (const auto seen = read_flag_extra(given, "visible")) set(out, "flags", *seen ? 1 : 0);
    return out;
  }

  void add_element_picture(size_t canvas, size_t element, const Value& given, Value& to) {
    const auto type = read_number_extra(to, "type");
    if (!type || UiType(u8(*type)) != UiType::image) return;
    Screen::CanvasImageUse shown{canvas, element, out_.wishes_.size()};
    if (const auto file = read_text_extra(given, "file")) {
      const auto known = std::ranges::find(s_.images, *file, &scene::Image::name);
      if (known == s_.images.end()) {
        fault_ = make_diagnostic(
            "splashpack.make-picture", text("canvases[", canvas, "].elements[", element, "].file"),
            {.message = text("no PNG file or picture of the scene is named \"", escape_control_chars(*file), "\"")});
        return;
      }
      constexpr std::array<u8, 3> k_bits = {4, 8, 16};
      const auto depth = read_number_extra(given, "depth");
      const u8 bits = depth && *depth >= 0 && *depth <= 2 ? k_bits[size_t(*depth)] : settings_.depth;
      out_.wishes_.push_back({&*known, bits});
      if (!given.find("width")) set(to, "width", std::min<u32>(known->width, 320));
      if (!given.find("height")) set(to, "height", std::min<u32>(known->height, 240));
      shown.is_part = given.find("from") && given.find("to");
    } else {
      shown.wish = find_or_add_texture_request(given);
    }
    out_.shown_.push_back(shown);
  }

  /// The picture of the original pack at that position; otherwise a transparent texel, so that nothing at its old
  /// position is drawn.
  size_t find_or_add_texture_request(const Value& given) {
    constexpr size_t k_no_picture = ~size_t(0);
    size_t number = k_no_picture;
    const Value* pictures = s_.extras.find("canvas_pictures");
    if (const auto n = read_number_extra(given, "picture");
        n && is_list(pictures) && *n >= 0 && *n < f64(pictures->size()))
      number = size_t(*n);
    if (const auto known = of_picture_.find(number); known != of_picture_.end()) {
      lost_pictures_ += known->second.is_lost;
      return known->second.wish;
    }
    auto texels = number == k_no_picture ? std::nullopt : texels_from_json(*pictures->at(number));
    lost_pictures_ += !texels;
    out_.wishes_.push_back({nullptr, 0, &out_.texels_.emplace_back(texels ? *texels : make_texels(1, 1, 4, {u16(0)}))});
    of_picture_[number] = {out_.wishes_.size() - 1, !texels};
    return out_.wishes_.size() - 1;
  }

  struct RequestedTexture {
    size_t wish;
    bool is_lost;
  };
  const scene::Scene& s_;
  const MakeSettings& settings_;
  Diagnostics& notes_;
  Screen out_;
  std::map<size_t, RequestedTexture> of_picture_;
  size_t lost_pictures_ = 0;
  std::optional<Diagnostic> fault_;
};

Result<Screen> Screen::from_extras(const scene::Scene& scene, const MakeSettings& settings, Diagnostics& notes) {
  if (!settings.since(k_sections)) return Screen();
  return UiCanvasBuilder(scene, settings, notes).build();
}

OtherTextures Screen::textures() const {
  OtherTextures out{wishes_, {}};
  for (const VramFont& f : letters_)
    if (f.height) out.reserved.push_back(UiCanvasBuilder::rect_of(f));
  return out;
}

void Screen::add_to_pack(std::span<const PlacedTexture> placed, Pack& pack, std::vector<VramFont>& letters) && {
  for (const CanvasImageUse& s : shown_) {
    if (s.canvas >= canvases_.size() || s.element >= canvases_[s.canvas].elements.size()) continue;
    UiElement& e = canvases_[s.canvas].elements[s.element];
    const PlacedTexture& at = placed[s.wish];
    const TexturePage page = TexturePage::from_word(at.source.page);
    e.page_x = u8(page.x / k_page_width), e.page_y = u8(page.y / k_page_height);
    e.clut_x = at.source.clut_x, e.clut_y = at.source.clut_y;
    e.depth = page.depth;
    const auto set_texel_range = [&](u8& from, u8& to, u32 start, u32 length) {
      const u32 last = length - 1;
      const u32 a = s.is_part ? std::min<u32>(from, last) : from <= to ? 0 : last;
      const u32 b = s.is_part ? std::min<u32>(to, last) : from <= to ? last : 0;
      from = u8(start + a), to = u8(start + b);
    };
    set_texel_range(e.from.u, e.to_uv.u, at.u, at.width);
    set_texel_range(e.from.v, e.to_uv.v, at.v, at.height);
  }
  pack.fonts = std::move(fonts_);
  pack.canvases = std::move(canvases_);
  letters = std::move(letters_);
}

}  // namespace dio::splashpack

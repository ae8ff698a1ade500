#include "bridge/gltf/source.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base64.hpp"
#include "core/json.hpp"
#include "core/little_endian.hpp"
#include "core/safe_path.hpp"
#include "core/text_format.hpp"

namespace dio::gltf {
namespace {

constexpr int k_i8 = 5120, k_u8 = 5121, k_i16 = 5122, k_u16 = 5123, k_u32 = 5125, k_f32 = 5126;

u64 component_size(int component) {
  switch (component) {
    case k_i8:
    case k_u8:
      return 1;
    case k_i16:
    case k_u16:
      return 2;
    case k_u32:
    case k_f32:
      return 4;
    default:
      return 0;
  }
}

/// Little-endian.
template <class T>
T load_number(const u8* from) {
  if constexpr (sizeof(T) == 1) {
    return std::bit_cast<T>(*from);
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(read_u16_le(from));
  } else {
    return std::bit_cast<T>(read_u32_le(from));
  }
}

/// Calls `use` with a number of the component's type.
void dispatch_component_type(int component, auto use) {
  switch (component) {
    case k_i8:
      return use(i8());
    case k_u8:
      return use(u8());
    case k_i16:
      return use(i16());
    case k_u16:
      return use(u16());
    case k_u32:
      return use(u32());
    default:
      return use(f32());
  }
}

template <class T>
f32 dequantize(T number, bool normalized) {
  if constexpr (std::is_integral_v<T>) {
    if (normalized) return f32(std::max(-1.0, f64(number) / f64(std::numeric_limits<T>::max())));
  }
  return f32(number);
}

std::string json_kind_name(const Value& v) {
  constexpr std::array<std::string_view, 7> k_names{"null", "true or false", "a whole number", "a number",
                                                    "text", "a list",        "an object"};
  return std::string(k_names[size_t(v.kind())]);
}

/// `%20` is a space.
std::optional<std::string> percent_decode(std::string_view uri) {
  std::string out;
  const auto hex_digit_value = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
  };
  for (size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      out += uri[i];
      continue;
    }
    if (i + 2 >= uri.size() || hex_digit_value(uri[i + 1]) < 0 || hex_digit_value(uri[i + 2]) < 0) return {};
    out += char(hex_digit_value(uri[i + 1]) * 16 + hex_digit_value(uri[i + 2]));
    i += 2;
  }
  return out;
}

/// The path below the folder of the file; nothing if it leaves the folder on any system.
std::optional<std::string> sandboxed_path(std::string_view uri) {
  const auto name = percent_decode(uri);
  return name ? resolve_relative_path(*name) : std::nullopt;
}

}  // namespace

// ---- values of the JSON ----

const Value* Item::find(std::string_view name) const {
  if (!value_) return nullptr;
  if (!value_->is(Value::Kind::object)) {
    report_fault({.expected = "an object", .found = json_kind_name(*value_)});
    return nullptr;
  }
  return value_->find(name);
}

Item Item::member(std::string_view name) const {
  const Value* v = find(name);
  if (!v) return {*source_, nullptr, {}};
  return {*source_, v, path_.empty() ? std::string(name) : path_ + '.' + std::string(name)};
}

size_t Item::size() const {
  if (!value_) return 0;
  if (value_->is(Value::Kind::list)) return value_->size();
  report_fault({.expected = "a list", .found = json_kind_name(*value_)});
  return 0;
}

Item Item::at(size_t i) const { return {*source_, value_->at(i), path_ + '[' + std::to_string(i) + ']'}; }

f32 Item::real(std::string_view name, f32 otherwise) const {
  const Value* v = find(name);
  if (!v) return otherwise;
  f32 out = otherwise;
  if (v->is(Value::Kind::integer) || v->is(Value::Kind::real)) out = f32(v->number());
  if ((v->is(Value::Kind::integer) || v->is(Value::Kind::real)) && std::isfinite(out)) return out;
  member(name).report_fault(
      {.expected = "a number in the range of 32-bit floats", .found = json::write(*v, {.indent = 0}).substr(0, 40)});
  return otherwise;
}

u64 Item::unsigned_integer(std::string_view name, u64 otherwise) const {
  const Value* v = find(name);
  if (!v) return otherwise;
  if (v->is(Value::Kind::integer) && !v->negative()) return v->bits();
  const f64 x = v->is(Value::Kind::real) ? v->number() : -1;
  if (x >= 0 && x < 0x1p53 && x == std::floor(x)) return u64(x);
  member(name).report_fault(
      {.expected = "a whole number of 0 or more", .found = json::write(*v, {.indent = 0}).substr(0, 40)});
  return otherwise;
}

Index Item::to_index(const Value& v, const std::string& path, size_t count) const {
  const f64 x = v.is(Value::Kind::integer) || v.is(Value::Kind::real) ? v.number() : -1;
  if (x >= 0 && x < f64(count) && x == std::floor(x)) return Index(x);
  const std::string found = json::write(v, {.indent = 0}).substr(0, 40);
  if (count)
    source_->report_fault(path, {.message = "index " + found + " is out of range: the list has " +
                                            format_count(count, "element") + ", counted from 0"});
  else
    source_->report_fault(path, {.message = "index " + found + " is out of range: the list is empty"});
  return k_none;
}

Index Item::index(std::string_view name, size_t count) const {
  const Value* v = find(name);
  return v ? to_index(*v, path_ + '.' + std::string(name), count) : k_none;
}

Index Item::index_at(size_t i, size_t count) const {
  return to_index(*value_->at(i), path_ + '[' + std::to_string(i) + ']', count);
}

bool Item::flag(std::string_view name, bool otherwise) const {
  const Value* v = find(name);
  if (!v) return otherwise;
  if (v->is(Value::Kind::boolean)) return v->boolean();
  member(name).report_fault({.expected = "true or false", .found = json_kind_name(*v)});
  return otherwise;
}

std::string Item::text(std::string_view name) const {
  const Value* v = find(name);
  if (!v) return {};
  if (v->is(Value::Kind::text)) return v->text();
  member(name).report_fault({.expected = "text", .found = json_kind_name(*v)});
  return {};
}

void Item::read_reals(std::string_view name, f32* to, size_t count) const {
  const Item list = member(name);
  if (!list.exists()) return;
  if (list.size() != count)
    return list.report_fault({.expected = std::to_string(count) + " numbers", .found = std::to_string(list.size())});
  for (size_t i = 0; i < count; ++i) {
    const Value& v = *list.value()->at(i);
    const bool is_number = v.is(Value::Kind::integer) || v.is(Value::Kind::real);
    if (!is_number || !std::isfinite(f32(v.number())))
      return list.at(i).report_fault(
          {.expected = "a number in the range of 32-bit floats", .found = json::write(v, {.indent = 0}).substr(0, 40)});
    to[i] = f32(v.number());
  }
}

Value Item::extras() const {
  const Value* all = find("extras");
  if (!all) return {};
  const Value* own = all->find("diorama");
  if (!own) return *all;
  // Extras added in another program are outside this member, and newer.
  if (!own->is(Value::Kind::object)) return *own;
  Value merged = *own;
  for (const auto& [name, value] : all->members()) {
    if (name == "diorama") continue;
    if (Value* known = merged.find(name))
      *known = value;
    else
      merged.add(name, value);
  }
  return merged;
}

void Item::report_fault(DiagnosticText said) const { source_->report_fault(path_, std::move(said)); }

// ---- faults and notes ----

void Source::report_fault(Diagnostic d) {
  if (!fault_) fault_ = std::move(d);
}

void Source::report_fault(const std::string& path, DiagnosticText said) {
  report_fault_as("gltf.syntax", path, std::move(said));
}

void Source::report_fault_as(std::string_view id, const std::string& path, DiagnosticText said) {
  report_fault(make_diagnostic(id, path, std::move(said)));
}

void Source::add_note(const std::string& path, const std::string& what) {
  for (Note& old : notes_)
    if (old.what == what) {
      ++old.count;
      return;
    }
  constexpr size_t k_kinds = 64;  // a file can invent any number of names
  if (notes_.size() < k_kinds)
    notes_.push_back({path, what, 1});
  else
    ++other_notes_;
}

Diagnostics Source::notes() const {
  Diagnostics out;
  for (const Note& note : notes_) {
    const std::string others =
        note.count > 1 ? " (here and in " + format_count(note.count - 1, "more place") + ")" : "";
    out.push_back(make_diagnostic(Severity::hint, "gltf.partly", note.path, {.message = note.what + others}));
  }
  if (other_notes_)
    out.push_back(make_diagnostic(Severity::hint, "gltf.partly", {},
                                  {.message = format_count(other_notes_, "more note") + " of other kinds" +
                                              (other_notes_ == 1 ? " is" : " are") + " not shown"}));
  return out;
}

bool Source::charge_memory_budget(const std::string& path, u64 bytes) {
  if (fault_) return false;
  if (bytes <= left_) {
    left_ -= bytes;
    return true;
  }
  report_fault_as("gltf.budget", path,
                  {.message = "this part of the scene needs " + format_count(bytes, "byte") + " of memory, but only " +
                              std::to_string(left_) + " more are allowed for a file of this size"});
  return false;
}

/// At most the number that can be counted with 32-bit addresses.
void Source::extend_memory_budget(u64 bytes) {
  constexpr u64 k_for_a_byte = 256, k_most = u64(1) << (sizeof(size_t) > 4 ? 36 : 30);
  left_ = std::min(left_ + k_for_a_byte * std::min(bytes, k_most), k_most);
}

// ---- the container ----

void Source::open(ByteView file) {
  extend_memory_budget(file.size());
  std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.starts_with("glTF")) {
    open_glb(file);
  } else {
    auto json = json::read(text);
    if (!json) return report_fault(json.error());
    json_ = *std::move(json);
  }
  if (!failed()) check_asset_header();
}

void Source::open_glb(ByteView file) {
  const auto report_fault_at = [&](u64 offset, DiagnosticText said) {
    report_fault_as("gltf.syntax", {}, std::move(said));
    fault_->place.offset = offset;
    fault_->place.size = 4;
  };
  if (file.size() < 20)
    return report_fault_at(
        0, {.expected = "a header and a chunk", .found = "a file of " + format_count(file.size(), "byte")});
  const auto u32_at = [&](u64 i) { return load_number<u32>(file.data() + i); };
  if (u32_at(4) != 2)
    return report_fault_at(4, {.expected = "version 2", .found = "version " + std::to_string(u32_at(4))});
  if (u32_at(8) > file.size() || u32_at(8) < 20)
    return report_fault_at(
        8, {.expected = "a length of at most " + std::to_string(file.size()), .found = std::to_string(u32_at(8))});
  file = file.first(u32_at(8));
  constexpr u32 k_json = 0x4E4F534A, k_binary = 0x004E4942;
  for (u64 at = 12; at < file.size();) {
    if (file.size() - at < 8)
      return report_fault_at(
          at, {.expected = "a chunk header of 8 bytes", .found = format_count(file.size() - at, "byte")});
    const u64 size = u32_at(at), left = file.size() - at - 8;
    const u32 type = u32_at(at + 4);
    if (size > left)
      return report_fault_at(
          at, {.expected = "a chunk of at most " + std::to_string(left) + " bytes", .found = std::to_string(size)});
    const ByteView chunk = file.subspan(size_t(at + 8), size_t(size));
    if (at == 12) {
      if (type != k_json)
        return report_fault_at(at + 4, {.expected = "a JSON chunk", .found = "a chunk of another type"});
      auto json = json::read({reinterpret_cast<const char*>(chunk.data()), chunk.size()});
      if (!json) return report_fault(json.error());
      json_ = *std::move(json);
    } else if (type == k_binary && !has_chunk_) {
      chunk_ = chunk;
      has_chunk_ = true;
    }
    at += 8 + size;
  }
}

/// Required extensions must be supported, otherwise the file is rejected: Draco and meshopt hide the meshes themselves.
void Source::check_asset_header() {
  if (!json_.is(Value::Kind::object))
    return root().report_fault({.expected = "an object", .found = json_kind_name(json_)});
  const Item asset = root().member("asset");
  const std::string version = asset.text("version"), least = asset.text("minVersion");
  if (!version.starts_with("2.") || (!least.empty() && least != "2.0"))
    return report_fault("asset", {.expected = "glTF version 2.0",
                                  .found = version.empty() ? "no version"
                                           : least.empty() ? version
                                                           : least});
  constexpr std::array<std::string_view, 9> k_known{
      "EXT_mesh_gpu_instancing", "KHR_animation_pointer",  "KHR_lights_punctual",
      "KHR_materials_unlit",     "KHR_materials_variants", "KHR_mesh_quantization",
      "KHR_node_visibility",     "KHR_texture_transform",  "KHR_xmp_json_ld"};
  const Item required = list("extensionsRequired");
  for (size_t i = 0; i < required.size(); ++i) {
    const Value& name = *required.value()->at(i);
    if (name.is(Value::Kind::text) && std::ranges::find(k_known, name.text()) != k_known.end()) continue;
    return report_fault_as(
        "gltf.extension", required.at(i).path(),
        {.message = "the required extension " + (name.is(Value::Kind::text) ? name.text() : json_kind_name(name)) +
                    " is not supported",
         .hint = "export the file again without it"});
  }
}

// ---- buffers ----

std::optional<ByteView> Source::load_resource(const Item& user) {
  const std::string uri = user.text("uri");
  if (failed()) return {};
  if (const auto known = loaded_.find(uri); known != loaded_.end()) return known->second;
  const auto keep = [&](Bytes bytes) { return ByteView(loaded_.emplace(uri, std::move(bytes)).first->second); };
  const auto report_uri_fault = [&](DiagnosticText said) {
    report_fault_as("gltf.resource", user.path() + ".uri", std::move(said));
    return std::nullopt;
  };
  if (uri.starts_with("data:")) {
    const size_t comma = uri.find(',');
    if (comma == uri.npos || !std::string_view(uri).substr(0, comma).ends_with(";base64"))
      return report_uri_fault(
          {.expected = "a data URI in Base64", .found = uri.substr(0, std::min<size_t>(comma, 40))});
    auto bytes = decode_base64(std::string_view(uri).substr(comma + 1));
    if (!bytes) return report_uri_fault({.expected = "Base64 data", .found = "other characters"});
    return keep(*std::move(bytes));
  }
  const auto path = sandboxed_path(uri);
  if (!path)
    return report_uri_fault(
        {.message = "the uri " + uri.substr(0, 80) + " is not a relative path to a file in the same folder or below"});
  if (!resolve_) return report_uri_fault({.message = "the file refers to " + *path + ", which cannot be read"});
  auto bytes = resolve_(*path);
  if (!bytes) {
    report_fault(bytes.error());
    return {};
  }
  extend_memory_budget(bytes->size());
  return keep(*std::move(bytes));
}

std::string Source::external_path(const Item& user) {
  const std::string uri = user.has("uri") ? user.text("uri") : "";
  return uri.empty() || uri.starts_with("data:") ? "" : sandboxed_path(uri).value_or("");
}

std::vector<std::string> Source::list_external_files() {
  std::vector<std::string> out;
  for (const char* name : {"buffers", "images"}) {
    const Item all = list(name);
    for (size_t i = 0; i < all.size() && !failed(); ++i) {
      std::string file = external_path(all.at(i));
      if (!file.empty() && std::find(out.begin(), out.end(), file) == out.end()) out.push_back(std::move(file));
    }
  }
  return out;
}

ByteView Source::load_buffer(Index i) {
  if (failed() || i == k_none) return {};
  const Item item = list("buffers").at(i);
  const u64 size = item.unsigned_integer("byteLength", 0);
  ByteView bytes;
  if (i == 0 && has_chunk_ && !item.has("uri")) {
    bytes = chunk_;
  } else if (!item.has("uri")) {
    report_fault(item.path(), {.message = "the buffer has no uri, and the file has no binary chunk for it"});
  } else if (const auto loaded = load_resource(item)) {
    bytes = *loaded;
  }
  if (failed()) return {};
  if (size > bytes.size()) {
    report_fault(item.path() + ".byteLength",
                 {.message = "the length is " + std::to_string(size) + ", but the buffer has only " +
                             format_count(bytes.size(), "byte")});
    return {};
  }
  return bytes.first(size_t(size));
}

ByteView Source::load_buffer_view(Index i) {
  if (failed() || i == k_none) return {};
  const Item item = list("bufferViews").at(i);
  const Index b = item.index("buffer", list("buffers").size());
  if (b == k_none) {
    item.report_fault({.message = "the buffer view has no buffer"});
    return {};
  }
  const ByteView all = load_buffer(b);
  const u64 offset = item.unsigned_integer("byteOffset", 0), size = item.unsigned_integer("byteLength", 0);
  if (failed()) return {};
  if (offset > all.size() || size > all.size() - offset) {
    item.report_fault({.message = format_count(size, "byte") + " at offset " + std::to_string(offset) +
                                  " exceed the buffer of " + format_count(all.size(), "byte")});
    return {};
  }
  return all.subspan(size_t(offset), size_t(size));
}

// ---- accessors ----

/// `holder` names a buffer view and an offset in it.
std::optional<Source::Strided> Source::resolve_elements(const Item& holder, u64 count, u64 size, bool may_stride) {
  const Item views = list("bufferViews");
  const Index index = holder.index("bufferView", views.size());
  if (index == k_none) {
    holder.report_fault({.message = "the reference to a buffer view is missing"});
    return {};
  }
  const ByteView bytes = load_buffer_view(index);
  const u64 offset = holder.unsigned_integer("byteOffset", 0);
  const u64 stride = may_stride ? views.at(index).unsigned_integer("byteStride", size) : size;
  if (failed()) return {};
  if (stride < size || stride > 252 + size) {
    views.at(index).report_fault({.message = "a stride of " + std::to_string(stride) + " is out of range (" +
                                             std::to_string(size) + " to " + std::to_string(252 + size) + ")"});
    return {};
  }
  // count is below 2^32 and so is stride * count below 2^41
  const u64 needed = count ? stride * (count - 1) + size : 0;
  if (offset > bytes.size() || needed > bytes.size() - offset) {
    holder.report_fault({.message = "the elements need " + format_count(needed, "byte") + " at offset " +
                                    std::to_string(offset) + ", but the buffer view has only " +
                                    std::to_string(bytes.size())});
    return {};
  }
  return Strided{bytes.subspan(size_t(offset), size_t(needed)), stride};
}

u64 Source::accessor_count(Index i) {
  if (failed() || i == k_none) return 0;
  return list("accessors").at(i).unsigned_integer("count", 0);
}

std::optional<Source::Accessor> Source::accessor(Index i, const Item& user,
                                                 const std::vector<std::string_view>& types) {
  if (failed()) return {};
  if (i == k_none) {
    user.report_fault({.message = "the reference to an accessor is missing"});
    return {};
  }
  const Item item = list("accessors").at(i);
  Accessor out;
  out.count = item.unsigned_integer("count", 0);
  out.component = int(std::min<u64>(item.unsigned_integer("componentType", 0), 1 << 20));
  out.normalized = item.flag("normalized", false);
  const std::string type = item.text("type");
  if (failed()) return {};
  if (std::ranges::find(types, type) == types.end()) {
    item.report_fault({.message = (type.empty() ? "the accessor has no type" : "the accessor has the type " + type) +
                                  "; " + user.path() + " needs " + std::string(types.front())});
    return {};
  }
  const u64 size = component_size(out.component);
  if (!size) {
    item.report_fault({.message = "unknown component type " + std::to_string(out.component)});
    return {};
  }
  if (out.count == 0 || out.count > 0xFFFFFFFF) {
    item.report_fault({.message = "count " + std::to_string(out.count) + " is out of range (1 to 2^32 - 1)"});
    return {};
  }
  out.components = type == "SCALAR" ? 1 : type == "MAT4" ? 16 : size_t(type.back() - '0');
  // Counts the data copied out of the accessor; for elements in the file, their bytes are also a bound.
  if (!charge_memory_budget(item.path(), out.count * out.components * 4)) return {};
  if (item.has("bufferView")) {
    out.elements = resolve_elements(item, out.count, size * out.components, true);
    if (!out.elements) return {};
  }
  const Item sparse = item.member("sparse");
  if (!sparse.exists()) return out;
  out.replaced = sparse.unsigned_integer("count", 0);
  if (out.replaced > out.count) {
    sparse.report_fault({.message = "the sparse accessor replaces " + std::to_string(out.replaced) + " of " +
                                    format_count(out.count, "element")});
    return {};
  }
  const Item places = sparse.member("indices");
  out.place_component = int(std::min<u64>(places.unsigned_integer("componentType", 0), 1 << 20));
  if (failed()) return {};
  if (out.place_component != k_u8 && out.place_component != k_u16 && out.place_component != k_u32) {
    sparse.report_fault({.message = "sparse indices must be unsigned integers, not component type " +
                                    std::to_string(out.place_component)});
    return {};
  }
  const auto where = resolve_elements(places, out.replaced, component_size(out.place_component), false);
  const auto what =
      where ? resolve_elements(sparse.member("values"), out.replaced, size * out.components, false) : where;
  if (!where || !what) return {};
  out.places = *where;
  out.replacements = *what;
  u64 next = 0;
  for (u64 k = 0; k < out.replaced; ++k) {
    u64 place = 0;
    dispatch_component_type(out.place_component,
                            [&]<class T>(T) { place = u64(load_number<T>(out.places.bytes.data() + k * sizeof(T))); });
    if (place < next || place >= out.count) {
      places.report_fault({.message = "the sparse index " + std::to_string(place) +
                                      " is out of order, or out of range (0 to " + std::to_string(out.count - 1) +
                                      ")"});
      return {};
    }
    next = place + 1;
  }
  return out;
}

template <class To>
std::vector<To> Source::decode_accessor(const Accessor& a, auto convert) {
  std::vector<To> out(size_t(a.count) * a.components);
  dispatch_component_type(a.component, [&]<class T>(T) {
    const auto copy = [&](u64 element, const u8* from) {
      for (size_t k = 0; k < a.components; ++k)
        out[size_t(element) * a.components + k] = convert(load_number<T>(from + k * sizeof(T)));
    };
    if (a.elements)
      for (u64 i = 0; i < a.count; ++i) copy(i, a.elements->bytes.data() + i * a.elements->stride);
    for (u64 k = 0; k < a.replaced; ++k)
      dispatch_component_type(a.place_component, [&]<class P>(P) {
        copy(u64(load_number<P>(a.places.bytes.data() + k * sizeof(P))),
             a.replacements.bytes.data() + k * a.replacements.stride);
      });
  });
  return out;
}

Source::Numbers Source::read_floats(Index i, const Item& user, const std::vector<std::string_view>& types) {
  const auto a = accessor(i, user, types);
  if (!a) return {};
  Numbers out{size_t(a->count), a->components,
              decode_accessor<f32>(*a, [&](auto number) { return dequantize(number, a->normalized); })};
  for (size_t k = 0; k < out.all.size(); ++k)
    if (!std::isfinite(out.all[k])) {
      report_fault("accessors[" + std::to_string(i) + "]",
                   {.message = "element " + std::to_string(k / out.components) + " is not a finite number"});
      return {};
    }
  return out;
}

Source::Integers Source::read_unsigned_integers(Index i, const Item& user, std::string_view type) {
  const auto a = accessor(i, user, {type});
  if (!a) return {};
  if (a->component != k_u8 && a->component != k_u16 && a->component != k_u32) {
    report_fault(
        "accessors[" + std::to_string(i) + "]",
        {.message = user.path() + " needs unsigned integers, not component type " + std::to_string(a->component)});
    return {};
  }
  return {size_t(a->count), a->components, decode_accessor<u32>(*a, [](auto number) { return u32(number); })};
}

}  // namespace dio::gltf

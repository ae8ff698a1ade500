#include "formats/splashpack/layout/layouts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/splashpack/layout/pack.hpp"

namespace dio::splashpack {
namespace {

constexpr std::array k_of_2025 = {Layout::a1, Layout::a2, Layout::a3, Layout::b,
                                  Layout::b2, Layout::c,  Layout::d,  Layout::e};

/// The numbers of a file; beyond its end they are 0, and `complete` is false.
struct LenientReader {
  ByteView file;
  bool complete = true;
  u64 at(u64 offset, unsigned size) {
    u64 n = 0;
    if (offset + size > file.size()) {
      complete = false;
      return 0;
    }
    for (unsigned i = size; i-- > 0;) n = n << 8 | file[size_t(offset + i)];
    return n;
  }
};

/// Counts the bytes of a record in a layout, without the content of its lists, and finds one of its fields.
struct RecordSizer : Sizer {
  std::string_view wanted;
  u64 place = 0;  // of that field
  void operator()(Key k, auto&& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    note(k);
    if constexpr (Resizable<T>)
      bytes += x.size() * wire_size<std::ranges::range_value_t<T>>(version_);
    else
      Sizer::operator()(k, x);
  }
  template <class W>
  void count(W, Key k, auto&&) {
    note(k);
    bytes += sizeof(W);
  }
  void implied(u64 n, auto& list) { list.resize(size_t(n)); }
  void note(Key k) {
    if (k.name && k.name == wanted) place = bytes;
  }
};
template <class T>
RecordSizer measure_record(Layout l, std::string_view wanted = "none") {
  RecordSizer f;
  f.version_ = u32(l);
  f.wanted = wanted;
  T record{};
  if constexpr (std::is_same_v<T, Pack>) record.form = l;
  T::layout(f, record);
  return f;
}
Sizes measure_layout(Layout l) {
  return {measure_record<Pack>(l).bytes,
          measure_record<Script>(l).bytes,
          measure_record<Object>(l).bytes,
          wire_size<Triangle>(u32(l)),
          measure_record<Navmesh>(l).bytes,
          wire_size<NavTriangle>(),
          measure_record<Atlas>(l).bytes,
          measure_record<Clut>(l).bytes,
          measure_record<Object>(l, "offset").place,
          measure_record<Object>(l, "triangle_count").place};
}

struct Block {
  const char* list;
  const char* part;
  u64 index, offset, size;
};

LayoutScore score_layout(ByteView file, Layout l) {
  LayoutScore v{.layout = l, .reason = {}};
  LenientReader n{file};
  const Sizes& sizes = record_sizes(l);
  u64 at = 4;
  const auto next = [&] { return n.at(std::exchange(at, at + 2), 2); };
  const u64 scripts = l >= Layout::d ? next() : 0, objects = next(), navmeshes = l >= Layout::b2 ? next() : 0,
            atlases = next(), cluts = l >= Layout::a3 ? next() : 0;
  std::vector<Block> blocks;
  at = sizes.header;
  const auto each = [&](u64 count, u64 size, auto block) {
    for (u64 i = 0; i < count && n.complete; ++i, at += size) block(i);
  };
  each(scripts, sizes.script, [&](u64 i) { blocks.push_back({"scripts", "text", i, n.at(at, 4), n.at(at + 4, 4)}); });
  each(objects, sizes.object, [&](u64 i) {
    blocks.push_back({"objects", "triangles", i, n.at(at + sizes.triangles_in_object, 4),
                      n.at(at + sizes.triangle_count_in_object, l == Layout::a3 ? 4 : 2) * sizes.triangle});
    (void)n.at(at + sizes.object - 1, 1);
  });
  each(navmeshes, sizes.navmesh, [&](u64 i) {
    blocks.push_back({"navmeshes", "triangles", i, n.at(at, 4), n.at(at + 4, 2) * sizes.nav_triangle});
  });
  each(atlases, sizes.atlas, [&](u64 i) {
    blocks.push_back({"atlases", "texels", i, n.at(at, 4), n.at(at + 4, 2) * n.at(at + 6, 2) * 2});
    (void)n.at(at + sizes.atlas - 1, 1);
  });
  each(cluts, sizes.clut, [&](u64 i) {
    if (l >= Layout::b) blocks.push_back({"cluts", "colors", i, n.at(at, 4), n.at(at + 8, 2) * 2});
    (void)n.at(at + sizes.clut - 1, 1);
  });
  if (!n.complete) {
    v.reason = "the descriptors do not fit in the file";
    return v;
  }
  u64 end = at;
  const auto name = [](const Block& b) { return std::string(b.list) + "[" + std::to_string(b.index) + "]." + b.part; };
  for (const Block& b : blocks) {
    const u64 expected = (end + 3) & ~u64(3);
    if (b.offset != expected) {
      v.reason = name(b) + " starts at " + format_hex(b.offset) + " instead of " + format_hex(expected);
      break;
    }
    if (b.offset + b.size > file.size()) {
      v.reason = name(b) + " ends at " + format_hex(b.offset + b.size) + ", beyond the end of the file";
      break;
    }
    for (u64 i = end; i < expected && v.reason.empty(); ++i)
      if (file[size_t(i)]) v.reason = "the padding before " + name(b) + " is not zero";
    if (!v.reason.empty()) break;
    end = b.offset + b.size;
    ++v.blocks;
  }
  if (v.reason.empty() && end != file.size())
    v.reason = "the last block ends at " + format_hex(end) + ", but the file ends at " + format_hex(file.size());
  v.fits = v.reason.empty();
  u64 before = at, joined = 0, total = 0;
  for (const Block& b : blocks) {
    if (!b.size) continue;
    ++total;
    joined += b.offset == ((before + 3) & ~u64(3)) && b.offset + b.size <= file.size();
    before = b.offset + b.size;
  }
  v.joined = total ? u32(joined * 1000 / total) : 0;
  sort_stably(blocks, [](const Block& a, const Block& b) { return a.offset < b.offset; });
  u64 free = at;
  v.inside = true;
  for (const Block& b : blocks) {
    if (!b.size) continue;
    v.inside &= b.offset >= free && b.offset + b.size <= file.size();
    free = b.offset + b.size;
  }
  return v;
}

std::optional<u64> read_version(ByteView file) {
  if (file.size() < 4 || file[0] != 'S' || file[1] != 'P') return {};
  return file[2] | u64(file[3]) << 8;
}
bool is_later(u64 version) { return u64(Layout::v20) <= version && version <= u64(k_newest); }

const LayoutScore& best_scoring(const std::vector<LayoutScore>& all) {
  const auto rank = [](const LayoutScore& v) {
    return std::tuple(v.fits, v.joined, v.inside, v.blocks, v.layout == Layout::d, v.layout == Layout::e);
  };
  return *std::max_element(all.begin(), all.end(),
                           [&](const LayoutScore& a, const LayoutScore& b) { return rank(a) < rank(b); });
}

}  // namespace

const Sizes& record_sizes(Layout l) {
  static const std::map<Layout, Sizes> all = [] {
    std::map<Layout, Sizes> m;
    for (const EnumName& w : k_layout_words) m.emplace(Layout(w.value), measure_layout(Layout(w.value)));
    return m;
  }();
  const auto known = all.find(l);
  return (known == all.end() ? all.find(Layout::e) : known)->second;
}

std::vector<LayoutScore> score_layouts(ByteView file) {
  const auto version = read_version(file);
  if (!version) return {};
  if (is_later(*version)) return {{Layout(*version), true, true, 0, 0, "its version is " + std::to_string(*version)}};
  std::vector<LayoutScore> all;
  for (const Layout l : k_of_2025) all.push_back(score_layout(file, l));
  return all;
}

std::optional<u64> probe_header_size(ByteView file) {
  constexpr u64 k_least = 120, k_most = 256;
  LenientReader n{file};
  const u64 scripts = n.at(4, 2), objects = n.at(6, 2);
  if (!n.complete || (!scripts && !objects)) return {};
  const Sizes& sizes = record_sizes(k_newest);
  const auto fits = [&](u64 header) {
    LenientReader r{file};
    const auto is_inside = [&](u64 offset, u64 size) {
      return offset >= header && offset <= file.size() && size <= file.size() - offset;
    };
    for (u64 i = 0; i < scripts; ++i)
      if (!is_inside(r.at(header + 8 * i, 4), r.at(header + 8 * i + 4, 4))) return false;
    for (u64 i = 0; i < objects; ++i) {
      const u64 object = header + 8 * scripts + sizes.object * i;
      const u64 triangles = r.at(object + sizes.triangle_count_in_object, 2);
      if (triangles && !is_inside(r.at(object + sizes.triangles_in_object, 4), triangles * sizes.triangle))
        return false;
      constexpr u64 k_rotation = 16, k_one = 4096, k_slack = 8;  // offset in an object; raw
      for (u64 row = 0; row < 3; ++row) {
        f64 square = 0;
        for (u64 k = 0; k < 3; ++k) {
          const f64 x = i32(r.at(object + k_rotation + 4 * (3 * row + k), 4));
          square += x * x;
        }
        if (std::fabs(std::sqrt(square) - k_one) > k_slack) return false;
      }
    }
    return r.complete;
  };
  for (u64 header = k_least; header <= k_most; header += 4)
    if (fits(header)) return header;
  return {};
}

bool is_ps1godot_pack(ByteView file) {
  const auto version = read_version(file);
  if (!version || *version <= u64(Layout::v20)) return false;
  const auto header = probe_header_size(file);
  if (!header) return false;
  constexpr std::pair<u64, u64> k_headers[] = {{21, 136}, {22, 144}, {23, 152}, {24, 168}, {25, 168}, {26, 168},
                                               {27, 176}, {28, 200}, {29, 224}, {30, 224}, {31, 224}, {32, 232}};
  const auto own = std::ranges::find(k_headers, *version, [](const auto& h) { return h.first; });
  if (own == std::end(k_headers) || own->second != *header) return false;
  if (*version != u64(Layout::v22)) return true;
  // Both headers have 144 bytes: theirs has an avatar, or 65535 for none, and a table of music.
  LenientReader n{file};
  constexpr u64 k_avatar = 132, k_music = 140, k_most_sheets = 16;
  return n.at(k_avatar, 2) > k_most_sheets || n.at(k_music, 4) != 0;
}

Layout detect_layout(ByteView file, const LoadOptions& options) {
  if (options.layout) return Layout(*options.layout);
  const auto all = score_layouts(file);
  return all.empty() ? Layout::d : best_scoring(all).layout;
}

std::string explain_layout(ByteView file) {
  const auto all = score_layouts(file);
  if (all.empty()) return "the file does not start with \"SP\"";
  const LayoutScore& best = best_scoring(all);
  if (is_later(u64(best.layout))) return best.reason;
  const auto name = [](const LayoutScore& v) { return std::string(k_layouts.of(i64(v.layout))); };
  std::string fitting, others;
  for (const LayoutScore& v : all) {
    if (v.fits) fitting += (fitting.empty() ? "" : ", ") + name(v);
    if (&v != &best) others += "; " + name(v) + ": " + v.reason;
  }
  if (fitting.empty())
    return "the blocks fill the file in no layout; the best match is " + name(best) + ": " + best.reason + others +
           "; choose a layout with {--layout}";
  if (fitting != name(best))
    return "the blocks fill the file in layouts " + fitting + "; the file is read as layout " + name(best) +
           "; choose another layout with {--layout}";
  std::string out = "the blocks fill the file only in layout " + fitting;
  for (const LayoutScore& v : all)  // both headers have the same size
    if ((best.layout == Layout::d && v.layout == Layout::e) || (best.layout == Layout::e && v.layout == Layout::d))
      out += "; in " + name(v) + ", whose header has the same size, " + v.reason;
  return out;
}

}  // namespace dio::splashpack

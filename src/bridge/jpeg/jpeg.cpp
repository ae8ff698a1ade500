#include "bridge/jpeg/jpeg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/text_format.hpp"

namespace dio::jpeg {
namespace {

constexpr std::array<u8, 64> k_zigzag{0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                      12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                      35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                      58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

using Block = std::array<i16, 64>;  // row after row

/// A code table: for each length, the first code and the index of its values.
struct Codes {
  bool is_there = false;
  std::array<u32, 17> first{}, end{}, place{};
  std::vector<u8> values;
};

struct Component {
  u8 id = 0, steps = 0, dc = 0, ac = 0;
  u32 across = 1, down = 1;   // samples per sample of the finest component
  u32 columns = 0, rows = 0;  // number of blocks that contain pixels
  u32 stride = 0;             // blocks in a row, up to the end of the last unit
  std::vector<Block> blocks = {};
  i32 mean = 0;  // of the block before
};

/// The bits of a scan, most significant first; 0xFF is followed by a 0, or starts a marker, which ends the bits.
class Bits {
 public:
  Bits(ByteView file, size_t at) : file_(file), at_(at) {}

  u32 read_bits(int count) {
    u32 out = 0;
    while (count-- > 0) out = out << 1 | read_bit();
    return out;
  }
  u32 read_bit() {
    if (!left_ && !next_byte()) return 0;
    return byte_ >> --left_ & 1;
  }
  bool ran_out() const { return ran_out_; }
  size_t place() const { return at_; }
  void drop_rest_of_byte() { left_ = 0; }
  /// The marker between two parts of a scan.
  bool skip_restart() {
    left_ = 0;
    if (at_ + 1 >= file_.size() || file_[at_] != 0xFF || file_[at_ + 1] < 0xD0 || file_[at_ + 1] > 0xD7) return false;
    at_ += 2;
    return true;
  }

 private:
  bool next_byte() {
    const bool is_marker = at_ + 1 >= file_.size() || (file_[at_] == 0xFF && file_[at_ + 1] != 0);
    if (at_ >= file_.size() || (file_[at_] == 0xFF && is_marker)) {
      ran_out_ = true;
      return false;
    }
    byte_ = file_[at_];
    at_ += byte_ == 0xFF ? 2 : 1;
    left_ = 8;
    return true;
  }

  ByteView file_;
  size_t at_;
  u32 byte_ = 0;
  int left_ = 0;
  bool ran_out_ = false;
};

u32 rounded_up(u32 n, u32 step) { return (n + step - 1) / step; }

class Reader {
 public:
  Reader(ByteView file, u64 most_pixels) : file_(file), most_pixels_(most_pixels) {}

  Result<scene::Image> decode() {
    size_t at = 2;
    bool has_scan = false;
    while (problem_.id.empty()) {
      while (at < file_.size() && file_[at] != 0xFF) ++at;  // filler bytes between segments
      while (at < file_.size() && file_[at] == 0xFF) ++at;
      if (at >= file_.size())
        return syntax_error({.expected = "an end-of-image marker", .found = "the end of the file"});
      const u8 marker = file_[at++];
      if (marker == 0xD9) break;
      if (marker == 0 || marker == 1 || (marker >= 0xD0 && marker <= 0xD8)) continue;
      const size_t length = at + 1 < file_.size() ? size_t(file_[at] << 8 | file_[at + 1]) : 0;
      if (length < 2 || length > file_.size() - at)
        return syntax_error({.message = "a segment extends beyond the end of the file"});
      const ByteView segment = file_.subspan(at + 2, length - 2);
      at += length;
      switch (marker) {
        case 0xC0:
        case 0xC1:
        case 0xC2:
          read_frame(segment, marker == 0xC2);
          break;
        case 0xC4:
          read_huffman_tables(segment);
          break;
        case 0xDB:
          read_quantization_tables(segment);
          break;
        case 0xDD:
          if (segment.size() >= 2) restart_ = u32(segment[0] << 8 | segment[1]);
          break;
        case 0xEE:
          if (segment.size() >= 12 && segment[0] == 'A' && segment[1] == 'd') is_rgb_ = segment[11] == 0;
          break;
        case 0xDA:
          at = read_scan(segment, at);
          has_scan = true;
          break;
        default:
          if (marker >= 0xC3 && marker <= 0xCF)
            return syntax_error(
                {.message = "only sequential and progressive JPEG files with Huffman coding are supported"});
      }
    }
    if (!problem_.id.empty()) return refuse(std::move(problem_));
    if (!has_scan) return syntax_error({.message = "the JPEG file has no pixels"});
    return convert_to_image();
  }

 private:
  tl::unexpected<Diagnostic> syntax_error(DiagnosticText said) {
    record_fault("jpeg.syntax", std::move(said));
    return refuse(problem_);
  }
  void record_fault(std::string_view id, DiagnosticText said) {
    if (problem_.id.empty()) problem_ = make_diagnostic(id, {}, std::move(said));
  }
  void report_damage(std::string found) { record_fault("jpeg.syntax", {.message = "damaged JPEG file: " + found}); }

  void read_frame(ByteView s, bool progressive) {
    if (width_) return report_damage("two pictures in one file");
    if (s.size() < 6 || s.size() < 6 + size_t(s[5]) * 3) return report_damage("a truncated frame header");
    const u32 height = u32(s[1] << 8 | s[2]), width = u32(s[3] << 8 | s[4]), count = s[5];
    if (s[0] != 8 || !width || !height || (count != 1 && count != 3))
      return record_fault("jpeg.syntax", {.expected = "8 bits per sample, one or three components and a size above 0",
                                          .found = std::to_string(s[0]) + " bits, " + format_count(count, "component") +
                                                   ", " + std::to_string(width) + " x " + std::to_string(height)});
    if (u64(width) * height > most_pixels_)
      return record_fault(
          "jpeg.size", {.message = "the picture is too large: " + std::to_string(width) + " x " +
                                   std::to_string(height) + " (at most " + format_count(most_pixels_, "pixel") + ")"});
    std::vector<Component> components(count);
    for (u32 i = 0; i < count; ++i) {
      Component& c = components[i];
      c.id = s[6 + i * 3];
      c.across = s[7 + i * 3] >> 4;
      c.down = s[7 + i * 3] & 15;
      c.steps = s[8 + i * 3];
      if (c.across < 1 || c.across > 4 || c.down < 1 || c.down > 4 || c.steps > 3)
        return report_damage("invalid component parameters");
      if (count == 1) c.across = c.down = 1;  // they have no effect with one component
      finest_across_ = std::max(finest_across_, c.across);
      finest_down_ = std::max(finest_down_, c.down);
    }
    units_across_ = rounded_up(width, 8 * finest_across_);
    units_down_ = rounded_up(height, 8 * finest_down_);
    u64 blocks = 0;
    for (const Component& c : components) blocks += u64(units_across_) * c.across * units_down_ * c.down;
    // A block takes at least one bit.
    if (blocks > u64(file_.size()) * 8) return report_damage("more pixels than its data can hold");
    for (Component& c : components) {
      c.columns = rounded_up(rounded_up(width * c.across, finest_across_), 8);
      c.rows = rounded_up(rounded_up(height * c.down, finest_down_), 8);
      c.stride = units_across_ * c.across;
      c.blocks.resize(size_t(c.stride) * units_down_ * c.down);
    }
    if (count == 3 && components[0].id == 'R' && components[1].id == 'G' && components[2].id == 'B') is_rgb_ = true;
    components_ = std::move(components);
    width_ = width;
    height_ = height;
    progressive_ = progressive;
  }

  void read_quantization_tables(ByteView s) {
    while (!s.empty()) {
      const u8 kind = s[0] >> 4, number = s[0] & 15;
      const size_t size = kind ? 128 : 64;
      if (kind > 1 || number > 3 || s.size() < 1 + size) return report_damage("an invalid quantization table");
      for (size_t i = 0; i < 64; ++i)
        steps_[number][k_zigzag[i]] = kind ? u16(s[1 + i * 2] << 8 | s[2 + i * 2]) : s[1 + i];
      s = s.subspan(1 + size);
    }
  }

  void read_huffman_tables(ByteView s) {
    while (!s.empty()) {
      if (s.size() < 17 || (s[0] >> 4) > 1 || (s[0] & 15) > 3) return report_damage("an invalid Huffman table");
      Codes& codes = codes_[s[0] >> 4][s[0] & 15];
      codes = {};
      codes.is_there = true;
      u32 code = 0, count = 0;
      for (size_t length = 1; length <= 16; ++length) {
        codes.first[length] = code;
        codes.place[length] = count;
        code += s[length];
        count += s[length];
        codes.end[length] = code;
        if (code > u32(1) << length) return report_damage("a Huffman table with too many codes");
        code <<= 1;
      }
      if (s.size() < 17 + count) return report_damage("a truncated Huffman table");
      codes.values.assign(s.begin() + 17, s.begin() + 17 + std::ptrdiff_t(count));
      s = s.subspan(17 + count);
    }
  }

  // ---- scans ----

  /// The position of the next segment.
  size_t read_scan(ByteView s, size_t at) {
    if (!width_ || s.empty() || s[0] < 1 || s[0] > 4 || s.size() < 4 + size_t(s[0]) * 2) {
      report_damage("invalid scan parameters");
      return at;
    }
    std::vector<Component*> in_scan;
    for (u32 i = 0; i < s[0]; ++i) {
      const auto found = std::ranges::find(components_, s[1 + i * 2], &Component::id);
      if (found == components_.end() || std::ranges::find(in_scan, &*found) != in_scan.end()) {
        report_damage("a scan of an unknown component");
        return at;
      }
      found->dc = s[2 + i * 2] >> 4 & 3;
      found->ac = s[2 + i * 2] & 3;
      found->mean = 0;
      in_scan.push_back(&*found);
    }
    const ByteView how = s.subspan(1 + size_t(s[0]) * 2);
    first_ = how[0];
    last_ = how[1];
    high_ = how[2] >> 4;
    low_ = how[2] & 15;
    const bool is_right = progressive_ ? first_ <= last_ && last_ < 64 && (first_ ? in_scan.size() == 1 : last_ == 0) &&
                                             low_ < 14 && (high_ == 0 || high_ == low_ + 1)
                                       : first_ == 0 && last_ == 63 && high_ == 0 && low_ == 0;
    for (const Component* c : in_scan) {
      const bool needs_dc = first_ == 0 && high_ == 0, needs_ac = last_ > 0;
      if (!is_right || (needs_dc && !codes_[0][c->dc].is_there) || (needs_ac && !codes_[1][c->ac].is_there)) {
        report_damage("invalid scan parameters, or a missing Huffman table");
        return at;
      }
    }
    Bits bits(file_, at);
    run_ = 0;
    read_blocks(in_scan, bits);
    return bits.place();
  }

  /// For a single component, the blocks that contain pixels; for several, units with as many blocks as each has
  /// samples.
  void read_blocks(const std::vector<Component*>& in_scan, Bits& bits) {
    const bool alone = in_scan.size() == 1;
    const u32 across = alone ? in_scan[0]->columns : units_across_, down = alone ? in_scan[0]->rows : units_down_;
    u32 until_restart = restart_;
    for (u32 y = 0; y < down; ++y)
      for (u32 x = 0; x < across; ++x) {
        if (restart_ && until_restart == 0) {
          if (!bits.skip_restart()) return report_damage("a missing restart marker");
          for (Component* c : in_scan) c->mean = 0;
          run_ = 0;
          until_restart = restart_;
        }
        --until_restart;
        for (Component* c : in_scan)
          for (u32 v = 0; v < (alone ? 1 : c->down); ++v)
            for (u32 h = 0; h < (alone ? 1 : c->across); ++h) {
              const u32 row = alone ? y : y * c->down + v, column = alone ? x : x * c->across + h;
              read_block(*c, c->blocks[size_t(row) * c->stride + column], bits);
              if (!problem_.id.empty()) return;
            }
        if (bits.ran_out()) return report_damage("a truncated scan");
      }
  }

  u32 decode_huffman_symbol(const Codes& codes, Bits& bits) {
    u32 code = 0;
    for (size_t length = 1; length <= 16; ++length) {
      code = code << 1 | bits.read_bit();
      if (code < codes.end[length] && code >= codes.first[length])
        return codes.values[codes.place[length] + code - codes.first[length]];
    }
    report_damage("an invalid Huffman code");
    return 0;
  }
  /// The upper half of the numbers with this many bits is positive.
  static i32 read_signed_value(u32 size, Bits& bits) {
    if (size == 0) return 0;
    const i32 n = i32(bits.read_bits(int(size)));
    return n < i32(1) << (size - 1) ? n - (i32(1) << size) + 1 : n;
  }

  void read_block(Component& c, Block& block, Bits& bits) {
    if (first_ == 0) {
      if (high_ == 0) {
        const u32 size = decode_huffman_symbol(codes_[0][c.dc], bits);
        if (size > 15) return report_damage("a coefficient with too many bits");
        c.mean = i16(c.mean + read_signed_value(size, bits));
        block[0] = i16(c.mean * (1 << low_));
      } else if (bits.read_bit()) {
        block[0] = i16(block[0] | 1 << low_);
      }
    }
    if (last_ == 0) return;
    const u32 first = std::max<u32>(first_, 1);
    if (high_ == 0)
      read_ac_coefficients(codes_[1][c.ac], block, first, bits);
    else
      refine_ac_coefficients(codes_[1][c.ac], block, first, bits);
  }

  void read_ac_coefficients(const Codes& codes, Block& block, u32 k, Bits& bits) {
    if (run_ > 0) {
      --run_;
      return;
    }
    while (k <= last_ && problem_.id.empty()) {
      const u32 code = decode_huffman_symbol(codes, bits), zeros = code >> 4, size = code & 15;
      if (size == 0 && zeros < 15) {
        if (progressive_) run_ = (u32(1) << zeros) - 1 + bits.read_bits(int(zeros));
        return;
      }
      k += zeros;
      if (k > last_) return report_damage("a block with more than 64 coefficients");
      if (size) block[k_zigzag[k]] = i16(read_signed_value(size, bits) * (1 << low_));
      ++k;
    }
  }

  /// Adds one bit to existing numbers, and inserts new numbers between them.
  void refine_ac_coefficients(const Codes& codes, Block& block, u32 k, Bits& bits) {
    const i32 bit = i32(1) << low_;
    const auto refine_coefficient = [&](i16& n) {
      if (bits.read_bit() && (n & bit) == 0) n = i16(n > 0 ? n + bit : n - bit);
    };
    if (run_ == 0) {
      for (; k <= last_ && problem_.id.empty(); ++k) {
        const u32 code = decode_huffman_symbol(codes, bits), size = code & 15;
        u32 zeros = code >> 4;
        i32 fresh = 0;
        if (size == 0 && zeros < 15) {
          run_ = (u32(1) << zeros) + bits.read_bits(int(zeros));
          break;
        }
        if (size > 1) return report_damage("a new coefficient with more than one bit");
        if (size == 1) fresh = bits.read_bit() ? bit : -bit;
        for (; k <= last_; ++k) {
          i16& n = block[k_zigzag[k]];
          if (n)
            refine_coefficient(n);
          else if (zeros-- == 0) {
            n = i16(fresh);
            break;
          }
        }
      }
    }
    if (run_ == 0) return;
    for (; k <= last_; ++k)
      if (i16& n = block[k_zigzag[k]]) refine_coefficient(n);
    --run_;
  }

  // ---- pixels ----

  /// The inverse cosine transform (A.3.3), computed from its definition, one direction after the other.
  static void inverse_dct(const Block& block, const std::array<u16, 64>& steps, u8* to, size_t stride) {
    // cos(k pi / 16) / 2, and for k = 0 the factor of the definition, the square root of 1/8
    static constexpr std::array<f64, 8> k_halves{0.35355339059327376, 0.4903926402016152,  0.46193976625564337,
                                                 0.4157348061512726,  0.35355339059327376, 0.2777851165098011,
                                                 0.19134171618254492, 0.09754516100806417};
    const auto idct_basis = [](size_t frequency, size_t place) {
      const size_t k = (2 * place + 1) * frequency % 32;  // out of 32 parts of the full turn
      if (frequency == 0) return k_halves[0];
      const size_t half = k > 16 ? 32 - k : k;
      if (half == 8) return 0.0;
      return half < 8 ? (half == 0 ? 0.5 : k_halves[half]) : (half == 16 ? -0.5 : -k_halves[16 - half]);
    };
    static const auto k_parts = [&] {
      std::array<std::array<f64, 8>, 8> out{};
      for (size_t u = 0; u < 8; ++u)
        for (size_t x = 0; x < 8; ++x) out[u][x] = idct_basis(u, x);
      return out;
    }();
    std::array<f64, 64> rows{};
    for (size_t v = 0; v < 8; ++v)
      for (size_t u = 0; u < 8; ++u) {
        const i32 n = block[v * 8 + u];
        if (n == 0) continue;
        for (size_t x = 0; x < 8; ++x) rows[v * 8 + x] += f64(n) * steps[v * 8 + u] * k_parts[u][x];
      }
    for (size_t x = 0; x < 8; ++x)
      for (size_t y = 0; y < 8; ++y) {
        f64 sum = 128;
        for (size_t v = 0; v < 8; ++v) sum += rows[v * 8 + x] * k_parts[v][y];
        to[y * stride + x] = u8(std::clamp(std::floor(sum + 0.5), 0.0, 255.0));
      }
  }

  scene::Image convert_to_image() {
    std::vector<std::vector<u8>> planes;
    for (Component& c : components_) {
      auto& plane = planes.emplace_back(c.blocks.size() * 64);
      const size_t stride = size_t(c.stride) * 8;
      for (size_t i = 0; i < c.blocks.size(); ++i)
        inverse_dct(c.blocks[i], steps_[c.steps], plane.data() + i / c.stride * 8 * stride + i % c.stride * 8, stride);
      c.blocks = {};
    }
    scene::Image out;
    out.width = width_;
    out.height = height_;
    out.pixels.resize(size_t(width_) * height_ * 4);
    u8* to = out.pixels.data();
    std::array<u8, 3> sample{};
    for (u32 y = 0; y < height_; ++y)
      for (u32 x = 0; x < width_; ++x, to += 4) {
        for (size_t i = 0; i < planes.size(); ++i) {
          const Component& c = components_[i];
          sample[i] = planes[i][size_t(y * c.down / finest_down_) * c.stride * 8 + x * c.across / finest_across_];
        }
        const auto rounded = [](f64 n) { return u8(std::clamp(std::floor(n + 0.5), 0.0, 255.0)); };
        const f64 grey = sample[0], blue = sample[1] - 128.0, red = sample[2] - 128.0;
        if (planes.size() == 1)
          to[0] = to[1] = to[2] = sample[0];
        else if (is_rgb_)
          std::copy(sample.begin(), sample.end(), to);
        else {  // JFIF
          to[0] = rounded(grey + 1.402 * red);
          to[1] = rounded(grey - 0.344136286 * blue - 0.714136286 * red);
          to[2] = rounded(grey + 1.772 * blue);
        }
        to[3] = 255;
      }
    return out;
  }

  ByteView file_;
  u64 most_pixels_;
  Diagnostic problem_;
  std::array<std::array<u16, 64>, 4> steps_{};
  std::array<std::array<Codes, 4>, 2> codes_;  // for DC and AC coefficients
  std::vector<Component> components_;
  u32 width_ = 0, height_ = 0, finest_across_ = 1, finest_down_ = 1, units_across_ = 0, units_down_ = 0;
  u32 restart_ = 0;  // units between two restart markers; 0: there are none
  bool progressive_ = false, is_rgb_ = false;
  // For the scan: its coefficients, their bits, and the number of further blocks without any.
  u32 first_ = 0, last_ = 0, high_ = 0, low_ = 0, run_ = 0;
};

}  // namespace

bool is_jpeg(ByteView file) { return file.size() >= 3 && file[0] == 0xFF && file[1] == 0xD8 && file[2] == 0xFF; }

Result<scene::Image> read_jpeg(ByteView file, u64 most_pixels) {
  if (is_jpeg(file)) return Reader(file, most_pixels).decode();
  return refuse("jpeg.syntax", {}, {.expected = "the signature of a JPEG file", .found = "other bytes"});
}

}  // namespace dio::jpeg

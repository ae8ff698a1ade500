#include "bridge/png/png.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "bridge/png/deflate.hpp"
#include "core/checksums.hpp"

namespace dio::png {
namespace {

constexpr u8 k_signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr u64 k_most_pixels = u64(1) << 26;

enum ColorType : u8 { grey = 0, rgb = 2, indexed = 3, grey_alpha = 4, rgba = 6 };
enum Filter : u8 { none, sub, up, average, paeth, filter_count };

/// Predicts a byte: the neighbour closest to left + above - above left.
u8 paeth_predictor(int left, int above, int corner) {
  const int to_left = std::abs(above - corner), to_above = std::abs(left - corner);
  const int to_corner = std::abs(left + above - 2 * corner);
  return u8(to_left <= to_above && to_left <= to_corner ? left : to_above <= to_corner ? above : corner);
}

/// The prediction of a filter at `i` of a row, from the bytes before it and the row above (none: zeros).
template <u8 filter>
u8 predict_byte(const u8* row, const u8* above, size_t i, size_t pixel) {
  const int left = i >= pixel ? row[i - pixel] : 0, top = above ? above[i] : 0;
  if constexpr (filter == sub) return u8(left);
  if constexpr (filter == up) return u8(top);
  if constexpr (filter == average) return u8((left + top) / 2);
  if constexpr (filter == paeth) return paeth_predictor(left, top, i >= pixel && above ? above[i - pixel] : 0);
  return 0;
}

// ---- writing --------------------------------------------------------------------------------------------------------

void put_big_endian(Bytes& to, u32 number) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(u8(number >> shift));
}

void put_chunk(Bytes& to, std::string_view type, ByteView content) {
  put_big_endian(to, u32(content.size()));
  const size_t start = to.size();
  to.insert(to.end(), type.begin(), type.end());
  to.insert(to.end(), content.begin(), content.end());
  put_big_endian(to, crc32(ByteView(to).subspan(start)));
}

/// Rows of indices, `depth` bits each, the first in the highest bits. Each row starts with filter 0, because
/// neighbouring indices are unrelated.
Bytes pack_index_scanlines(const scene::Image& image) {
  const size_t row_size = (size_t(image.width) * image.depth + 7) / 8;
  Bytes rows((row_size + 1) * image.height);
  const u8* pixel = image.pixels.data();
  for (u32 y = 0; y < image.height; ++y) {
    u8* row = rows.data() + y * (row_size + 1) + 1;
    if (image.depth == 8) {
      std::copy_n(pixel, image.width, row);
      pixel += image.width;
      continue;
    }
    for (size_t bit = 0; bit < size_t(image.width) * image.depth; bit += image.depth)
      row[bit / 8] |= u8(*pixel++ << (8 - image.depth - bit % 8));
  }
  return rows;
}

/// Appends a row with one filter. Returns the sum of its bytes as distances from zero: a small sum means few different
/// bytes.
template <u8 filter>
u64 put_filtered_scanline(Bytes& to, const u8* row, const u8* above, size_t size, size_t pixel) {
  u64 sum = 0;
  to.push_back(filter);
  for (size_t i = 0; i < size; ++i) {
    const u8 rest = u8(row[i] - predict_byte<filter>(row, above, i, pixel));
    to.push_back(rest);
    sum += u64(std::abs(int(i8(rest))));
  }
  return sum;
}

/// Rows of colours, each with the filter that gives the smallest bytes.
Bytes filter_scanlines(const scene::Image& image, bool opaque) {
  const size_t pixel = opaque ? 3 : 4, row_size = image.width * pixel;
  Bytes rows, row, above, attempt, best;
  rows.reserve((row_size + 1) * image.height);
  for (u32 y = 0; y < image.height; ++y) {
    row.clear();
    const u8* from = image.pixels.data() + size_t(y) * image.width * 4;
    for (u32 x = 0; x < image.width; ++x, from += 4) row.insert(row.end(), from, from + pixel);
    const u8* last = y ? above.data() : nullptr;
    u64 least = ~u64(0);
    const auto try_filter = [&]<u8 filter>() {
      attempt.clear();
      const u64 sum = put_filtered_scanline<filter>(attempt, row.data(), last, row_size, pixel);
      if (sum >= least) return;
      least = sum;
      std::swap(attempt, best);
    };
    try_filter.template operator()<none>();
    try_filter.template operator()<sub>();
    try_filter.template operator()<up>();
    try_filter.template operator()<average>();
    try_filter.template operator()<paeth>();
    rows.insert(rows.end(), best.begin(), best.end());
    std::swap(row, above);
  }
  return rows;
}

bool is_fully_opaque(const scene::Image& image) {
  for (size_t i = 3; i < image.pixels.size(); i += 4)
    if (image.pixels[i] != 255) return false;
  return true;
}

}  // namespace

Bytes write_png(const scene::Image& image) {
  const bool opaque = image.palette.empty() && is_fully_opaque(image);
  Bytes header;
  put_big_endian(header, image.width);
  put_big_endian(header, image.height);
  const u8 type = !image.palette.empty() ? indexed : opaque ? rgb : rgba;
  header.insert(header.end(), {image.palette.empty() ? u8(8) : image.depth, type, 0, 0, 0});

  const Bytes pixels = deflate(image.palette.empty() ? filter_scanlines(image, opaque) : pack_index_scanlines(image));
  Bytes file(std::begin(k_signature), std::end(k_signature));
  file.reserve(pixels.size() + image.palette.size() * 4 + 128);
  put_chunk(file, "IHDR", header);
  if (!image.palette.empty()) {
    Bytes colors, alphas;
    for (const scene::Rgba& color : image.palette) {
      colors.insert(colors.end(), color.begin(), color.begin() + 3);
      alphas.push_back(color[3]);
    }
    while (!alphas.empty() && alphas.back() == 255) alphas.pop_back();  // unlisted entries are opaque
    put_chunk(file, "PLTE", colors);
    if (!alphas.empty()) put_chunk(file, "tRNS", alphas);
  }
  put_chunk(file, "IDAT", pixels);
  put_chunk(file, "IEND", {});
  return file;
}

Bytes write_apng(std::span<const scene::Image> frames, u16 milliseconds) {
  const u32 width = frames.front().width, height = frames.front().height;
  const bool opaque = std::all_of(frames.begin(), frames.end(), is_fully_opaque);
  Bytes header, control;
  put_big_endian(header, width);
  put_big_endian(header, height);
  header.insert(header.end(), {u8(8), opaque ? rgb : rgba, 0, 0, 0});
  put_big_endian(control, u32(frames.size()));
  put_big_endian(control, 0);  // without end
  Bytes file(std::begin(k_signature), std::end(k_signature));
  put_chunk(file, "IHDR", header);
  put_chunk(file, "acTL", control);
  u32 sequence = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    Bytes frame;
    put_big_endian(frame, sequence++);
    put_big_endian(frame, width);
    put_big_endian(frame, height);
    put_big_endian(frame, 0);
    put_big_endian(frame, 0);
    // The delay as a fraction of a second; each frame stays and is overwritten by the next.
    frame.insert(frame.end(), {u8(milliseconds >> 8), u8(milliseconds), u8(1000 >> 8), u8(1000 & 255), 0, 0});
    put_chunk(file, "fcTL", frame);
    const Bytes pixels = deflate(filter_scanlines(frames[i], opaque));
    if (i == 0) {
      put_chunk(file, "IDAT", pixels);
      continue;
    }
    Bytes numbered;
    put_big_endian(numbered, sequence++);
    numbered.insert(numbered.end(), pixels.begin(), pixels.end());
    put_chunk(file, "fdAT", numbered);
  }
  put_chunk(file, "IEND", {});
  return file;
}

// ---- reading --------------------------------------------------------------------------------------------------------

namespace {

struct Header {
  u32 width, height;
  u8 depth, type, interlace;

  u32 channels() const { return type == rgb ? 3 : type == grey_alpha ? 2 : type == rgba ? 4 : 1; }
  size_t row_size(u32 columns) const { return size_t((u64(columns) * channels() * depth + 7) / 8); }
};

/// Pixels of a pass over an interlaced picture: every `step`th from `start` on. All pixels if it is not interlaced.
struct Pass {
  u32 x_start, y_start, x_step, y_step;
  u32 columns(const Header& h) const { return h.width > x_start ? (h.width - x_start + x_step - 1) / x_step : 0; }
  u32 rows(const Header& h) const { return h.height > y_start ? (h.height - y_start + y_step - 1) / y_step : 0; }
  size_t size(const Header& h) const { return columns(h) ? (h.row_size(columns(h)) + 1) * rows(h) : 0; }
};
constexpr Pass k_whole[] = {{0, 0, 1, 1}};
constexpr Pass k_interlaced[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                 {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

template <u8 filter>
void unfilter(u8* row, const u8* above, size_t size, size_t pixel) {
  for (size_t i = 0; i < size; ++i) row[i] = u8(row[i] + predict_byte<filter>(row, above, i, pixel));
}

tl::unexpected<Diagnostic> refuse_at(u64 offset, u64 size, DiagnosticText said) {
  return refuse("png.syntax", Location::of_bytes(offset, size), std::move(said));
}

class Reader {
 public:
  explicit Reader(ByteView file) : file_(file) {}

  Result<scene::Image> read() {
    if (file_.size() < 8 || !std::equal(std::begin(k_signature), std::end(k_signature), file_.begin()))
      return refuse_at(0, 8, {.expected = "the signature of a PNG file", .found = "other bytes"});
    at_ = 8;
    for (bool first = true;; first = false) {
      const u64 start = at_;
      if (file_.size() - at_ < 12) return refuse_at(at_, 0, {.expected = "a chunk", .found = "the end of the file"});
      const u32 size = u32_at(at_);
      if (size > file_.size() - at_ - 12)
        return refuse_at(at_, 4,
                         {.expected = "a chunk of at most " + std::to_string(file_.size() - at_ - 12) + " bytes",
                          .found = std::to_string(size)});
      const std::string_view type(reinterpret_cast<const char*>(file_.data()) + at_ + 4, 4);
      const ByteView content = file_.subspan(at_ + 8, size);
      at_ += 12 + size;
      const bool known = type == "IHDR" || type == "PLTE" || type == "tRNS" || type == "IDAT" || type == "IEND";
      if (first != (type == "IHDR"))
        return refuse_at(start + 4, 4,
                         {.message = first ? "the first chunk is " + std::string(printable(type)) + "; it must be IHDR"
                                           : std::string("duplicate IHDR chunk")});
      if (!known) {
        if (!(type[0] & 0x20))
          return refuse_at(start + 4, 4, {.message = "unknown critical chunk " + std::string(printable(type))});
        continue;
      }
      if (crc32(file_.subspan(start + 4, size + 4)) != u32_at(at_ - 4))
        return refuse_at(at_ - 4, 4, {.message = "the checksum of the chunk is wrong"});
      if (type == "IEND") return decode_pixels(start);
      if (auto fault = process_chunk(type, content, start)) return refuse(std::move(*fault));
    }
  }

 private:
  u32 u32_at(u64 at) const {
    const u8* b = file_.data() + at;
    return u32(b[0]) << 24 | u32(b[1]) << 16 | u32(b[2]) << 8 | b[3];
  }
  static std::string_view printable(std::string_view type) {
    return std::all_of(type.begin(), type.end(), [](char c) { return c > ' ' && c < 127; }) ? type : "other bytes";
  }

  std::optional<Diagnostic> process_chunk(std::string_view type, ByteView content, u64 start) {
    const auto fault = [&](DiagnosticText said) {
      return refuse_at(start + 8, content.size(), std::move(said)).value();
    };
    if (type == "IHDR") {
      if (content.size() != 13)
        return fault({.expected = "an IHDR of 13 bytes", .found = std::to_string(content.size())});
      header_ = {u32_at(start + 8), u32_at(start + 12), content[8], content[9], content[12]};
      const u8 d = header_.depth, t = header_.type;
      const bool small = d == 1 || d == 2 || d == 4;
      const bool sane = t == grey ? small || d == 8 || d == 16 : t == indexed ? small || d == 8 : d == 8 || d == 16;
      if (!sane || t > rgba || t == 1 || t == 5)
        return fault(
            {.message = "colour type " + std::to_string(t) + " with bit depth " + std::to_string(d) + " is not valid"});
      if (content[10] || content[11] || header_.interlace > 1)
        return fault({.message = "unknown compression, filter or interlace method"});
      if (!header_.width || !header_.height) return fault({.message = "the width or the height is 0"});
      const u64 pixels = u64(header_.width) * header_.height;
      if (pixels > k_most_pixels) {
        Diagnostic large = fault({.message = "the picture has " + std::to_string(pixels) + " pixels (at most " +
                                             std::to_string(k_most_pixels) + ")"});
        large.id = "png.size";
        return large;
      }
    } else if (type == "PLTE") {
      if (!palette_.empty() || !stream_.empty())
        return fault({.message = "the file must have only one PLTE chunk, before IDAT"});
      const size_t most = header_.type == indexed ? size_t(1) << header_.depth : 256;
      if (content.empty() || content.size() % 3 || content.size() / 3 > most || header_.type == grey ||
          header_.type == grey_alpha)
        return fault({.message = header_.type == grey || header_.type == grey_alpha
                                     ? "a grey picture must not have a palette"
                                     : "the palette has " + std::to_string(content.size()) +
                                           " bytes; it must have 3 bytes for each colour, and 1 to " +
                                           std::to_string(most) + " colours"});
      for (size_t i = 0; i < content.size(); i += 3)
        palette_.push_back({content[i], content[i + 1], content[i + 2], 255});
    } else if (type == "tRNS") {
      const bool fits = header_.type == indexed ? content.size() <= palette_.size()
                                                : header_.type <= rgb && content.size() == 2 * header_.channels();
      if (!fits || !stream_.empty())
        return fault(
            {.message = "tRNS with " + std::to_string(content.size()) + " bytes is not valid for this colour type"});
      if (header_.type == indexed) {
        for (size_t i = 0; i < content.size(); ++i) palette_[i][3] = content[i];
      } else {
        has_clear_ = true;
        for (size_t i = 0; i < content.size(); i += 2) clear_[i / 2] = u16(content[i] << 8 | content[i + 1]);
      }
    } else if (type == "IDAT") {
      stream_.insert(stream_.end(), content.begin(), content.end());
    }
    return std::nullopt;
  }

  Result<scene::Image> decode_pixels(u64 end) {
    if (header_.type == indexed && palette_.empty())
      return refuse_at(end, 0, {.message = "the picture is indexed, but has no palette"});
    const std::span<const Pass> passes = header_.interlace ? std::span<const Pass>(k_interlaced) : k_whole;
    size_t size = 0;
    for (const Pass& pass : passes) size += pass.size(header_);
    // No stream expands more than 1032-fold: streams too short for the picture are rejected before memory is allocated.
    if (size / 1032 > stream_.size())
      return refuse_at(end, 0, {.message = "the picture is truncated: IDAT is too short for its size"});
    std::optional<Bytes> rows = inflate(stream_, size);
    if (!rows)
      return refuse_at(end, 0, {.message = "the compressed data is damaged or too short for the size of the picture"});

    scene::Image image{{}, header_.width, header_.height, header_.type == indexed ? header_.depth : u8(8), {}, {}};
    image.pixels.resize(size_t(header_.width) * header_.height * (header_.type == indexed ? 1 : 4));
    size_t at = 0;
    for (const Pass& pass : passes) {
      if (!pass.size(header_)) continue;
      const size_t row_size = header_.row_size(pass.columns(header_));
      const size_t pixel = std::max(1u, header_.channels() * header_.depth / 8);
      const u8* above = nullptr;
      for (u32 y = 0; y < pass.rows(header_); ++y, at += row_size + 1) {
        u8* row = rows->data() + at + 1;
        switch (row[-1]) {
          case none:
            break;
          case sub:
            unfilter<sub>(row, above, row_size, pixel);
            break;
          case up:
            unfilter<up>(row, above, row_size, pixel);
            break;
          case average:
            unfilter<average>(row, above, row_size, pixel);
            break;
          case paeth:
            unfilter<paeth>(row, above, row_size, pixel);
            break;
          default:
            return refuse_at(end, 0, {.message = "filter " + std::to_string(row[-1]) + " is out of range (0 to 4)"});
        }
        above = row;
        unpack_scanline(image, row, pass, pass.y_start + y * pass.y_step);
      }
    }
    if (header_.type == indexed)
      for (const u8 index : image.pixels)
        if (index >= palette_.size())
          return refuse_at(end, 0,
                           {.message = "index " + std::to_string(index) + " is out of range; the palette has " +
                                       std::to_string(palette_.size()) + " colours, counted from 0"});
    if (header_.type == indexed)
      image.palette = std::move(palette_);  // for other colour types, it is only a suggestion for small screens
    return image;
  }

  /// A sample as stored: 1 to 16 bits.
  u32 read_sample(const u8* row, size_t i) const {
    const u32 depth = header_.depth;
    if (depth == 16) return u32(row[2 * i]) << 8 | row[2 * i + 1];
    return row[i * depth / 8] >> (8 - depth - i * depth % 8) & ((1u << depth) - 1);
  }
  u8 to_8_bits(u32 sample) const {
    const u32 most = (1u << header_.depth) - 1;
    return u8((sample * 255 + most / 2) / most);
  }

  void unpack_scanline(scene::Image& image, const u8* row, const Pass& pass, u32 y) const {
    const u32 channels = header_.channels(), columns = pass.columns(header_);
    const bool colored = header_.type & rgb, alpha = header_.type & 4;
    for (u32 column = 0; column < columns; ++column) {
      const size_t pixel = size_t(y) * image.width + pass.x_start + size_t(column) * pass.x_step;
      if (header_.type == indexed) {
        image.pixels[pixel] = u8(read_sample(row, column));
        continue;
      }
      u8* to = image.pixels.data() + 4 * pixel;
      bool clear = has_clear_;
      for (u32 c = 0; c < channels; ++c) {
        const u32 s = read_sample(row, size_t(column) * channels + c);
        to[alpha && c + 1 == channels ? 3 : c] = to_8_bits(s);
        if (!alpha) clear &= s == clear_[c];
      }
      if (!colored) to[1] = to[2] = to[0];
      if (!alpha) to[3] = clear ? 0 : 255;
    }
  }

  ByteView file_;
  u64 at_ = 0;
  Header header_{};
  std::vector<scene::Rgba> palette_;
  bool has_clear_ = false;
  u16 clear_[3]{};  // the one colour that is transparent
  Bytes stream_;
};

}  // namespace

Result<scene::Image> read_png(ByteView file) { return Reader(file).read(); }

}  // namespace dio::png

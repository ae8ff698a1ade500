#include "layout/trace.hpp"

#include "core/printing.hpp"

namespace dio {

static std::string bytes(u64 n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

/// A magic as people write it: "RKMD", or hex where a character does not print.
static std::string quoted(const u8* p, size_t n) {
  std::string text = "\"", digits;
  bool prints = true;
  for (size_t i = 0; i < n; ++i) {
    prints &= p[i] >= 32 && p[i] < 127;
    text += char(p[i]);
    digits += "0123456789abcdef"[p[i] >> 4];
    digits += "0123456789abcdef"[p[i] & 15];
  }
  return prints ? text + "\"" : "the bytes " + digits;
}

Diagnostic Trace::describe_failure(const Failure& f, ByteView file) {
  Diagnostic d;
  d.place.offset = f.at;
  const u64 left = file.size() > f.at ? file.size() - f.at : 0;
  switch (f.kind) {
    case Failure::Kind::none:
      break;
    case Failure::Kind::truncated:
      d.id = "layout.truncated";
      if (f.number > left)
        d.expected = std::to_string(f.number - left) + " more " + (f.number - left == 1 ? "byte" : "bytes");
      else
        d.expected = bytes(f.number) + " inside the part that holds them";
      d.found = "file ends at " + hex_number(file.size());
      d.place.size = left;
      break;
    case Failure::Kind::magic:
      d.id = "layout.magic";
      d.expected = quoted(reinterpret_cast<const u8*>(f.expected), size_t(f.number));
      d.found = quoted(file.data() + f.at, size_t(std::min(left, f.number)));
      d.place.size = f.number;
      break;
    case Failure::Kind::offset:
      d.id = "layout.offset";
      d.expected = "an offset inside the file";
      d.found = "offset " + hex_number(f.number) + ", file ends at " + hex_number(file.size());
      break;
    case Failure::Kind::count:
      d.id = "layout.count";
      d.expected = "a count that fits in the bytes that are left";
      d.found = (f.number > u64(INT64_MAX) ? std::to_string(i64(f.number)) : std::to_string(f.number)) + " elements, " +
                bytes(left) + " left";
      break;
    case Failure::Kind::requires_:
      d.id = "layout.requires";
      d.expected = f.expected;
      d.found = "something else";
      break;
    case Failure::Kind::depth:
      d.id = "layout.depth";
      d.expected = f.expected;
      d.found = "more than " + std::to_string(Reader::k_max_depth) + " objects and lists";
      break;
    case Failure::Kind::budget:
      d.id = "layout.budget";
      d.expected = f.expected;
      d.found = "reading them would take more than 64 times the file";
      break;
  }
  return d;
}

}  // namespace dio

// write_value.hpp: changes one value in the bytes of a file, in place.
#pragma once
#include "core/result.hpp"
#include "layout/spans.hpp"

namespace dio {

/// The bytes of a value after a change; `file` is a changed copy of spans.file. A word of the field stands for its
/// number; flags may be several words joined by '+'. A decimal number may take more or fewer bytes than before. Ids:
/// layout.type, layout.overflow, layout.text-too-long. The diagnostic has the path and offset of the value.
Result<Bytes> encoded_value(ByteView file, const Spans& spans, const SpanRef& spot, const Value& value);
/// Same, in the file itself. If a decimal number takes more or fewer bytes, `spans` no longer match the file.
Result<bool> write_value(Bytes& file, const Spans& spans, const SpanRef& spot, const Value& value);

/// A value as people type it: a number (decimal, 0x hex, a float), a JSON text in quotes, or a plain word.
Value parse_typed(std::string_view text);

/// The range of a number with `bits` bits, `fraction` of them after the point: "0 to 15.9998".
std::string describe_range(unsigned bits, bool has_sign, unsigned fraction = 0);

/// Words of a field as a number: "camera"; for flags also several: "one player+two players".
std::optional<i64> parse_vocabulary_words(const EnumNames&, std::string_view);
/// The inverse, for display: "one player, two players, 0x40"; empty if no word matches.
std::string format_vocabulary_words(const EnumNames&, u64 value);

}  // namespace dio

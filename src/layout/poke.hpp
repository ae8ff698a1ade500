// poke.hpp: one value changed in place, in the bytes of a file.
#pragma once
#include "core/result.hpp"
#include "layout/spans.hpp"

namespace dio {

/// Writes a value over the bytes of a spot; `bytes` must be a copy of spans.file. A text that is a word of the field
/// counts as its number; flags may be words joined by '+'. A decimal number may take more bytes than before, or fewer:
/// then `spans` are no longer those of `bytes`. Ids: layout.type, layout.overflow, layout.text-too-long. The diagnostic
/// carries the spot's path and offset.
Result<bool> poke(Bytes& bytes, const Spans& spans, const Spot& spot, const Value& value);

/// What a person types for a value: a number (decimal, 0x hex, a float), a JSON text in quotes, or a plain word.
Value parse_typed(std::string_view text);

/// What a number of so many bits may be, `fraction` of them behind the point: "a number from 0 to 15.9998".
std::string range_of(unsigned bits, bool has_sign, unsigned fraction = 0);

/// Words of a field as a number: "camera"; of flags also several, "one player+two players".
std::optional<i64> from_words(const Words&, std::string_view);
/// The inverse, for people: "one player, two players, 0x40"; empty where no word fits.
std::string to_words(const Words&, u64 value);

}  // namespace dio

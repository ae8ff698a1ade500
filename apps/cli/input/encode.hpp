// encode.hpp: files from JSON, for the verbs that make them.
#pragma once
#include "open.hpp"

namespace dio::cli {

struct Encoded {
  const Format* format;
  Bytes bytes;
};
/// The file that a text of JSON describes. If there is none, the report says why, and shows the line.
std::optional<Encoded> encode_input(const Request&, const Input&, const Bytes& text, Report&);

}  // namespace dio::cli

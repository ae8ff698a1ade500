// members.hpp: plain values for people.
#pragma once
#include "core/value.hpp"

namespace dio::cli {

/// The members of an object below each other; what is a list of objects gets a heading for each of them.
/// `with_tables`: unless it is long and its elements are rows of a table.
std::string members_text(const Value& object, size_t margin, bool with_tables = false);

}  // namespace dio::cli

// describe_json.hpp: what the command line and the C interface say about a file, as JSON.
#pragma once
#include "operations/operations.hpp"

namespace dio {

/// What a file is, with the names of the companions that were found: Format::info, {"...", "beside"?}.
Value info_with_companions(const OpenedFile&);
/// {"schema": "diorama.info/1", "file", "format", "size", "certainty", "reason", "info"}
Value info_json(std::string_view file, std::string_view format, u64 size, const Sniff&, Value info);
/// {"schema": "diorama.budget/1", "file", "format", ...} with what Format::budget returned.
Value budget_json(const OpenedFile&, Value budget);
/// {"schema": "diorama.answer/1", "file", "question", "answer"}
Value answer_json(std::string_view file, std::string_view question, Value answer);
/// {"schema": "diorama.verify/1", "file", "format", "size", "straight", "through_json",
/// "decodes", "problem"?}
Value verified_json(const OpenedFile&, const RoundTripResult&);

}  // namespace dio

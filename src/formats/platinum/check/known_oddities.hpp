// known_oddities.hpp: what the game was sold with: findings that are no news to anybody who changes it.
#pragma once
#include "core/diagnostic.hpp"

namespace dio::platinum {

/// What stands in the list of known findings: of the digest of the bytes, the rule, the place in the file and what was
/// found.
u64 oddity_hash(std::string_view digest, const Diagnostic&);
/// Whether the game was sold with this finding. `digest`: of the file, or of the record, that it is about.
bool is_known_oddity(std::string_view digest, const Diagnostic&);

}  // namespace dio::platinum

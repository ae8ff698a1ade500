// known_oddities.hpp: findings in the game as it was sold, which tell nothing new to someone who changes it.
#pragma once
#include "core/diagnostic.hpp"

namespace dio::platinum {

/// The hash of a finding in the list of known ones: of the digest of the bytes, the rule, the path, and the words of
/// the finding.
u64 oddity_hash(std::string_view digest, const Diagnostic&);
/// Whether the game was sold with this finding. `digest`: of the file, or of the record, that it is about.
bool is_known_oddity(std::string_view digest, const Diagnostic&);

}  // namespace dio::platinum

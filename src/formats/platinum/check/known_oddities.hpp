// known_oddities.hpp: findings in the unmodified game, which do not interest people who edit it.
#pragma once
#include "core/diagnostic.hpp"

namespace dio::platinum {

/// The hash of a finding for the list of known findings, from the digest of the bytes, the rule, the path and the
/// message.
u64 oddity_hash(std::string_view digest, const Diagnostic&);
/// Whether the unmodified game has this finding. `digest`: digest of the file or record of the finding.
bool is_known_oddity(std::string_view digest, const Diagnostic&);

}  // namespace dio::platinum

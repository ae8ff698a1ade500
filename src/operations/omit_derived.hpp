// omit_derived.hpp: a file as JSON for version control: without what follows from the rest.
#pragma once
#include "operations/operations.hpp"

namespace dio {

/// What of a file its lean JSON has: {"schema", "format", "lean": true, "tail"?, "document"}. It holds no digest, no
/// size, and no offset, size, count or search tree that placing computes the same. `tail`: the bytes after the last
/// described one.
struct DerivedOmitted {
  Dom dom;
  std::vector<std::string> kept;  // paths of derived values that the document needs: textures.textures[].offset
};
/// Nothing if placing the document does not give the bytes of the file again, so that the JSON must keep its layout.
/// What it returns was encoded, and gave these bytes. It is a view of what was opened.
std::optional<DerivedOmitted> omit_derived(const OpenedFile&, const JsonRoundTrip&);

}  // namespace dio

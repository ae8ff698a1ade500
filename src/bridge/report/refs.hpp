// refs.hpp: the references to a part of a file, and the references from it.
#pragma once
#include "core/value.hpp"
#include "layout/references.hpp"

namespace dio::report {

/// A file with its name: the file of the question, and the files in which its names are looked up.
struct NamedSpans {
  std::string_view name;
  const Spans* spans;
};
/// Other uses of a name, in the file itself and in the others.
struct NamedSpanRef {
  std::string_view file;
  std::string path;
  bool defines;
};
std::vector<NamedSpanRef> find_shared_name_uses(const SharedName&, const Spans& its_file,
                                                std::span<const NamedSpans> files);

/// `part`: `to` is the id of a part of the game, such as land/12.
/// `names`: there if the part has names that files have in common; one that `defines` it is what the others mean.
/// {"path", "refers_to": [{"from", "to", "exists", "part"?}], "referred_by": [{"from", "to", "exists"}],
///  "names"?: [{"from", "kind", "name", "defines", "others": [{"file", "path", "defines"}]}]}
Value collect_references(const Spans&, const References&, const SpanRef& part, std::span<const NamedSpans> files = {});

}  // namespace dio::report

// file_parts.hpp: the parts of a file that other tools store separately.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/result.hpp"

namespace dio {

/// A part of a file: of a map, its model.
struct FilePart {
  std::string_view name;  // model: the argument of `set-part`
  /// The extensions of a file with only this part; spaces separate several. `unpack` writes the first one.
  std::string_view extensions;
  bool is_needed = true;  // every file of the format has it
};

/// The bytes of each part of a file, in the order of FileParts::list; nothing for a part that it does not have.
using PartContents = std::vector<std::optional<Bytes>>;

/// The parts of the files of a format. Joining the parts of a file gives the same bytes.
struct FileParts {
  std::span<const FilePart> list;
  /// Ids: layout.*.
  Result<PartContents> (*split)(ByteView file);
  /// Why bytes are not this part; nothing if they are.
  std::optional<DiagnosticText> (*find_fault)(const FilePart&, ByteView);
  /// Why bytes have the wrong size for this part, which a damaged file may have; nothing if they have not.
  std::optional<DiagnosticText> (*find_size_fault)(const FilePart&, ByteView);
  /// Every needed part must be there.
  Bytes (*join)(const PartContents&);

  /// The part whose files have an extension, in lower case with its dot; null if there is none.
  const FilePart* find_by_extension(std::string_view extension) const;
};

}  // namespace dio

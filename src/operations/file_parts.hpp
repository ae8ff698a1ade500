// file_parts.hpp: splits a file into its parts, and joins them.
#pragma once
#include <span>
#include <string>

#include "core/file_tree.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"

namespace dio {

/// The parts of a file, each named `stem` with the extension of the part. Ids: archive.none (the format has no parts),
/// layout.*.
Result<MemoryTree> unpack_parts(const Format&, ByteView file, std::string_view stem);
/// One part. Ids: edit.argument (there is no part of this name, or the file has none), and those of `unpack_parts`.
Result<Bytes> read_part(const Format&, ByteView file, std::string_view part);

/// The format of which a folder has at least two needed parts; null if there is none.
const Format* find_format_of_parts(const FileTree&);
/// A file of the parts in a folder, which all have the same name. If there are two files for one part, the larger one
/// counts, as in Pokemon DS Map Studio, which writes heights with and without cameras; `notes` say so. Ids:
/// archive.pack (a file is no part, or a part is missing).
Result<Bytes> pack_parts(const Format&, const FileTree&, Diagnostics* notes = nullptr);

/// A file with new parts: arguments NAME=FILE with their contents. Ids: edit.argument (no such part, the contents of
/// the file are missing, or cannot be this part), layout.*.
Result<Bytes> replace_parts(const Format&, ByteView file, std::span<const Argument> parts);

}  // namespace dio

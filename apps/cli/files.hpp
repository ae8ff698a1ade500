// files.hpp: which files are meant, and how they are read and written.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "request.hpp"

namespace dio::cli {

/// What stays the same whatever name leads to a file.
struct FileId {
  u64 device, number;
  bool operator==(const FileId&) const = default;
};
/// Nothing where there is no file.
std::optional<FileId> file_id(const std::string& name);

/// What a file was when it was read: if it is no longer, somebody else has written it.
struct FileState {
  FileId id;
  u64 size;
  i64 seconds, nanoseconds;  // of the last change
  bool operator==(const FileState&) const = default;
};
std::optional<FileState> file_state(const std::string& name);

class ArchiveFile;

/// One file to work on.
struct Input {
  std::string name;    // as it is shown
  std::string inside;  // its path below the folder it was found in; the file's name where it was named itself
  bool is_stdin = false;
  bool walked = false;                        // found in a folder: not being of a known format is no error
  std::optional<Diagnostic> problem;          // why there is nothing to read
  std::optional<FileId> id = {};              // of a member: its archive's
  std::shared_ptr<ArchiveFile> archive = {};  // it lies in, as `member`
  std::string member = {};
};

/// The files of the arguments: patterns are expanded, folders give the files in them (with -r those below as well), and
/// paths lead into archives: `game.nds/fielddata/land_data/land_data.narc/12`. With -r, archives give themselves and
/// all their members, unless `into_archives` is false. What is not there becomes an input with a problem, so that the
/// others are still worked on.
std::vector<Input> expand(const std::vector<std::string>& arguments, bool recursive, bool into_archives = true);

/// The file that a name means: of a cue sheet (.cue), the one with the data of the disc, where the sheet says it is or
/// by its name beside it; else the one of that name. Ids: io.read, archive.cue.
Result<std::string> file_meant(const std::string& name);

/// Id: io.read.
Result<Bytes> read_file(const std::string& name);
Result<Bytes> read_input(const Input&);

/// How a file is written: into a temporary file beside it, which then takes its name, so that there is never half a
/// file. An existing file keeps its mode; behind a symbolic link, it is the file it points to that changes.
struct WriteOptions {
  bool overwrite = false;
  std::string backup;  // suffix: the old file is kept under its name with this behind it; empty: it is not kept
  bool replace_backup = false;
  bool replace_read_only = false;  // also what nobody may write to
};
/// Ids: io.exists, io.write.
Result<bool> write_file(const std::string& name, ByteView, const WriteOptions&);

/// Makes a folder and those above it. Id: io.write.
Result<bool> make_folder(const std::string& name);

bool is_folder(const std::string& name);
/// `.kmp` of course.KMP: extensions are compared in small letters.
std::string extension_in(const std::string& name);
/// Whether a number stands where others have their extension: MAP001.8. It is part of the name.
bool has_number(const std::string& name);
/// The name with another extension (".json"); behind a number it is added.
std::string with_extension(const std::string& name, std::string_view extension);

Diagnostic io_problem(std::string_view id, const std::string& file, std::string expected, std::string found,
                      std::string hint = {});

}  // namespace dio::cli

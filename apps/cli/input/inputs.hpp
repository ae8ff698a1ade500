// inputs.hpp: from arguments to inputs: files, members of archives, standard input.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../command_line/request.hpp"
#include "../files/archives.hpp"

namespace dio::cli {

/// One file to work on.
struct Input {
  std::string name;    // as it is shown
  std::string inside;  // its path below the folder it was found in; the file's name where it was named itself
  bool is_stdin = false;
  bool walked = false;                        // found in a folder: an unknown format is not an error
  bool has_members = false;                   // the files in it are inputs as well
  std::optional<Diagnostic> problem;          // why there is nothing to read
  std::optional<FileId> id = {};              // of a member: its archive's
  std::optional<FileState> state = {};        // when it was found, or work on it began
  std::shared_ptr<ArchiveFile> archive = {};  // it lies in, as `member`
  std::string member = {};
  std::shared_ptr<const Bytes> held = {};  // its content, where it cannot be read twice

  /// Its name where it lies: on disk, or in its archive.
  const std::string& own_name() const { return archive ? member : name; }
};

/// What the arguments of a request mean: patterns are expanded, folders give the files in them (with -r those below as
/// well), and paths lead into archives: `game.nds/fielddata/land_data/land_data.narc/12`. With -r, archives give
/// themselves and, unless they are changed in place, all their members. A missing file becomes an input with a
/// problem, so that the others are still processed.
std::vector<Input> resolve_request_inputs(const Request&);
/// The same of other names than the arguments, without -r.
std::vector<Input> resolve_input_names(const std::vector<std::string>& names);

/// Ids: io.read, and those of the archive it lies in.
Result<Bytes> read_input(const Input&);
/// The same, as a file that is all in memory, or mapped into it where it is large (mapped_file.hpp).
Result<std::shared_ptr<const ByteSource>> open_input_source(const Input&);
/// Reads what can be read only once, a pipe or standard input, so that read_input gives it as often as it is wanted.
/// Ids: as read_input.
Result<bool> buffer_stream_input(Input&);
/// The same. If there is nothing, the report says why.
std::optional<Bytes> read_input(const Request&, const Input&, Report&);
std::shared_ptr<const ByteSource> open_input_source(const Request&, const Input&, Report&);

}  // namespace dio::cli

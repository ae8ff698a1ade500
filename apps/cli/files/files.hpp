// files.hpp: files on disk: their names, how they are read and written.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "../system/files.hpp"
#include "core/patched_source.hpp"

namespace dio {
struct Format;
}

namespace dio::cli {

/// Nothing where there is no file.
std::optional<FileId> file_id(const std::string& name);

/// The state of a file when it was read: if it differs later, another program has changed the file.
struct FileState {
  FileId id;
  u64 size;
  i64 seconds, nanoseconds;  // of the last change
  bool operator==(const FileState&) const = default;
};
std::optional<FileState> file_state(const std::string& name);
std::optional<FileState> file_state(int descriptor);

/// Id: io.read.
Result<Bytes> read_file(const std::string& name);
/// A file that is read in parts, which must not be a pipe or a device. Id: io.read.
Result<std::shared_ptr<const ByteSource>> open_file_source(const std::string& name);
/// As read_file, for a file that is not named on the command line: refuses pipes and devices, which could block.
Result<Bytes> read_regular_file(const std::string& name);
/// `name`: what it is called where it cannot be read.
Result<Bytes> read_standard_input(const std::string& name);

/// How a file is written: into a temporary file beside it, which then takes its name, so that there is never half a
/// file. Where nothing is replaced, that one has no name before, if the system can do that. An existing file keeps its
/// mode, and its owner where that is permitted; a symbolic link is followed: its target changes.
struct WriteOptions {
  bool overwrite = false;  // if not set, a file that another program creates in the meantime is not overwritten either
  std::optional<FileState> only_if = {};  // the file must still be in this state, so that no changes are lost
  std::string backup = {};                // suffix for a copy of the old file; empty: no copy
  bool replace_backup = false;
  bool replace_read_only = false;  // also read-only files
  bool dry_run = false;            // checks everything that would prevent it, and writes nothing
};
struct Written {
  FileState state;    // of the new file; of none where it went into a device or a pipe
  Diagnostics notes;  // what is not as it was: another owner, other names of the old file
};
/// What is written: bytes, which must outlive it; or a copy of a file with other bytes in some places, which the system
/// makes, so that memory for those is enough.
class Contents {
 public:
  Contents(ByteView bytes) : size_(bytes.size()), bytes_(bytes) {}
  Contents(const Bytes& bytes) : Contents(ByteView(bytes)) {}
  /// `now`: the old file, changed; it must outlive this.
  Contents(std::string old, const PatchedSource& now)
      : size_(now.size()), old_(std::move(old)), blocks_(now.blocks()), now_(&now) {}
  Contents(std::string old, const EditableCopy& now) : Contents(now.bytes()) {
    if (now.is_mapped()) old_ = std::move(old), blocks_ = now.blocks();
  }
  u64 size() const { return size_; }
  /// The name of the file that is copied; empty: none is.
  const std::string& old() const { return old_; }
  const Blocks& blocks() const { return blocks_; }
  /// All bytes, for those who need them in memory. Id: io.read.
  Result<ByteView> all(Bytes& room) const { return now_ ? now_->view(0, size_, room) : Result<ByteView>(bytes_); }

 private:
  u64 size_;
  ByteView bytes_;
  std::string old_;
  Blocks blocks_;
  const PatchedSource* now_ = nullptr;
};
/// Files that are written together: while one lives on a thread, write_file() there makes and checks everything but
/// gives no file its name. commit() names all of them, or none if one cannot be named: then the others get their old
/// content back. Signals that end the program wait meanwhile. Only a crash, or SIGKILL, between the first name and the
/// last leaves some files old and some new. Without commit(), nothing has happened.
class FileTransaction {
 public:
  FileTransaction();
  FileTransaction(const FileTransaction&) = delete;
  FileTransaction& operator=(const FileTransaction&) = delete;
  ~FileTransaction();
  /// Ids: io.exists, io.write. The notes are those of all files.
  Result<Diagnostics> commit();

 private:
  friend struct WaitingFiles;
  std::unique_ptr<struct WaitingFiles> files_;
  FileTransaction* outer_;
};

/// Ids: io.exists, io.write, io.read.
Result<Written> write_file(const std::string& name, const Contents&, const WriteOptions&);

/// Makes a folder and those above it. `dry_run`: only looks whether that can be done. Id: io.write.
Result<bool> make_folder(const std::string& name, bool dry_run = false);

bool is_folder(const std::string& name);
/// `.kmp` of course.KMP: extensions are compared in small letters.
std::string file_extension(const std::string& name);
/// Whether a number stands where others have their extension: MAP001.8. It is part of the name.
bool has_numeric_extension(const std::string& name);
/// The name with another extension (".json"); after a number it is added.
std::string with_extension(const std::string& name, std::string_view extension);
/// `.kmp`: the first of a format.
std::string primary_extension(const Format&);
/// Whether files of a format are called so: `.kmp`.
bool has_extension(const Format&, std::string_view extension);

/// `message`: one sentence, without the name of the file.
Diagnostic io_error(std::string_view id, const std::string& file, std::string message, std::string hint = {});

}  // namespace dio::cli

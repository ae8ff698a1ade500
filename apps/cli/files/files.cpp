#include "files.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "../system/filesystem.hpp"
#include "../system/process.hpp"
#include "../system/terminal.hpp"
#include "core/text_format.hpp"
#include "formats/contract/format.hpp"
#include "layout/field_types.hpp"
#include "temporaries.hpp"

namespace dio::cli {

Diagnostic io_error(std::string_view id, const std::string& file, std::string message, std::string hint) {
  return make_diagnostic(id, Location::in_file(file), {.message = std::move(message), .hint = std::move(hint)});
}

/// "cannot be read: Permission denied", of the system call that has just failed.
static std::string errno_message(std::string_view what) { return std::string(what) + ": " + std::strerror(errno); }

// ---- what there is -------------------------------------------------------------------------------------------------

bool is_folder(const std::string& name) {
  std::error_code error;
  return fs::is_directory(name, error);
}

std::optional<FileId> file_id(const std::string& name) {
  const auto status = os::file_status(name);
  return status ? std::optional(status->id) : std::nullopt;
}

static std::optional<FileState> to_state(const std::optional<os::FileStatus>& s) {
  if (!s) return {};
  return FileState{s->id, s->size, s->seconds, s->nanoseconds};
}
std::optional<FileState> file_state(const std::string& name) { return to_state(os::file_status(name)); }
std::optional<FileState> file_state(int descriptor) { return to_state(os::file_status(descriptor)); }

/// What follows the last dot of the last part of a path, with the dot, as std::filesystem says it: `.kmp` alone and
/// `..` have none. Asked for thousands of names, which a path would take apart into all their parts.
static std::string_view path_extension(std::string_view name) {
  const std::string_view file = name.substr(name.find_last_of('/') + 1);  // npos + 1 is 0
  const size_t dot = file.find_last_of('.');
  return dot == file.npos || dot == 0 || file == ".." ? std::string_view() : file.substr(dot);
}

std::string file_extension(const std::string& name) { return lower_case(std::string(path_extension(name))); }

bool has_numeric_extension(const std::string& name) {
  const std::string_view extension = path_extension(name);
  return extension.size() > 1 && extension.find_first_not_of("0123456789", 1) == extension.npos;
}

std::string with_extension(const std::string& name, std::string_view extension) {
  const size_t kept = has_numeric_extension(name) ? name.size() : name.size() - path_extension(name).size();
  return name.substr(0, kept) + std::string(extension);
}

std::string primary_extension(const Format& format) {
  return std::string(format.extensions.substr(0, format.extensions.find(' ')));
}

bool has_extension(const Format& f, std::string_view extension) {
  for (std::string_view left = f.extensions; !left.empty();) {
    const size_t end = std::min(left.find(' '), left.size());
    if (left.substr(0, end) == extension) return true;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return false;
}

// ---- reading -------------------------------------------------------------------------------------------------------

/// An open file that closes itself.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ > 2) os::close_file(descriptor_);
  }
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

namespace {

constexpr int k_standard_input = 0;

Diagnostic read_error(const std::string& name) {
  return io_error("io.read", name, errno == EISDIR ? "this is a folder, not a file" : errno_message("cannot be read"));
}

Result<Bytes> read_all(const File& file, const std::string& name) {
  const auto status = os::file_status(file.get());
  const bool regular = status && status->is_regular();
  if (regular && status->size > k_max_file_size)
    return refuse(io_error(
        "io.read", name, "the file has " + format_count(status->size, "byte") + "; at most 1 GiB can be read at once"));
  Bytes bytes(regular ? size_t(status->size) + 1 : 65536);  // one more, to see the end without growing
  size_t size = 0;
  const bool device = status && status->kind == os::FileStatus::Kind::character_device &&
                      !(file.get() == k_standard_input && os::is_terminal(os::Stream::in));
  const size_t most = size_t(1) << (device ? 20 : 30);  // some never end
  for (;;) {
    if (size == bytes.size() && !regular && size >= most)
      return refuse(io_error("io.read", name,
                             device ? "the device has more than 1 MiB of data" : "the pipe has more than 1 GiB of data",
                             "save the data to a file first"));
    if (size == bytes.size()) bytes.resize(2 * size);
    const i64 n = os::read_some(file.get(), std::span(bytes).subspan(size));
    if (n < 0) return refuse(read_error(name));
    size += size_t(n);
    if (n == 0 || (regular && size < bytes.size())) break;  // a regular file gives less than asked for at its end only
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

Result<Bytes> read_file(const std::string& name) {
  const File file(os::open_for_reading(name));
  if (!file) return refuse(read_error(name));
  return read_all(file, name);
}

Result<std::shared_ptr<const ByteSource>> open_file_source(const std::string& name) {
  const auto file = std::make_shared<const File>(os::open_for_reading(name, false));
  if (!*file) return refuse(io_error("io.read", name, errno_message("cannot be read")));
  const auto status = os::file_status(file->get());
  if (!status || !status->is_regular()) return refuse(io_error("io.read", name, "this is not a file"));
  return std::make_shared<ChunkedByteSource>(status->size, [file](u64 offset, std::span<u8> to) {
    size_t size = 0;
    while (size < to.size()) {
      const i64 n = os::read_some_at(file->get(), offset + size, to.subspan(size));
      if (n <= 0) break;
      size += size_t(n);
    }
    return size;
  });
}

Result<Bytes> read_regular_file(const std::string& name) {
  const auto status = os::file_status(name);
  if (status && !status->is_regular())
    return refuse(
        io_error("io.read", name,
                 status->is_folder() ? "this is a folder, not a file" : "this is a pipe or a device, not a file"));
  return read_file(name);
}

Result<Bytes> read_standard_input(const std::string& name) { return read_all(File(k_standard_input), name); }

// ---- writing -------------------------------------------------------------------------------------------------------

namespace {

/// What a symbolic link leads to in the end, even if that is not there yet.
fs::path resolve_symlinks(fs::path p) {
  std::error_code error;
  for (int i = 0; i < 40 && fs::is_symlink(p, error); ++i) {
    const fs::path target = fs::read_symlink(p, error);
    if (error) break;
    p = target.is_absolute() ? target : p.parent_path() / target;
  }
  return p;
}

/// Gives a new file the owner, the group and the mode of the one it replaces. What was not permitted is noted. False
/// and `errno` if the mode cannot be set.
bool copy_owner_and_mode(const File& file, const os::FileStatus& old, const std::string& name, Diagnostics& notes) {
  std::optional<os::FileStatus> now;
  const auto differs = [&] {
    now = os::file_status(file.get());
    return !now || now->owner != old.owner || now->group != old.group;
  };
  u32 mode = old.mode;
  // Who may not give a file away may still give it to another group of theirs.
  if (differs()) (void)(os::set_owner(file.get(), old.owner, old.group) || os::set_group(file.get(), old.group));
  if (differs()) {
    mode &= 0777;  // to run as somebody is for that owner to grant
    const auto both = [](const os::FileStatus& s) { return std::to_string(s.owner) + ":" + std::to_string(s.group); };
    notes.push_back(
        io_error("io.write", name,
                 "the owner cannot be kept: it was " + both(old) + " and is now " + (now ? both(*now) : "unknown")));
  }
  return os::set_mode(file.get(), mode);
}

/// The right to replace a file: others who ask for it wait. Nothing if somebody keeps it for too long.
bool lock_file(const File& file) {
  constexpr auto k_step = std::chrono::milliseconds(20), k_most = std::chrono::milliseconds(10'000);
  for (auto waited = k_step; os::try_lock(file.get()) == os::Locked::by_another; waited += k_step) {
    if (waited > k_most) return false;
    std::this_thread::sleep_for(k_step);
  }
  return true;
}

tl::unexpected<Diagnostic> no_folder_error(const std::string& name, const fs::path& folder) {
  return refuse(io_error("io.write", name, "no such folder: " + folder.string(),
                         "`mkdir -p " + folder.string() + "` creates it"));
}

/// Writes the content of a file into another one. False and `errno` if that fails.
using Content = std::function<bool(int descriptor)>;

tl::unexpected<Diagnostic> write_error(const std::string& name) {
  return refuse(io_error("io.write", name, errno_message("cannot be written")));
}
tl::unexpected<Diagnostic> exists_error(const std::string& name) {
  return refuse(io_error("io.exists", name, "the file already exists", "-f overwrites it"));
}

}  // namespace

/// A new file that is whole and has not its name yet.
struct WaitingFile {
  std::string name;
  fs::path target;
  std::string kept;  // the name of the backup
  WriteOptions options;
  bool exists;
  u64 links;  // names of the old file
  Temporary temporary;
  File file;
  Written written;
  std::unique_ptr<File> held = {};  // the old file, locked
  std::string old = {};             // another name of it, until all new files have theirs

  WaitingFile(std::string n, const fs::path& folder, const WriteOptions& o, bool e, u64 l)
      : name(std::move(n)), options(o), exists(e), links(l), file(temporary.make_file(folder.string(), !o.overwrite)) {}
  ~WaitingFile() {
    if (!old.empty()) os::remove_file(old);
  }

  /// From the look at what is there to the new name for the other file, nobody else may do the same.
  Result<bool> lock_replaced_file() {
    if (!options.only_if) return true;
    held = std::make_unique<File>(os::open_for_reading(target.string()));
    if (*held && !lock_file(*held))
      return refuse(io_error("io.write", name, "another program has locked the file for 10 seconds"));
    if (file_state(target.string()) != options.only_if)
      return refuse(io_error("io.write", name, "another program has changed the file in the meantime",
                             "nothing was written; run the command again"));
    return true;
  }
  Result<bool> make_backup() const {
    if (!exists || options.backup.empty()) return true;
    std::error_code error;
    fs::remove(kept, error);
    fs::create_hard_link(target, kept, error);
    if (error) fs::copy_file(target, kept, error);
    if (error) return refuse(io_error("io.write", kept, "the backup cannot be created: " + error.message()));
    return true;
  }
  /// Gives the old file another name, from which it can come back; without one where the file system has no links.
  void link_old_file(size_t number) {
    if (!exists) return;
    const std::string other =
        target.string() + ".dio-old-" + std::to_string(os::process_id()) + "-" + std::to_string(number);
    if (os::link_file(target.string(), other)) old = other;
  }
  void restore_old_file() {
    if (!exists)
      os::remove_file(target.string());
    else if (!old.empty() && os::rename_over(old, target.string()))
      old.clear();
  }
  Result<bool> rename_into_place() {
    if (!temporary.name_file(file.get(), target.string(), options.overwrite))
      return errno == EEXIST ? exists_error(name) : write_error(name);
    if (exists && links > 1)
      written.notes.push_back(io_error(
          "io.write", name,
          "the old content remains under the other names of the file (" + format_count(links - 1, "hard link") + ")",
          "to change all names, write a new file with -o and `cp` it over this one"));
    return true;
  }
};

static thread_local FileTransaction* together = nullptr;

struct WaitingFiles {
  std::vector<std::unique_ptr<WaitingFile>> all;

  static WaitingFiles& of(FileTransaction& w) { return *w.files_; }
  /// Of two contents of one file the later one counts; it replaces what the first one would have.
  void add(std::unique_ptr<WaitingFile> file) {
    const auto same = std::ranges::find_if(all, [&](const auto& f) { return f->target == file->target; });
    if (same == all.end()) return all.push_back(std::move(file));
    file->options.only_if = (*same)->options.only_if;
    file->options.backup = (*same)->options.backup, file->kept = (*same)->kept;
    *same = std::move(file);
  }
};

FileTransaction::FileTransaction() : files_(std::make_unique<WaitingFiles>()), outer_(std::exchange(together, this)) {}
FileTransaction::~FileTransaction() { together = outer_; }

Result<Diagnostics> FileTransaction::commit() {
  auto& all = files_->all;
  const SignalBlocker now;
  for (const auto& f : all)
    if (auto done = f->lock_replaced_file(); !done) return refuse(std::move(done.error()));
  for (const auto& f : all)
    if (auto done = f->make_backup(); !done) return refuse(std::move(done.error()));
  for (size_t i = 0; i < all.size() && all.size() > 1; ++i) all[i]->link_old_file(i);
  Diagnostics notes;
  for (size_t i = 0; i < all.size(); ++i) {
    auto done = all[i]->rename_into_place();
    if (!done) {
      while (i-- > 0) all[i]->restore_old_file();
      return refuse(std::move(done.error()));
    }
    notes.insert(notes.end(), all[i]->written.notes.begin(), all[i]->written.notes.end());
  }
  all.clear();
  return notes;
}

namespace {

Result<Written> replace_file(const std::string& name, const Content& write_content, const WriteOptions& options) {
  auto old = os::link_status(name);
  const fs::path target = old && old->is_link() ? resolve_symlinks(name) : fs::path(name);
  if (old && old->is_link()) old = os::file_status(target.string());
  const bool exists = old.has_value();
  if (exists && old->is_folder()) return refuse(io_error("io.write", name, "this is a folder, not a file"));
  if (exists && !old->is_regular()) {  // /dev/null, a pipe: nothing to keep, nothing to replace
    if (options.dry_run) return os::can_write(target.string()) ? Result<Written>(Written{}) : write_error(name);
    const File file(os::open_for_writing(target.string()));
    if (!file || !write_content(file.get())) return write_error(name);
    return Written{};
  }
  if (exists && !options.overwrite) return exists_error(name);
  // Only the folder has to be open for a new file to take the name: who took the right to write away meant this, too.
  if (exists && !options.replace_read_only && !old->is_writable)
    return refuse(io_error("io.write", name, "the file is read-only", "-f changes it anyway"));
  const std::string kept = target.string() + options.backup;
  std::error_code error;
  if (exists && !options.backup.empty() && !options.replace_backup && fs::exists(kept, error))
    return refuse(io_error("io.exists", kept, "an older backup already exists", "-f overwrites it"));
  const fs::path folder = target.parent_path().empty() ? "." : target.parent_path();
  if (options.dry_run) {
    if (!is_folder(folder.string())) return no_folder_error(name, folder);
    if (!os::can_write_into_folder(folder.string())) return write_error(name);
    return Written{};
  }

  auto waiting = std::make_unique<WaitingFile>(name, folder, options, exists, exists ? old->links : 0);
  waiting->target = target, waiting->kept = kept;
  const File& file = waiting->file;
  if (!file && !is_folder(folder.string())) return no_folder_error(name, folder);
  if (!file || (exists && !copy_owner_and_mode(file, *old, name, waiting->written.notes)) ||
      !write_content(file.get()) ||
      (exists && !os::flush_to_disk(file.get())))  // before it replaces something, it has to be safe
    return write_error(name);
  const auto now = file_state(file.get());
  if (!now) return write_error(name);
  waiting->written.state = *now;
  if (together) {
    Written written = waiting->written;
    WaitingFiles::of(*together).add(std::move(waiting));
    return written;
  }
  if (auto done = waiting->lock_replaced_file(); !done) return refuse(std::move(done.error()));
  if (auto done = waiting->make_backup(); !done) return refuse(std::move(done.error()));
  if (auto done = waiting->rename_into_place(); !done) return refuse(std::move(done.error()));
  return std::move(waiting->written);
}

}  // namespace

Result<Written> write_file(const std::string& name, const Contents& contents, const WriteOptions& options) {
  if (contents.old().empty()) {
    Bytes none;
    const auto bytes = contents.all(none);
    return replace_file(name, [&](int descriptor) { return os::write_all(descriptor, *bytes); }, options);
  }
  const File old(os::open_for_reading(contents.old()));
  if (!old) return refuse(io_error("io.read", contents.old(), errno_message("cannot be read")));
  const auto write_content = [&](int descriptor) {
    return os::copy_file_content(old.get(), descriptor) &&
           std::ranges::all_of(contents.blocks(), [&](const auto& block) {
             return os::write_all_at(descriptor, block.first, block.second);
           });
  };
  return replace_file(name, write_content, options);
}

Result<bool> make_folder(const std::string& name, bool dry_run) {
  std::error_code error;
  if (is_folder(name)) return true;
  if (dry_run) {
    fs::path above = fs::absolute(name, error).lexically_normal();
    while (above.has_relative_path() && !fs::exists(above, error)) above = above.parent_path();
    if (is_folder(above.string()) && os::can_write_into_folder(above.string())) return true;
    if (is_folder(above.string()))
      return refuse(io_error("io.write", name, errno_message("the folder cannot be created")));
    return refuse(io_error("io.write", name, "the folder cannot be created: there is a file of this name"));
  }
  fs::create_directories(name, error);
  if (error)
    return refuse(io_error(
        "io.write", name,
        "the folder cannot be created: " +
            (error == std::errc::not_a_directory ? std::string("there is a file of this name") : error.message())));
  return true;
}

}  // namespace dio::cli

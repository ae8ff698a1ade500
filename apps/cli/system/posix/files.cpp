#include "../files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace dio::cli::os {
namespace {

#ifdef __APPLE__
const timespec& time_of_change(const struct stat& s) { return s.st_mtimespec; }
#else
const timespec& time_of_change(const struct stat& s) { return s.st_mtim; }
#endif

FileStatus from_stat(const struct stat& s) {
  using Kind = FileStatus::Kind;
  const Kind kind = S_ISREG(s.st_mode)   ? Kind::regular
                    : S_ISDIR(s.st_mode) ? Kind::folder
                    : S_ISLNK(s.st_mode) ? Kind::link
                    : S_ISCHR(s.st_mode) ? Kind::character_device
                                         : Kind::other;
  return {.kind = kind,
          .id = {u64(s.st_dev), u64(s.st_ino)},
          .size = u64(s.st_size),
          .seconds = time_of_change(s).tv_sec,
          .nanoseconds = time_of_change(s).tv_nsec,
          .links = u64(s.st_nlink),
          .is_writable = (s.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0,
          .mode = u32(s.st_mode & 07777),
          .owner = u32(s.st_uid),
          .group = u32(s.st_gid)};
}

mode_t default_file_mode() {
  static const mode_t mode = [] {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mode_t(0666 & ~mask);
  }();
  return mode;
}

}  // namespace

std::optional<FileStatus> file_status(const std::string& name) {
  struct stat s{};
  if (::stat(name.c_str(), &s) != 0) return {};
  return from_stat(s);
}
std::optional<FileStatus> link_status(const std::string& name) {
  struct stat s{};
  if (::lstat(name.c_str(), &s) != 0) return {};
  return from_stat(s);
}
std::optional<FileStatus> file_status(int descriptor) {
  struct stat s{};
  if (::fstat(descriptor, &s) != 0) return {};
  return from_stat(s);
}

int open_for_reading(const std::string& name, bool waits) {
  return ::open(name.c_str(), O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK));
}
int open_for_writing(const std::string& name) { return ::open(name.c_str(), O_WRONLY | O_CLOEXEC); }
std::FILE* open_for_appending(const std::string& name) { return std::fopen(name.c_str(), "ae"); }
void close_file(int descriptor) { ::close(descriptor); }

i64 read_some(int descriptor, std::span<u8> to) {
  for (;;)
    if (const ssize_t n = ::read(descriptor, to.data(), to.size()); n >= 0 || errno != EINTR) return n;
}
i64 read_some_at(int descriptor, u64 offset, std::span<u8> to) {
  for (;;)
    if (const ssize_t n = ::pread(descriptor, to.data(), to.size(), off_t(offset)); n >= 0 || errno != EINTR) return n;
}
bool write_all(int descriptor, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes = bytes.subspan(size_t(n));
  }
  return true;
}
bool write_all_at(int descriptor, u64 offset, ByteView bytes) {
  return ::lseek(descriptor, off_t(offset), SEEK_SET) >= 0 && write_all(descriptor, bytes);
}

bool copy_file_content(int from, int to) {
#ifdef __linux__
  if (::ioctl(to, FICLONE, from) == 0) return true;  // shares the blocks
  for (;;) {
    const ssize_t n = ::copy_file_range(from, nullptr, to, nullptr, size_t(1) << 30, 0);
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) break;
  }
#endif
  Bytes room(size_t(1) << 20);
  for (;;) {
    const i64 n = read_some(from, room);
    if (n <= 0) return n == 0;
    if (!write_all(to, ByteView(room).first(size_t(n)))) return false;
  }
}

bool flush_to_disk(int descriptor) { return ::fsync(descriptor) == 0; }
bool set_owner(int descriptor, u32 owner, u32 group) { return ::fchown(descriptor, owner, group) == 0; }
bool set_group(int descriptor, u32 group) { return ::fchown(descriptor, uid_t(-1), group) == 0; }
bool set_mode(int descriptor, u32 mode) { return ::fchmod(descriptor, mode) == 0; }

bool can_write(const std::string& name) { return ::access(name.c_str(), W_OK) == 0; }
bool can_write_into_folder(const std::string& name) { return ::access(name.c_str(), W_OK | X_OK) == 0; }

Locked try_lock(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Locked::yes;
  return errno == EWOULDBLOCK || errno == EINTR ? Locked::by_another : Locked::impossible;
}

bool rename_over(const std::string& from, const std::string& to) { return ::rename(from.c_str(), to.c_str()) == 0; }
bool rename_without_replacing(const std::string& from, const std::string& to) {
#ifdef __APPLE__
  if (::renamex_np(from.c_str(), to.c_str(), RENAME_EXCL) == 0) return true;
#else
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
#endif
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (::link(from.c_str(), to.c_str()) == 0) return ::unlink(from.c_str()) == 0;
  // A file system that can do neither: two programs may meet between the look at what is there and here.
  return errno != EEXIST && ::rename(from.c_str(), to.c_str()) == 0;
}
bool link_file(const std::string& from, const std::string& to) { return ::link(from.c_str(), to.c_str()) == 0; }
bool remove_file(const std::string& name) { return ::unlink(name.c_str()) == 0; }
bool remove_file_or_folder(const std::string& name) {
  return ::unlink(name.c_str()) == 0 || ::rmdir(name.c_str()) == 0;
}

int open_nameless_file(const std::string& folder) {
#ifdef O_TMPFILE
  static const bool k_nameable = ::access("/proc/self/fd", X_OK) == 0;
  if (k_nameable) return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
  return -1;
}
bool name_nameless_file(int descriptor, const std::string& to) {
#ifdef O_TMPFILE
  if (::linkat(descriptor, "", AT_FDCWD, to.c_str(), AT_EMPTY_PATH) == 0) return true;
  if (errno != ENOENT) return false;  // not permitted to everyone: the long way
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  return ::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0;
#else
  return false;
#endif
}
int create_temporary_file(std::string& name) {
  const int descriptor = ::mkstemp(name.data());
  if (descriptor >= 0) ::fchmod(descriptor, default_file_mode());
  return descriptor;
}
bool create_temporary_folder(std::string& name) { return ::mkdtemp(name.data()) != nullptr; }

}  // namespace dio::cli::os

#include "../files.hpp"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>

#include "../process.hpp"
#include "api.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace dio::cli::os {
namespace {

// Every file is opened so that others may rename and delete it meanwhile, as on other systems.
constexpr DWORD k_shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)); }

/// A descriptor that owns the handle; -1 and `errno` if that is invalid.
int descriptor_of(HANDLE handle, int flags) {
  if (handle == INVALID_HANDLE_VALUE) return set_errno(), -1;
  const int out = ::_open_osfhandle(intptr_t(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (out < 0) ::CloseHandle(handle);
  return out;
}

std::optional<FileStatus> status_of(HANDLE handle) {
  using Kind = FileStatus::Kind;
  FileStatus out{};
  const DWORD type = ::GetFileType(handle);
  if (type != FILE_TYPE_DISK) {
    out.kind = type == FILE_TYPE_CHAR ? Kind::character_device : Kind::other;
    out.is_writable = true;
    return out;
  }
  BY_HANDLE_FILE_INFORMATION info{};
  if (!::GetFileInformationByHandle(handle, &info)) return set_errno(), std::nullopt;
  const auto both = [](DWORD high, DWORD low) { return u64(high) << 32 | low; };
  constexpr u64 k_ticks = 10'000'000;               // a second
  constexpr i64 k_from_1601_to_1970 = 11644473600;  // seconds
  const u64 time = both(info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime);
  out.kind = info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT && !(info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
                 ? Kind::link
             : info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? Kind::folder
                                                                : Kind::regular;
  out.id = {info.dwVolumeSerialNumber, both(info.nFileIndexHigh, info.nFileIndexLow)};
  out.size = both(info.nFileSizeHigh, info.nFileSizeLow);
  out.seconds = i64(time / k_ticks) - k_from_1601_to_1970, out.nanoseconds = i64(time % k_ticks) * 100;
  out.links = info.nNumberOfLinks;
  out.is_writable = !(info.dwFileAttributes & FILE_ATTRIBUTE_READONLY);
  out.mode = out.is_writable ? 0666 : 0444;
  return out;
}

std::optional<FileStatus> status_of_name(const std::string& name, DWORD flags) {
  const HANDLE handle = ::CreateFileW(to_system_path(name).c_str(), FILE_READ_ATTRIBUTES, k_shared, nullptr,
                                      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return set_errno(), std::nullopt;
  const auto out = status_of(handle);
  ::CloseHandle(handle);
  return out;
}

int open_file(const std::string& name, DWORD access, int flags) {
  const std::wstring path = to_system_path(name);
  const HANDLE handle =
      ::CreateFileW(path.c_str(), access, k_shared, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  const DWORD error = ::GetLastError();
  if (handle == INVALID_HANDLE_VALUE && error == ERROR_ACCESS_DENIED) {
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY) return errno = EISDIR, -1;
  }
  ::SetLastError(error);
  return descriptor_of(handle, flags);
}

/// Calls `make` with random names until it succeeds.
bool make_new(std::string& name, auto make) {
  constexpr std::string_view k_letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const size_t first = name.find_last_not_of('X') + 1;
  for (int i = 0; i < 100; ++i) {
    Bytes random(name.size() - first);
    if (!fill_with_random_bytes(random)) return false;
    for (size_t k = 0; k < random.size(); ++k) name[first + k] = k_letters[random[k] % k_letters.size()];
    if (make(to_system_path(name))) return true;
    if (::GetLastError() != ERROR_FILE_EXISTS && ::GetLastError() != ERROR_ALREADY_EXISTS) break;
  }
  return set_errno();
}

}  // namespace

std::optional<FileStatus> file_status(const std::string& name) { return status_of_name(name, 0); }
std::optional<FileStatus> link_status(const std::string& name) {
  return status_of_name(name, FILE_FLAG_OPEN_REPARSE_POINT);
}
std::optional<FileStatus> file_status(int descriptor) { return status_of(handle_of(descriptor)); }

int open_for_reading(const std::string& name, bool) { return open_file(name, GENERIC_READ, _O_RDONLY); }
int open_for_writing(const std::string& name) { return open_file(name, GENERIC_WRITE, _O_WRONLY); }
std::FILE* open_for_appending(const std::string& name) { return ::_wfopen(to_system_path(name).c_str(), L"abN"); }
void close_file(int descriptor) { ::_close(descriptor); }

i64 read_some(int descriptor, std::span<u8> to) {
  return ::_read(descriptor, to.data(), unsigned(std::min<size_t>(to.size(), 1 << 30)));
}
i64 read_some_at(int descriptor, u64 offset, std::span<u8> to) {
  OVERLAPPED at{};
  at.Offset = DWORD(offset), at.OffsetHigh = DWORD(offset >> 32);
  DWORD n = 0;
  if (::ReadFile(handle_of(descriptor), to.data(), DWORD(std::min<size_t>(to.size(), 1 << 30)), &n, &at)) return n;
  if (::GetLastError() == ERROR_HANDLE_EOF) return 0;
  return set_errno(), -1;
}
bool write_all(int descriptor, ByteView bytes) {
  while (!bytes.empty()) {
    const int n = ::_write(descriptor, bytes.data(), unsigned(std::min<size_t>(bytes.size(), 1 << 26)));
    if (n < 0) return false;
    bytes = bytes.subspan(size_t(n));
  }
  return true;
}
bool write_all_at(int descriptor, u64 offset, ByteView bytes) {
  return ::_lseeki64(descriptor, i64(offset), SEEK_SET) >= 0 && write_all(descriptor, bytes);
}
bool copy_file_content(int from, int to) {
  Bytes room(size_t(1) << 20);
  for (;;) {
    const i64 n = read_some(from, room);
    if (n <= 0) return n == 0;
    if (!write_all(to, ByteView(room).first(size_t(n)))) return false;
  }
}

bool flush_to_disk(int descriptor) { return ::_commit(descriptor) == 0; }
bool set_owner(int, u32, u32) { return true; }
bool set_group(int, u32) { return true; }
bool set_mode(int descriptor, u32 mode) {
  FILE_BASIC_INFO info{};
  const HANDLE handle = handle_of(descriptor);
  if (!::GetFileInformationByHandleEx(handle, FileBasicInfo, &info, sizeof info)) return true;
  const bool is_read_only = info.FileAttributes & FILE_ATTRIBUTE_READONLY;
  if (is_read_only == !(mode & 0222)) return true;
  info.FileAttributes ^= FILE_ATTRIBUTE_READONLY;
  return ::SetFileInformationByHandle(handle, FileBasicInfo, &info, sizeof info) || set_errno();
}

bool can_write(const std::string& name) {
  const int descriptor = open_for_writing(name);
  if (descriptor >= 0) close_file(descriptor);
  return descriptor >= 0;
}
bool can_write_into_folder(const std::string& name) {
  const HANDLE handle = ::CreateFileW(to_system_path(name).c_str(), FILE_ADD_FILE, k_shared, nullptr, OPEN_EXISTING,
                                      FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return set_errno();
  ::CloseHandle(handle);
  return true;
}

Locked try_lock(int descriptor) {
  // A byte far behind the end: locks of Windows also keep others from reading.
  OVERLAPPED at{};
  at.OffsetHigh = 0x4000'0000;
  if (::LockFileEx(handle_of(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at))
    return Locked::yes;
  return ::GetLastError() == ERROR_LOCK_VIOLATION || ::GetLastError() == ERROR_IO_PENDING ? Locked::by_another
                                                                                          : Locked::impossible;
}

bool rename_over(const std::string& from, const std::string& to) {
  const std::wstring old = to_system_path(from), name = to_system_path(to);
  const DWORD attributes = ::GetFileAttributesW(name.c_str());
  const bool exists = attributes != INVALID_FILE_ATTRIBUTES;
  if (exists && attributes & FILE_ATTRIBUTE_READONLY)
    ::SetFileAttributesW(name.c_str(), attributes & ~DWORD(FILE_ATTRIBUTE_READONLY));
  if (::MoveFileExW(old.c_str(), name.c_str(), MOVEFILE_REPLACE_EXISTING)) return true;
  if (!exists) return set_errno();
  // A file that is open cannot be replaced, but can get another name, under which it is deleted when it is closed.
  const std::wstring aside = old + L"-old";
  if (!::MoveFileExW(name.c_str(), aside.c_str(), 0)) return set_errno();
  if (!::MoveFileExW(old.c_str(), name.c_str(), 0)) {
    const DWORD error = ::GetLastError();
    ::MoveFileExW(aside.c_str(), name.c_str(), 0);
    return set_errno(error);
  }
  ::DeleteFileW(aside.c_str());
  return true;
}
bool rename_without_replacing(const std::string& from, const std::string& to) {
  return ::MoveFileExW(to_system_path(from).c_str(), to_system_path(to).c_str(), 0) || set_errno();
}
bool link_file(const std::string& from, const std::string& to) {
  return ::CreateHardLinkW(to_system_path(to).c_str(), to_system_path(from).c_str(), nullptr) || set_errno();
}
bool remove_file(const std::string& name) { return ::DeleteFileW(to_system_path(name).c_str()) || set_errno(); }
bool remove_file_or_folder(const std::string& name) {
  const std::wstring path = to_system_path(name);
  return ::DeleteFileW(path.c_str()) || ::RemoveDirectoryW(path.c_str());
}

int open_nameless_file(const std::string&) { return errno = ENOSYS, -1; }
bool name_nameless_file(int, const std::string&) { return errno = ENOSYS, false; }
int create_temporary_file(std::string& name) {
  int descriptor = -1;
  make_new(name, [&](const std::wstring& path) {
    const HANDLE handle = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, k_shared, nullptr,
                                        CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return false;
    descriptor = descriptor_of(handle, _O_RDWR);
    return true;
  });
  return descriptor;
}
bool create_temporary_folder(std::string& name) {
  return make_new(name, [&](const std::wstring& path) { return ::CreateDirectoryW(path.c_str(), nullptr) != 0; });
}

}  // namespace dio::cli::os

#include "errors.hpp"

#include <cerrno>

#include "api.hpp"

namespace dio::cli::os {

bool set_errno(unsigned long error) {
  constexpr struct {
    unsigned long windows;
    int c;
  } k_errors[] = {{ERROR_FILE_NOT_FOUND, ENOENT},
                  {ERROR_PATH_NOT_FOUND, ENOENT},
                  {ERROR_INVALID_NAME, ENOENT},
                  {ERROR_BAD_PATHNAME, ENOENT},
                  {ERROR_BAD_NETPATH, ENOENT},
                  {ERROR_INVALID_DRIVE, ENOENT},
                  {ERROR_ACCESS_DENIED, EACCES},
                  {ERROR_SHARING_VIOLATION, EBUSY},
                  {ERROR_LOCK_VIOLATION, EBUSY},
                  {ERROR_USER_MAPPED_FILE, EBUSY},
                  {ERROR_FILE_EXISTS, EEXIST},
                  {ERROR_ALREADY_EXISTS, EEXIST},
                  {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
                  {ERROR_DISK_FULL, ENOSPC},
                  {ERROR_HANDLE_DISK_FULL, ENOSPC},
                  {ERROR_WRITE_PROTECT, EROFS},
                  {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                  {ERROR_OUTOFMEMORY, ENOMEM},
                  {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
                  {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
                  {ERROR_DIRECTORY, ENOTDIR},
                  {ERROR_BROKEN_PIPE, EPIPE},
                  {ERROR_NO_DATA, EPIPE},
                  {ERROR_INVALID_HANDLE, EBADF},
                  {ERROR_NOT_SAME_DEVICE, EXDEV}};
  errno = EIO;
  for (const auto& e : k_errors)
    if (e.windows == error) errno = e.c;
  return false;
}
bool set_errno() { return set_errno(::GetLastError()); }

}  // namespace dio::cli::os

#include "../filesystem.hpp"

#include "api.hpp"

namespace dio::cli::fs {

standard::path path::system() const {
  constexpr size_t k_longest = 240;  // MAX_PATH without the name of a file in a folder
  if (path_.native().starts_with(LR"(\\)")) return path_;
  if (path_.native().size() < k_longest) {
    // What is relative may be long together with the current folder.
    if (path_.is_absolute() || ::GetCurrentDirectoryW(0, nullptr) + path_.native().size() < k_longest) return path_;
  }
  std::error_code error;
  standard::path whole = standard::absolute(path_, error).lexically_normal().make_preferred();
  if (error) return path_;
  // A slash at the end is none of a name.
  return standard::path(LR"(\\?\)" + whole.native());
}

std::vector<directory_entry> list_directory(const path& folder, std::error_code& error) {
  error.clear();
  const auto set_error = [&] { error = {int(::GetLastError()), std::system_category()}; };
  std::vector<directory_entry> out;
  WIN32_FIND_DATAW found{};
  const HANDLE search = ::FindFirstFileW((folder / path("*")).system().c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return set_error(), out;
  do {
    const std::wstring_view name = found.cFileName;
    if (name != L"." && name != L"..") out.emplace_back(folder / path(standard::path(name)));
  } while (::FindNextFileW(search, &found));
  if (::GetLastError() != ERROR_NO_MORE_FILES) set_error();
  ::FindClose(search);
  return out;
}

}  // namespace dio::cli::fs

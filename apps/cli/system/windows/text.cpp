#include "text.hpp"

#include "../filesystem.hpp"
#include "api.hpp"

namespace dio::cli {
namespace os {

std::wstring to_utf16(std::string_view utf8) {
  std::wstring out(size_t(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), int(utf8.size()), nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), int(utf8.size()), out.data(), int(out.size()));
  return out;
}
std::string to_utf8(std::wstring_view utf16) {
  const auto convert = [&](char* to, int size) {
    return ::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), int(utf16.size()), to, size, nullptr, nullptr);
  };
  std::string out(size_t(convert(nullptr, 0)), '\0');
  convert(out.data(), int(out.size()));
  return out;
}
std::wstring to_system_path(const std::string& name) { return fs::path(name).system().native(); }

}  // namespace os

namespace fs {

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

}  // namespace fs
}  // namespace dio::cli

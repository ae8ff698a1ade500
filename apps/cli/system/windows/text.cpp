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
}  // namespace dio::cli

// filesystem.hpp: std::filesystem with paths in UTF-8 and slashes on every system.
#pragma once
#include <filesystem>
#ifdef _WIN32
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>
#endif

namespace dio::cli {

#ifndef _WIN32
namespace fs = std::filesystem;
#else
/// On Windows, std::filesystem takes narrow text to be in the locale's encoding, and prints backslashes.
namespace fs {

namespace standard = std::filesystem;

class path {
 public:
  using value_type = char;
  path() = default;
  path(const char* utf8) : path(std::string_view(utf8)) {}
  path(const std::string& utf8) : path(std::string_view(utf8)) {}
  path(std::string_view utf8) : path_(std::u8string_view(reinterpret_cast<const char8_t*>(utf8.data()), utf8.size())) {}
  path(standard::path p) : path_(std::move(p)) {}

  /// In UTF-8, with slashes.
  std::string string() const {
    const std::u8string text = path_.generic_u8string();
    return {text.begin(), text.end()};
  }
  std::string generic_string() const { return string(); }
  /// For functions of the system: a long path has the prefix that allows it.
  standard::path system() const;

  path parent_path() const { return path_.parent_path(); }
  path filename() const { return path_.filename(); }
  path stem() const { return path_.stem(); }
  path extension() const { return path_.extension(); }
  path lexically_normal() const { return path_.lexically_normal(); }
  path lexically_relative(const path& base) const { return path_.lexically_relative(base.path_); }
  path& replace_extension(const path& to = {}) { return path_.replace_extension(to.path_), *this; }
  path& replace_filename(const path& to) { return path_.replace_filename(to.path_), *this; }
  path root_path() const { return path_.root_path(); }
  path relative_path() const { return path_.relative_path(); }
  bool empty() const { return path_.empty(); }
  bool is_absolute() const { return path_.is_absolute(); }
  bool has_parent_path() const { return path_.has_parent_path(); }
  bool has_relative_path() const { return path_.has_relative_path(); }
  bool has_extension() const { return path_.has_extension(); }
  bool has_filename() const { return path_.has_filename(); }

  path& operator/=(const path& p) { return path_ /= p.path_, *this; }
  friend path operator/(const path& a, const path& b) { return a.path_ / b.path_; }
  friend bool operator==(const path& a, const path& b) { return a.path_ == b.path_; }

  class iterator {
   public:
    using value_type = path;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::bidirectional_iterator_tag;
    explicit iterator(standard::path::const_iterator at) : at_(at) {}
    path operator*() const { return *at_; }
    struct Arrow;
    Arrow operator->() const;
    iterator& operator++() { return ++at_, *this; }
    iterator& operator--() { return --at_, *this; }
    bool operator==(const iterator&) const = default;

   private:
    standard::path::const_iterator at_;
  };
  iterator begin() const { return iterator(path_.begin()); }
  iterator end() const { return iterator(path_.end()); }

 private:
  standard::path path_;
};

struct path::iterator::Arrow {
  path part;
  const path* operator->() const { return &part; }
};
inline path::iterator::Arrow path::iterator::operator->() const { return {**this}; }

using file_status = standard::file_status;
using directory_options = standard::directory_options;
inline bool exists(file_status s) { return standard::exists(s); }
inline bool is_directory(file_status s) { return standard::is_directory(s); }
inline bool is_regular_file(file_status s) { return standard::is_regular_file(s); }
inline bool is_symlink(file_status s) { return standard::is_symlink(s); }
inline bool exists(const path& p, std::error_code& e) { return standard::exists(p.system(), e); }
inline bool is_directory(const path& p, std::error_code& e) { return standard::is_directory(p.system(), e); }
inline bool is_regular_file(const path& p, std::error_code& e) { return standard::is_regular_file(p.system(), e); }
inline bool is_symlink(const path& p, std::error_code& e) { return standard::is_symlink(p.system(), e); }
inline bool is_empty(const path& p, std::error_code& e) { return standard::is_empty(p.system(), e); }
inline file_status status(const path& p, std::error_code& e) { return standard::status(p.system(), e); }
inline file_status symlink_status(const path& p, std::error_code& e) { return standard::symlink_status(p.system(), e); }
inline std::uintmax_t file_size(const path& p, std::error_code& e) { return standard::file_size(p.system(), e); }
inline bool equivalent(const path& a, const path& b, std::error_code& e) {
  return standard::equivalent(a.system(), b.system(), e);
}
inline bool remove(const path& p, std::error_code& e) { return standard::remove(p.system(), e); }
inline std::uintmax_t remove_all(const path& p, std::error_code& e) { return standard::remove_all(p.system(), e); }
inline void rename(const path& a, const path& b, std::error_code& e) { standard::rename(a.system(), b.system(), e); }
inline bool create_directory(const path& p, std::error_code& e) { return standard::create_directory(p.system(), e); }
inline bool create_directories(const path& p, std::error_code& e) {
  return standard::create_directories(p.system(), e);
}
inline void create_hard_link(const path& to, const path& link, std::error_code& e) {
  standard::create_hard_link(to.system(), link.system(), e);
}
inline bool copy_file(const path& a, const path& b, std::error_code& e) {
  return standard::copy_file(a.system(), b.system(), e);
}
inline path read_symlink(const path& p, std::error_code& e) { return standard::read_symlink(p.system(), e); }
inline path absolute(const path& p, std::error_code& e) { return standard::absolute(p.system(), e); }
inline path absolute(const path& p) { return standard::absolute(p.system()); }
inline path canonical(const path& p, std::error_code& e) { return standard::canonical(p.system(), e); }
inline path weakly_canonical(const path& p, std::error_code& e) { return standard::weakly_canonical(p.system(), e); }
inline path temp_directory_path(std::error_code& e) { return standard::temp_directory_path(e); }
inline path current_path(std::error_code& e) { return standard::current_path(e); }

class directory_entry {
 public:
  directory_entry() = default;
  explicit directory_entry(fs::path path) : path_(std::move(path)) {}
  const fs::path& path() const { return path_; }
  bool is_regular_file(std::error_code& e) const { return fs::is_regular_file(path_, e); }
  bool is_directory(std::error_code& e) const { return fs::is_directory(path_, e); }
  bool is_symlink(std::error_code& e) const { return fs::is_symlink(path_, e); }
  bool exists(std::error_code& e) const { return fs::exists(fs::status(path_, e)); }
  std::uintmax_t file_size(std::error_code& e) const { return fs::file_size(path_, e); }
  bool is_other(std::error_code& e) const { return standard::is_other(fs::status(path_, e)); }

 private:
  fs::path path_;
};

/// The files and folders in a folder, at any length of its path: the iterators of std::filesystem end at 260
/// characters.
std::vector<directory_entry> list_directory(const path& folder, std::error_code&);

/// Depth first, if `is_recursive`.
template <bool is_recursive>
class directory_walk {
 public:
  using value_type = directory_entry;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  directory_walk() = default;
  directory_walk(const path& folder, std::error_code& e) : directory_walk(folder, directory_options::none, e) {}
  directory_walk(const path& folder, directory_options options, std::error_code& e) : options_(options) {
    enter(folder, e);
  }
  const directory_entry& operator*() const { return open_.back().back(); }
  const directory_entry* operator->() const { return &**this; }
  directory_walk& operator++() {
    std::error_code ignored;
    return increment(ignored);
  }
  directory_walk& increment(std::error_code& e) {
    e.clear();
    const directory_entry last = std::move(open_.back().back());
    open_.back().pop_back();
    std::error_code ignored;
    const bool follows = (options_ & directory_options::follow_directory_symlink) != directory_options::none ||
                         !last.is_symlink(ignored);
    if (is_recursive && std::exchange(enters_, true) && follows && last.is_directory(ignored)) enter(last.path(), e);
    leave_finished();
    return *this;
  }
  int depth() const { return int(open_.size()) - 1; }
  void disable_recursion_pending() { enters_ = false; }
  /// Only with the end.
  bool operator==(const directory_walk& other) const { return open_.empty() == other.open_.empty(); }
  directory_walk begin() const { return *this; }
  directory_walk end() const { return {}; }

 private:
  void enter(const path& folder, std::error_code& e) {
    auto entries = list_directory(folder, e);
    if (e == std::errc::permission_denied &&
        (options_ & directory_options::skip_permission_denied) != directory_options::none)
      e.clear();
    std::reverse(entries.begin(), entries.end());
    open_.push_back(std::move(entries));
    leave_finished();
  }
  void leave_finished() {
    while (!open_.empty() && open_.back().empty()) open_.pop_back();
  }
  std::vector<std::vector<directory_entry>> open_;  // the entries to come, the next one last
  directory_options options_ = directory_options::none;
  bool enters_ = true;
};
using directory_iterator = directory_walk<false>;
using recursive_directory_iterator = directory_walk<true>;

}  // namespace fs
#endif

}  // namespace dio::cli

#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "archive_files.hpp"
#include "containers/disc/cue_sheet.hpp"
#include "core/printing.hpp"
#include "core/safe_path.hpp"
#include "text.hpp"

namespace dio::cli {

namespace fs = std::filesystem;

Diagnostic io_problem(std::string_view id, const std::string& file, std::string expected, std::string found,
                      std::string hint) {
  Diagnostic d;
  d.id = id;
  d.place.file = file;
  d.expected = std::move(expected);
  d.found = std::move(found);
  d.hint = std::move(hint);
  return d;
}

// ---- which files ---------------------------------------------------------------------------------------------------

namespace {

Input named(const std::string& name) {
  Input i;
  i.name = name;
  i.inside = fs::path(name).filename().string();
  return i;
}

Input missing(const std::string& name, std::string expected, std::string found, std::string hint = {}) {
  Input i = named(name);
  i.problem = io_problem("io.read", name, std::move(expected), std::move(found), std::move(hint));
  return i;
}

/// The path as one that leads nowhere else when it becomes the name of an output.
std::string safe(const std::string& path) {
  const auto paths = safe_paths({path});
  return paths ? paths->front() : "member";
}

/// The archives that arguments lead into. Members of one share it, whatever names lead to it: each change of a member
/// is made to what the ones before have left.
class Archives {
 public:
  Result<std::shared_ptr<ArchiveFile>> open(const std::string& name) {
    const auto id = file_id(name);
    for (const auto& [known, archive] : open_)
      if (id && known == *id) return archive;
    auto opened = ArchiveFile::open(name);
    if (opened && id) open_.emplace_back(*id, *opened);
    return opened;
  }

 private:
  std::vector<std::pair<FileId, std::shared_ptr<ArchiveFile>>> open_;
};

Input member_of(const std::shared_ptr<ArchiveFile>& archive, const std::string& member) {
  Input i;
  i.name = archive->name() + "/" + member;
  i.inside = safe(member.substr(member.find_last_of('/') + 1));
  i.archive = archive;
  i.member = member;
  return i;
}

/// Where a member's results go below a folder of results. Those of an archive's members go into a folder without its
/// extension: its own result may have its name.
std::string place_of(const std::string& member, const std::set<std::string>& members) {
  std::string out;
  for (size_t at = 0; at < member.size();) {
    const size_t slash = std::min(member.find('/', at), member.size());
    const std::string part = member.substr(at, slash - at);
    const bool is_archive = slash < member.size() && members.contains(member.substr(0, slash));
    out += (at ? "/" : "") + (is_archive ? with_extension(part, "") : part);
    at = slash + 1;
  }
  return safe(out);
}

/// That some of the members are missing, if they are.
void add_limit(std::vector<Input>& out, const ArchiveTree& tree) {
  auto reached = tree.limit_reached();
  if (!reached) return;
  out.push_back(named(tree.name()));
  out.back().problem = std::move(*reached);
}

/// All members of an archive, those of the archives in it too, where there is one. `inside` is the archive's own.
void add_members(std::vector<Input>& out, Archives& archives, const std::string& file, const std::string& inside) {
  if (!looks_like_archive(file)) return;
  const auto archive = archives.open(file);
  if (!archive) return;  // the file itself says why
  (*archive)->look([&](const ArchiveTree& tree) {
    const auto list = members_below(tree, "", true);
    const std::set<std::string> members(list.begin(), list.end());
    for (const std::string& m : list) {
      Input i = member_of(*archive, m);
      i.inside = with_extension(inside, "") + "/" + place_of(m, members);
      i.walked = true;
      out.push_back(std::move(i));
    }
    add_limit(out, tree);
  });
}

/// The members that a path or pattern inside of an archive means. Where a pattern names several archives, one may have
/// none.
/// The member or folder of the archive that a path could have meant; empty: none.
std::string member_like(const ArchiveTree& tree, const std::string& path) {
  std::vector<std::string> names;
  for (const Member& m : tree.archive().members())
    for (size_t end = m.path.find('/'); end != std::string::npos; end = m.path.find('/', end + 1))
      names.push_back(m.path.substr(0, end));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const Member& m : tree.archive().members()) names.push_back(m.path);
  return nearest(path, names);
}

void add_inside(std::vector<Input>& out, Archives& archives, const std::string& file, const std::string& path,
                bool recursive, bool one_of_several = false) {
  const auto opened = archives.open(file);
  if (!opened) {
    Input i = named(file + "/" + path);
    i.problem = opened.error();
    return out.push_back(std::move(i));
  }
  const std::shared_ptr<ArchiveFile>& archive = *opened;
  archive->look([&](const ArchiveTree& tree) {
    if (has_wildcard(path) && !tree.has(path)) {
      std::vector<std::string> pattern;
      for (const fs::path& part : fs::path(path)) pattern.push_back(part.string());
      const auto found = members_matching(tree, pattern);
      for (const std::string& m : found) out.push_back(member_of(archive, m));
      add_limit(out, tree);
      if (found.empty() && !one_of_several)
        out.push_back(missing(file + "/" + path, "a member of this name", "none matches"));
      return;
    }
    const bool is_member = tree.has(path);
    if (is_member) out.push_back(member_of(archive, path));
    if (is_member && !recursive) return;
    const auto below = members_below(tree, path, recursive);
    std::set<std::string> members;
    for (const std::string& m : below) members.insert(m.substr(path.size() + 1));
    for (const std::string& m : below) {
      Input i = member_of(archive, m);
      i.inside = place_of(m.substr(path.size() + 1), members);
      i.walked = true;
      out.push_back(std::move(i));
    }
    add_limit(out, tree);
    if (!is_member && below.empty()) {
      Input i = named(file + "/" + path);
      auto why = tree.read(path);
      if (!why) i.problem = why.error();
      if (i.problem && i.problem->id == "file.missing")
        if (const std::string like = member_like(tree, path); !like.empty())
          i.problem->hint = "did you mean " + file + "/" + like + "?";
      out.push_back(std::move(i));
    }
  });
}

void add_folder(std::vector<Input>& out, Archives& archives, const std::string& folder, bool recursive,
                bool into_archives) {
  std::vector<std::string> files;
  std::error_code error;
  const auto add = [&](const fs::directory_entry& e) {
    std::error_code ignored;
    if (e.is_regular_file(ignored)) files.push_back(e.path().string());
  };
  if (recursive) {
    for (fs::recursive_directory_iterator i(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && i != end; i.increment(error))
      add(*i);
  } else {
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) add(*i);
  }
  if (error) return out.push_back(missing(folder, "a folder that can be read", error.message()));
  std::sort(files.begin(), files.end());
  for (const std::string& f : files) {
    Input i = named(fs::path(f).lexically_normal().string());
    i.inside = fs::path(f).lexically_relative(folder).string();
    i.walked = true;
    const std::string inside = i.inside;
    out.push_back(std::move(i));
    if (recursive && into_archives) add_members(out, archives, f, inside);
  }
}

/// `courses/*/course.kmp`, a part of the path at a time. `**` stands for any folders, or none.
void glob(std::vector<std::string>& out, const fs::path& folder, const std::vector<std::string>& parts, size_t at) {
  if (at == parts.size()) {
    out.push_back(folder.string());
    return;
  }
  std::error_code error;
  if (at && fs::is_regular_file(folder, error)) {  // the rest is meant inside of it, if it is an archive
    fs::path whole = folder;
    for (size_t i = at; i < parts.size(); ++i) whole /= parts[i];
    if (looks_like_archive(folder.string())) out.push_back(whole.string());
    return;
  }
  if (!has_wildcard(parts[at])) {
    const fs::path next = folder / parts[at];
    if (fs::exists(next, error)) glob(out, next, parts, at + 1);
    return;
  }
  const bool any_depth = parts[at] == "**";
  if (any_depth) glob(out, folder, parts, at + 1);
  for (fs::directory_iterator i(folder.empty() ? "." : folder, error), end; !error && i != end; i.increment(error)) {
    const std::string name = i->path().filename().string();
    if (name.starts_with('.') && !parts[at].starts_with('.')) continue;
    std::error_code ignored;
    const bool is_link = i->is_symlink(ignored), is_directory = i->is_directory(ignored);
    if (any_depth) {
      if (is_directory && !is_link) glob(out, folder / name, parts, at);
    } else if (matches(parts[at], name) && (at + 1 == parts.size() || is_directory || i->is_regular_file(ignored))) {
      glob(out, folder / name, parts, at + 1);
    }
  }
}

}  // namespace

std::vector<Input> expand(const std::vector<std::string>& arguments, bool recursive, bool into_archives) {
  std::vector<Input> out;
  Archives archives;
  const auto add = [&](const std::string& name) {
    if (is_folder(name)) return add_folder(out, archives, name, recursive, into_archives);
    const auto file = file_meant(name);
    out.push_back(named(file.value_or(name)));
    if (!file) {
      out.back().problem = file.error();
      return;
    }
    const std::string inside = out.back().inside;  // the list moves as it grows
    if (recursive && into_archives) add_members(out, archives, *file, inside);
  };
  for (const std::string& a : arguments) {
    std::error_code error;
    if (a == "-") {
      Input i;
      i.name = "standard input";
      i.inside = "stdin";
      i.is_stdin = true;
      out.push_back(std::move(i));
    } else if (fs::exists(a, error)) {
      add(a);
    } else if (const auto inside = archive_path(a)) {
      add_inside(out, archives, inside->file, inside->inside, recursive);
    } else if (has_wildcard(a)) {  // quoted, or the shell does not do this
      std::vector<std::string> found, parts;
      const fs::path pattern(a);
      for (const fs::path& part : pattern.relative_path()) parts.push_back(part.string());
      glob(found, pattern.root_path(), parts, 0);
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      const size_t before = out.size();
      for (const std::string& f : found) {
        if (const auto in_archive = archive_path(f))
          add_inside(out, archives, in_archive->file, in_archive->inside, recursive, true);
        else
          add(f);
      }
      if (out.size() == before) out.push_back(missing(a, "a file of this name", "none matches"));
    } else {
      std::vector<std::string> beside;
      const fs::path folder = fs::path(a).parent_path();
      for (fs::directory_iterator i(folder.empty() ? "." : folder, error), end; !error && i != end; i.increment(error))
        beside.push_back(i->path().filename().string());
      const std::string like = nearest(fs::path(a).filename().string(), beside);
      out.push_back(missing(a, "a file", "there is none of that name",
                            like.empty() ? "" : "did you mean " + (folder / like).string() + "?"));
    }
  }
  for (Input& i : out)
    if (!i.is_stdin && !i.problem) i.id = file_id(i.archive ? i.archive->name() : i.name);
  return out;
}

bool is_folder(const std::string& name) {
  std::error_code error;
  return fs::is_directory(name, error);
}

std::optional<FileId> file_id(const std::string& name) {
  struct stat s{};
  if (::stat(name.c_str(), &s) != 0) return {};
  return FileId{u64(s.st_dev), u64(s.st_ino)};
}

std::optional<FileState> file_state(const std::string& name) {
  struct stat s{};
  if (::stat(name.c_str(), &s) != 0) return {};
  return FileState{{u64(s.st_dev), u64(s.st_ino)}, u64(s.st_size), s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
}

std::string extension_in(const std::string& name) {
  return lower_case(std::filesystem::path(name).extension().string());
}

bool has_number(const std::string& name) {
  const std::string extension = fs::path(name).extension().string();
  return extension.size() > 1 && extension.find_first_not_of("0123456789", 1) == extension.npos;
}

std::string with_extension(const std::string& name, std::string_view extension) {
  return has_number(name) ? name + std::string(extension) : fs::path(name).replace_extension(extension).string();
}

// ---- reading -------------------------------------------------------------------------------------------------------

namespace {

/// An open file that closes itself.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ > 2) ::close(descriptor_);
  }
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

Result<Bytes> read_all(const File& file, const std::string& name) {
  struct stat status{};
  const bool regular = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  Bytes bytes(regular ? size_t(status.st_size) + 1 : 65536);  // one more, to see the end without growing
  size_t size = 0;
  for (;;) {
    if (size == bytes.size()) bytes.resize(2 * size);
    const ssize_t n = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refuse(io_problem("io.read", name, "a file that can be read", std::strerror(errno)));
    if (n == 0) break;
    size += size_t(n);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

Result<Bytes> read_file(const std::string& name) {
  const File file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return refuse(io_problem("io.read", name, "a file that can be read", std::strerror(errno)));
  if (is_folder(name)) return refuse(io_problem("io.read", name, "a file", "it is a folder"));
  return read_all(file, name);
}

namespace {

/// The one file in the folder of another that is called so, whatever the case of the letters.
std::optional<std::string> same_name_beside(const fs::path& file, const std::string& name) {
  const auto lower = [](std::string s) {
    for (char& c : s) c = char(std::tolower(u8(c)));
    return s;
  };
  std::optional<std::string> found;
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    std::error_code ignored;
    if (lower(i->path().filename().string()) != lower(name) || !i->is_regular_file(ignored)) continue;
    const std::string path = (file.parent_path() / i->path().filename()).string();
    if (i->path().filename() == name) return path;
    if (found) return {};
    found = path;
  }
  return found;
}

}  // namespace

Result<std::string> file_meant(const std::string& name) {
  const fs::path sheet(name);
  if (lower_case(sheet.extension().string()) != ".cue") return name;
  const auto text = read_file(name);
  if (!text) return refuse(text.error());
  auto file = cue_data_file({reinterpret_cast<const char*>(text->data()), text->size()});
  if (!file) {
    file.error().place.file = name;
    return file;
  }
  const std::string data = (sheet.parent_path() / *file).string();
  std::error_code error;
  if (fs::is_regular_file(data, error)) return data;
  // Sheets travel with their images: what another machine wrote names a folder of it, or other small and capital
  // letters.
  const std::string bare = file->substr(file->find_last_of("/\\") + 1);
  if (const auto beside = same_name_beside(sheet, bare)) return *beside;
  return refuse(io_problem("io.read", name, "the file that it names beside it", data + " is not there"));
}

Result<Bytes> read_input(const Input& input) {
  if (input.problem) return refuse(*input.problem);
  if (input.archive) return input.archive->read(input.member);
  if (!input.is_stdin) return read_file(input.name);
  return read_all(File(STDIN_FILENO), input.name);
}

// ---- writing -------------------------------------------------------------------------------------------------------

namespace {

bool write_all(int descriptor, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes = bytes.subspan(size_t(n));
  }
  return true;
}

/// What a symbolic link leads to in the end, even if that is not there yet.
fs::path followed(fs::path p) {
  std::error_code error;
  for (int i = 0; i < 40 && fs::is_symlink(p, error); ++i) {
    const fs::path target = fs::read_symlink(p, error);
    if (error) break;
    p = target.is_absolute() ? target : p.parent_path() / target;
  }
  return p;
}

mode_t usual_mode() {
  static const mode_t mode = [] {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mode_t(0666 & ~mask);
  }();
  return mode;
}

}  // namespace

Result<bool> write_file(const std::string& name, ByteView bytes, const WriteOptions& options) {
  const auto failed = [&](const char* what) {
    return refuse(io_problem("io.write", name, what, std::strerror(errno)));
  };
  const fs::path target = followed(name);
  struct stat old{};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    return refuse(io_problem("io.write", name, "the name of a file", "it is a folder"));
  if (exists && !S_ISREG(old.st_mode)) {  // /dev/null, a pipe: nothing to keep, nothing to replace
    const File file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file || !write_all(file.get(), bytes)) return failed("a place that can be written to");
    return true;
  }
  if (exists && !options.overwrite)
    return refuse(io_problem("io.exists", name, "a new file", "it exists already", "-f overwrites it"));
  // Only the folder has to be open for a new file to take the name: who took the right to write away meant this, too.
  if (exists && !options.replace_read_only && !(old.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
    return refuse(
        io_problem("io.write", name, "a file that may be written to", "it is read-only", "-f changes it all the same"));
  const std::string kept = target.string() + options.backup;
  std::error_code error;
  if (exists && !options.backup.empty() && !options.replace_backup && fs::exists(kept, error))
    return refuse(io_problem("io.exists", kept, "no older backup", "it exists already", "-f overwrites it"));
  const fs::path folder = target.parent_path().empty() ? "." : target.parent_path();
  if (!is_folder(folder.string()))
    return refuse(io_problem("io.write", name, "a folder to write into", folder.string() + " is not there",
                             "-o FOLDER/ with a slash at its end makes one"));

  std::string temporary = (folder / ("." + target.filename().string() + ".XXXXXX")).string();
  {
    const File file(::mkstemp(temporary.data()));
    if (!file) return failed("a folder that can be written to");
    if (::fchmod(file.get(), exists ? old.st_mode & 07777 : usual_mode()) != 0 || !write_all(file.get(), bytes) ||
        (exists && ::fsync(file.get()) != 0)) {  // before it replaces something, it has to be safe
      const int reason = errno;
      ::unlink(temporary.c_str());
      errno = reason;
      return failed("space to write the file");
    }
  }
  const auto give_up = [&](Diagnostic d) {
    ::unlink(temporary.c_str());
    return refuse(std::move(d));
  };
  if (exists && !options.backup.empty()) {
    fs::remove(kept, error);
    fs::create_hard_link(target, kept, error);
    if (error) fs::copy_file(target, kept, error);
    if (error) return give_up(io_problem("io.write", kept, "a backup", error.message()));
  }
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return give_up(io_problem("io.write", name, "a place that can be written to", std::strerror(errno)));
  return true;
}

Result<bool> make_folder(const std::string& name) {
  std::error_code error;
  fs::create_directories(name, error);
  if (error)
    return refuse(io_problem("io.write", name, "a folder",
                             error == std::errc::not_a_directory ? "a file is in the way" : error.message()));
  return true;
}

}  // namespace dio::cli

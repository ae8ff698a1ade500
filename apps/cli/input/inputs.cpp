#include "inputs.hpp"

#include <algorithm>
#include <set>

#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../files/folders.hpp"
#include "../files/mapped_file.hpp"
#include "../system/filesystem.hpp"
#include "core/glob.hpp"
#include "core/safe_path.hpp"
#include "core/sorting.hpp"
#include "formats/contract/format.hpp"

namespace dio::cli {

namespace {

Input make_named_input(const std::string& name) {
  Input i;
  i.name = name;
  i.inside = name.substr(name.find_last_of('/') + 1);  // npos + 1 is 0
  return i;
}

Input make_missing_input(const std::string& name, std::string message, std::string hint = {}) {
  Input i = make_named_input(name);
  i.problem = io_error("io.read", name, std::move(message), std::move(hint));
  return i;
}

std::vector<std::string> split_path(const fs::path& path) {
  std::vector<std::string> parts;
  for (const fs::path& part : path) parts.push_back(part.string());
  return parts;
}

/// The path as one that leads nowhere else when it becomes the name of an output.
std::string safe_output_path(const std::string& path) {
  const auto paths = escape_archive_paths({path});
  return paths ? paths->front() : "member";
}

Input make_member_input(const std::shared_ptr<ArchiveFile>& archive, const std::string& member) {
  Input i;
  i.name = archive->name() + "/" + member;
  i.inside = safe_output_path(member.substr(member.find_last_of('/') + 1));
  i.archive = archive;
  i.member = member;
  return i;
}

/// Where a member's results go below a folder of results. Those of an archive's members go into a folder without its
/// extension: its own result may have its name.
std::string member_output_path(const std::string& member, const std::set<std::string>& members) {
  std::string out;
  for (size_t at = 0; at < member.size();) {
    const size_t slash = std::min(member.find('/', at), member.size());
    const std::string part = member.substr(at, slash - at);
    const bool is_archive = slash < member.size() && members.contains(member.substr(0, slash));
    out += (at ? "/" : "") + (is_archive ? with_extension(part, "") : part);
    at = slash + 1;
  }
  return safe_output_path(out);
}

/// The member or folder of the archive that a path could have meant; empty: none.
std::string find_similar_member(const ArchiveTree& tree, const std::string& path) {
  std::vector<std::string> names;
  for (const Member& m : tree.archive().members())
    for (size_t end = m.path.find('/'); end != std::string::npos; end = m.path.find('/', end + 1))
      names.push_back(m.path.substr(0, end));
  sort_stably(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const Member& m : tree.archive().members()) names.push_back(m.path);
  return closest_match(path, names);
}

/// Takes arguments one by one.
class Resolver {
 public:
  /// `into_things`: also into archives whose members make one thing (ArchiveOps::is_one_thing).
  Resolver(bool recursive, bool into_archives, std::optional<u64> limit, bool into_things = false)
      : recursive_(recursive), all_members_(into_archives), into_things_(into_things), limit_(limit) {}

  void add_argument(const std::string& argument);
  std::vector<Input> take_inputs() &&;

 private:
  void add_file(const std::string& name);
  void add_folder(const std::string& folder);
  /// All members of an archive, those of the archives in it too, where there is one. `inside` is the archive's own.
  /// Marks the last input, the archive itself, if there are any.
  void add_members(const std::string& file, const std::string& inside);
  bool is_one_thing(const std::string& file);
  /// What a path means that leads into an archive. `may_be_none`: where a pattern names several archives.
  void add_archive_path(const ArchivePath&, bool may_be_none = false);
  void add_matching_members(const std::shared_ptr<ArchiveFile>&, const ArchiveTree&, const ArchivePath&,
                            bool may_be_none);
  /// The members below a path, each with its place there.
  size_t add_members_below(const std::shared_ptr<ArchiveFile>&, const ArchiveTree&, const std::string& path,
                           const std::string& inside, bool all);
  /// That some of the members are missing, if they are.
  void add_limit_problem(const ArchiveTree&);
  Result<std::shared_ptr<ArchiveFile>> open(const std::string& file);

  bool recursive_, all_members_, into_things_;
  std::optional<u64> limit_;  // of what archives inside an archive hold
  std::vector<Input> out_;
  // Members of an archive share it, whatever names lead to it: each change of a member is made to what the ones before
  // have left.
  std::vector<std::pair<FileId, std::shared_ptr<ArchiveFile>>> archives_;
};

void Resolver::add_argument(const std::string& argument) {
  std::error_code error;
  if (argument == "-") {
    Input i;
    i.name = "standard input";
    i.inside = "stdin";
    i.is_stdin = true;
    out_.push_back(std::move(i));
  } else if (const fs::file_status found = fs::status(argument, error); fs::exists(found)) {
    fs::is_directory(found) ? add_folder(argument) : add_file(argument);
  } else if (const auto inside = split_archive_path(argument)) {
    add_archive_path(*inside);
  } else if (has_wildcard(argument)) {  // quoted, or the shell does not do this
    const size_t before = out_.size();
    for (const std::string& f : glob_files(argument))
      if (const auto in_archive = split_archive_path(f))
        add_archive_path(*in_archive, true);
      else
        is_folder(f) ? add_folder(f) : add_file(f);
    if (out_.size() == before) out_.push_back(make_missing_input(argument, "no file matches this pattern"));
  } else {
    const std::string like = find_similar_file(argument);
    const bool is_link = fs::is_symlink(fs::symlink_status(argument, error));
    out_.push_back(make_missing_input(argument, is_link ? "the link points to a missing file" : "no such file",
                                      like.empty() ? ""
                                      : like.find(' ') == like.npos
                                          ? "did you mean " + like + "?"
                                          : "did you mean " + in_quotes(like) + "? names with spaces need quotes"));
  }
}

void Resolver::add_file(const std::string& name) {
  const auto file = resolve_disc_image(name);
  Input i = make_named_input(file.value_or(name));
  if (!file) i.problem = file.error();
  const std::string inside = i.inside;
  out_.push_back(std::move(i));
  if (file && (all_members_ || (into_things_ && is_one_thing(*file)))) add_members(*file, inside);
}

bool Resolver::is_one_thing(const std::string& file) {
  if (!looks_like_archive(file)) return false;
  const auto archive = open(file);
  bool is = false;
  if (archive)
    (*archive)->visit_tree([&](const ArchiveTree& tree) { is = tree.archive().format().archive->is_one_thing; });
  return is;
}

void Resolver::add_folder(const std::string& folder) {
  std::error_code error;
  const auto files = list_files(folder, recursive_, error);
  if (error) return out_.push_back(make_missing_input(folder, "the folder cannot be read: " + error.message()));
  // Each begins with the name of the folder, as it was given.
  std::string shown = fs::path(folder).lexically_normal().string();
  if (shown == ".") shown.clear();
  if (!shown.empty() && !shown.ends_with('/')) shown += '/';
  for (const std::string& f : files) {
    const std::string below = f.substr(f.find_first_not_of('/', folder.size()));
    Input i = make_named_input(shown + below);
    i.inside = below;
    i.walked = true;
    const std::string inside = i.inside;
    out_.push_back(std::move(i));
    if (all_members_) add_members(f, inside);
  }
}

void Resolver::add_members(const std::string& file, const std::string& inside) {
  if (!looks_like_archive(file)) return;
  const auto archive = open(file);
  if (!archive) return;  // the file itself says why
  (*archive)->visit_tree([&](const ArchiveTree& tree) {
    out_.back().has_members = !tree.archive().members().empty();
    add_members_below(*archive, tree, "", with_extension(inside, "") + "/", true);
    add_limit_problem(tree);
  });
}

void Resolver::add_archive_path(const ArchivePath& path, bool may_be_none) {
  const auto archive = open(path.file);
  if (!archive) {
    Input i = make_named_input(path.file + "/" + path.inside);
    i.problem = archive.error();
    return out_.push_back(std::move(i));
  }
  (*archive)->visit_tree([&](const ArchiveTree& tree) {
    const bool is_member = tree.has(path.inside);
    if (has_wildcard(path.inside) && !is_member) return add_matching_members(*archive, tree, path, may_be_none);
    if (is_member) out_.push_back(make_member_input(*archive, path.inside));
    if (is_member && !recursive_) return;
    const size_t below = add_members_below(*archive, tree, path.inside, "", recursive_);
    add_limit_problem(tree);
    if (is_member || below) return;
    Input i = make_named_input(path.file + "/" + path.inside);
    if (auto why = tree.read(path.inside); !why) i.problem = why.error();
    if (i.problem && i.problem->id == "file.missing")
      if (const std::string like = find_similar_member(tree, path.inside); !like.empty())
        i.problem->hint = path.inside.starts_with(like + "/")
                              ? "`dio ls " + path.file + "/" + like + "` lists the files in it"
                              : "did you mean " + path.file + "/" + like + "?";
    out_.push_back(std::move(i));
  });
}

void Resolver::add_matching_members(const std::shared_ptr<ArchiveFile>& archive, const ArchiveTree& tree,
                                    const ArchivePath& path, bool may_be_none) {
  const auto found = members_matching(tree, split_path(path.inside));
  for (const std::string& m : found) out_.push_back(make_member_input(archive, m));
  add_limit_problem(tree);
  if (found.empty() && !may_be_none)
    out_.push_back(make_missing_input(path.file + "/" + path.inside, "no member of the archive matches this pattern"));
}

size_t Resolver::add_members_below(const std::shared_ptr<ArchiveFile>& archive, const ArchiveTree& tree,
                                   const std::string& path, const std::string& inside, bool all) {
  const auto list = members_below(tree, path, all);
  const size_t start = path.empty() ? 0 : path.size() + 1;
  std::set<std::string> members;
  for (const std::string& m : list) members.insert(m.substr(start));
  for (const std::string& m : list) {
    Input i = make_member_input(archive, m);
    i.inside = inside + member_output_path(m.substr(start), members);
    i.walked = true;
    out_.push_back(std::move(i));
  }
  return list.size();
}

void Resolver::add_limit_problem(const ArchiveTree& tree) {
  auto reached = tree.limit_reached();
  if (!reached) return;
  out_.push_back(make_named_input(tree.name()));
  if (reached->hint.empty()) reached->hint = "raise the limit with --limit SIZE";
  out_.back().problem = std::move(*reached);
}

Result<std::shared_ptr<ArchiveFile>> Resolver::open(const std::string& file) {
  const auto id = file_id(file);
  for (const auto& [known, archive] : archives_)
    if (id && known == *id) return archive;
  if (!archives_.empty()) archives_.back().second->release();  // one at a time
  auto opened = ArchiveFile::open(file, limit_);
  if (opened && id) archives_.emplace_back(*id, *opened);
  return opened;
}

std::vector<Input> Resolver::take_inputs() && {
  const Input* last = nullptr;  // members follow one another
  for (Input& i : out_) {
    if (i.is_stdin || i.problem) continue;
    if (last && i.archive && last->archive == i.archive) {
      i.id = last->id;
    } else if (const auto state = file_state(i.archive ? i.archive->name() : i.name)) {
      i.id = state->id;
      if (!i.archive) i.state = state;
    }
    last = &i;
  }
  return std::move(out_);
}

}  // namespace

std::vector<Input> resolve_request_inputs(const Request& request) {
  // The viewer takes all of a folder; it looks into archives itself.
  const bool is_view = request.verb == "view";
  Resolver resolver(request.recursive || is_view, request.recursive && !request.in_place, request.limit,
                    request.verb == "check" || request.verb == "simulate");
  for (const std::string& a : request.inputs) resolver.add_argument(a);
  std::vector<Input> all = std::move(resolver).take_inputs();
  if (request.shares < 2) return all;
  // In turn: neighbours, which are often alike, are shared out.
  std::vector<Input> out;
  for (size_t i = request.share; i < all.size(); i += request.shares) out.push_back(std::move(all[i]));
  return out;
}

std::vector<Input> resolve_input_names(const std::vector<std::string>& names) {
  Resolver resolver(false, false, {});
  for (const std::string& n : names) resolver.add_argument(n);
  return std::move(resolver).take_inputs();
}

Result<Bytes> read_input(const Input& input) {
  if (input.problem) return refuse(*input.problem);
  if (input.held) return *input.held;
  if (input.archive) return input.archive->read(input.member);
  return input.is_stdin ? read_standard_input(input.name) : read_file(input.name);
}

Result<std::shared_ptr<const ByteSource>> open_input_source(const Input& input) {
  const bool is_small = input.state && input.state->size < k_large;
  if (!is_small && !input.problem && !input.held && !input.archive && !input.is_stdin)
    if (auto mapped = map_large_file(input.name)) return mapped;
  if (!input.problem && !input.held && input.archive) return input.archive->open_member(input.member);
  auto bytes = read_input(input);
  if (!bytes) return refuse(std::move(bytes.error()));
  return std::make_shared<OwnedByteSource>(std::move(*bytes));
}

Result<bool> buffer_stream_input(Input& input) {
  std::error_code error;
  if (input.problem || input.archive || (!input.is_stdin && fs::is_regular_file(input.name, error))) return true;
  auto bytes = read_input(input);
  if (!bytes) return refuse(std::move(bytes.error()));
  input.held = std::make_shared<const Bytes>(std::move(*bytes));
  return true;
}

std::shared_ptr<const ByteSource> open_input_source(const Request& request, const Input& input, Report& report) {
  auto file = open_input_source(input);
  if (file) return std::move(*file);
  report_error(report, request, file.error());
  return nullptr;
}

std::optional<Bytes> read_input(const Request& request, const Input& input, Report& report) {
  auto bytes = read_input(input);
  if (bytes) return std::move(*bytes);
  report_error(report, request, bytes.error());
  return {};
}

}  // namespace dio::cli

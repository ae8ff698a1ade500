#include "operations/archive_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "core/memory_budget.hpp"
#include "core/sorting.hpp"
#include "core/text_format.hpp"
#include "formats/contract/archive.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"

namespace dio {

namespace platinum {
std::string describe_member_role(std::string_view archive_path, u64 member);
}

namespace {

constexpr int k_most_archives = 8;  // inside each other
constexpr u64 k_least = 16 << 10;   // what one counts for: opening it takes time, however small it is
constexpr u64 k_look = 4 << 10;     // and what a look at a member of an archive inside does, which may be none

/// Functions of families that know what the members of a game's archives are. Each has its own declaration here: they
/// are met only through this list.
using Role = std::string (*)(std::string_view archive_path, u64 member);
constexpr std::array<Role, 1> k_roles = {platinum::describe_member_role};

Diagnostic not_an_archive_error(std::string_view name, const Format* is) {
  return make_diagnostic("archive.none", dio::Location::in_file(name),
                         {.message = is ? "this is not an archive: the file format is " + in_quotes(is->title)
                                        : std::string("this is not a known kind of archive")});
}

Diagnostic archive_limit_error(std::string_view name, DiagnosticText said) {
  return make_diagnostic("archive.limit", dio::Location::in_file(name), std::move(said));
}

Diagnostic nested_size_limit_error(std::string_view name, u64 limit) {
  return archive_limit_error(
      name, {.message = "nested archives exceed the limit of " +
                        (limit >> 20 ? std::to_string(limit >> 20) + " MiB" : std::to_string(limit) + " bytes") +
                        " (each archive counts as at least 16 KiB plus the sizes of its members)"});
}

Diagnostic nesting_depth_error(std::string_view name) {
  return archive_limit_error(name,
                             {.message = "archives are nested more than 8 levels deep",
                              .hint = "the members of this archive are skipped; unpack the enclosing archives first"});
}

std::string join_path(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return std::string(a) + std::string(b);
  return std::string(a) + "/" + std::string(b);
}

}  // namespace

std::string archive_member_role(std::string_view archive_path, u64 member) {
  for (const Role role : k_roles)
    if (std::string name = role(archive_path, member); !name.empty()) return name;
  return {};
}

const Format* detect_archive_in_parts(const ByteSource& source, std::string_view name) {
  const Format* best = nullptr;
  auto certainty = Sniff::Certainty::possible;  // a name alone is not enough: other formats may fit better
  for (const Format* f : formats()) {
    if (!f->archive || !f->archive->sniff_in_parts) continue;
    const Sniff s = f->archive->sniff_in_parts(source, name);
    if (s.certainty > certainty) best = f, certainty = s.certainty;
  }
  return best;
}

Result<Archive> Archive::open(Bytes bytes, std::string_view name) {
  const auto found = detect(bytes, name);
  if (!found || !found->format->archive) return refuse(not_an_archive_error(name, found ? found->format : nullptr));
  auto own = std::make_shared<OwnedByteSource>(std::move(bytes));
  auto archive = open(own, name, *found->format);
  if (!archive) return archive;
  archive->own_ = own;
  if (!found->format->archive->is_wrapping) return archive;
  auto content = archive->read(0);
  if (!content) {
    content.error().place.file = name;
    return refuse(std::move(content.error()));
  }
  const auto inner = detect(*content, name);
  if (!inner || !inner->format->archive || inner->format->archive->is_wrapping) return archive;
  auto wrapped = open(std::make_shared<OwnedByteSource>(std::move(*content)), name, *inner->format);
  if (!wrapped) return wrapped;
  wrapped->own_ = std::move(own);
  wrapped->packed_as_ = found->format;
  return wrapped;
}

Result<Archive> Archive::open(std::shared_ptr<const ByteSource> source, std::string_view name) {
  const Format* format = detect_archive_in_parts(*source, name);
  if (!format) return refuse(not_an_archive_error(name, nullptr));
  return open(std::move(source), name, *format);
}

Result<Archive> Archive::open(std::shared_ptr<const ByteSource> source, std::string_view name, const Format& format) {
  Archive a;
  a.format_ = &format;
  a.source_ = std::move(source);
  auto members = a.format_->archive->members(*a.source_);
  if (!members) {
    members.error().place.file = name;
    return refuse(std::move(members.error()));
  }
  a.members_ = std::move(*members);
  a.by_path_.resize(a.members_.size());
  std::iota(a.by_path_.begin(), a.by_path_.end(), 0u);
  sort_stably(a.by_path_, [&](u32 x, u32 y) { return a.members_[x].path < a.members_[y].path; });
  return a;
}

std::optional<size_t> Archive::find(std::string_view path) const {
  const auto at = std::lower_bound(by_path_.begin(), by_path_.end(), path,
                                   [&](u32 i, std::string_view p) { return members_[i].path < p; });
  if (at != by_path_.end() && members_[*at].path == path) return *at;
  std::string_view digits = path;
  if (digits.ends_with(".bin")) digits.remove_suffix(4);
  size_t n = 0;
  const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  const bool is_number = r.ec == std::errc() && r.ptr == digits.data() + digits.size();
  if (!is_number || n >= members_.size() || has_folder(path)) return {};
  return n;
}

bool Archive::has_folder(std::string_view path) const {
  const std::string folder = std::string(path) + "/";
  const auto at = std::lower_bound(by_path_.begin(), by_path_.end(), folder,
                                   [&](u32 i, const std::string& p) { return members_[i].path < p; });
  return at != by_path_.end() && members_[*at].path.starts_with(folder);
}

Result<Bytes> Archive::read(size_t member) const {
  if (member >= members_.size()) return refuse(missing_file(std::to_string(member)));
  return format_->archive->content(*source_, members_[member]);
}

Result<std::shared_ptr<const ByteSource>> Archive::open_member(size_t member) const {
  if (member < members_.size() && format_->archive->stores_verbatim) {
    const u64 offset = members_[member].offset, size = members_[member].size;
    if (const auto all = source_->whole(); all && source_->has(offset, size))
      return std::make_shared<SliceByteSource>(source_, all->subspan(size_t(offset), size_t(size)));
  }
  auto bytes = read(member);
  if (!bytes) return refuse(std::move(bytes.error()));
  return std::make_shared<OwnedByteSource>(std::move(*bytes));
}

std::optional<u64> Archive::sector(size_t member) const {
  const auto of = format_->archive->sector;
  return of && member < members_.size() ? of(*source_, members_[member]) : std::nullopt;
}

Result<Bytes> Archive::replace(std::span<const NewContent> news) const {
  Bytes room;
  const auto bytes = source_->view(0, source_->size(), room);
  if (!bytes) return refuse(bytes.error());
  auto replaced = format_->archive->replace(*bytes, news);
  if (!replaced || !packed_as_) return replaced;
  const NewContent all{0, std::move(*replaced)};
  return packed_as_->archive->replace(packed(), {&all, 1});
}

Bytes Archive::take_bytes() && { return own_ ? std::move(*own_).take() : Bytes(); }

u64 Archive::cut_members() const {
  return u64(
      std::ranges::count_if(members_, [&](const Member& m) { return m.size && !source_->has(m.offset, m.size); }));
}

ArchiveTree::ArchiveTree(Archive archive, std::string name, std::optional<u64> limit)
    : archive_(std::move(archive)), name_(std::move(name)) {
  const u64 most = limit.value_or(default_memory_budget(archive_.source().size()));
  budget_ = std::make_shared<Budget>(Budget{most, most, {}});
}

std::vector<std::string> ArchiveTree::list() const {
  std::vector<std::string> paths;
  for (const Member& m : archive_.members()) paths.push_back(m.path);
  sort_stably(paths);
  return paths;
}

Result<std::pair<size_t, std::string_view>> ArchiveTree::resolve_first_member(std::string_view path) const {
  if (const auto whole = archive_.find(path)) return std::pair(*whole, std::string_view());
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
    if (const auto member = archive_.find(path.substr(0, slash))) return std::pair(*member, path.substr(slash + 1));
  return refuse(missing_file(join_path(name_, path)));
}

Result<const ArchiveTree*> ArchiveTree::open_nested_archive(size_t member) const {
  const auto [at, is_new] = inner_.try_emplace(member);
  NestedArchive& inner = at->second;
  const auto fail_opening = [&](Diagnostic d) {
    inner.problem = d;
    return refuse(std::move(d));
  };
  if (inner.tree) return inner.tree.get();
  if (!is_new) return refuse(inner.problem);
  const std::string name = join_path(name_, archive_.members()[member].path);
  if (!budget_->left) return fail_opening(nested_size_limit_error(name_, budget_->all));
  auto bytes = archive_.read(member);
  if (!bytes) {
    bytes.error().place.file = name;
    return fail_opening(std::move(bytes.error()));
  }
  const u64 size = bytes->size();
  const auto spend = [&](u64 cost) { budget_->left -= std::min(budget_->left, cost); };
  spend(size + (depth_ > 1 ? k_look : 0));
  if (!budget_->left) return fail_opening(nested_size_limit_error(name_, budget_->all));
  auto archive = Archive::open(std::move(*bytes), name);
  if (!archive) return fail_opening(std::move(archive.error()));
  if (depth_ == k_most_archives) {
    if (budget_->too_deep.empty()) budget_->too_deep = name;
    return fail_opening(nesting_depth_error(name));
  }
  // Members that share their bytes are each read, and their content counts as often; so does what it decompresses to.
  const u64 full_size = archive->source().size();
  u64 held = archive->packed_as() ? full_size : 0;
  for (const Member& m : archive->members()) held += std::min(m.size, full_size);
  spend(std::max({held, size, k_least}) - size);
  if (!budget_->left) return fail_opening(nested_size_limit_error(name_, budget_->all));
  inner.tree = std::make_unique<ArchiveTree>(std::move(*archive), name);
  inner.tree->depth_ = depth_ + 1;
  inner.tree->budget_ = budget_;
  return inner.tree.get();
}

std::optional<Diagnostic> ArchiveTree::limit_reached() const {
  if (!budget_->left) return nested_size_limit_error(name_, budget_->all);
  if (!budget_->too_deep.empty()) return nesting_depth_error(budget_->too_deep);
  return {};
}

Result<ArchiveTree::ArchiveLocation> ArchiveTree::resolve_path(std::string_view path) const {
  const ArchiveTree* tree = this;
  while (!path.empty()) {
    if (tree->archive_.has_folder(path) && !tree->archive_.find(path)) return ArchiveLocation{tree, {}, path};
    auto next = tree->resolve_first_member(path);
    if (!next) return refuse(std::move(next.error()));
    if (next->second.empty()) return ArchiveLocation{tree, next->first, {}};
    auto inner = tree->open_nested_archive(next->first);
    if (!inner) return refuse(std::move(inner.error()));
    tree = *inner;
    path = next->second;
  }
  return ArchiveLocation{tree, {}, {}};
}

Result<ArchiveTree::ArchiveLocation> ArchiveTree::resolve_and_open(std::string_view path) const {
  auto place = resolve_path(path);
  if (!place || !place->member) return place;
  auto inner = place->tree->open_nested_archive(*place->member);
  if (!inner) return refuse(std::move(inner.error()));
  return ArchiveLocation{*inner, {}, {}};
}

bool ArchiveTree::has(std::string_view path) const {
  const auto place = resolve_path(path);
  return place && place->member;
}

template <class Get>
auto ArchiveTree::get_member(std::string_view path, Get get) const
    -> decltype(get(std::declval<const Archive&>(), size_t())) {
  auto place = resolve_path(path);
  if (!place) return refuse(std::move(place.error()));
  if (!place->member) return refuse(missing_file(join_path(name_, path)));
  const Archive& archive = place->tree->archive_;
  auto found = get(archive, *place->member);
  if (!found) {
    // The place is named as the member: the path and offset of the archive do not apply.
    dio::Location& at = found.error().place;
    if (at.path == archive.members()[*place->member].path) at = {};
    at.file = join_path(name_, path);
  }
  return found;
}

Result<Bytes> ArchiveTree::read(std::string_view path) const {
  return get_member(path, [](const Archive& archive, size_t member) { return archive.read(member); });
}
Result<std::shared_ptr<const ByteSource>> ArchiveTree::open_file(std::string_view path) const {
  return get_member(path, [](const Archive& archive, size_t member) { return archive.open_member(member); });
}

std::optional<u64> ArchiveTree::place(std::string_view path) const {
  const auto place = resolve_path(path);
  if (!place || !place->member) return {};
  return place->tree->archive_.sector(*place->member);
}

namespace {

std::string describe_member_content(const ArchiveTree& tree, size_t member) {
  const Member& m = tree.archive().members()[member];
  if (std::string role = archive_member_role(tree.name(), member); !role.empty()) return role;
  // Of a large archive, large members are not read only to be named.
  constexpr u64 k_quickly_read = 4 << 20, k_small_archive = 64 << 20;
  if (m.size > k_quickly_read && tree.archive().source().size() > k_small_archive) return {};
  const auto bytes = tree.archive().read(member);
  if (!bytes) return {};
  const auto found = detect(*bytes, join_path(tree.name(), m.path));
  return found ? std::string(found->format->id) : "";
}

}  // namespace

Value describe_members(const ArchiveTree& tree, std::string_view folder, bool all, bool look) {
  const std::string start = folder.empty() ? "" : std::string(folder) + "/";
  struct Folder {
    u64 files = 0, size = 0;
  };
  std::map<std::string, Folder> folders;
  Value members = Value::list();
  const auto& list = tree.archive().members();
  for (size_t i = 0; i < list.size(); ++i) {
    const Member& m = list[i];
    if (!m.path.starts_with(start)) continue;
    if (const size_t slash = m.path.find('/', start.size()); slash != m.path.npos && !all) {
      Folder& f = folders[m.path.substr(0, slash)];
      ++f.files;
      f.size += m.size;
      continue;
    }
    Value& v = members.push(Value::object());
    v.add("number", u64(i));
    v.add("path", m.path);
    v.add("offset", m.offset);
    v.add("size", m.size);
    if (std::string about = look ? describe_member_content(tree, i) : archive_member_role(tree.name(), i);
        !about.empty())
      v.add("what", std::move(about));
  }
  Value v = Value::object();
  v.add("schema", "diorama.members/1");
  v.add("file", join_path(tree.name(), folder));
  v.add("format", tree.archive().format().id);
  Value& folder_list = v.add("folders", Value::list());
  for (const auto& [path, f] : folders) {
    Value& one = folder_list.push(Value::object());
    one.add("path", path);
    one.add("files", f.files);
    one.add("size", f.size);
  }
  v.add("members", std::move(members));
  return v;
}

std::string first_member_to_show(const ArchiveTree& tree) {
  std::string best;
  u64 most = 0;
  for (size_t i = 0; i < tree.archive().members().size(); ++i) {
    const Member& m = tree.archive().members()[i];
    const auto bytes = tree.archive().read(i);
    const auto found = bytes ? detect(*bytes, join_path(tree.name(), m.path)) : refuse(bytes.error());
    if (!found || !found->format->scenes) continue;
    u64 score = 1;
    const size_t name = m.path.find_last_of('/') + 1;  // npos + 1 is 0
    if (const auto companions = companion_ops_of(*found->format).beside)
      for (const std::string& other : companions(std::string_view(m.path).substr(name)))
        score += tree.archive().find(m.path.substr(0, name) + other).has_value();
    if (score > most) best = m.path, most = score;
  }
  return best;
}

Result<Bytes> read_packed_content(ByteView file, std::string_view name) {
  auto archive = Archive::open(Bytes(file.begin(), file.end()), name);
  if (!archive) return refuse(std::move(archive.error()));
  if (archive->packed_as()) return Bytes(archive->bytes().begin(), archive->bytes().end());
  if (archive->format().archive->is_wrapping) return archive->read(0);
  return refuse("archive.none", Location::in_file(std::string(name)), {.message = "the file is not compressed"});
}

Result<Bytes> replace_packed_content(ByteView file, std::string_view name, Bytes content) {
  const auto found = detect(file, name);
  if (!found || !found->format->archive || !found->format->archive->is_wrapping)
    return refuse("archive.none", Location::in_file(std::string(name)), {.message = "the file is not compressed"});
  const NewContent all{0, std::move(content)};
  auto packed = found->format->archive->replace(file, {&all, 1});
  if (!packed) packed.error().place.file = name;
  return packed;
}

Result<Bytes> read_nested_member(Bytes archive, std::string_view name, std::string_view path) {
  auto opened = Archive::open(std::move(archive), name);
  if (!opened) return refuse(std::move(opened.error()));
  return ArchiveTree(std::move(*opened), std::string(name)).read(path);
}

namespace {

Result<Bytes> replace_file_in_archive(const ArchiveTree& tree, std::string_view path, Bytes content);

/// What becomes of the member of the outermost archive that a path leads through.
Result<NewContent> build_outer_replacement(const ArchiveTree& tree, std::string_view path, Bytes content) {
  auto next = tree.resolve_first_member(path);
  if (!next) return refuse(std::move(next.error()));
  if (next->second.empty()) return NewContent{next->first, std::move(content)};
  auto inner = tree.open_nested_archive(next->first);
  if (!inner) return refuse(std::move(inner.error()));
  auto changed = replace_file_in_archive(**inner, next->second, std::move(content));
  if (!changed) return refuse(std::move(changed.error()));
  return NewContent{next->first, std::move(*changed)};
}

Result<std::vector<NewContent>> build_outer_replacements(const ArchiveTree& tree, std::vector<DependentFile> files) {
  std::vector<NewContent> news;
  for (DependentFile& f : files) {
    auto one = build_outer_replacement(tree, f.path, std::move(f.bytes));
    if (!one) return refuse(std::move(one.error()));
    news.push_back(std::move(*one));
  }
  return news;
}

std::vector<DependentFile> single_file_list(std::string_view path, Bytes content) {
  std::vector<DependentFile> one;
  one.push_back({std::string(path), std::move(content)});
  return one;
}

Diagnostic with_archive_context(Diagnostic d, const ArchiveTree& tree) {
  d.place.file = tree.name();
  if (d.id == "layout.loses")
    d.hint = "to discard the unreferenced bytes, delete _system/gaps.bin between {unpack FILE} and {pack FOLDER}";
  return d;
}

/// The archive with new bytes for some of its own members.
Result<Bytes> replace_members(const ArchiveTree& tree, std::span<const NewContent> news) {
  auto replaced = tree.archive().replace(news);
  if (!replaced) return refuse(with_archive_context(std::move(replaced.error()), tree));
  return replaced;
}

Result<Bytes> replace_file_in_archive(const ArchiveTree& tree, std::string_view path, Bytes content) {
  const auto changed = build_outer_replacement(tree, path, std::move(content));
  if (!changed) return refuse(changed.error());
  return replace_members(tree, {&*changed, 1});
}

/// The game whose files these are, if it has files that tell the places or sizes of others.
const GameKind* find_game_with_file_positions(const FileTree& image) {
  for (const GameKind* kind : game_kinds())
    if (kind->follow && kind->sniff(image).certainty >= Sniff::Certainty::likely) return kind;
  return nullptr;
}

/// The files that an archive does not have, if files can be added to it; `files` keeps the others.
std::vector<NewMember> take_new_members(const ArchiveTree& tree, std::vector<DependentFile>& files) {
  std::vector<NewMember> out;
  if (!tree.archive().format().archive->add_in_parts) return out;
  std::erase_if(files, [&](DependentFile& f) {
    if (tree.resolve_first_member(f.path)) return false;
    out.push_back({f.path, std::move(f.bytes)});
    return true;
  });
  // In the order of their numbers: games may find files of a folder by their order.
  sort_stably(out, [](const NewMember& a, const NewMember& b) { return natural_less(a.path, b.path); });
  return out;
}

/// Some members of an archive that get new bytes, and what follows from that in other files of the game.
class Replacing {
 public:
  /// `added`: members that are new in the archive.
  Replacing(const ArchiveTree& tree, std::span<NewContent> news, std::span<const NewMember> added = {})
      : game_(find_game_with_file_positions(tree)) {
    if (!game_) return;
    for (const NewMember& n : added) changed_.push_back({n.path, provisional_sector(n.path)});
    for (NewContent& n : news) {
      const std::string& path = tree.archive().members()[n.member].path;
      n.may_move = game_->finds_elsewhere && game_->finds_elsewhere(tree, path);
      changed_.push_back({path, tree.place(path)});
    }
  }
  /// What becomes of other files of the game, after those have changed. Ids: those of the game.
  Result<std::vector<NewContent>> update_dependent_files(const ArchiveTree& image) const {
    std::vector<NewContent> others;
    auto files = game_->follow(image, changed_);
    if (!files) return refuse(std::move(files.error()));
    for (DependentFile& f : *files) {
      const auto member = image.archive().find(f.path);
      if (!member) return refuse(missing_file(join_path(image.name(), f.path)));
      others.push_back({*member, std::move(f.bytes)});
    }
    return others;
  }
  bool is_followed() const { return game_; }

 private:
  const GameKind* game_;
  std::vector<ChangedFile> changed_;
};

}  // namespace

Result<Bytes> replace_files(const ArchiveTree& tree, std::vector<DependentFile> files) {
  const bool adds =
      tree.archive().format().archive->add_in_parts &&
      std::ranges::any_of(files, [&](const DependentFile& f) { return !tree.resolve_first_member(f.path); });
  if (adds) {
    const auto image = patch_archive_files(tree, std::move(files));
    if (!image) return refuse(image.error());
    return (*image)->read(0, (*image)->size());
  }
  auto news = build_outer_replacements(tree, std::move(files));
  if (!news) return refuse(std::move(news.error()));
  const Replacing replacing(tree, *news);
  auto out = replace_members(tree, *news);
  if (!out || !replacing.is_followed()) return out;
  auto archive = Archive::open(std::move(*out), tree.name());
  if (!archive) return refuse(std::move(archive.error()));
  ArchiveTree image(std::move(*archive), tree.name());
  const auto others = replacing.update_dependent_files(image);
  if (!others) return refuse(others.error());
  if (others->empty()) return std::move(image).take_bytes();
  auto followed = image.archive().replace(*others);
  if (!followed) return refuse(with_archive_context(std::move(followed.error()), tree));
  return followed;
}

Result<Bytes> replace_nested_member(const ArchiveTree& tree, std::string_view path, Bytes content) {
  return replace_files(tree, single_file_list(path, std::move(content)));
}

bool can_patch_in_place(const ArchiveTree& tree) {
  return !tree.archive().source().whole() && tree.archive().format().archive->replace_in_parts;
}

Result<std::shared_ptr<const PatchedSource>> patch_nested_member(const ArchiveTree& tree, std::string_view path,
                                                                 Bytes content) {
  return patch_archive_files(tree, single_file_list(path, std::move(content)));
}

Result<std::shared_ptr<const PatchedSource>> patch_archive_files(const ArchiveTree& tree,
                                                                 std::vector<DependentFile> files) {
  const auto image = std::make_shared<PatchedSource>(tree.archive().shared_source());
  const ArchiveOps& ops = *tree.archive().format().archive;
  const auto in_image = [&](Result<bool> done) -> Result<bool> {
    if (!done) return refuse(with_archive_context(std::move(done.error()), tree));
    return done;
  };
  const auto reopen = [&]() -> Result<std::unique_ptr<ArchiveTree>> {
    auto archive = Archive::open(image, tree.name());
    if (!archive) return refuse(std::move(archive.error()));
    return std::make_unique<ArchiveTree>(std::move(*archive), tree.name());
  };
  const auto added = take_new_members(tree, files);
  std::unique_ptr<ArchiveTree> with_added;
  if (!added.empty()) {
    if (auto done = in_image(ops.add_in_parts(*image, added)); !done) return refuse(std::move(done.error()));
    auto opened = reopen();
    if (!opened) return refuse(std::move(opened.error()));
    with_added = std::move(*opened);
  }
  const ArchiveTree& now = with_added ? *with_added : tree;
  auto news = build_outer_replacements(now, std::move(files));
  if (!news) return refuse(std::move(news.error()));
  const Replacing replacing(now, *news, added);
  if (auto done = in_image(ops.replace_in_parts(*image, *news)); !done) return refuse(std::move(done.error()));
  if (!replacing.is_followed()) return image;
  const auto changed = reopen();
  if (!changed) return refuse(changed.error());
  const auto others = replacing.update_dependent_files(**changed);
  if (!others) return refuse(others.error());
  if (auto done = in_image(ops.replace_in_parts(*image, *others)); !done) return refuse(std::move(done.error()));
  return image;
}

Result<Bytes> replace_nested_member(ByteView archive, std::string_view name, std::string_view path, Bytes content) {
  auto opened = Archive::open(Bytes(archive.begin(), archive.end()), name);
  if (!opened) return refuse(std::move(opened.error()));
  return replace_nested_member(ArchiveTree(std::move(*opened), std::string(name)), path, std::move(content));
}

}  // namespace dio

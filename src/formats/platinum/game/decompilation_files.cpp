#include "formats/platinum/game/decompilation_files.hpp"

#include <algorithm>

#include "containers/nitro_fs/narc.hpp"
#include "containers/packed/blz.hpp"
#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"
#include "formats/platinum/game/tables.hpp"
#include "formats/platinum/layout/header_table.hpp"
#include "layout/document.hpp"

namespace dio::platinum {

namespace {

constexpr u32 k_arm9_address = 0x02000000;
constexpr std::string_view k_id = "archive.pack";

/// A table of map headers, and the file that contains it, decompressed.
struct HeaderBytes {
  Bytes file;
  u64 offset = 0, size = 0;
  bool compressed = false;
  ByteView rows() const { return ByteView(file).subspan(size_t(offset), size_t(size)); }
};

Result<HeaderBytes> read_headers(const GameTables& tables) {
  HeaderBytes out;
  auto bytes = tables.files().read(tables.files().path(FileRole::headers));
  if (!bytes) return refuse(std::move(bytes.error()));
  out.compressed = packed_arm9_end(*bytes) != 0;
  auto plain = out.compressed ? decompress_arm9(*bytes, k_arm9_address) : std::move(bytes);
  if (!plain) return refuse(std::move(plain.error()));
  out.file = std::move(*plain);
  out.offset = tables.headers_offset;
  out.size = tables.headers.size() * k_header_size;
  if (!out.size || out.offset > out.file.size() || out.size > out.file.size() - out.offset)
    return refuse(missing_file(tables.files().path(FileRole::headers)));
  return out;
}

/// Puts the files of a decompilation into those of a cartridge.
class CartridgeFilesBuilder {
 public:
  CartridgeFilesBuilder(const FileTree& cartridge, const GameTables& from, const GameTables& to, Diagnostics& notes)
      : cartridge_(cartridge), from_(from), to_(to), notes_(notes) {}

  Result<std::vector<DependentFile>> build() {
    for (size_t r = 0; r < k_roles; ++r) {
      const FileRole role = FileRole(r);
      auto stop = role == FileRole::headers      ? add_headers()
                  : to_.files().of(role).there() ? add_archive(role)
                                                 : add_file(role);
      if (stop) return refuse(std::move(*stop));
    }
    std::string missing;
    for (const std::string_view name : missing_) missing += text(missing.empty() ? "" : ", ", name);
    notes_.push_back(make_diagnostic(
        Severity::hint, "archive.base", {},
        {.message = text("only the map files are those of the decompilation; the program, and all other files, are "
                         "those of the base",
                         missing.empty() ? "" : "; not built, so those of the base as well: ", missing)}));
    return std::move(out_);
  }

 private:
  void add_missing(FileRole role) { missing_.push_back(kind_of(role)); }
  void note_fewer(const std::string& path, u64 fewer, std::string_view kind) {
    notes_.push_back(
        make_diagnostic(Severity::warning, "archive.base", dio::Location::in_file(path),
                        {.message = text("the base has ", fewer, " more of kind ", kind, ", which stay")}));
  }

  /// An archive of the cartridge with the members of the decompilation. Without changes, it keeps its bytes.
  std::optional<Diagnostic> add_archive(FileRole role) {
    const Members &mine = from_.files().of(role), &theirs = to_.files().of(role);
    if (!mine.there()) return add_missing(role), std::nullopt;
    if (!theirs.in_archive()) return add_members(mine, theirs);
    const auto bytes = cartridge_.read(theirs.path());
    if (!bytes) return bytes.error();
    auto narc = load<Narc>(*bytes);
    if (!narc) {
      narc.error().place.file = theirs.path();
      return std::move(narc.error());
    }
    auto& files = narc->document.edit().files;
    bool changed = mine.count() > files.size();
    if (mine.count() < files.size()) note_fewer(theirs.path(), files.size() - mine.count(), kind_of(role));
    files.resize(std::max<size_t>(files.size(), mine.count()));
    for (u32 i = 0; i < mine.count(); ++i) {
      auto member = mine.read(i);
      if (!member) return std::move(member.error());
      if (std::ranges::equal(files[i].content, *member)) continue;
      files[i].content = std::move(*member);
      changed = true;
    }
    if (!changed) return {};
    auto packed = save(narc->document);
    if (!packed) return std::move(packed.error());
    out_.push_back({theirs.path(), std::move(*packed)});
    return {};
  }

  /// Members that are files of their own, as are the lights of Diamond and Pearl.
  std::optional<Diagnostic> add_members(const Members& mine, const Members& theirs) {
    for (u32 i = 0; i < std::min(mine.count(), theirs.count()); ++i)
      if (auto stop = add_if_changed(mine.read(i), theirs.path(i))) return stop;
    return {};
  }
  std::optional<Diagnostic> add_if_changed(Result<Bytes> bytes, const std::string& path) {
    if (!bytes) return std::move(bytes.error());
    const auto old = cartridge_.read(path);
    if (!old || *old != *bytes) out_.push_back({path, std::move(*bytes)});
    return {};
  }

  std::optional<Diagnostic> add_file(FileRole role) {
    const std::string &mine = from_.files().path(role), &theirs = to_.files().path(role);
    if (theirs.empty()) return {};
    if (mine.empty()) return add_missing(role), std::nullopt;
    return add_if_changed(from_.files().read(mine), theirs);
  }

  /// The program has the number of headers, and other data behind them, so only existing headers change.
  std::optional<Diagnostic> add_headers() {
    if (from_.headers.empty()) return add_missing(FileRole::headers), std::nullopt;
    const std::string& path = to_.files().path(FileRole::headers);
    const auto mine = read_headers(from_);
    if (!mine) return mine.error();
    auto theirs = read_headers(to_);
    if (!theirs) return std::move(theirs.error());
    if (mine->size > theirs->size)
      return make_diagnostic(
          k_id, dio::Location::in_file(from_.files().path(FileRole::headers)),
          {.message = text("there are ", mine->size / k_header_size,
                           " map headers, but the program of the base has room for ", theirs->size / k_header_size),
           .hint = "build the cartridge with the decompilation's own tools"});
    if (mine->size < theirs->size)
      note_fewer(path, (theirs->size - mine->size) / k_header_size, kind_of(FileRole::headers));
    if (std::ranges::equal(mine->rows(), theirs->rows().first(mine->rows().size()))) return {};
    std::ranges::copy(mine->rows(), theirs->file.begin() + i64(theirs->offset));
    if (!theirs->compressed) return out_.push_back({path, std::move(theirs->file)}), std::nullopt;
    const auto stored = cartridge_.read(path);
    if (!stored) return stored.error();
    out_.push_back({path, compress_arm9(theirs->file, *stored, k_arm9_address)});
    return {};
  }

  const FileTree& cartridge_;
  const GameTables &from_, &to_;
  Diagnostics& notes_;
  std::vector<DependentFile> out_;
  std::vector<std::string_view> missing_;
};

}  // namespace

bool is_decompilation(const FileTree& tree) { return GameFiles::is_decompilation(tree); }

Result<std::vector<DependentFile>> build_cartridge_files(const FileTree& decompilation, const FileTree& cartridge,
                                                         Diagnostics& notes) {
  const auto from = GameTables::load(decompilation), to = GameTables::load(cartridge);
  for (const auto* tables : {&from, &to})
    if (!*tables) return refuse(tables->error());
  if (from->files().edition() != to->files().edition())
    return refuse(k_id, {}, {.message = "the decompilation and the base are not the same game"});
  if (!from->notes().empty()) return refuse(from->notes().front());
  return CartridgeFilesBuilder(cartridge, *from, *to, notes).build();
}

}  // namespace dio::platinum

// handles.hpp: what stands behind the pointers of diorama.h, and how its functions take arguments and return results.
#pragma once
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bridge/report/findings.hpp"
#include "bridge/report/windows.hpp"
#include "capi/diorama.h"
#include "core/json.hpp"
#include "core/text_format.hpp"
#include "formats/contract/game.hpp"
#include "formats/contract/scenes.hpp"
#include "operations/archive_tree.hpp"
#include "operations/editing.hpp"
#include "operations/game_editing.hpp"
#include "operations/operations.hpp"
#include "operations/scene_sources.hpp"
#include "operations/shared_names.hpp"

namespace dio::capi {

// Callers hold untyped pointers, and mix them up: each kind starts with a word of its own.
inline constexpr u32 k_buffer_tag = 0xD10B0FFE, k_file_tag = 0xD10F11E5, k_scene_tag = 0xD105CE4E,
                     k_game_tag = 0xD106A3E5, k_editing_tag = 0xD10ED171;

}  // namespace dio::capi

struct dio_buffer {
  const dio::u32 tag = dio::capi::k_buffer_tag;
  bool ok = true;
  std::string text;                               // JSON, glTF
  dio::Bytes bytes;                               // anything else; one of the two is empty
  std::vector<dio::Bytes> files;                  // those that `text` lists
  std::optional<dio::Diagnostics> findings = {};  // of checks: for dio_report
};

struct dio_file {
  const dio::u32 tag = dio::capi::k_file_tag;
  std::string name;
  dio::Bytes bytes;                               // of a file that could not be read; those of others are in `opened`
  dio::ReadAs as;                                 // without a format if it is of none
  std::string format_id;                          // with a NUL at its end
  std::shared_ptr<const dio::OpenedFile> opened;  // scenes keep it; null: it could not be read
  std::optional<dio::Diagnostic> error;
  bool known = false;                             // DIO_KNOWN
  std::map<std::string, dio::Bytes> around;       // of a scene: what it may name
  std::shared_ptr<const dio::ArchiveTree> parts;  // of an archive that is read in parts; then there is no `opened`

  /// Its trace, made when it is first needed. Only for files of a known format.
  const dio::report::Windows& windows() const;

 private:
  mutable std::once_flag traced_;
  mutable std::optional<dio::report::Windows> windows_;
};

struct dio_scene {
  const dio::u32 tag = dio::capi::k_scene_tag;
  std::optional<dio::Diagnostic> error;  // why there is none
  std::string name;                      // of the file, or of the part of a game
  dio::SceneResult staged;
  std::optional<dio::SceneSources> sources;  // of `staged`, which does not move; keeps its source files open
  std::optional<dio::CompanionScenes> companion_scenes;  // for dio_scene_again
};

struct dio_game {
  const dio::u32 tag = dio::capi::k_game_tag;
  std::string name;
  bool known = false;                          // DIO_KNOWN
  std::optional<dio::Diagnostic> error;        // why there is none
  std::shared_ptr<const dio::FileTree> files;  // as edited
  std::optional<dio::OpenedGame> opened;       // of `files`
  std::shared_ptr<const dio::FileTree> original;
  const dio::ArchiveTree* image = nullptr;    // `original`, if it is one
  std::shared_ptr<dio::GameEditing> editing;  // of `original`; null: nothing was edited
};

struct dio_editing {
  const dio::u32 tag = dio::capi::k_editing_tag;
  std::string name;                               // of the file
  std::optional<dio::Diagnostic> error;           // why it cannot be edited
  std::shared_ptr<const dio::OpenedFile> opened;  // what is edited
  std::optional<dio::Editing> editing;
  std::vector<dio::SharedNames> renamed;  // by each edit that was made
};

namespace dio::capi {

template <class T>
bool has_handle_tag(const T* object, u32 tag) {
  u32 found = 0;
  if (object) std::memcpy(&found, object, sizeof found);
  return found == tag;
}

inline std::string_view text_of(const char* s) { return s ? s : std::string_view(); }

// ---- results ----

/// capi.argument.
const Rule& argument_rule();
Diagnostic argument_error(DiagnosticText);
Diagnostic invalid_file_handle();
/// Why a file is not `opened`.
Diagnostic not_opened_error(const dio_file&);
std::optional<Diagnostic> check_unknown_flags(u32 flags, u32 known);
constexpr json::Style on_one_line() { return {.indent = 0}; }
dio_buffer* make_buffer(std::string text);
dio_buffer* make_buffer(Bytes);
dio_buffer* make_buffer(const Value&, json::Style = {});
/// The result of a check: findings_json of what was found in a file or, `is_of_game`, a game.
dio_buffer* make_findings_buffer(Diagnostics, bool is_of_game = false);
/// An error. Its file is `file`, unless it names one.
dio_buffer* make_buffer(Diagnostic, const dio_file* file = nullptr);
/// Several files. Of notes that name no file, it is `file`. `more` adds to what the list says of a file.
dio_buffer* make_buffer(std::vector<std::pair<std::string, Bytes>> files, Diagnostics notes, const dio_file& file,
                        const std::function<void(size_t number, Value& one)>& more = {});
/// One file, under the name of `file`, or none, with more members of the list.
dio_buffer* make_buffer(std::optional<Bytes>, Diagnostics notes, const dio_file& file, std::vector<Value::Member> more);
template <class T>
dio_buffer* make_buffer(Result<T> r, const dio_file* file = nullptr) {
  return r ? make_buffer(std::move(*r)) : make_buffer(std::move(r.error()), file);
}

/// A scene, from a file or a game. `name`: the file of nodes whose extras name none, and of errors; `open`: the files
/// that extras name.
dio_scene* make_scene_handle(Result<SceneResult>, std::string name, OpenSource open);

// ---- arguments ----

std::optional<Diagnostic> check_byte_range(const void* bytes, size_t size);
SaveOptions save_options(u32 flags);
Referrers referrers(u32 flags);
/// What a format cannot do: capi.argument, in its file.
Diagnostic unsupported_by_format(const char* what, const OpenedFile&);
/// The bytes of a file that is not read in parts.
inline ByteView bytes_of(const dio_file& f) { return f.opened ? f.opened->bytes : ByteView(f.bytes); }
/// What texts say of yes and no. Nothing, or what is wrong with the text.
std::optional<Diagnostic> set_flag(bool& flag, const Argument&);
Result<std::vector<std::string>> copy_strings(const char* const* words, size_t count);
/// Files by their names. Ids: capi.argument (two have the same name).
Result<MemoryTree> make_memory_tree(const dio_named* files, size_t count);
/// What was opened, once more, to be changed.
OpenedFile again(const OpenedFile&);

/// Does something with a file that was read; any other gives its error.
template <class F>
dio_buffer* with_opened(const dio_file* file, F&& f) {
  if (!has_handle_tag(file, k_file_tag)) return make_buffer(invalid_file_handle());
  if (!file->opened) return make_buffer(not_opened_error(*file), file);
  return f(*file->opened);
}

Diagnostic invalid_scene_handle();
/// Does something with a scene; where there is none, its error.
template <class F>
dio_buffer* with_scene(const dio_scene* scene, F&& f) {
  if (!has_handle_tag(scene, k_scene_tag)) return make_buffer(invalid_scene_handle());
  if (scene->error) return make_buffer(*scene->error);
  return f(*scene);
}

/// Texts such as PATH=VALUE, as two.
template <class T>
Result<std::vector<T>> parse_assignments(const char* const* texts, size_t count, const char* form) {
  if (count && !texts)
    return refuse(
        argument_error({.message = "the list of " + std::string(form) + " texts is null, but its count is not 0"}));
  std::vector<T> list;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view text = text_of(texts[i]);
    const size_t equals = find_equals(text);  // not that of [id=itembox]
    if (equals == text.npos || equals == 0)
      return refuse(argument_error({.message = in_quotes(text) + " is not " + form}));
    list.push_back({std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))});
  }
  return list;
}

/// The folder of a path, with its slash.
inline std::string_view folder_of(std::string_view path) { return path.substr(0, path.find_last_of('/') + 1); }

}  // namespace dio::capi

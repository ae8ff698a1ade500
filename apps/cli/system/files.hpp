// files.hpp: files as the operating system has them. Names are in UTF-8. What fails sets `errno`.
#pragma once
#include <cstdio>
#include <optional>
#include <span>
#include <string>

#include "core/bytes.hpp"

namespace dio::cli {

/// What stays the same whatever name leads to a file.
struct FileId {
  u64 device, number;
  bool operator==(const FileId&) const = default;
};

namespace os {

struct FileStatus {
  enum class Kind : u8 { regular, folder, link, character_device, other } kind;
  FileId id;
  u64 size;
  i64 seconds, nanoseconds;  // of the last change
  u64 links;                 // names of the file
  bool is_writable;          // by its owner, its group or others
  u32 mode, owner, group;    // 0 where the system has none
  bool is_regular() const { return kind == Kind::regular; }
  bool is_folder() const { return kind == Kind::folder; }
  bool is_link() const { return kind == Kind::link; }
};
std::optional<FileStatus> file_status(const std::string& name);
/// Of a symbolic link itself.
std::optional<FileStatus> link_status(const std::string& name);
std::optional<FileStatus> file_status(int descriptor);

/// A descriptor that child processes do not get, or -1. `waits`: for somebody to write into a pipe.
int open_for_reading(const std::string& name, bool waits = true);
int open_for_writing(const std::string& name);
/// For streams; null if that fails.
std::FILE* open_for_appending(const std::string& name);
void close_file(int descriptor);
/// The number of bytes read, 0 at the end, or -1. Signals do not interrupt it.
i64 read_some(int descriptor, std::span<u8> to);
i64 read_some_at(int descriptor, u64 offset, std::span<u8> to);
bool write_all(int descriptor, ByteView);
bool write_all_at(int descriptor, u64 offset, ByteView);
/// Copies a file to the end of another, both from where they are, without reading the bytes if the file system can do
/// that.
bool copy_file_content(int from, int to);
/// Until the disk has the bytes.
bool flush_to_disk(int descriptor);
/// True where there are no owners, or no modes.
bool set_owner(int descriptor, u32 owner, u32 group);
bool set_group(int descriptor, u32 group);
bool set_mode(int descriptor, u32 mode);

/// Whether this process may write a file, or create files in a folder.
bool can_write(const std::string& name);
bool can_write_into_folder(const std::string& name);
enum class Locked { yes, by_another, impossible };
/// Until the descriptor is closed, other programs that ask are refused.
Locked try_lock(int descriptor);
/// Takes the place of a file that has the name, even if that is open.
bool rename_over(const std::string& from, const std::string& to);
/// Fails with EEXIST if a file has the name.
bool rename_without_replacing(const std::string& from, const std::string& to);
bool link_file(const std::string& from, const std::string& to);
bool remove_file(const std::string& name);
/// Of either kind; a folder must be empty. Neither locks nor allocates, where signals need that.
bool remove_file_or_folder(const std::string& name);

/// A new file in a folder that has no name yet; -1 where the system has none.
int open_nameless_file(const std::string& folder);
bool name_nameless_file(int descriptor, const std::string& name);
/// Replaces the X at the end of the name with letters that make it new. The file has the usual mode.
int create_temporary_file(std::string& name);
bool create_temporary_folder(std::string& name);

}  // namespace os
}  // namespace dio::cli

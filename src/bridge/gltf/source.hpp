// source.hpp: a glTF file being read: its JSON, its buffers, its first error, and its notes.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/gltf/reader.hpp"

namespace dio::gltf {

using scene::Index;
using scene::k_none;

class Source;

/// A value of the JSON, and its path. A missing value is empty. A value of the wrong kind is an error, and then treated
/// as missing.
class Item {
 public:
  Item(Source& source, const Value* value, std::string path)
      : source_(&source), value_(value), path_(std::move(path)) {}

  bool exists() const { return value_ != nullptr; }
  const Value* value() const { return value_; }
  Source& source() const { return *source_; }
  const std::string& path() const { return path_; }

  // For an object: its members.
  Item member(std::string_view name) const;
  Item extension(std::string_view name) const { return member("extensions").member(name); }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  f32 real(std::string_view name, f32 otherwise) const;
  u64 unsigned_integer(std::string_view name, u64 otherwise) const;
  /// An index below `count`; `k_none` if it is missing.
  Index index(std::string_view name, size_t count) const;
  bool flag(std::string_view name, bool otherwise) const;
  std::string text(std::string_view name) const;
  template <size_t N>
  std::array<f32, N> reals(std::string_view name, const std::array<f32, N>& otherwise) const {
    std::array<f32, N> out = otherwise;
    read_reals(name, out.data(), N);
    return out;
  }
  /// The extras of this program, otherwise all extras.
  Value extras() const;

  // For a list: its elements.
  size_t size() const;
  Item at(size_t i) const;
  /// The element as an index below `count`.
  Index index_at(size_t i, size_t count) const;

  void report_fault(DiagnosticText said) const;

 private:
  const Value* find(std::string_view name) const;
  void read_reals(std::string_view name, f32* to, size_t count) const;
  Index to_index(const Value&, const std::string& path, size_t count) const;

  Source* source_;
  const Value* value_;
  std::string path_;
};

class Source {
 public:
  explicit Source(const Resolve& resolve) : resolve_(resolve) {}
  Source(const Source&) = delete;

  /// Reads the container, the JSON, its version and its extensions. After an error, `failed` is true.
  void open(ByteView file);

  /// The paths of the files that its buffers and images refer to, without duplicates.
  std::vector<std::string> list_external_files();

  Item root() { return {*this, &json_, {}}; }
  /// One of the top-level lists; empty if it is missing.
  Item list(std::string_view name) { return root().member(name); }

  bool failed() const { return fault_.has_value(); }
  /// Reports an error; only the first one is kept.
  void report_fault(Diagnostic);
  void report_fault(const std::string& path, DiagnosticText said);
  void report_fault_as(std::string_view id, const std::string& path, DiagnosticText said);
  std::optional<Diagnostic>& first_fault() { return fault_; }
  /// Notes a part that is left out: the first position of each kind is named, the others are counted.
  void add_note(const std::string& path, const std::string& what);
  Diagnostics notes() const;

  /// Takes `bytes` from the memory budget; false, with an error, if the limit for a file of this size is exceeded.
  bool charge_memory_budget(const std::string& path, u64 bytes);
  u64 remaining_memory_budget() const { return left_; }

  /// The bytes of a buffer view; empty after an error.
  ByteView load_buffer_view(Index);
  /// The content of the URI of a buffer or an image, in this file or another one. Nothing after an error.
  std::optional<ByteView> load_resource(const Item& user);
  /// The path of that file; empty if the bytes are in this one.
  std::string external_path(const Item& user);

  /// The numbers of an accessor in order: normalised ones from 0 or -1 to 1, all finite.
  struct Numbers {
    size_t count = 0, components = 0;
    std::vector<f32> all;
  };
  Numbers read_floats(Index accessor, const Item& user, const std::vector<std::string_view>& types);
  template <size_t N>
  std::vector<std::array<f32, N>> read_vectors(Index accessor, const Item& user) {
    static constexpr std::array<std::string_view, 5> k_types{"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const Numbers n = read_floats(accessor, user, {N == 16 ? "MAT4" : k_types[N % 16]});
    std::vector<std::array<f32, N>> out(n.count);
    for (size_t i = 0; i < n.all.size(); ++i) out[i / N][i % N] = n.all[i];
    return out;
  }
  /// Unsigned integers.
  struct Integers {
    size_t count = 0, components = 0;
    std::vector<u32> all;
  };
  Integers read_unsigned_integers(Index accessor, const Item& user, std::string_view type);
  /// The number of elements of an accessor; 0 after an error.
  u64 accessor_count(Index accessor);

 private:
  struct Strided {
    ByteView bytes;
    u64 stride = 0;
  };
  struct Accessor {
    u64 count = 0;
    int component = 0;
    size_t components = 0;
    bool normalized = false;
    std::optional<Strided> elements;  // none: zeros
    u64 replaced = 0;                 // number of sparse elements
    int place_component = 0;
    Strided places, replacements;
  };
  void extend_memory_budget(u64 bytes);
  void open_glb(ByteView file);
  void check_asset_header();
  ByteView load_buffer(Index);
  std::optional<Accessor> accessor(Index, const Item& user, const std::vector<std::string_view>& types);
  std::optional<Strided> resolve_elements(const Item& holder, u64 count, u64 size, bool may_stride);
  template <class To>
  std::vector<To> decode_accessor(const Accessor&, auto convert);

  const Resolve& resolve_;
  Value json_;
  ByteView chunk_;  // the buffer of a .glb
  bool has_chunk_ = false;
  std::map<std::string, Bytes> loaded_;  // by URI
  std::optional<Diagnostic> fault_;
  struct Note {
    std::string path, what;
    u64 count;
  };
  std::vector<Note> notes_;
  u64 other_notes_ = 0;
  u64 left_ = u64(16) << 20;
};

}  // namespace dio::gltf

// buffer.hpp: the binary part of a glTF file: one buffer, its views and its accessors.
#pragma once
#include <deque>
#include <span>
#include <unordered_map>

#include "bridge/gltf/json_text.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

/// Stores only references to the content in the scene, which is copied once, when the file is assembled. The scene must
/// not change until then.
class Buffer {
 public:
  /// `expected`: the approximate number of accessors.
  explicit Buffer(size_t expected) {
    pieces_.reserve(expected);
    known_.reserve(expected);
  }

  // Each returns the index of the accessor. Content that was already added for the same use is shared.

  u32 add_positions(const std::vector<scene::Vec3>&);
  u32 add_normals(const std::vector<scene::Vec3>&);
  u32 add_uvs(const std::vector<scene::Vec2>&);
  /// As floats, because glTF has no other type for large custom numbers. Exact below 2^24.
  u32 add_sources(std::span<const u32>);
  /// Linear RGBA in 0..1 as normalised 16 bits: 8 bits would merge the dark tones.
  u32 add_colors(const std::vector<scene::Vec4>&);
  /// Uses 16 bits if all indices fit.
  u32 add_indices(std::span<const u32>);
  /// As glTF requires: a vertex has each joint once, joint 0 where the weight is 0, and weights that sum to 1 as
  /// closely as floats can. Uses bytes if they are exact.
  struct Influences {
    u32 joints, weights;
  };
  Influences add_influences(std::span<const std::array<u16, 4>> joints, std::span<const scene::Vec4> weights);
  u32 add_matrices(const std::vector<scene::Mat4>&);
  u32 add_key_times(std::span<const f32>);
  /// The first `components` numbers of each element.
  u32 add_key_values(std::span<const scene::Vec4>, int components);
  u32 add_key_values(std::span<const f32>);
  u32 add_key_flags(std::span<const u8>);

  /// Returns the index of the buffer view.
  u32 add_file(Bytes);

  u64 size() const;
  void append_to(Bytes&) const;
  /// The elements of the lists `accessors` and `bufferViews`.
  const std::string& accessors() const { return accessors_.text(); }
  std::string buffer_views_json() const;

 private:
  /// The use of an accessor. It determines the target of the buffer view.
  enum class AccessorUse : u8 { attributes, indices, plain, bind, file };  // bind: inverse bind matrices
  struct Content {
    AccessorUse use;
    int component_type = 0;  // as glTF numbers them
    std::string_view type = {};
    u64 count = 0;
    bool normalized = false;
    bool bounds = false;  // whether glTF requires minimum and maximum
    bool operator==(const Content&) const = default;
  };
  /// How numbers of the scene are converted for the file.
  enum class NumberConversion : u8 { bytes, words, colors, halved_words, reals_of_words };
  struct BufferPiece {
    Content content;
    NumberConversion form;
    ByteView source;
    u64 offset;  // in its view
    u32 view;
    u32 index;  // of the accessor, or of the view of a file
  };
  /// Accessors with elements of the same size share a view, which has a stride for attributes. A file has its own view.
  struct View {
    AccessorUse use;
    u32 stride;
    u64 size = 0;
  };

  template <size_t N>
  u32 add_vectors(const std::vector<std::array<f32, N>>&, bool bounds);
  /// Numbers that are not in the scene in this form: kept here in their stored form.
  template <class T>
  ByteView store_owned_numbers(size_t count, auto number_of);
  static u64 encoded_size(const BufferPiece&);

  /// The bounds of the accessor, if it has any, are those of the `numbers`.
  u32 add(const Content&, NumberConversion, ByteView source, std::span<const f32> numbers = {});
  u32 find_or_add_view(const Content&);
  void for_each_view(auto f) const;
  template <size_t N>
  void add_bounds(std::span<const f32> numbers);

  std::vector<BufferPiece> pieces_;  // in file order
  std::vector<View> views_;
  std::deque<Bytes> kept_;
  JsonText accessors_;
  u32 accessor_count_ = 0;
  std::unordered_multimap<u64, u32> known_;  // pieces by the hash of their content
};

}  // namespace dio::gltf

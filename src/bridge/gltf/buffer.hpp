// buffer.hpp: the binary half of a glTF file: one buffer, its views and its accessors.
#pragma once
#include <deque>
#include <span>
#include <unordered_map>

#include "bridge/gltf/json_text.hpp"
#include "scene/scene.hpp"

namespace dio::gltf {

/// Only remembers where in the scene its content is, which is copied once: to where the file is put together. So the
/// scene has to stay as it is until then.
class Buffer {
 public:
  /// `expected`: about how many accessors there will be.
  explicit Buffer(size_t expected) {
    pieces_.reserve(expected);
    known_.reserve(expected);
  }

  // Each gives the index of the accessor. Where the same content was added for the same use, it is that one.

  u32 add_positions(const std::vector<scene::Vec3>&);
  u32 add_normals(const std::vector<scene::Vec3>&);
  u32 add_uvs(const std::vector<scene::Vec2>&);
  /// As floats: glTF has no other type for numbers of one's own that are not small. Exact below 2^24.
  u32 add_sources(std::span<const u32>);
  /// Linear RGBA in 0..1 as normalized 16 bits: 8 would merge the dark tones.
  u32 add_colors(const std::vector<scene::Vec4>&);
  /// 16 bits wide where all indices fit.
  u32 add_indices(std::span<const u32>);
  /// As glTF wants them: a vertex has each joint once, joint 0 where the weight is 0, and weights that sum to 1 as
  /// nearly as floats can. Bytes where they are exact.
  struct Influences {
    u32 joints, weights;
  };
  Influences add_influences(std::span<const std::array<u16, 4>> joints, std::span<const scene::Vec4> weights);
  u32 add_matrices(const std::vector<scene::Mat4>&);
  u32 add_key_times(std::span<const f32>);
  /// The first `components` numbers of each.
  u32 add_key_values(std::span<const scene::Vec4>, int components);
  u32 add_key_values(std::span<const f32>);
  u32 add_key_flags(std::span<const u8>);

  /// Gives the index of the buffer view.
  u32 add_file(Bytes);

  u64 size() const;
  void append_to(Bytes&) const;
  /// The elements of the lists `accessors` and `bufferViews`.
  const std::string& accessors() const { return accessors_.text(); }
  std::string buffer_views_json() const;

 private:
  /// What an accessor is for. It decides the target of the buffer view.
  enum class AccessorUse : u8 { attributes, indices, plain, bind, file };  // bind: inverse bind matrices
  struct Content {
    AccessorUse use;
    int component_type = 0;  // as glTF numbers them
    std::string_view type = {};
    u64 count = 0;
    bool normalized = false;
    bool bounds = false;  // whether glTF demands minimum and maximum
    bool operator==(const Content&) const = default;
  };
  /// How the numbers of the scene become those of the file.
  enum class NumberConversion : u8 { bytes, words, colors, halved_words, reals_of_words };
  struct BufferPiece {
    Content content;
    NumberConversion form;
    ByteView source;
    u64 offset;  // in its view
    u32 view;
    u32 index;  // of the accessor, or of the view of a file
  };
  /// Accessors with elements of one size share a view, which has their stride if they are attributes. A file has its
  /// own.
  struct View {
    AccessorUse use;
    u32 stride;
    u64 size = 0;
  };

  template <size_t N>
  u32 add_vectors(const std::vector<std::array<f32, N>>&, bool bounds);
  /// Numbers that the scene does not have like this: kept here, as they will stand in the file.
  template <class T>
  ByteView store_owned_numbers(size_t count, auto number_of);
  static u64 encoded_size(const BufferPiece&);

  /// The accessor's bounds, if it has any, are those of the `numbers`.
  u32 add(const Content&, NumberConversion, ByteView source, std::span<const f32> numbers = {});
  u32 find_or_add_view(const Content&);
  void for_each_view(auto f) const;
  template <size_t N>
  void add_bounds(std::span<const f32> numbers);

  std::vector<BufferPiece> pieces_;  // in the order of the file
  std::vector<View> views_;
  std::deque<Bytes> kept_;
  JsonText accessors_;
  u32 accessor_count_ = 0;
  std::unordered_multimap<u64, u32> known_;  // pieces by hash of what they are made of
};

}  // namespace dio::gltf

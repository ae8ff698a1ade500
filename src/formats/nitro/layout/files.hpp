// files.hpp: NSBMD (models, optionally with textures) and NSBTX (textures).
#pragma once
#include "formats/nitro/layout/material_animations.hpp"
#include "formats/nitro/layout/model.hpp"
#include "formats/nitro/layout/textures.hpp"

namespace dio::nitro {

/// An NSBMD file.
struct Nsbmd {
  static constexpr std::endian k_order = std::endian::little;
  FileHeader header;
  Block block;
  u32 textures_offset;
  std::vector<Model> models;
  std::optional<Textures> textures;

  static constexpr void layout(auto& v, auto& s) {
    file_header_layout(v, s.header, "BMD0", s.textures ? 2 : 1);
    v.require(s.header.block_count == 1 || s.header.block_count == 2,
              "one or two blocks: models, and optionally textures");
    v(Key("block_offset").placement(), s.block.offset);
    const bool has_textures = s.header.block_count == 2;
    if (has_textures) v(Key("textures_offset").placement(), s.textures_offset);
    v.at(0, s.block.offset, [&] {
      const u64 start = v.here();
      v.inside("block", [&] {
        v.magic("MDL0");
        v(Key("size").unit("bytes").placement(), s.block.size);
      });
      dictionary_layout<Model>(v, "block.dictionary", s.block.dictionary, "models", s.models);
      v.each("models", s.models, [&](auto& m) { v.at(start, to(m.offset).align(4), [&] { Model::layout(v, m); }); });
      v.derive(s.block.size, v.end() - start);
    });
    if (has_textures) v.at(0, to(s.textures_offset).align(4), [&] { v.maybe(true, "textures", s.textures); });
    v.inside("header", [&] { v.derive(s.header.size, v.end()); });
  }
  /// Derives shape flags, counts and the first unused slot from the display lists and the SBC.
  void settle();
  /// Packs the display lists.
  void normalise();
};

/// An NSBTX file.
struct Nsbtx {
  static constexpr std::endian k_order = std::endian::little;
  FileHeader header;
  u32 block_offset;
  Textures textures;

  static constexpr void layout(auto& v, auto& s) {
    file_header_layout(v, s.header, "BTX0", 1);
    v(Key("block_offset").placement(), s.block_offset);
    v.at(0, s.block_offset, "textures", s.textures);
    v.inside("header", [&] { v.derive(s.header.size, v.end()); });
  }
  void settle();
};

}  // namespace dio::nitro

// file.hpp: a whole BRRES file.
#pragma once
#include <bit>

#include "core/diagnostic.hpp"
#include "formats/brres/layout/animations.hpp"
#include "formats/brres/layout/model.hpp"
#include "formats/brres/layout/srt.hpp"

namespace dio::brres {

/// A file of another kind, kept as bytes: other animations, scene settings.
struct OtherFile {
  FourCc magic{};
  FileHeader header;
  Bytes content;
  static constexpr u64 k_least_size = 16;
  static constexpr void layout(auto& v, auto& s) {
    v("magic", s.magic);
    v(k_size, s.header.size);
    v("version", s.header.version);
    v(Key("brres_offset").placement(), s.header.brres_offset);
    v.implied(s.header.size > k_least_size ? s.header.size - k_least_size : 0, s.content);
    v("content", s.content);
  }
};

enum class Kind : u8 {
  others,
  models,
  textures,
  palettes,
  plain_file,
  srt_files,
  clr_files,
  pat_files,
  vis_files,
  chr_files,
  plain_files
};
inline constexpr EnumName k_kind_words[] = {{0, "others"},     {1, "models"},    {2, "textures"},    {3, "palettes"},
                                            {4, "plain file"}, {5, "srt files"}, {6, "clr files"},   {7, "pat files"},
                                            {8, "vis files"},  {9, "chr files"}, {10, "plain files"}};
inline constexpr EnumNames k_kinds{k_kind_words};

/// The files of one kind. Models, textures, palettes and most animations are in lists of the BRRES file itself. An
/// entry of the root that is no folder, such as a text, keeps its bytes, which are not described; so do the files of a
/// folder if one of them has no header.
struct Folder {
  Kind kind = Kind::others;
  Dictionary dictionary;
  std::vector<OtherFile> files;
  static constexpr u64 k_least_size = 1;
};

struct Brres {
  static constexpr std::endian k_order = std::endian::big;
  /// Names and undescribed parts refer to each other by offsets that the layout does not know.
  static constexpr bool k_keeps_places = true;
  u16 byte_order = 0xFEFF, version = 0;
  u32 size = 0;
  u16 root_offset = 0, section_count = 0;
  u32 root_size = 0;
  Dictionary root;
  std::vector<Folder> folders;
  std::vector<Model> models;
  std::vector<Texture> textures;
  std::vector<Palette> palettes;
  std::vector<SrtFile> srt_files;
  std::vector<ClrFile> clr_files;
  std::vector<PatFile> pat_files;
  std::vector<VisFile> vis_files;
  std::vector<ChrFile> chr_files;

  /// Gives the entries of dictionaries the names of their parts, and rebuilds the search trees of changed dictionaries.
  void settle();
  /// Whether lists have other lengths than their dictionaries, parts other names than their entries, or links to
  /// textures lead to removed samplers.
  bool must_be_placed() const;
  /// Why `place` would lose parts; nothing if it keeps all.
  std::optional<Diagnostic> placement_error() const;
  /// Lays the file out anew: placement.hpp.
  void place();

  static constexpr void layout(auto& v, auto& s) {
    v.magic("bres");
    v(Key("byte_order").doc("0xFEFF: big-endian"), s.byte_order);
    v("version", s.version);
    v.derive(s.size, v.total());
    v(k_size, s.size);
    v(Key("root_offset").placement(), s.root_offset);
    v(Key("section_count").doc("number of files, plus 1 for the root"), s.section_count);
    const u64 root = u64(s.root_offset) + 8;
    v.there(s.root_offset, [&] {
      v.magic("root");
      v(Key("root_size").unit("bytes").doc("size of all dictionaries").placement(), s.root_size);
      v("root", s.root);
    });
    u16 seen = 0;
    visit_entries(v, root, s.root, "folders", s.folders, [&](auto& f) {
      const u64 start = v.here();
      v.infer(Key("kind").words(k_kinds), f.kind, [&] {
        ByteView all;
        v.there(0, [&] { all = v.ahead(); });
        const Kind kind = detect_folder_kind(all, start);
        const bool is_first = kind == Kind::plain_file || !(seen & 1 << u16(kind));
        return is_first ? kind : Kind::others;
      });
      seen |= u16(1 << u16(f.kind));
      if (f.kind == Kind::plain_file) return v.implied(0, f.files);
      v("dictionary", f.dictionary);
      switch (f.kind) {
        case Kind::models:
        case Kind::textures:
        case Kind::palettes:
        case Kind::srt_files:
        case Kind::clr_files:
        case Kind::pat_files:
        case Kind::vis_files:
        case Kind::chr_files:
        case Kind::plain_files:
          return v.implied(0, f.files);
        default:
          return visit_entries(v, start, f.dictionary, "files", f.files, [&](auto& x) { OtherFile::layout(v, x); });
      }
    });
    visit_folder_files(v, root, s, Kind::models, "models", s.models);
    visit_folder_files(v, root, s, Kind::textures, "textures", s.textures);
    visit_folder_files(v, root, s, Kind::palettes, "palettes", s.palettes);
    visit_folder_files(v, root, s, Kind::srt_files, "srt_files", s.srt_files);
    visit_folder_files(v, root, s, Kind::clr_files, "clr_files", s.clr_files);
    visit_folder_files(v, root, s, Kind::pat_files, "pat_files", s.pat_files);
    visit_folder_files(v, root, s, Kind::vis_files, "vis_files", s.vis_files);
    visit_folder_files(v, root, s, Kind::chr_files, "chr_files", s.chr_files);
  }

 private:
  static constexpr void visit_folder_files(auto& v, u64 root, auto& s, Kind kind, const Key& list, auto& xs) {
    for (size_t i = 0; i < s.folders.size() && i < s.root.entries.size(); ++i)
      if (s.folders[i].kind == kind)
        return visit_entries(v, from(root, s.root.entries[i].data_offset), s.folders[i].dictionary, list, xs,
                             [&](auto& x) { std::remove_cvref_t<decltype(x)>::layout(v, x); });
    v.implied(0, xs);
  }
  /// The kind of the files in a dictionary. Another kind than `others` only if all of them are of it, in known
  /// versions. A plain file if the bytes there cannot be a dictionary; plain files if one of the files has no header.
  static Kind detect_folder_kind(ByteView all, u64 dictionary);
};

}  // namespace dio::brres

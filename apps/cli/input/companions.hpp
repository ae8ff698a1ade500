// companions.hpp: which of several files are shown, and which belong to those: textures and animations of models.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "open.hpp"

namespace dio::cli {

/// The format a file goes by: that of its extension, or of its bytes. Null: none.
const Format* guess_format(const Input&);

class Companions {
 public:
  /// Takes the companions out of the inputs, reads them, and leaves the files they may belong to. Nothing if one cannot
  /// be read, or if there is nothing they could belong to; the report says why.
  static std::optional<Companions> extract_from(const Request&, std::vector<Input>& inputs, Report&);

  /// Those that belong to a file. One whose name is that of a shown file (`mill.nsbca`, `mill.nsbmd`) belongs to that
  /// one only; others to all that they fit. A number is no name: member 3 of an archive is not that of another one. If
  /// one file only is shown, all belong to it. So does what lies beside it and was not given.
  std::vector<Companion> of(const OpenedFile& shown) const;
  /// Those of them that are meant for this file and no other: by name, or because it is the only one.
  std::vector<Companion> companions_for(const OpenedFile& shown) const;

 private:
  /// Whether candidates are those alone that have a name in common with the file, of it or in it.
  bool matches_by_name(const OpenedFile& shown) const;
  /// Of `opened_`, in order: which it is worth asking whether they fit.
  std::vector<u32> find_candidates(const OpenedFile& shown, const std::string& stem) const;
  std::vector<Companion> select_companions(const OpenedFile& shown, bool by_content) const;

  std::vector<OpenedFile> opened_;
  std::unordered_map<std::string, std::vector<u32>> by_name_;  // see Belonging::names
  std::unordered_map<std::string, std::vector<u32>> by_stem_;
  std::vector<u32> nameless_;             // whose formats have no names to go by
  size_t shown_ = 0;                      // how many files
  std::vector<std::string> shown_stems_;  // of those that have names; sorted
};

}  // namespace dio::cli

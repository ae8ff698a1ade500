// picture_manifest.hpp: pictures that come back, and the manifest that went out with them: it says which is of what.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "formats/contract/pictures.hpp"

namespace dio {

/// What is wrong with an entry of a manifest, or with its picture; with the line of the manifest.
Diagnostic manifest_fault(const Value& entry, std::string_view id, std::string path, Said said);

/// Names of files for pictures that have names of their own, no two alike on any system.
class PictureNames {
 public:
  /// Letters, digits, _ - and . stay; other bytes become their hexadecimal number.
  static std::string plain(std::string_view name);
  /// STEM.png, or STEM~2.png and on if there is one already. Of a long stem its first 120 characters; of none "%".
  std::string file_of(std::string stem);

 private:
  std::set<std::string> taken_;        // in lower case
  std::map<std::string, u32> copies_;  // of each stem, in lower case
};

/// Puts pictures back, one after the other.
class PictureTaker {
 public:
  virtual ~PictureTaker() = default;
  /// Entries without a picture among these files are left as they are.
  Result<TakenPictures> take(const Value& manifest, std::span<const NamedImage> files);

 protected:
  /// `manifest_id`: what a wrong manifest is called.
  explicit PictureTaker(std::string_view manifest_id) : manifest_id_(manifest_id) {}
  /// One picture; `part` is what its entry says that it is of. Gives why it cannot be put back, if so.
  virtual std::optional<Diagnostic> put(const Value& entry, const std::string& part, const scene::Image&) = 0;

  /// `member`: ".part", or nothing: the whole entry.
  Diagnostic fault(const Value& entry, std::string_view id, std::string_view member, Said said) const;
  void count(u64 changed) { ++(changed ? taken_.changed : taken_.unchanged); }
  /// A warning about the picture.
  void note(std::string_view id, Said said);

 private:
  std::string_view manifest_id_;
  TakenPictures taken_;
  std::string path_, file_;  // of the entry at work
};

}  // namespace dio

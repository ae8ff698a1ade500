// picture_manifest.hpp: pictures that come back, and the manifest that went out with them: it says which is of what.
#pragma once
#include <optional>
#include <string>

#include "formats/format.hpp"

namespace dio {

/// What is wrong with an entry of a manifest, or with its picture; with the line of the manifest.
Diagnostic manifest_fault(const Value& entry, std::string_view id, std::string path, std::string expected,
                          std::string found);

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
  Diagnostic fault(const Value& entry, std::string_view id, std::string_view member, std::string expected,
                   std::string found) const;
  void count(u64 changed) { ++(changed ? taken_.changed : taken_.unchanged); }
  /// A warning about the picture.
  void note(std::string_view id, std::string expected, std::string found, std::string hint);

 private:
  std::string_view manifest_id_;
  TakenPictures taken_;
  std::string path_, file_;  // of the entry at work
};

}  // namespace dio

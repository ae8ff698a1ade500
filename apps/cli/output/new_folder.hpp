// new_folder.hpp: folders of results: all of their files are written, or none.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "../files/temporaries.hpp"
#include "core/bytes.hpp"
#include "core/diagnostic.hpp"

namespace dio::cli {

/// A folder that is filled beside where it goes, and then takes the name. If something is there already, its files are
/// moved into that one by one.
class NewFolder {
 public:
  /// `overwrite`: a folder that is not empty may be there; its files of the same names are replaced.
  NewFolder(std::string output, bool overwrite) : output_(std::move(output)), overwrite_(overwrite) {}

  /// Why files at these paths below the folder cannot be written, as far as that shows before the first one is
  /// written. Ids: io.exists, io.write.
  std::optional<Diagnostic> find_obstacle(const std::vector<std::string>& paths) const;
  /// Begins with the files that may be written. Ids: io.write.
  std::optional<Diagnostic> begin(const std::vector<std::string>& paths);
  /// Writes one of them. May be called by several threads, for different files. Ids: io.write.
  std::optional<Diagnostic> write(const std::string& path, ByteView);
  /// Gives the folder its name. Without it, nothing stays. Ids: io.exists, io.write.
  std::optional<Diagnostic> finish();

 private:
  Diagnostic make_write_error(std::string why) const;
  Diagnostic make_not_empty_error() const;

  std::string output_;
  bool overwrite_;
  Temporary temporary_;
};

}  // namespace dio::cli

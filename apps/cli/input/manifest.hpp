// manifest.hpp: --manifest FILE: what a batch has done, so that it need not be done again. For each file a line of
// JSON,
// {"file", "size", "changed", "command", "exit"}. Several processes may add to one manifest at once.
#pragma once
#include <cstdio>
#include <map>

#include "core/result.hpp"
#include "inputs.hpp"

namespace dio::cli {

class Manifest {
 public:
  /// Reads what was done before, by the same command, and goes on from there. `command`: Request::command. A file that
  /// is no manifest is refused. Ids: io.read, io.write, io.manifest.
  static Result<std::unique_ptr<Manifest>> open(const std::string& name, const std::string& command);
  ~Manifest();
  Manifest(const Manifest&) = delete;
  Manifest& operator=(const Manifest&) = delete;

  /// How it went, if the file was done before and is still the same. What the system prevented is not done.
  std::optional<ExitCode> previous_exit(const Input&) const;
  /// False: the line could not be written.
  bool add(const Input&, ExitCode);

 private:
  Manifest() = default;
  std::string command_;
  std::map<std::string, ExitCode> done_;  // by what identifies a file and its state
  std::FILE* file_ = nullptr;
};

}  // namespace dio::cli

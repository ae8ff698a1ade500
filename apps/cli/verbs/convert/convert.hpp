// convert.hpp: the ways from a file to another that `dio convert` knows, each in a function of its own.
#pragma once
#include <mutex>

#include "../../input/companions.hpp"
#include "bridge/png/written.hpp"
#include "formats/contract/building.hpp"

namespace dio::cli {

/// What can be made: "glb", "gltf", "json", or a file of a format; without a name, of the format that the input has.
struct Target {
  std::string name;
  const Format* format = nullptr;
  std::string from = {};  // the extension that says so, which several formats may have
  bool is_file() const { return format || name.empty(); }
  std::string extension() const { return format ? primary_extension(*format) : "." + name; }
};
/// What a request wants. Nothing if it does not say so; the report says why.
std::optional<Target> parse_target(const Request&, Report&);

/// The files of the target; the first gets the name that was given.
struct ConversionResult {
  std::vector<BuiltFile> files;
  bool is_made = false;  // they are no copy of the input, but were made of it

  explicit ConversionResult(Bytes alone) { files.push_back({{}, std::move(alone)}); }
  explicit ConversionResult(std::vector<BuiltFile> made) : files(std::move(made)), is_made(true) {}
};

/// PNG files of what models show; those of a folder share textures, and several threads convert them.
class Pictures {
 public:
  Bytes encode_png(const scene::Image&);

 private:
  std::mutex guard_;
  png::Written written_;
};

/// One input on its way to the target.
struct Conversion {
  const Request& request;
  const Input& input;
  const Target& target;
  const Companions& companions;
  Pictures& pictures;  // of all inputs
  Report& report;
  bool from_json = false;  // then options of saving were read where the JSON became a file

  /// Whether all options that were given are among these. What is found in a folder may be of several formats: there,
  /// options are for those that read them.
  bool check_options(std::vector<std::string_view> options, bool is_saved = false) const;
  std::nullopt_t report_failure(const Diagnostic&, ByteView file = {}) const;
  std::nullopt_t report_usage_problem(const std::string& problem) const;
};

// Nothing if that cannot be; the report says why.

/// A scene of any program: files that a format makes of it.
std::optional<ConversionResult> build_from_scene(const Conversion&, const Bytes&);
/// The same format: unchanged, in canonical layout, or in another version.
std::optional<ConversionResult> convert_to_same_format(const Conversion&, OpenedFile&);
std::optional<ConversionResult> convert_to_json(const Conversion&, const OpenedFile&);
std::optional<ConversionResult> convert_to_gltf(const Conversion&, const OpenedFile&);

/// Holds what was made against what its console has.
void report_over_budget(const Request&, const Format&, const std::vector<BuiltFile>&, const std::string& name, Report&);

}  // namespace dio::cli

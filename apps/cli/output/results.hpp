// results.hpp: where results go: names for them, and how they are written.
#pragma once
#include <functional>

#include "../input/inputs.hpp"
#include "formats/contract/building.hpp"

namespace dio::cli {

/// Whether the request says one place for what is changed: -o, or -i. If not, the report says so. `itself`: what -i
/// changes. `is_change`: the result is the changed input, so that -n needs no -o.
bool check_single_output(const Request&, Report&, const std::string& itself = "the file itself", bool is_change = true);

/// Where the results of the inputs go: `-o FILE` for one input; `-o FOLDER` (a folder, or a name with a slash at its
/// end) with the inputs' own names and another extension, or, where only their extensions tell inputs apart, one more.
struct Outputs {
  bool is_folder = false;
  std::vector<std::string> names;
  std::string name(size_t input, std::string_view extension) const {
    return is_folder ? with_extension(names[input], extension) : names[input];
  }
};
/// Nothing if that cannot be; the report says why. `extension`: of the results, empty where each has one of its own.
std::optional<Outputs> resolve_outputs(const Request&, const std::vector<Input>&, std::string_view extension, Report&);
/// Writes an output, or puts it on standard output: "-", or where no name was given. Refuses to touch an input.
void write_output(const Request&, const std::vector<Input>& inputs, const std::string& name, const Contents&, Report&);
/// Writes files that belong together: the first under that name, the others beside it, with their own extensions. If
/// one of them cannot be written, none is.
void write_outputs(const Request&, const std::vector<Input>& inputs, const std::string& name,
                   const std::vector<BuiltFile>&, Report&);
/// Writes several files, all of them or none. `write` writes the one with a number; false: there are no more.
void write_transaction(Report&, const std::function<bool(Report&, size_t)>& write);
/// If a file is written under another name: reports the companion files that are not copied.
void report_uncopied_companions(const Request&, const Input&, const Format&, const std::string& output, Report&);
/// Writes over the input itself (-i), with a backup if there shall be one.
void write_in_place(const Request&, const Input&, const Contents&, Report&);
/// A changed input, where the request says: over itself, or as another file of its format.
void write_edited_input(const Request&, const Input&, const Format&, const Contents&, Report&);

}  // namespace dio::cli

// edited_file.hpp: edits of one file, as `set` and `edit` make them, before the result is written.
#pragma once
#include <memory>

#include "../files/files.hpp"
#include "../input/open.hpp"
#include "operations/editing.hpp"
#include "operations/shared_names.hpp"

namespace dio::cli {

struct EditedFile {
  OpenedFile opened;
  std::unique_ptr<Editing> editing;

  bool is_same() const { return editing->is_same_as_first(); }
  Contents contents(const std::string& name) const {
    const EditableCopy* draft = editing->draft();
    return draft ? Contents(name, *draft) : Contents(editing->view());
  }
};

/// The file with all edits made. Nothing if one is refused; the report says why. What was done is reported, with the
/// values that changed by -v and -n. `names`: what was renamed.
std::optional<EditedFile> apply_edit_steps(const Request&, OpenedFile, std::span<const EditStep>, SharedNames& names,
                                           Report&);

/// Reads the files that arguments of an edit name. False if one cannot be read; the report says why.
bool read_file_arguments(const Request&, std::span<const Parameter>, EditStep&, Report&);

/// Adds the line of its script, if it is of one, to what is wrong with an edit.
void add_script_line(const Request&, const EditStep&, Diagnostic&);

}  // namespace dio::cli

// editing.hpp: the editing of files. Every change of a file uses this class: values that are set, list elements that
// are added, removed or moved, and named edits of a format. Each command is applied completely or not at all, makes no
// changes other than the requested and reported ones, and can be undone to the same bytes. The class knows no format:
// the layouts state which values refer to which elements (layout/reference.hpp).
//
// The state is the document as read and its bytes. A value that keeps its size is set in the bytes; at the end of the
// command, derived values are updated, and the file is read again once. Changes of lists are made to the values of the
// document, which is then placed and read again. Finally, the new values are compared with the requested values.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/byte_source.hpp"
#include "formats/registry.hpp"
#include "operations/assignments.hpp"
#include "operations/changes.hpp"
#include "operations/edit_steps.hpp"
#include "operations/list_reordering.hpp"
#include "operations/value_changes.hpp"

namespace dio {

struct OpenedFile;

/// The destination of elements in their list: before or after an existing element, whose groups they join. Default: the
/// end of the list. Indices are those before the edit.
struct Destination {
  std::optional<u64> before, after;
};

struct EditingOptions {
  bool lossy = false;           // edits may discard unreferenced bytes
  std::string name = {};        // the file name, for detecting the format
  bool may_be_unknown = false;  // the result need not be recognised as a file of its format
};

class Editing {
 public:
  /// Starts editing a file. Errors: layout.*.
  static Result<Editing> begin(std::shared_ptr<const ByteSource>, const ReadAs&, EditingOptions = {});
  static Result<Editing> begin(ByteView file, const ReadAs&, EditingOptions = {});
  /// Starts editing an opened file, which must outlive the result.
  static Result<Editing> begin(const OpenedFile&, EditingOptions = {});

  /// Called after each step with a line that describes it. During the call, last() returns the changes of the step.
  using Report = std::function<void(const std::string& line)>;
  using ReportStaleEdit = std::function<void(const Edit&, const std::string& line)>;

  /// Makes edits by their names as one edit (see run_as_transaction): the edits below, and the named edits of the
  /// format. Returns a line for each edit. Errors: edit.argument, those of the edits below, and those of the format.
  Result<std::vector<std::string>> run(std::span<const EditStep>, Referrers = Referrers::refuse,
                                       const Report& each = {});

  // Edits. Paths have the syntax of layout/selector.hpp. Each edit returns a line that describes it. Errors: path.*,
  // layout.*, edit.referred (something still refers to an element), edit.limit (a reference cannot store its new
  // index), edit.opaque (a part that is kept as raw bytes may contain the old index), edit.result (the result would not
  // be a valid file).

  /// Adds an element. `fields`: values of the element by their paths in it; the layout states the other values.
  Result<std::string> add(std::string_view list, const std::vector<Assignment>& fields, Destination = {});
  Result<std::string> remove(std::string_view elements, Referrers = Referrers::refuse);
  /// Removes elements of several lists at once; the elements may refer to each other.
  Result<std::string> remove(const std::vector<std::string>& elements, Referrers);
  /// Copies elements. The copies go after the last original, unless a destination is given.
  Result<std::string> duplicate(std::string_view elements, Destination = {});
  Result<std::string> move(std::string_view elements, Destination);
  /// Swaps two elements of one list.
  Result<std::string> swap(std::string_view one, std::string_view other);
  /// Sorts a list by values of its elements: id, position.x. A minus before the path means descending order. Equal
  /// elements keep their order.
  Result<std::string> sort(std::string_view list, const std::vector<std::string>& by);

  /// Moves, rotates or scales the scene node of an element. `pose`: translation=X,Y,Z rotation=X,Y,Z,W (a quaternion)
  /// scale=X,Y,Z, relative to the parent as in glTF; omitted values stay as they are. Errors: scene.place.
  Result<std::string> place(std::string_view element, std::span<const Argument> pose);

  /// Sets values (expand_assignment in operations/assignments.hpp). If a name by which others refer to an element is
  /// set, the references change as well. If only some of the values that share bytes are set, each gets its own bytes.
  Result<std::string> set(const std::vector<Assignment>&);

  /// Replaces parts of the file with the contents of other files (operations/file_parts.hpp).
  Result<std::string> set_parts(std::span<const Argument> parts);

  /// Replaces the file with another file of the format. Errors: layout.*.
  Result<bool> replace(Bytes file);
  /// Replaces all values. If the new values fit in the places of the old values, they are written there. `rest`: the
  /// size of the file, and the unreferenced bytes. Errors: layout.*.
  Result<bool> replace_values(const Value& document, const Encoding& rest);

  /// Makes several edits as one edit: all of them or none. Afterwards, runs the edits of the format whose results are
  /// outdated (Edit::is_stale), with their last arguments, and passes them to `due`. Errors: those of the edits.
  Result<bool> run_as_transaction(const std::function<Result<bool>()>& edits, const ReportStaleEdit& due = {});

  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < log_.size(); }
  void undo();
  void redo();

  /// The number of edits that were made and not undone.
  size_t done() const { return done_; }
  /// The changes of the last edit; during a command, those of its last step.
  const Changes& last() const { return is_inside() ? step_ : log_[done_ - 1].changes; }
  /// The errors that the format's rules find after the last command and did not find before, and notes on how the file
  /// was made.
  const Diagnostics& notes() const { return notes_; }
  /// The bytes of the edited file. After all edits are undone, these are the original bytes.
  ByteView view() const { return draft_ ? draft_->bytes() : *source_->whole(); }
  Bytes bytes() const { return Bytes(view().begin(), view().end()); }
  /// Whether the file still has its original bytes. For a changed copy, only the changed runs are compared.
  bool is_same_as_first() const { return has_same_bytes_as({first_, document_}); }
  /// The file as it was read, with other bytes in some places. Null if there are other changes.
  const EditableCopy* draft() const;
  const Spans& spans() const { return traced().spans; }
  const ReadAs& as() const { return as_; }
  /// The document of the file. Values that the current command set may be missing.
  const AnyDocument& document() const { return *document_; }
  /// Returns the bytes of the file. The options matter only if bytes would be lost. Errors: layout.*.
  Result<Bytes> save(SaveOptions) const;

 private:
  /// The file in one state.
  struct State {
    std::shared_ptr<const ByteSource> source;
    std::shared_ptr<const AnyDocument> document;  // the document read from it
    const EditableCopySource* changed = nullptr;  // the source, if it is a changed copy
  };
  /// Bytes at an offset, before and after an edit.
  struct Patch {
    u64 offset;
    Bytes before, after;
  };
  struct Made {
    Changes changes = {};
    std::vector<Patch> patches = {};
  };
  /// A value that was set in the bytes.
  struct Pending {
    Bytes bytes;
    bool is_bits;
  };
  /// The document for which the results of an edit were last up to date, and the arguments of this edit.
  struct UpToDateState {
    std::shared_ptr<const AnyDocument> document;
    std::vector<Argument> arguments = {};
  };

  Editing() = default;
  bool is_inside() const { return depth_ > 0; }
  const TraceResult& traced() const;
  const Value& values() const;

  // ---- commands, from beginning to end (editing.cpp) ----

  /// Runs one edit: as a command of its own, or as a part of the current command.
  Result<std::string> run_as_step(const std::function<Result<std::string>()>&);
  void begin_step();
  /// Ends a command that began with this state. Errors: edit.result.
  Result<bool> validate_result(const State& before);
  std::vector<Patch> compute_patches_since(const State&) const;
  bool has_same_bytes_as(const State&) const;
  /// Records the errors of the format's rules that the earlier state did not have.
  void record_new_errors(const State& before);
  Result<bool> run_stale_edits(const ReportStaleEdit&);
  Result<std::string> run_step(const EditStep&, Referrers);
  Result<std::string> run_list_edit(const EditStep&, Referrers);
  Result<std::string> run_named_edit(const Edit&, std::span<const Argument>);
  /// Restores the bytes from before the edit (`back`) or from after the edit.
  void apply_patches(const Made&, bool back);

  // ---- changes (editing_changes.cpp) ----

  Result<State> load_state(std::shared_ptr<const ByteSource>) const;
  void set_state(State);
  /// Sets values in the bytes or, if their sizes change, in the document.
  Result<bool> assign_values(const std::vector<Assignment>&);
  /// Returns the assignments, and those that follow from changed names.
  Result<std::vector<Assignment>> expand_with_renamed_references(const std::vector<Assignment>&) const;
  Result<bool> write_values_in_place(const std::vector<Assignment>&);
  /// Reads the values that were set in the bytes, updates derived values, and checks all resulting changes.
  Result<bool> flush();
  Result<bool> check_pending() const;
  /// Values that changed although no edit asked for it.
  struct Effects {
    std::vector<ValueChange> followed, shared;
  };
  Result<Effects> classify_side_effects(std::vector<ValueChange>, const std::map<u64, u64>& changed) const;
  /// Sets pending values in the document, so that each gets its own bytes. `other`: a value that shares their bytes.
  Result<bool> separate_shared_bytes(const std::string& other);
  /// Sets the pending values in the document instead of in the bytes.
  Result<bool> commit_pending_values();
  void discard_draft();
  Result<bool> rebuild_from_values(const Value& document, const Encoding& rest, const Changes&,
                                   const std::set<std::string>& asked);
  /// Makes changes of values, places the document, and reads it again. `asked`: values that must exist afterwards.
  Result<bool> apply_changes_and_reload(const Changes&, const std::set<std::string>& asked = {});
  /// Writes values in the places of the old values, and updates derived values. Returns false if they do not fit.
  bool try_write_in_place(const Dom& wanted, const Encoding& rest);
  /// Compares the requested values with the file. Adds changes made by the format to those of the step.
  Result<bool> verify_requested_values(const Changes&, const std::set<std::string>& asked, const Dom& expected,
                                       const Dom& found);

  // ---- lists (editing_lists.cpp) ----

  /// Returns the list, and the indices of the selected elements in order.
  Result<std::pair<u32, std::vector<u64>>> select_elements(std::string_view typed) const;
  Result<ListOrder> compute_list_order(u32 list, const std::vector<u64>& elements, const Destination&, u64 size) const;
  Result<std::string> remove(const std::map<u32, std::vector<u64>>& elements, Referrers);
  Result<bool> apply_list_orders(const ListOrders&, const RemovedElements&, Referrers,
                                 const std::set<std::string>& asked = {});
  /// Inserts elements into a list, next to the element `beside`. Returns their indices, or nothing if the format
  /// determines the order of the list.
  Result<std::optional<std::vector<u64>>> insert(u32 list, const std::vector<AddedElement>&, Destination, u64 beside,
                                                 const std::set<std::string>& fields = {});
  Result<std::vector<AddedElement>> copy_elements(u32 list, const std::vector<u64>& elements) const;
  Result<std::string> set_element_pose(std::string_view element, std::span<const Argument> pose);
  Result<std::string> add_first_element(const std::string& list, const std::vector<Assignment>& fields);
  /// Returns a new list element with the given values; the layout states the other values.
  Result<Value> make_new_element(const std::string& list, u64 at, const std::vector<Assignment>& fields,
                                 bool is_of_numbers) const;
  bool is_generated_by_edit(const std::string& path) const;
  std::string describe_with_updates(std::string what) const;
  std::string format_element_ranges(u32 list, const std::vector<u64>& elements) const;
  std::string format_element_ranges(const std::string& list, const std::vector<u64>& elements) const;

  ReadAs as_;
  EditingOptions options_;
  std::shared_ptr<const ByteSource> source_;
  std::shared_ptr<const AnyDocument> document_;
  std::optional<EditableCopy> draft_;            // bytes that were set since the last read
  std::map<std::string, Pending> pending_;       // by path
  mutable std::optional<TraceResult> traced_;    // of view()
  mutable std::optional<Value> values_;          // of document_
  std::shared_ptr<const ByteSource> first_;      // the original file
  const EditableCopySource* changed_ = nullptr;  // source_, if it is a changed copy
  std::vector<Made> log_;
  size_t done_ = 0;
  Diagnostics notes_;
  // The current command:
  unsigned depth_ = 0;
  Changes changes_, step_;
  std::vector<std::string> rebuilt_;            // computed lists whose length the step changed
  std::set<std::string> asked_;                 // lists and values that were edited
  std::map<const Edit*, UpToDateState> fresh_;  // of each edit whose results can become outdated
};

/// Returns a difference between two documents as a change of values.
Change to_set_change(const ValueChange&, const Dom& before, const Dom& after);

/// Returns the bytes of a file with new values. Errors: those of Editing::set.
Result<Bytes> set_values(const OpenedFile&, const std::vector<Assignment>&);

}  // namespace dio

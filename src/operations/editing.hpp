// editing.hpp: a file that is edited. Every change of a file goes through this: values that are set, elements of lists
// that are added, removed and moved, edits that a format has by name. Each command is made as a whole or not at all,
// does what was asked and nothing that it does not say, and can be undone to the same bytes. No format is known here:
// what refers to what is stated in the layouts (layout/reference.hpp).
//
// The truth is the document as read and its bytes. A value that keeps its size is set in the bytes; what the layout
// derives follows when the command ends, and the file is read again once. Changes of lists are made to the values of
// the document, which is then placed, and read again. Then what is there is compared with what was asked for.
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

/// Where elements go in their list: before or after one that is there, whose groups they join; without either, to the
/// end. Indices are those before the edit.
struct Destination {
  std::optional<u64> before, after;
};

struct EditingOptions {
  bool lossy = false;           // edits may discard bytes that nothing refers to
  std::string name = {};        // of the file, by which its format is recognised
  bool may_be_unknown = false;  // the result need not be recognised as a file of its format
};

class Editing {
 public:
  /// Ids: layout.*
  static Result<Editing> begin(std::shared_ptr<const ByteSource>, const ReadAs&, EditingOptions = {});
  static Result<Editing> begin(ByteView file, const ReadAs&, EditingOptions = {});
  /// Of a file that was opened, which must outlive it.
  static Result<Editing> begin(const OpenedFile&, EditingOptions = {});

  /// Called with what a step has done, in a line, while last() has its changes.
  using Report = std::function<void(const std::string& line)>;
  using ReportStaleEdit = std::function<void(const Edit&, const std::string& line)>;

  /// Makes edits by their names, those below and those that the format has, as one, as together() does. Returns what
  /// each has done. Ids: edit.argument, those of the edits below, and those of the format.
  Result<std::vector<std::string>> run(std::span<const EditStep>, Referrers = Referrers::refuse,
                                       const Report& each = {});

  // Edits. Paths are as people type them (layout/selector.hpp). They return what was done, in one line. Ids: path.*,
  // layout.*, edit.referred (an element is still referred to), edit.limit (a reference cannot have its new number),
  // edit.opaque (a part that is kept as bytes may have the old one), edit.result (the file would be none any more).

  /// Adds an element. `fields`: its values by their path in it; the others are what the layout states for a new one.
  Result<std::string> add(std::string_view list, const std::vector<Assignment>& fields, Destination = {});
  Result<std::string> remove(std::string_view elements, Referrers = Referrers::refuse);
  /// Elements of several lists at once: they may refer to each other.
  Result<std::string> remove(const std::vector<std::string>& elements, Referrers);
  /// Copies elements; copies go after the last of them, unless told otherwise.
  Result<std::string> duplicate(std::string_view elements, Destination = {});
  Result<std::string> move(std::string_view elements, Destination);
  /// Two elements of one list change places.
  Result<std::string> swap(std::string_view one, std::string_view other);
  /// Sorts a list by values of its elements: id, position.x; with a minus before the path, the largest first. Equal
  /// ones stay in their order.
  Result<std::string> sort(std::string_view list, const std::vector<std::string>& by);

  /// Puts the node of the scene that stands for an element elsewhere. `pose`, as typed: translation=X,Y,Z
  /// rotation=X,Y,Z,W (a quaternion) scale=X,Y,Z, all in its parent, as glTF has them; what is not given stays. Ids:
  /// scene.place.
  Result<std::string> place(std::string_view element, std::span<const Argument> pose);

  /// Sets values (expand() in operations/assignments.hpp). A name by which others refer to an element changes with
  /// them. Bytes that several values share part if only some of the values are set.
  Result<std::string> set(const std::vector<Assignment>&);

  /// Another file of the format in place of this one. Ids: layout.*
  Result<bool> replace(Bytes file);
  /// Other values in place of all. If they fit where the old ones are, they are written there. `rest`: the size of the
  /// file, and the bytes that nothing describes. Ids: layout.*
  Result<bool> replace_values(const Value& document, const Encoding& rest);

  /// Makes several edits as one: all of them, or none. At their end come those of the format that have become due
  /// (Edit::is_stale), which `due` gets, with the arguments that were given last. Ids: those of the edits.
  Result<bool> run_as_transaction(const std::function<Result<bool>()>& edits, const ReportStaleEdit& due = {});

  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < log_.size(); }
  void undo();
  void redo();

  /// How many edits were made and not undone.
  size_t done() const { return done_; }
  /// The changes of the last of them; during a command, those of its last step.
  const Changes& last() const { return is_inside() ? step_ : log_[done_ - 1].changes; }
  /// What is wrong with the file since the last command and was not before: errors that the rules of its format find.
  /// And what should be known of how it was made.
  const Diagnostics& notes() const { return notes_; }
  /// The file as edited. Undone to the beginning, it has the bytes it was read from.
  ByteView view() const { return draft_ ? draft_->bytes() : *source_->whole(); }
  Bytes bytes() const { return Bytes(view().begin(), view().end()); }
  /// Whether the file still has its original bytes. In a changed copy, only the changed runs are compared.
  bool is_same_as_first() const { return has_same_bytes_as({first_, document_}); }
  /// The file as it was read, with other bytes in some places, if no more than that has changed; null otherwise.
  const EditableCopy* draft() const;
  const Spans& spans() const { return traced().spans; }
  const ReadAs& as() const { return as_; }
  /// What the file was read to. Values that were set in this command may be missing.
  const AnyDocument& document() const { return *document_; }
  /// With options that matter where bytes would be lost. Ids: layout.*
  Result<Bytes> save(SaveOptions) const;

 private:
  /// The file in one state.
  struct State {
    std::shared_ptr<const ByteSource> source;
    std::shared_ptr<const AnyDocument> document;  // which it was read to
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
  /// When what an edit makes was as it should be: the document, and the arguments that it was made with.
  struct UpToDateState {
    std::shared_ptr<const AnyDocument> document;
    std::vector<Argument> arguments = {};
  };

  Editing() = default;
  bool is_inside() const { return depth_ > 0; }
  const TraceResult& traced() const;
  const Value& values() const;

  // ---- a command, from its beginning to its end (editing.cpp) ----

  /// Runs one edit: as a command of its own, or as a part of the one it is called in.
  Result<std::string> run_as_step(const std::function<Result<std::string>()>&);
  void begin_step();
  /// The end of a command that began with this state. Ids: edit.result.
  Result<bool> validate_result(const State& before);
  std::vector<Patch> compute_patches_since(const State&) const;
  bool has_same_bytes_as(const State&) const;
  /// Errors of the format's rules that were not there in a state before.
  void record_new_errors(const State& before);
  Result<bool> run_stale_edits(const ReportStaleEdit&);
  Result<std::string> run_step(const EditStep&, Referrers);
  Result<std::string> run_list_edit(const EditStep&, Referrers);
  Result<std::string> run_named_edit(const Edit&, std::span<const Argument>);
  /// Brings the bytes to before or after an edit.
  void apply_patches(const Made&, bool back);

  // ---- changes (editing_changes.cpp) ----

  Result<State> load_state(std::shared_ptr<const ByteSource>) const;
  void set_state(State);
  /// Sets values where they are, or, if they take more or fewer bytes, in the document.
  Result<bool> assign_values(const std::vector<Assignment>&);
  /// With those that follow from names: all that is set.
  Result<std::vector<Assignment>> expand_with_renamed_references(const std::vector<Assignment>&) const;
  Result<bool> write_values_in_place(const std::vector<Assignment>&);
  /// Reads what was set in the bytes, lets what the layout derives follow, and looks at all that has changed by it.
  Result<bool> flush();
  Result<bool> check_pending() const;
  /// What becomes of values that changed although nobody asked for it.
  struct Effects {
    std::vector<ValueChange> followed, shared;
  };
  Result<Effects> classify_side_effects(std::vector<ValueChange>, const std::map<u64, u64>& changed) const;
  /// Sets pending values in the document, so that each gets bytes of its own. `other`: a value that shares them.
  Result<bool> separate_shared_bytes(const std::string& other);
  /// Sets what was to be set in the bytes in the document instead.
  Result<bool> commit_pending_values();
  void discard_draft();
  Result<bool> rebuild_from_values(const Value& document, const Encoding& rest, const Changes&,
                                   const std::set<std::string>& asked);
  /// Makes changes of values, places the document, and reads it again. `asked`: values that have to be there then.
  Result<bool> apply_changes_and_reload(const Changes&, const std::set<std::string>& asked = {});
  /// Writes other values where the old ones are, and lets what the layout derives follow. False if they do not fit.
  bool try_write_in_place(const Dom& wanted, const Encoding& rest);
  /// Compares the requested values with the file. Changes made by the format are added to those of the step.
  Result<bool> verify_requested_values(const Changes&, const std::set<std::string>& asked, const Dom& expected,
                                       const Dom& found);

  // ---- lists (editing_lists.cpp) ----

  /// The list and the indices of elements of it, in order.
  Result<std::pair<u32, std::vector<u64>>> select_elements(std::string_view typed) const;
  Result<ListOrder> compute_list_order(u32 list, const std::vector<u64>& elements, const Destination&, u64 size) const;
  Result<std::string> remove(const std::map<u32, std::vector<u64>>& elements, Referrers);
  Result<bool> apply_list_orders(const ListOrders&, const RemovedElements&, Referrers,
                                 const std::set<std::string>& asked = {});
  /// Puts elements into a list, beside one that is there. Returns their indices; nothing if the format has an order of
  /// its own.
  Result<std::optional<std::vector<u64>>> insert(u32 list, const std::vector<AddedElement>&, Destination, u64 beside,
                                                 const std::set<std::string>& fields = {});
  Result<std::vector<AddedElement>> copy_elements(u32 list, const std::vector<u64>& elements) const;
  Result<std::string> set_element_pose(std::string_view element, std::span<const Argument> pose);
  Result<std::string> add_first_element(const std::string& list, const std::vector<Assignment>& fields);
  /// A new element of a list, with the values that its layout states and those that are given.
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
  std::optional<EditableCopy> draft_;            // bytes that were set since they were read
  std::map<std::string, Pending> pending_;       // by path: what they are
  mutable std::optional<TraceResult> traced_;    // of view()
  mutable std::optional<Value> values_;          // of document_
  std::shared_ptr<const ByteSource> first_;      // the file as it was given
  const EditableCopySource* changed_ = nullptr;  // source_, if it is a changed copy
  std::vector<Made> log_;
  size_t done_ = 0;
  Diagnostics notes_;
  // Of the command that is being made:
  unsigned depth_ = 0;
  Changes changes_, step_;
  std::vector<std::string> rebuilt_;  // lists that the layout computes, and that got another length by the step
  std::set<std::string> asked_;       // lists and values that were edited
  std::map<const Edit*, UpToDateState> fresh_;  // of each edit that others can make due
};

/// A difference between two documents as a change of values.
Change to_set_change(const ValueChange&, const Dom& before, const Dom& after);

/// The bytes of a file with other values. Ids: those of Editing::set.
Result<Bytes> set_values(const OpenedFile&, const std::vector<Assignment>&);

}  // namespace dio

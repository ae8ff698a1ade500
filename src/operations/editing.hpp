// editing.hpp: a file that is edited, as values and a log of what was done to them: elements are added, removed and
// moved, and every reference to them follows. Each edit is made as a whole or not at all, and can be undone to the same
// bytes. No format is known here: what refers to what is stated in the layouts (layout/reference.hpp).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/registry.hpp"
#include "layout/references.hpp"
#include "operations/assignments.hpp"
#include "operations/changes.hpp"

namespace dio {

/// What happens to a reference to an element that is removed.
enum class Referrers : u8 {
  refuse,   // nothing is removed; the refusal names who refers to it
  unlink,   // it leads nowhere from then on
  cascade,  // the element that has it is removed as well. A list of references only loses one
};

/// Where elements go in their list: before or after one that is there, whose groups they join; without either, to the
/// end. Indices are those before the edit.
struct Destination {
  std::optional<u64> before, after;
};

class Editing {
 public:
  /// Ids: layout.*
  static Result<Editing> begin(ByteView file, const ReadAs&);

  // Edits. Paths are as people type them (layout/selector.hpp). They return what was done, in one line. Ids: path.*,
  // layout.*, edit.referred (an element is still referred to), edit.limit (a reference cannot have its new number),
  // edit.split (a group would no longer be one run of elements).

  /// Adds an element. `fields`: its values by their path in it, as typed; the others are 0, empty, or lead nowhere.
  Result<std::string> add(std::string_view list, const std::vector<Assignment>& fields, Destination = {});
  Result<std::string> remove(std::string_view elements, Referrers = Referrers::refuse);
  /// Copies elements; copies go after the last of them, unless told otherwise.
  Result<std::string> duplicate(std::string_view elements, Destination = {});
  Result<std::string> move(std::string_view elements, Destination);
  /// Two elements of one list change places.
  Result<std::string> swap(std::string_view one, std::string_view other);
  /// Sorts a list by values of its elements: id, position.x; with a minus before the path, the largest first. Equal
  /// ones stay in their order.
  Result<std::string> sort(std::string_view list, const std::vector<std::string>& by);

  /// Sets values, as `dio set` does: expand() in operations/assignments.hpp.
  Result<std::string> set(const std::vector<Assignment>&);

  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < log_.size(); }
  void undo();
  void redo();

  /// What was done so far, edit by edit, and not undone.
  std::vector<Changes> log() const { return {log_.begin(), log_.begin() + std::ptrdiff_t(done_)}; }
  /// The changes of the last edit.
  const Changes& last() const { return log_[done_ - 1]; }
  /// The file as edited. Undone to the beginning, it has the bytes it was read from.
  const Bytes& bytes() const { return bytes_; }
  const Spans& spans() const { return traced_.spans; }
  /// With options that matter where bytes would be lost. Ids: layout.*
  Result<Bytes> save(SaveOptions) const;

 private:
  /// A new order of a list: for each place the element that was there before, and the one whose groups it joins.
  struct Order {
    std::vector<u64> from, joins;
    bool keeps_places = false;  // elements change places: groups and links to neighbours are those of the places
  };
  static Order unchanged(u64 size);
  using Removed = std::map<u32, std::vector<bool>>;  // by list: which elements

  Editing() = default;
  Value& document() { return *value_.find("document"); }
  /// Encodes and traces the values. If they are no document, nothing changes.
  Result<bool> renew();
  /// Makes changes to the values as one edit, or as the next part of the last one.
  Result<bool> make(Changes, bool is_part);
  /// The changes that bring values to what the file has at a span: what the format did by itself when it was written.
  void settle(u32 span, const Value&, const std::string& path, Changes&) const;
  /// Takes back an edit that did not come to its end.
  void give_up();
  /// What was done, and how many references follow.
  std::string done(std::string what) const;
  std::string names_of(u32 list, const std::vector<u64>& elements) const;

  /// The list and the indices of elements of it, in order.
  Result<std::pair<u32, std::vector<u64>>> elements_of(std::string_view typed) const;
  /// `size`: how many elements the destination can mean.
  Result<Order> order_to(u32 list, const std::vector<u64>& elements, const Destination&, u64 size) const;
  /// Everything that goes if these elements go.
  Result<Removed> removed_with(u32 list, const std::vector<u64>& elements, Referrers) const;
  /// Lists get new orders, and references to their elements follow.
  Result<bool> arrange(const std::map<u32, Order>&, const Removed&, Referrers, bool is_part);
  /// Brings elements that were appended to a list of `size` to their place: beside that one, if nothing else is wanted.
  Result<std::string> place_new(const std::string& list, u64 size, u64 count, Destination, u64 beside,
                                std::string what);
  Result<bool> assign(const std::vector<Assignment>&, bool is_part);
  /// Appends an element without values to a list, which may be in a part that is not there yet.
  static Result<bool> grow(Value& document, const std::string& list);

  ReadAs as_;
  Value value_;  // as `decode` makes it, with the layout of the file that was read
  Bytes bytes_;
  Traced traced_;
  std::vector<Changes> log_;
  size_t done_ = 0;
};

}  // namespace dio

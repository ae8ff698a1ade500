// editing.hpp: a file that is edited, as values and a log of what was done to them: elements are added, removed and
// moved, and every reference to them follows. Each edit is made as a whole or not at all, and can be undone to the same
// bytes. No format is known here: what refers to what is stated in the layouts (layout/reference.hpp).
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/registry.hpp"
#include "layout/references.hpp"
#include "operations/assignments.hpp"
#include "operations/changes.hpp"
#include "operations/edit_steps.hpp"

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
  /// `lossy`: edits may discard bytes that nothing refers to. Ids: layout.*
  static Result<Editing> begin(ByteView file, const ReadAs&, bool lossy = false);

  /// Is told what an edit has done, in a line, as soon as it is made, while last() has its changes.
  using Tell = std::function<void(const std::string& line)>;
  using TellDue = std::function<void(const Edit&, const std::string& line)>;

  /// Makes edits by their names, those below and those that the format has, as one, as together() does. Returns what
  /// each has done. Ids: edit.argument, those of the edits below, and those of the format.
  Result<std::vector<std::string>> run(std::span<const EditStep>, Referrers = Referrers::refuse, const Tell& each = {});

  // Edits. Paths are as people type them (layout/selector.hpp). They return what was done, in one line. What they make
  // due follows at the end of together() only. Ids: path.*, layout.*, edit.referred (an element is still referred to),
  // edit.limit (a reference cannot have its new number).

  /// Adds an element. `fields`: its values by their path in it, as typed; the others are 0, empty, or lead nowhere.
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

  /// Sets values, as `dio set` does: expand() in operations/assignments.hpp.
  Result<std::string> set(const std::vector<Assignment>&);

  /// Another file of the format in place of this one. Ids: layout.*
  Result<bool> replace(Bytes file);

  /// Makes several edits as one: all of them, or none. At their end come those of the format that have become due
  /// (Edit::is_due), of which `due` is told, with the arguments that were given last. Ids: those of the edits.
  Result<bool> together(const std::function<Result<bool>()>& edits, const TellDue& due = {});

  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < log_.size(); }
  void undo();
  void redo();

  /// How many edits were made and not undone.
  size_t done() const { return done_; }
  /// The changes of the last of them.
  const Changes& last() const { return log_[done_ - 1].changes; }
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

  /// An edit that was made. One of the format may change more than values, such as what lies where: then the files
  /// before and after it are kept.
  struct Made {
    Changes changes = {};
    bool is_whole = false;
    Bytes before = {}, after = {};  // if it is whole
  };

  Editing() = default;
  /// Reads a file, and takes its values and its bytes.
  Result<bool> take(Bytes file);
  Result<std::string> run_step(const EditStep&, Referrers);
  Result<std::string> run_list_edit(const EditStep&, Referrers);
  Result<std::string> run_named(const Edit&, std::span<const Argument>);
  /// Whether edits since the file had these bytes have made one of the format due.
  Result<bool> is_due(const Edit&, const Bytes& was) const;
  /// Makes the edits of the format that have become due.
  Result<bool> run_due(const TellDue&);
  /// Brings the file to before or after an edit.
  void go(const Made&, bool back);
  Value& document() { return *value_.find("document"); }
  /// Encodes and traces the values. If they are no document, nothing changes.
  Result<bool> renew();
  /// Makes changes to the values as one edit, or as the next part of the last one.
  Result<bool> make(Changes, bool is_part);
  /// The changes that bring values to what the file has at a span: what the format did by itself when it was written.
  void settle(u32 span, const Value&, const std::string& path, Changes&) const;
  /// Takes back the last edit, which did not come to its end, and forgets it.
  void give_up();
  /// What was done, and how many references follow.
  std::string told(std::string what) const;
  std::string names_of(u32 list, const std::vector<u64>& elements) const;

  /// The list and the indices of elements of it, in order.
  Result<std::pair<u32, std::vector<u64>>> elements_of(std::string_view typed) const;
  /// `size`: how many elements the destination can mean.
  Result<Order> order_to(u32 list, const std::vector<u64>& elements, const Destination&, u64 size) const;
  /// Everything that goes if these elements go.
  Result<Removed> removed_with(const std::map<u32, std::vector<u64>>& elements, Referrers) const;
  Result<std::string> remove(const std::map<u32, std::vector<u64>>& elements, Referrers);
  /// Lists get new orders, and references to their elements follow.
  Result<bool> arrange(const std::map<u32, Order>&, const Removed&, Referrers, bool is_part);
  /// Makes changes that insert elements at an index, at the end of a list of `size`; before its last element, if that
  /// one ends the list. Returns the index.
  Result<u64> insert(u64 size, const std::function<Changes(u64 at)>&);
  /// Brings elements that were inserted `at` an index of a list of `size` to their place: beside that one, if nothing
  /// else is wanted.
  Result<std::string> place_new(const std::string& list, u64 at, u64 size, u64 count, Destination, u64 beside,
                                std::string what);
  Result<bool> assign(const std::vector<Assignment>&, bool is_part);
  /// Inserts an element without values into a list, which may be in a part that is not there yet.
  static Result<bool> grow(Value& document, const std::string& list, u64 at, bool is_of_numbers);

  ReadAs as_;
  Value value_;  // as `decode` makes it, with the layout of the file that was read
  Bytes bytes_;
  Traced traced_;
  std::vector<Made> log_;
  /// When what an edit makes was as it should be: the file, and the arguments that it was made with.
  struct Fresh {
    Bytes file;
    std::vector<Argument> arguments = {};
  };
  std::map<const Edit*, Fresh> fresh_;  // in together(): of each edit that others can make due
  size_t done_ = 0;
  bool lossy_ = false;
};

}  // namespace dio

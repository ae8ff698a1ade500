// dio edit: elements added, removed and moved, and changes that have a name.
#include "../command_line/print.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../input/open.hpp"
#include "../output/results.hpp"
#include "edit_steps.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "layout/poke.hpp"
#include "operations/editing.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

void print_edits(const Request& request, const Opened& o, Report& report) {
  if (request.json) {
    Value v = described_by("diorama.edits/1");
    v.add("format", o.format_id());
    Value& edits = v.add("edits", Value::list());
    for (const ListEdit& e : list_edits()) {
      Value& one = edits.push(Value::object());
      one.add("edit", e.name);
      one.add("usage", e.usage);
      one.add("about", e.about);
    }
    for (const Edit& e : edits_of(*o.format)) {
      Value& one = edits.push(Value::object());
      one.add("edit", e.name);
      one.add("usage", e.usage);
      one.add("about", e.about);
    }
    report.out = json_text(v);
    return;
  }
  const auto list = [&](const auto& e) {
    report.out += std::string(e.name) + " " + std::string(e.usage) + "\n" + wrapped(std::string(e.about), "    ");
  };
  for (const Edit& e : edits_of(*o.format)) list(e);
  for (const ListEdit& e : list_edits()) list(e);
}

const Edit* find_edit(const Request& request, const Format& format, const std::string& name, Report& report) {
  std::vector<std::string> known;
  for (const Edit& e : edits_of(format)) {
    if (e.name == name) return &e;
    known.emplace_back(e.name);
  }
  for (const ListEdit& e : list_edits()) known.emplace_back(e.name);
  const std::string like = nearest(name, known);
  fail_usage(report, request,
             "the format " + std::string(format.id) + " has no edit " + in_quotes(name) +
                 (like.empty() ? known.empty() ? "" : "; the edits are " + joined(known, ", ")
                               : "; did you mean " + like + "?"));
  return nullptr;
}

/// A file between two steps: as a document for named edits, as values for edits of lists.
class Edited {
 public:
  Edited(const Request& request, Opened& o, Report& report) : request_(request), o_(o), report_(report) {}

  /// Nothing is lost: an edit is made as a whole or not at all. False if it is refused; the report says why.
  bool run(const EditStep& step) {
    const ListEdit* list_edit = find_list_edit(step.name);
    return list_edit ? run_list_edit(step, *list_edit) : run_named(step);
  }
  Result<Bytes> bytes() const { return editing_ ? editing_->save(request_.save) : o_.document->save(request_.save); }

 private:
  const Request& request_;
  Opened& o_;
  Report& report_;
  std::optional<Editing> editing_;

  bool refused(Diagnostic d, const EditStep& step, std::string_view usage) {
    d.place.file = o_.name;
    if (d.place.path.empty()) d.place.path = step.name;
    if (d.hint.empty()) d.hint = step.name + " " + std::string(usage);
    fail(report_, request_, d);
    return false;
  }

  bool run_named(const EditStep& step) {
    if (editing_) {  // what was done to lists first
      auto again = open(editing_->bytes(), o_.name, ReadAs{o_.format, o_.options});
      if (!again) return refused(again.error(), step, "");
      o_.document = std::move(again->document);
      o_.bytes = std::move(again->bytes);
      editing_.reset();
    }
    const Edit* edit = find_edit(request_, *o_.format, step.name, report_);
    if (!edit) return false;
    const auto done = edit->apply(*o_.document, step.arguments);
    if (!done) {
      Diagnostic d = done.error();
      d.place.path = step.name;
      return refused(std::move(d), step, edit->usage);
    }
    is_changed_ = true;
    if (!request_.quiet) report_.err += *done + "\n";
    return true;
  }
  bool is_changed_ = false;

  bool run_list_edit(const EditStep& step, const ListEdit& edit) {
    if (!editing_) {
      auto begun = [&]() -> Result<Editing> {
        const ReadAs as{o_.format, o_.options};
        if (!is_changed_) return Editing::begin(o_.bytes, as);
        const auto bytes = o_.document->save(request_.save);
        if (!bytes) return refuse(bytes.error());
        return Editing::begin(*bytes, as);
      }();
      if (!begun) return refused(begun.error(), step, edit.usage);
      editing_.emplace(std::move(*begun));
    }
    const auto done = list_edit(step);
    if (!done) return refused(done.error(), step, edit.usage);
    if (!request_.quiet) report_.err += *done + "\n";
    if (request_.verbose || (request_.dry_run && !request_.quiet))
      for (const Change& c : editing_->last()) report_.err += "  " + to_line(c) + "\n";
    return true;
  }

  Result<std::string> list_edit(const EditStep& step) {
    Destination to;
    std::vector<Assignment> fields;
    std::vector<std::string> by;
    for (const Argument& a : step.arguments) {
      const bool is_place = step.name != "set" && step.name != "sort" && (a.name == "before" || a.name == "after");
      if (is_place) {
        const Value n = parse_typed(a.value);
        if (!n.is(Value::Kind::integer) || n.negative())
          return refuse("edit.argument", {},
                        {.message = a.name + " must be the index of an element, not " + in_quotes(a.value)});
        (a.name == "before" ? to.before : to.after) = n.bits();
      } else if (step.name == "sort" && a.name == "by") {
        by.push_back(a.value);
      } else if (step.name == "add" || step.name == "set") {
        fields.push_back({a.name, a.value});
      } else {
        return refuse("edit.argument", {}, {.message = step.name + " has no argument " + in_quotes(a.name)});
      }
    }
    if (to.before && to.after)
      return refuse("edit.argument", {}, {.message = "before and after cannot be given together"});
    const auto missing = [&](const char* what) {
      return refuse("edit.argument", {}, {.message = std::string(what) + " is missing"});
    };
    const auto& paths = step.operands;
    if (step.name == "add") return editing_->add(paths[0], fields, to);
    if (step.name == "remove")
      return editing_->remove(paths[0], request_.cascade  ? Referrers::cascade
                                        : request_.unlink ? Referrers::unlink
                                                          : Referrers::refuse);
    if (step.name == "duplicate") return editing_->duplicate(paths[0], to);
    if (step.name == "move") {
      if (!to.before && !to.after) return missing("where to (before=N or after=N)");
      return editing_->move(paths[0], to);
    }
    if (step.name == "swap") return editing_->swap(paths[0], paths[1]);
    if (step.name == "sort") {
      if (by.empty()) return missing("the field to sort by (by=FIELD)");
      return editing_->sort(paths[0], by);
    }
    if (fields.empty()) return missing("a value to set (PATH=VALUE)");
    return editing_->set(fields);
  }
};

}  // namespace

Exit run_edit(const Request& request) {
  Report wrong;
  std::vector<EditStep> steps = edit_steps(request, request.assignments, wrong);
  if (wrong.exit == Exit::done && !request.script.empty()) {
    const auto text = read_input(inputs_named({request.script}).front());
    if (!text) {
      fail(wrong, request, text.error());
      return finish(wrong);
    }
    const auto more =
        edit_steps(request, words_of_script({reinterpret_cast<const char*>(text->data()), text->size()}), wrong);
    steps.insert(steps.end(), more.begin(), more.end());
  }
  const bool writes = !request.output.empty() || request.in_place || !request.backup.empty();
  if (wrong.exit == Exit::done && steps.empty() && writes)
    fail_usage(wrong, request, "no edit given; `dio edit " + request.inputs[0] + "` lists the edits");
  else if (!steps.empty() && has_one_place(request, wrong) && request.in_place && request.inputs[0] == "-")
    fail_usage(wrong, request, "standard input cannot be changed in place");
  if (wrong.exit != Exit::done) return finish(wrong);
  return for_one_input(request, [&](const Input& input, size_t) {
    Report report;
    auto o = open_input(request, input, report);
    if (!o) return report;
    if (steps.empty()) {
      print_edits(request, *o, report);
      return report;
    }
    Edited edited(request, *o, report);
    for (const EditStep& step : steps)
      if (!edited.run(step)) return report;
    const auto bytes = edited.bytes();
    if (bytes)
      write_changed(request, input, *o->format, *bytes, report);
    else
      fail(report, request, in_file(bytes.error(), o->name));
    return report;
  });
}

}  // namespace dio::cli

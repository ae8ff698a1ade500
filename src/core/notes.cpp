#include "core/notes.hpp"

#include <utility>

namespace dio {

Diagnostic make_note(Severity severity, std::string_view id, std::string path, std::string expected, std::string found,
                     std::string hint) {
  Diagnostic d;
  d.severity = severity;
  d.id = id;
  d.place.path = std::move(path);
  d.expected = std::move(expected);
  d.found = std::move(found);
  d.hint = std::move(hint);
  return d;
}

Diagnostic make_fault(std::string_view id, std::string path, std::string expected, std::string found,
                      std::string hint) {
  return make_note(Severity::stop, id, std::move(path), std::move(expected), std::move(found), std::move(hint));
}

}  // namespace dio

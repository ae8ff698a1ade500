// result.hpp: a value or a diagnostic. Nothing in the library throws.
#pragma once
#include <tl/expected.hpp>
#include <utility>

#include "core/diagnostic.hpp"

namespace dio {

/// A value, or why there is none. Ignoring one does not compile.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Diagnostic> {
 public:
  using tl::expected<T, Diagnostic>::expected;
};

/// What loading gives: a warning does not stop, so the notes come beside the document.
template <class T>
struct Loaded {
  T document;
  Diagnostics notes;  // doubts: severity warning or error, never stop
};

inline tl::unexpected<Diagnostic> refuse(Diagnostic d) { return tl::unexpected<Diagnostic>(std::move(d)); }
inline tl::unexpected<Diagnostic> refuse(std::string_view id, Place place, Said said) {
  return refuse(make_diagnostic(id, std::move(place), std::move(said)));
}

}  // namespace dio

// result.hpp: a value or a diagnostic. Nothing in the library throws.
#pragma once
#include <tl/expected.hpp>
#include <utility>

#include "core/diagnostic.hpp"

namespace dio {

/// A value, or the reason why there is none. Results must not be ignored.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Diagnostic> {
 public:
  using tl::expected<T, Diagnostic>::expected;
};

/// The result of loading: warnings do not stop loading, so they are returned with the document.
template <class T>
struct LoadResult {
  T document;
  Diagnostics notes;  // severity warning or error, never stop
};

inline tl::unexpected<Diagnostic> refuse(Diagnostic d) { return tl::unexpected<Diagnostic>(std::move(d)); }
inline tl::unexpected<Diagnostic> refuse(std::string_view id, Location place, DiagnosticText said) {
  return refuse(make_diagnostic(id, std::move(place), std::move(said)));
}

}  // namespace dio

// checks.hpp: shared by all checks.
#pragma once
#include "formats/brres/parts.hpp"
#include "formats/brres/semantics.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::brres {

/// A file under check.
struct Check : Reporter {
  Check(const Brres& b, Findings& f) : Reporter(f), file(b) {}
  const Brres& file;
};

struct Topic {
  std::span<const Rule> rules;
  void (*check)(Check&);
};
extern const Topic k_file_checks, k_model_checks, k_shape_checks, k_texture_checks, k_animation_checks;

}  // namespace dio::brres

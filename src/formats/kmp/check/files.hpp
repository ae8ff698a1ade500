// files.hpp: whether an archive has the files that its course needs.
#pragma once
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/kcl/layout.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

std::span<const Rule> file_rules();
/// `paths`: of the archive. Without course.kmp among them it is no archive of a course, and nothing is found.
void check_files(const Kmp&, const kcl::Kcl* collision, std::span<const std::string> paths, Findings&);

/// The models among them, by their names.
void check_models(std::span<const Companion>, Findings&);

}  // namespace dio::kmp

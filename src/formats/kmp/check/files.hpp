// files.hpp: whether an archive has the files that its course needs.
#pragma once
#include "core/file_tree.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/kcl/layout.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

std::span<const Rule> file_rules();
/// `folder`: of the archive. Without course.kmp in it it is no archive of a course, and nothing is found.
void check_files(const Kmp&, const kcl::Kcl* collision, const FileTree& folder, Findings&);

/// The models among the companions by their names, and those of the folder together, if it is that of a course.
void check_models(const Kmp&, std::span<const Companion>, const FileTree& folder, Findings&);

}  // namespace dio::kmp

// files.hpp: whether an archive has the files that its course needs.
#pragma once
#include "core/file_tree.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/findings.hpp"
#include "formats/kcl/layout.hpp"
#include "formats/kmp/layout.hpp"

namespace dio::kmp {

std::span<const Rule> file_rules();
/// `folder`: the archive's folder. Without course.kmp, it is not a course archive, and nothing is reported.
void check_files(const Kmp&, const kcl::Kcl* collision, const FileTree& folder, Findings&);

/// Checks the companion models by their names, and all models of the folder together if it is a course folder.
void check_models(const Kmp&, std::span<const Companion>, const FileTree& folder, Findings&);

}  // namespace dio::kmp

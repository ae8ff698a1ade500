#include "main_member.hpp"

#include <algorithm>

#include "../files/archives.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "operations/operations.hpp"

namespace dio::cli {

std::optional<Input> find_main_member(const Input& archive, std::vector<std::string>& candidates) {
  constexpr size_t k_most_members = 64;  // of files that belong together
  const auto file = open_archive_file(archive.name);
  if (!file) return {};
  const std::vector<std::string> members = (*file)->list();
  if (members.size() > k_most_members) return {};
  std::vector<std::pair<Input, size_t>> found;  // and how many of the others are its companions
  for (const std::string& member : members) {
    auto inputs = resolve_input_names({archive.name + "/" + member});
    if (inputs.size() != 1 || inputs[0].problem) continue;
    const auto source = open_input_source(inputs[0]);
    const auto opened = source ? dio::open(*source, inputs[0].name) : refuse(source.error());
    if (!opened || !opened->format->scenes) continue;
    const std::string folder = member.substr(0, member.find_last_of('/') + 1);
    const auto names = companion_file_names(*opened->format, *opened->document, member.substr(folder.size()));
    const auto is_there = [&](const std::string& n) { return std::ranges::find(members, folder + n) != members.end(); };
    candidates.push_back(member);
    found.emplace_back(std::move(inputs[0]), size_t(std::ranges::count_if(names, is_there)));
  }
  if (found.empty()) return {};
  const auto by_companions = [](const auto& one) { return one.second; };
  const size_t most = std::ranges::max_element(found, {}, by_companions)->second;
  if (std::ranges::count(found, most, by_companions) > 1) return {};
  return std::ranges::find(found, most, by_companions)->first;
}

}  // namespace dio::cli

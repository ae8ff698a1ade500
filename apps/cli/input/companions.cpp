#include "companions.hpp"

#include <algorithm>
#include <numeric>

#include "../command_line/print.hpp"
#include "core/sorting.hpp"
#include "formats/contract/companions.hpp"
#include "formats/contract/format.hpp"
#include "scenes.hpp"

namespace dio::cli {
namespace {

/// Files are called alike where they belong together, but for numbers: those count the members of an archive.
bool is_number(const std::string& stem) {
  return !stem.empty() && std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

const Format* guess_format(const Input& input) {
  const std::string extension = file_extension(input.name);
  if (!extension.empty())
    for (const Format* f : formats())
      if (has_extension(*f, extension)) return f;
  const auto file = open_input_source(input);  // the whole file: some formats are recognised by their size
  const auto found = file ? detect(*(*file)->whole(), input.name) : Result<Detected>(refuse(file.error()));
  return found ? found->format : nullptr;
}

std::optional<Companions> Companions::extract_from(const Request& request, std::vector<Input>& inputs, Report& report) {
  Companions out;
  std::vector<Input> shown, others;
  ArchiveFile* archive = nullptr;
  for (const Input& i : inputs) {
    if (archive && archive != i.archive.get()) archive->release();  // one at a time
    archive = i.archive.get();
    const Format* format = request.as || i.is_stdin || i.problem || inputs.size() == 1 ? nullptr : guess_format(i);
    const bool is_other = format && !companion_ops_of(*format).goes_with.empty();
    // Lists and build files beside the textures of a folder are no models.
    if (i.walked && !format && !i.problem && file_extension(i.name) != ".json" && !has_scene_extension(i.name))
      continue;
    (is_other ? others : shown).push_back(i);
  }
  if (others.empty()) return out;
  if (shown.empty()) {
    const Format* format = guess_format(others.front());
    report_usage_error(report, request,
                       "these files contain nothing to draw on their own; also give the " +
                           std::string(companion_ops_of(*format).goes_with) + " file that they belong to");
    return {};
  }
  for (const Input& i : others) {
    auto opened = open_input(request, i, report);
    if (!opened) return {};
    out.opened_.push_back(std::move(*opened));
  }
  inputs = std::move(shown);
  out.shown_ = inputs.size();
  for (const Input& i : inputs)
    if (!is_number(file_stem(i.name))) out.shown_stems_.push_back(file_stem(i.name));
  sort_stably(out.shown_stems_);
  for (u32 i = 0; i < out.opened_.size(); ++i) {
    const OpenedFile& o = out.opened_[i];
    if (!is_number(file_stem(o.name))) out.by_stem_[file_stem(o.name)].push_back(i);
    const CompanionOps& its = companion_ops_of(*o.format);
    if (!its.names)
      out.nameless_.push_back(i);
    else
      for (const std::string& name : its.names(*o.document)) out.by_name_[name].push_back(i);
  }
  return out;
}

std::vector<Companion> Companions::of(const OpenedFile& shown) const { return select_companions(shown, true); }
std::vector<Companion> Companions::companions_for(const OpenedFile& shown) const {
  return select_companions(shown, false);
}

bool Companions::matches_by_name(const OpenedFile& shown) const {
  return shown_ > 1 && companion_ops_of(*shown.format).names;
}

std::vector<u32> Companions::find_candidates(const OpenedFile& shown, const std::string& stem) const {
  std::vector<u32> all;
  const CompanionOps& main = companion_ops_of(*shown.format);
  if (!matches_by_name(shown)) {
    all.resize(opened_.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }
  all = nameless_;
  const auto add_indexed = [&](const auto& index, const std::string& key) {
    if (const auto found = index.find(key); found != index.end())
      all.insert(all.end(), found->second.begin(), found->second.end());
  };
  add_indexed(by_stem_, stem);
  for (const std::string& name : main.names(*shown.document)) add_indexed(by_name_, name);
  sort_stably(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<Companion> Companions::select_companions(const OpenedFile& shown, bool by_content) const {
  std::vector<Companion> list;
  const std::string stem = file_stem(shown.name);
  const bool alone = shown_ == 1;
  for (const u32 i : find_candidates(shown, stem)) {
    const OpenedFile& o = opened_[i];
    const Companion companion{o.name, o.format, o.document.get()};
    const CompanionOps &its = companion_ops_of(*o.format), &main = companion_ops_of(*shown.format);
    const bool is_of_kind = its.goes_with == shown.format->id;
    if (!is_of_kind && !main.takes) continue;
    const auto fits = [&] {
      if (is_of_kind && its.one_name_is_enough && matches_by_name(shown)) return true;  // else it were no candidate
      return is_of_kind ? its.fits && its.fits(*o.document, *shown.document) : main.takes(*shown.document, companion);
    };
    const std::string own = file_stem(o.name);
    const bool is_anyones = by_content && !std::binary_search(shown_stems_.begin(), shown_stems_.end(), own);
    const bool belongs = (own == stem && !is_number(own)) || (is_anyones && fits());
    if (alone || belongs) list.push_back(companion);
  }
  return collect_companions(shown, std::move(list));
}

}  // namespace dio::cli

#include "options.hpp"

#include <algorithm>

#include "formats/contract/building.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/game.hpp"
#include "formats/registry.hpp"
#include "text.hpp"

namespace dio::cli {
namespace {

/// Of the options that not every conversion reads, those that were given.
std::vector<std::string> given_options(const Request& r) {
  std::vector<std::string> names;
  const auto add = [&](bool is_given, const char* name) {
    if (is_given) names.emplace_back(name);
  };
  add(r.lit, "lit"), add(r.race, "race"), add(r.lamps, "lamps"), add(!r.tick_rate.empty(), "tick-rate");
  add(!r.state.empty(), "state"), add(r.every_state, "all-states");
  add(!r.time.empty(), "time"), add(!r.show.empty(), "show"), add(r.rotation, "rotation");
  add(r.save.canonical, "canonical"), add(r.save.lossy, "lossy");
  for (const Argument& a : r.making) names.push_back(a.name);
  return names;
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Everything that reads an option.
std::string describe_option_readers(std::string_view name) {
  std::vector<std::string> shown, made, remade, games, all;
  for (const Format* f : formats()) {
    if (f->scenes && contains(f->scenes->options, name)) shown.emplace_back(f->id);
    for (const MakeOption& o : make_options_of(*f)) {
      if (o.name != name) continue;
      made.emplace_back(f->id);
      if (o.remakes) remade.emplace_back(f->id);
    }
  }
  for (const GameKind* k : game_kinds())
    if (contains(k->options, name)) games.emplace_back(k->title);
  if (!shown.empty()) all.push_back("converting " + join_texts(shown, ", ") + " to glTF");
  if (name == "show")
    for (const Format* f : formats())
      if (f->plans) all.push_back("drawing plans (.svg) of " + std::string(f->id) + " files");
  if (!games.empty()) all.push_back("exporting maps of " + join_texts(games, ", "));
  if (!made.empty()) all.push_back("converting glTF to " + join_texts(made, ", "));
  if (!remade.empty()) all.push_back("converting " + join_texts(remade, ", ") + " to the same format");
  if (contains(saving_option_names(), name)) all.push_back("conversions that keep the format, also from JSON");
  return join_texts(all, "; ");
}

}  // namespace

std::span<const std::string_view> saving_option_names() {
  static constexpr std::string_view k_names[] = {"canonical", "lossy"};
  return k_names;
}

std::vector<std::string_view> archive_option_names(const Format& format) {
  std::vector<std::string_view> names;
  for (const MakeOption& o : archive_options_of(format)) names.push_back(o.name);
  return names;
}

std::vector<std::string_view> making_option_names(const Format& format, bool remakes) {
  std::vector<std::string_view> names;
  for (const MakeOption& o : make_options_of(format))
    if (o.remakes || !remakes) names.push_back(o.name);
  return names;
}

std::string typed_option_name(std::string_view name) { return name == "layout" ? "target-layout" : std::string(name); }

bool require_effective_options(const Request& request, const std::string& subject,
                               std::span<const std::string_view> read, Report& report) {
  for (const std::string& name : given_options(request)) {
    if (contains(read, name)) continue;
    report.err += subject + ": --" + typed_option_name(name) + " has no effect here\n    this option is only for " +
                  describe_option_readers(name) +
                  (name == "time" ? "; for one part of a game: `dio render GAME --part PART --time 20:30`" : "") + "\n";
    report.raise(ExitCode::usage);
    return false;
  }
  return true;
}

}  // namespace dio::cli

// repairs.hpp: the repairs that suggest.cpp tries. Each changes what it understands, and leaves the rest alone.
#pragma once
#include <memory>
#include <optional>

#include "../input/games.hpp"
#include "../input/open.hpp"
#include "words.hpp"

namespace dio::cli::suggest {

// ---- what the repairs ask (context.cpp)

/// Whether a name is a file, a folder, or leads into an archive.
bool exists(const std::string& name);
bool is_file(const std::string& name);
bool is_folder(const std::string& name);
/// The traced file; null if it cannot be read.
std::unique_ptr<TracedFile> trace(const std::string& name, const ReadAs& as = {});
/// The game in a file or folder, if it is one.
std::optional<OpenedGameInput> game_in(const std::string& name);
/// The part of a game that was typed: land/0, lands/0, map/1, TOWN.
std::optional<GamePart> find_part(const OpenedGameInput&, const std::string& typed);
/// Whether any format or game has an edit with this name.
bool is_edit_name(const std::string& word);
/// The name without folders and extension.
std::string stem(const std::string& name);
/// The extension in lower case, with the dot.
std::string extension(const std::string& name);

// ---- repairs

/// Words that are no verbs, options as verbs, edits as verbs, and commands without a verb.
void repair_verb(CommandLine&, const Manual&);
/// Options of other programs, and of other verbs.
void repair_options(CommandLine&, const Manual&);
/// FILE that is not first; two words that belong together; names of files that nearly exist.
void repair_files(CommandLine&, const Manual&);
/// Games where files belong, and the other way round.
void repair_games(CommandLine&, const Manual&);
/// Paths of values as other languages write them, and names of things instead of paths.
void repair_paths(CommandLine&, const Manual&);
/// Assignments and arguments of edits.
void repair_edits(CommandLine&, const Manual&);
/// Topics of explain, help, schema and formats; rules of check.
void repair_topics(CommandLine&, const Manual&);
/// An output that was given without -o.
void repair_misplaced_output(CommandLine&, const Manual&);
/// An output that is missing.
void add_missing_output(CommandLine&, const Manual&);

/// A path that exists in the file, for one that does not; empty: none is like it.
std::string find_path_like(const TracedFile&, const std::string& typed);

}  // namespace dio::cli::suggest

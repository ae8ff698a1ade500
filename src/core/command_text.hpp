// command_text.hpp: commands in texts. Hints and rules suggest commands without knowing the program that prints them:
// they write {edit FILE set-tiles surface=NAME} or {--as FORMAT}. Each front end words them in its own way: `dio edit
// course.kmp ...` on the command line, file.edit(...) in Python, the name of a button in the viewer.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace dio {

/// The names that {...} can start with, besides options: verbs of the command line.
std::span<const std::string_view> command_names();

/// Words a command for one front end. `name` is a verb such as edit, or an option such as --as; `words` is the text
/// after it and may be empty.
using CommandWording = std::string (*)(std::string_view name, std::string_view words);

/// Sets the wording for this process. The front end calls it once, before anything else. With null, commands stay in
/// braces.
void set_command_wording(CommandWording);

/// Returns the text with each {command} worded for the front end. The word FILE in commands becomes `file`, unless that
/// is empty. Braces around other text stay.
std::string word_commands(std::string_view text, std::string_view file = {});
/// Same, with the given wording.
std::string word_commands(std::string_view text, std::string_view file, CommandWording);

}  // namespace dio

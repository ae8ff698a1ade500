// words.hpp: a command line that failed, word by word, so that it can be repaired.
#pragma once
#include <string>
#include <vector>

#include "../command_line/manual.hpp"

namespace dio::cli::suggest {

/// A word of a command line: an operand, or an option with its value.
struct Word {
  std::string text;  // an operand; of an option, its name: -o, --output
  bool is_option = false;
  bool has_value = false;  // of an option
  std::string value = {};
};

/// A command line as it was typed, or as far as it is repaired.
struct CommandLine {
  std::string verb;         // empty: none that exists
  std::vector<Word> words;  // behind the verb

  /// Operands, by their index in `words`.
  std::vector<size_t> operands() const;
  size_t count_operands() const { return operands().size(); }
  /// An operand; empty if there are fewer.
  std::string operand(size_t n) const;
  void set_operand(size_t n, std::string text);
  void insert_operand(size_t n, std::string text);
  void remove_operand(size_t n);
  /// The option with one of these names; null if it was not given.
  Word* option(std::initializer_list<const char*> names);
  const Word* option(std::initializer_list<const char*> names) const;
  bool has(std::initializer_list<const char*> names) const { return option(names) != nullptr; }
  void remove_option(std::initializer_list<const char*> names);
  void add_option(std::string name, std::string value = {});
  /// The words after the name of the program.
  std::vector<std::string> arguments() const;
  /// As a shell takes it.
  std::string text() const;
};

/// Splits arguments. Values belong to options that the verb has, or that another verb has where it does not.
CommandLine split_words(const std::vector<std::string>& arguments, const Manual&);

}  // namespace dio::cli::suggest

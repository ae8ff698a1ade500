// budgets.hpp: how much a file uses of the limits of its console or game.
#pragma once
#include "core/value.hpp"

namespace dio {

/// Entries of the list "budgets" of Format::budget and Game::budget.
class Budgets {
 public:
  explicit Budgets(Value& to) : list_(to.add("budgets", Value::list())) {}
  void add(std::string_view name, u64 used, u64 of, std::string_view unit, std::string_view about) {
    Value& one = list_.push(Value::object());
    one.add("name", name);
    one.add("used", used);
    one.add("of", of);
    one.add("unit", unit);
    one.add("about", about);
  }

 private:
  Value& list_;
};

}  // namespace dio

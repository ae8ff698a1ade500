// names.hpp: names of parts that occur once, and lists of names in messages.
#pragma once
#include <set>
#include <string>
#include <string_view>

#include "core/text_format.hpp"
#include "formats/contract/reporter.hpp"

namespace dio::brres {

/// Names that occur once; others get a number.
class UniqueNames {
 public:
  std::string operator()(std::string name, std::string_view otherwise) {
    if (name.empty()) name = otherwise;
    std::string unique = name;
    for (u32 i = 1; !used_.insert(unique).second; ++i) unique = text(name, "_", i);
    return unique;
  }

 private:
  std::set<std::string> used_;
};

/// The first names in quotes, and how many others there are.
inline std::string list_names(const std::set<std::string>& names) {
  std::string out;
  size_t n = 0;
  for (const std::string& name : names)
    if (n++ < 3) out += (out.empty() ? "" : ", ") + in_quotes(name);
  return names.size() > 3 ? text(out, " and ", names.size() - 3, " more") : out;
}

}  // namespace dio::brres

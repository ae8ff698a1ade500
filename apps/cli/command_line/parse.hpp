// parse.hpp: the command line as it is typed, turned into a Request.
#pragma once
#include "manual.hpp"
#include "request.hpp"

namespace dio::cli {

struct Parsed {
  Request request;
  Report report;     // requested help, or an error
  bool run = false;  // the request is complete
};
/// Of the arguments after the name of the program.
Parsed parse(const std::vector<std::string>& arguments);

Manual build_manual();

}  // namespace dio::cli

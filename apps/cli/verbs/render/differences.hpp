// differences.hpp: `dio diff --render`: how two files look, and what of that differs.
#pragma once
#include "../../input/inputs.hpp"

namespace dio::cli {

/// Whether an input stands for "there is no such file", as git names it: /dev/null.
bool is_dev_null(const Input&);

/// Writes the picture of two inputs to where --render says: both and what differs, or for a moving picture both in
/// turn. Something visible that differs raises Exit::no; that nothing is visible is said. The report also says why
/// there is no picture.
void draw_differences(const Request&, const std::vector<Input>& inputs, Report&);

}  // namespace dio::cli

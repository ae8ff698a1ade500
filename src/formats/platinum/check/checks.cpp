// checks.cpp: joins the rules of the Platinum formats. Each rule is next to its code in the file of its topic.
#include "core/join_rules.hpp"
#include "formats/platinum/parts.hpp"
#include "formats/platinum/parts_land.hpp"

namespace dio::platinum {

std::span<const Rule> rules() {
  static const std::vector<Rule> all = concat_rules({k_table_rules, k_header_rules, k_matrix_rules, k_light_rules,
                                                     k_land_rules, k_bdhc_rules, k_bdhc_dp_rules, make_land_rules()});
  return all;
}

}  // namespace dio::platinum

// verbs.hpp: one function for each verb, in a file of its own. Each prints, and gives the exit code of the program.
#pragma once
#include "../command_line/request.hpp"

namespace dio::cli {

Exit run_info(const Request&);
Exit run_ls(const Request&);
Exit run_tree(const Request&);
Exit run_get(const Request&);
Exit run_refs(const Request&);
Exit run_hex(const Request&);
Exit run_explain(const Request&);
Exit run_check(const Request&);
Exit run_budget(const Request&);
Exit run_verify(const Request&);
Exit run_diff(const Request&);
Exit run_merge(const Request&);
Exit run_git(const Request&);
Exit run_set(const Request&);
Exit run_edit(const Request&);
Exit run_decode(const Request&);
Exit run_encode(const Request&);
Exit run_convert(const Request&);
Exit run_textures(const Request&);
Exit run_unpack(const Request&);
Exit run_pack(const Request&);
Exit run_find(const Request&);
Exit run_maps(const Request&);
Exit run_world(const Request&);
Exit run_render(const Request&);
Exit run_show(const Request&);
Exit run_view(const Request&);
Exit run_thumbnail(const Request&);
Exit run_formats(const Request&);
Exit run_schema(const Request&);
Exit run_completion(const Request&);
Exit run_help(const Request&);

// What tree and diff do with --maps (maps.cpp), and convert with --onto.
Exit tree_of_game(const Request&);
Exit diff_of_games(const Request&);
Exit run_convert_onto(const Request&);

}  // namespace dio::cli

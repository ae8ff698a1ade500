// verbs.hpp: one function for each verb, in a file of its own. Each prints, and gives the exit code of the program.
#pragma once
#include "../command_line/request.hpp"

namespace dio::cli {

ExitCode run_info(const Request&);
ExitCode run_ls(const Request&);
ExitCode run_tree(const Request&);
ExitCode run_get(const Request&);
ExitCode run_refs(const Request&);
ExitCode run_hex(const Request&);
ExitCode run_explain(const Request&);
ExitCode run_check(const Request&);
ExitCode run_budget(const Request&);
ExitCode run_verify(const Request&);
ExitCode run_diff(const Request&);
ExitCode run_merge(const Request&);
ExitCode run_git(const Request&);
ExitCode run_set(const Request&);
ExitCode run_edit(const Request&);
ExitCode run_decode(const Request&);
ExitCode run_encode(const Request&);
ExitCode run_convert(const Request&);
ExitCode run_textures(const Request&);
ExitCode run_unpack(const Request&);
ExitCode run_pack(const Request&);
ExitCode run_find(const Request&);
ExitCode run_maps(const Request&);
ExitCode run_world(const Request&);
ExitCode run_render(const Request&);
ExitCode run_show(const Request&);
ExitCode run_view(const Request&);
ExitCode run_thumbnail(const Request&);
ExitCode run_formats(const Request&);
ExitCode run_schema(const Request&);
ExitCode run_completion(const Request&);
ExitCode run_licences(const Request&);
ExitCode run_help(const Request&);

// What tree and diff do with --maps (maps.cpp), and convert with --onto.
ExitCode print_game_tree(const Request&);
ExitCode print_game_diff(const Request&);
ExitCode run_convert_onto(const Request&);

}  // namespace dio::cli

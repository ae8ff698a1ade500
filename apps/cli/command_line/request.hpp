// request.hpp: what the user asked for, and what a verb returns.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/any_document.hpp"
#include "formats/contract/edits.hpp"
#include "formats/registry.hpp"

namespace dio::cli {

enum class ExitCode : int {
  done = 0,
  no = 1,          // findings, differences, no such path, nothing found, or nothing to show
  usage = 2,       // invalid command line
  unreadable = 3,  // an input is damaged, or its format is unknown
  refused = 4,     // data would be lost or a limit exceeded
  system = 5,      // a file cannot be read or written, or already exists
  fault = 70       // a bug in dio
};
/// The code for an error of the library.
ExitCode exit_code_for(const Diagnostic&);

/// The options of all verbs; each verb uses its own.
struct Request {
  std::string verb;
  std::vector<std::string> inputs;  // files, folders, patterns; "-" is standard input

  // common
  bool json = false, quiet = false, verbose = false;
  std::string color = "auto";
  bool recursive = false;
  unsigned jobs = 0;             // 0: as many as there are processors
  size_t share = 0, shares = 1;  // which part of the inputs, counted from 0, of how many
  std::string manifest;          // a file
  std::string command;           // as it was typed, without the inputs and what only says how to work on them
  std::optional<u64> limit;      // total bytes of nested archives, or of what JSON or a folder describes
  ReadAs as;
  std::string layout;  // --layout as it was typed; `as` has it, too
  bool strict = false;

  // writing
  std::string output;  // -o FILE|FOLDER|-; empty: not given
  bool overwrite = false, dry_run = false, in_place = false;
  std::string backup;  // suffix; empty: no backup
  SaveOptions save;    // --canonical, --lossy

  // of one or two verbs
  std::string path;                      // ls, tree, hex, get; world: a part of the game
  std::string other, theirs;             // diff, merge: the second file, and the third
  std::string favor, called;             // merge: ours, theirs; a name for messages
  std::vector<std::string> assignments;  // set
  int depth = -1;                        // tree; -1: all levels
  bool all = false;                      // tree, hex: no folding; textures: every palette
  bool each = false;                     // get: every value that the path selects
  std::string columns;                   // get: fields with commas between
  std::string range;                     // hex
  bool unknown = false, html = false;    // hex
  std::string format = "text";           // check
  bool maps = false, known = false;  // check, tree, diff: of a whole game; check: also findings known in retail games
  std::string graph;                 // tree: dot, mermaid
  std::string make;                  // maps
  std::string time, show;            // world, render: 20:30, or seconds; overlays with commas between
  std::string size, camera, background;                 // render, diff
  std::string samples_across, animation, frame, strip;  // render
  std::string look, zoom;                               // render
  std::string graphics = "auto";                        // show
  bool play = false;                                    // show
  std::string part;                                     // render: of a game; unpack: of a file
  std::string scale, tiles;                             // render: from above; the size of tiles
  std::string seconds;                                  // render: --time where it is no time of day
  std::string state;                                    // world, maps, convert: night,heavy-rain
  bool every_state = false;                             // world, convert
  bool lamps = false;                                   // world, convert
  std::string tick_rate;                                // world, convert: Hz
  bool rotation = false;                                // world
  bool instances = false;                               // world
  std::string fail_on = "warning", show_from = "hint";  // check: severities
  std::vector<std::string> rules;                       // check
  std::vector<std::string> ignored;                     // check: ids, with wildcards
  std::string baseline;                                 // check: a file
  bool compact = false, summary = false;                // check
  bool fix = false;                                     // check
  std::string picture;                                  // budget: an SVG
  bool bytes = false;                                   // diff
  std::string render;                                   // diff: a file for the picture
  std::string to;                                       // convert
  std::string onto;                                     // convert: a file
  bool lit = false;                                     // convert
  bool race = false;                                    // convert, render, show
  std::vector<Argument> making;                         // convert: options for making files from scenes
  std::string own_files;                                // convert: a folder or an archive
  std::string replace;                                  // textures: a folder
  std::vector<std::string> with;                        // textures: files with palettes; diff: companions
  bool palette_files = false;                           // textures: palettes as .pal files
  bool adds = false;                                    // textures: pictures that the manifest does not name
  bool rescales = false;                                // textures: coordinates follow pictures of another size
  std::string vram;                                     // textures: a file for the picture of VRAM
  bool named = false;                                   // pack
  bool follow = false;                                  // pack: links
  std::string lz;                                       // pack: lz10, lz11
  std::string byte_order = "fe-ff";                     // pack
  bool every_byte = false;                              // find
  std::string samples;                                  // formats
  bool mime = false, thumbnailer = false;               // formats
  bool desktop = false;                                 // formats
  bool serve = false, open = false, edit = false;       // view
  unsigned port = 0;                                    // view; 0: any free one
  std::string minutes, page;                            // view: a number; a file
  std::string topic;                                    // schema, explain, completion, help; check --explain
  bool markdown = false, man = false;                   // schema; help
  bool by_id = false;                                   // decode
  bool omit_derived = false;                            // decode
  bool unlink = false, cascade = false;                 // edit
  bool partly = false, deletes = false;                 // convert
  bool report = false;                                  // verify: counts instead of files
  std::string base;                                     // pack: the original cartridge
  std::string script;                                   // edit: a file with edits
};

/// The output for one input, ready to be printed.
struct Report {
  std::string out, err;  // for standard output and standard error
  ExitCode exit = ExitCode::done;
  bool skipped = false;                 // found in a folder, with an unknown format, or of no use to the verb
  bool unsearched = false;              // an archive from a folder; the verb did not look at the files in it
  bool is_picture = false;              // `out` is for the terminal as it is
  bool is_block = false;                // an empty line divides `out` from what another file printed before
  std::vector<std::string> notes = {};  // lines before `err`; of many files in a folder, only the first are printed

  void raise(ExitCode e) {
    if (e > exit) exit = e;
  }
};

}  // namespace dio::cli

// parse.cpp: the only file that knows the library that parses command lines. Its errors become plain sentences.
#include "parse.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>

#include "formats/contract/building.hpp"
#include "formats/contract/format.hpp"
#include "formats/registry.hpp"
#include "options.hpp"
#include "text.hpp"

namespace dio::cli {

namespace {

/// An invalid command line: the message, and a hint in the next line.
static void set_usage_error(Parsed& p, const std::string& problem, const std::string& hint) {
  p.report.err = "dio" + (p.request.verb.empty() ? "" : " " + p.request.verb) + ": " + problem + "\n" +
                 (hint.empty() ? "" : "    " + hint + "\n");
  p.report.exit = ExitCode::usage;
}

/// Describes every verb and its options once; parsing, help, the manual page and completions follow from it.
class CommandLine {
 public:
  /// `only`: a run wants one verb, and describing all of them takes most of the time of a short one. Empty: all.
  explicit CommandLine(std::string_view only = {}) : only_(only) {
    app_.require_subcommand(0, 1);
    app_.set_help_flag();
    app_.allow_extras();
    define_common_options(app_);
    define_flag(app_, version_, "--version", "print the version and exit");
    add_look_verbs();
    add_check_verbs();
    add_change_verbs();
    add_archive_verbs();
    add_other_verbs();
  }

  bool has_verbs() const { return !more_.empty(); }
  Parsed parse(int argc, const char* const* argv);
  Manual build_manual();

 private:
  struct More {
    const char* details;
    std::vector<const char*> examples;
  };

  // ---- pieces that verbs have in common

  /// `describe` gives it its options.
  void add_verb(const char* group, const char* name, const char* about, More more, auto describe) {
    if (!only_.empty() && only_ != name) return;
    CLI::App& v = *app_.add_subcommand(name, about);
    v.group(group);
    v.set_help_flag();
    v.allow_extras();
    v.fallthrough();
    more_[name] = std::move(more);
    describe(v);
  }
  CLI::Option* define_argument(CLI::App& v, std::string& to, const char* name, const char* about,
                               bool required = true) {
    return v.add_option(name, to, about)->type_name(name)->required(required);
  }
  CLI::Option* define_arguments(CLI::App& v, std::vector<std::string>& to, const char* name, const char* about,
                                bool required = true) {
    return v.add_option(name, to, about)->type_name(name)->required(required)->expected(required ? 1 : 0, 1 << 20);
  }
  CLI::Option* define_flag(CLI::App& v, bool& to, const char* names, const char* about) {
    return v.add_flag(names, to, about);
  }
  CLI::Option* define_option(CLI::App& v, std::string& to, const char* names, const char* value, const char* about) {
    return v.add_option(names, to, about)->type_name(value);
  }
  template <class T>
  CLI::Option* define_number(CLI::App& v, T& to, const char* names, const char* about) {
    const auto check = [](const std::string& s) {
      const bool good = !s.empty() && s.size() < 7 && s.find_first_not_of("0123456789") == s.npos &&
                        s.find_first_not_of('0') != s.npos;
      return good ? std::string() : "must be a positive integer, not " + in_quotes(s);
    };
    return v.add_option(names, to, about)->type_name("N")->check(check);
  }
  /// 4096, 64K, 500M, 2G.
  CLI::Option* size(CLI::App& v, std::optional<u64>& to, const char* names, const char* about) {
    return v
        .add_option_function<std::string>(
            names,
            [&to](const std::string& s) {
              const size_t unit = std::string_view("KMG").find(s.back());
              to = std::stoull(s) << (unit == std::string_view::npos ? 0 : 10 * (unit + 1));
            },
            about)
        ->type_name("SIZE")
        ->check([](const std::string& s) {
          const size_t digits = s.find_first_not_of("0123456789");
          const bool good = digits != 0 && std::min(digits, s.size()) < 7 &&
                            (digits == s.npos || (digits + 1 == s.size() &&
                                                  std::string_view("KMG").find(s.back()) != std::string_view::npos));
          return good ? std::string() : "must be a size such as 4096, 64K, 500M or 2G, not " + in_quotes(s);
        });
  }
  CLI::Option* define_choice(CLI::App& v, std::string& to, const char* names, const char* value, const char* about,
                             std::vector<std::string> choices) {
    CLI::Option* o = define_option(v, to, names, value, about);
    choices_[o] = std::move(choices);
    return o;
  }

  void define_common_options(CLI::App& v) {
    define_flag(v, r_.quiet, "-q,--quiet", "print only errors on standard error");
    define_flag(v, r_.verbose, "-v,--verbose", "print more on standard error");
    define_choice(v, r_.color, "--color", "WHEN",
                  "use colours: auto (on a terminal, unless NO_COLOR is set), always or never",
                  {"auto", "always", "never"});
    define_flag(v, help_, "-h,--help", "print this help and exit");
  }
  void define_file_argument(CLI::App& v) { define_argument(v, file_, "FILE", "a file; - is standard input"); }
  void define_file_arguments(CLI::App& v) {
    define_arguments(v, r_.inputs, "FILE", "files, folders and patterns (\"courses/*.kmp\"); - is standard input");
    define_flag(v, r_.recursive, "-r,--recursive", "recurse into folders and archives");
    define_number(v, r_.jobs, "-j,--jobs", "process N files in parallel (default: one per processor)");
    define_option(v, share_, "--share", "K/N",
                  "only the K-th of N equal parts of the files, for several processes or machines");
    define_option(v, r_.manifest, "--manifest", "FILE",
                  "write down in FILE what is done, and do not do it again: for batches that may be interrupted");
    size(v, r_.limit, "--limit",
         "limit the size of nested archives (-r), or of the file that JSON describes: 500M, 2G (default: 64M plus 16 "
         "times the input)");
  }
  std::vector<std::string> all_layout_names() const {
    std::vector<std::string> names;
    for (const std::string_view layout : layout_names()) names.emplace_back(layout);
    return names;
  }
  void define_reading_options(CLI::App& v) {
    std::vector<std::string> ids;
    for (const Format* f : formats()) ids.emplace_back(f->id);
    unlisted_[define_choice(v, as_, "--as", "FORMAT", "read the input as this format instead of detecting it", ids)] =
        [](const std::string& id) { return bool(find_format_and_layout(id)); };
    define_choice(v, r_.layout, "--layout", "LAYOUT",
                  "the layout of the input, for formats that do not record it: short for --as FORMAT-LAYOUT",
                  all_layout_names());
    define_flag(v, r_.strict, "--strict", "fail on damaged parts; otherwise they are kept as raw bytes");
  }
  void define_json_option(CLI::App& v, const char* about = "JSON") { define_flag(v, r_.json, "--json", about); }
  void define_output_options(CLI::App& v, const char* about) {
    define_option(v, r_.output, "-o,--output", "OUT", about);
    define_flag(v, r_.overwrite, "-f,--force", "overwrite existing files");
    define_flag(v, r_.dry_run, "-n,--dry-run", "do everything but write, and print what would be written");
  }
  void define_in_place_options(CLI::App& v) {
    define_flag(v, r_.in_place, "-i,--in-place", "change the input file itself");
    v.add_flag("--backup{.bak}", r_.backup, "with -i: keep the old file under this suffix (.bak)")->type_name("SUFFIX");
  }
  void define_saving_options(CLI::App& v) {
    define_flag(v, r_.save.canonical, "--canonical",
                "rewrite the file in its canonical layout: the usual order, no gaps");
    define_flag(v, r_.save.lossy, "--lossy", "discard unreferenced bytes that have no position in the new layout");
  }

  void define_referrer_options(CLI::App& v) {
    auto* unlink = define_flag(v, r_.unlink, "--unlink", "clear references to removed elements");
    define_flag(v, r_.cascade, "--cascade", "also remove what refers to removed elements")->excludes(unlink);
  }

  void define_state_option(CLI::App& v) {
    define_option(v, r_.state, "--state", "STATE",
                  "the state of a map, for games that have them: night,heavy-rain,arrangement=1");
  }
  void define_scene_options(CLI::App& v) {
    define_state_option(v),
        define_flag(v, r_.every_state, "--all-states", "all states of a map in one scene, as variants");
    define_flag(v, r_.lamps, "--lamps", "export lights instead of baking them into vertex colours");
    define_option(v, r_.tick_rate, "--tick-rate", "HZ", "ticks per second, for games that count time in ticks (60)");
  }

  void define_race_option(CLI::App& v) {
    define_flag(v, r_.race, "--race", "also draw what `dio simulate` finds: shortcuts, laps that do not count");
  }

  /// What formats want to know that make files of scenes, each option once.
  void define_making_options(CLI::App& v) {
    for (const Format* f : formats())
      for (const MakeOption& o : make_options_of(*f))
        if (const auto [at, is_new] = making_.try_emplace(std::string(o.name)); is_new) {
          CLI::Option* made = v.add_option("--" + typed_option_name(o.name), at->second, std::string(o.about));
          made->type_name(std::string(o.usage));
          if (o.name == "layout") choices_[made] = all_layout_names();
        }
  }

  /// What `render` and `show` have in common.
  void define_drawing_options(CLI::App& v, const char* size) {
    define_arguments(v, r_.inputs, "FILE", "files, folders, archives and patterns; - is standard input");
    define_option(v, r_.size, "--size", "WxH", size);
    define_option(v, r_.look, "--look", "LOOK",
                  "as the console draws: ds or psx (default: plain, as modern viewers draw)");
    define_option(v, r_.zoom, "--zoom", "N", "enlarge each pixel to N x N, 1 to 16 (1)");
    define_option(v, r_.camera, "--camera", "CAMERA", "iso (default), free, top, game, AZIMUTH,ELEVATION or a name");
    define_option(v, r_.background, "--background", "COLOR", "#rrggbb, white, black, grey or transparent");
    define_option(
        v, r_.samples_across, "--samples", "N",
        "smooth edges: N x N samples per pixel, 1 to 8 (3); with --look ds, 1 turns off the smoothing of the console");
    define_option(v, r_.animation, "--animation", "NAME", "play this animation; default: all that can play together");
    define_option(v, r_.time, "--time", "TIME",
                  "a moment of the animation in seconds (1.5); with --part also H:MM, for the light");
    define_option(v, r_.frame, "--frame", "N", "a moment of the animation in ticks (see --tick-rate)");
    define_option(v, r_.strip, "--strip", "N", "N moments of the animation side by side");
    define_option(v, r_.part, "--part", "PART", "draw a part of a game");
    define_option(v, r_.show, "--show", "LIST",
                  "what to show, separated by commas: overlays with --part, layers in a plan (ckpt,enpt)");
    define_flag(v, r_.lit, "--lit", "bake the light of the game into vertex colours");
    define_scene_options(v), define_race_option(v),
        define_number(v, r_.jobs, "-j,--jobs", "work on N files in parallel (default: one per processor)");
  }

  // ---- the verbs

  void add_look_verbs() {
    constexpr const char* k_group = "Look";
    constexpr const char* k_path = "the path of a value: KTPT.entries[0].position.x";
    add_verb(k_group, "info", "describe a file: version, parts, counts",
             {"", {"dio info course.kmp", "dio info -r courses/ --json"}}, [&](CLI::App& v) {
               define_file_arguments(v), define_json_option(v, "JSON, one object per line"), define_reading_options(v);
             });
    add_verb(k_group, "ls", "list the parts of a file, one level deep, or what is in an archive or a folder",
             {"Every verb that takes a file also takes a path into an archive: game.nds/data/maps.narc/12.",
              {"dio ls course.kmp", "dio ls course.kmp KTPT", "dio ls game.nds/fielddata", "dio ls courses/"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.path, "PATH", "list what it contains", false),
                   define_json_option(v);
               define_flag(v, r_.all, "-a,--all", "for archives and folders: the members of all folders"),
                   define_reading_options(v);
             });
    add_verb(k_group, "tree", "print all values of a file",
             {"Long lists are cut to their first elements and long texts to their beginning; --all shows "
              "everything.\n\nWith --maps, FILE is a game (an image of its cartridge or disc, or a folder "
              "of its files) and PATH a part of it, such as land/489, prop/26, area/6, matrix/0, header/3 "
              "or texture-set/5. It prints what the part uses and what uses it.",
              {"dio tree course.kmp", "dio tree course.kmp CAME --all", "dio tree game.nds --maps prop/26",
               "dio tree game.nds --maps area/6 --graph dot | dot -Tsvg -o area.svg"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.path, "PATH", "only this part of the file", false),
                   define_json_option(v);
               define_number(v, r_.depth, "-d,--depth", "show N levels");
               define_flag(v, r_.all, "-a,--all", "show long lists and texts in full");
               define_flag(v, r_.maps, "--maps", "show which parts of a game refer to which");
               define_choice(v, r_.graph, "--graph", "FORM", "with --maps: print a graph for Graphviz (dot) or Mermaid",
                             {"dot", "mermaid"});
               define_reading_options(v);
             });
    add_verb(k_group, "get", "print one value",
             {"Numbers and texts are printed as they are, lists and objects as JSON. With -v, also the meaning and "
              "the unit.",
              {"dio get course.kmp STGI.entries[0].laps", "dio get course.kmp \"CAME.entries[0]\" --json"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.path, "PATH", k_path),
                   define_json_option(v, "JSON: the value with its type, offset and meaning"),
                   define_reading_options(v);
             });
    add_verb(
        k_group, "refs", "show what refers to a part of a file, and what it refers to",
        {"Without PATH, it prints every list that something refers to, and every reference that leads nowhere. In a "
         "game, PATH may be one of its parts. Names of materials, textures and palettes lead to other files; --with "
         "says to which.",
         {"dio refs course.kmp", "dio refs course.kmp POTI[3]", "dio refs course.kmp \"GOBJ[id=itembox]\"",
          "dio refs game.nds land/12", "dio refs model.nsbmd \"models[0].materials[0]\" --with waves.nsbta"}},
        [&](CLI::App& v) {
          define_file_argument(v),
              define_argument(v, r_.path, "PATH", "elements or values: POTI[3], GOBJ[2-5]; a part of a game: land/12",
                              false);
          v.add_option("--with", r_.with, "a file that has names in common with this one: an animation of a model")
              ->type_name("FILE")
              ->allow_extra_args(false);
          define_json_option(v), define_reading_options(v);
        });
    add_verb(k_group, "hex", "show the bytes of a file with their meaning",
             {"A damaged file is shown up to the damage.",
              {"dio hex course.kmp KTPT", "dio hex course.kmp --range 0x40-0x80", "dio hex course.kmp --unknown",
               "dio hex course.kmp --html -o course.html"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.path, "PATH", "only this part of the file", false);
               define_option(v, r_.range, "--range", "RANGE",
                             "only these bytes: 0x40-0x80 (end excluded), 0x40+16 or 0x40");
               define_flag(v, r_.unknown, "--unknown", "only unreferenced bytes"),
                   define_flag(v, r_.all, "-a,--all", "show long runs of bytes in full");
               define_json_option(v, "JSON: every field with its offset, size and value"),
                   define_flag(v, r_.html, "--html", "an HTML page in which bytes and fields are linked");
               define_output_options(v, "write to this file instead of standard output"), define_reading_options(v);
             });
    add_verb(
        k_group, "render", "draw pictures of files",
        {"One file, or a model with the textures and animations that belong to it, becomes one picture. Several "
         "files, "
         "a folder or an archive become a sheet of small pictures with their names; with -o FOLDER/, a picture each. "
         "Files that hold only textures become a sheet of those. Models, maps, courses and scenes are drawn as `dio "
         "convert` makes them, and so are .glb and .gltf files. With --part, FILE is a game, and a part of it is "
         "drawn: land/489, map/1, or world for the largest world; \"map/*\" is a sheet of all maps.\n\nWith -o "
         "x.svg, a course of "
         "Mario Kart Wii becomes a plan: all sections from above, with names, a legend and a scale. Sections are "
         "layers; --show ckpt,enpt shows only these; the others are in the file, but hidden.\n\nThe camera "
         "is "
         "iso (parallel, from above and the "
         "right), free (the same with perspective), top (from above, north is up), AZIMUTH,ELEVATION in degrees, "
         "game (the first camera of the file), or the name of a camera.\n\n--scale draws a map from above so that "
         "each "
         "of its tiles covers exactly N x N pixels: the picture shows the tiles of the map, and nothing that hangs "
         "over "
         "its border. --tiles writes such a map as small pictures at several sizes, {z}/{x}/{y}.png, for pages on "
         "the "
         "web, with tiles.json, which describes them, and index.html, which shows them.\n\nWith --look, pictures have "
         "the colours, pixels and drawing order of a console: the Nintendo DS or the PlayStation.",
         {"dio render course.kmp -o course.png --camera top", "dio render course.kmp -o plan.svg --show ckpt,jgpt",
          "dio render mill.nsbmd mill.nsbca -o mill.apng", "dio render mill.nsbmd mill.nsbca -o mill.gif",
          "dio render mill.nsbmd mill.nsbca -o steps.png --strip 6", "dio render props.narc sets.narc -o props.png",
          "dio render game.nds --part world --scale 16 -o overworld.png",
          "dio render game.nds --part world --tiles -o overworld/"}},
        [&](CLI::App& v) {
          define_drawing_options(
              v,
              "pixels (640x480, of a part of a game 1024x1024; with --look that of the console's screen; on a "
              "sheet 128x128; a plan 1600 wide or "
              "more)");
          define_option(
              v, r_.scale, "--scale", "N",
              "from above, N pixels per tile of the game, instead of --size; others: N/m (per metre) or N/unit");
          v.add_flag("--tiles{256}", r_.tiles,
                     "from above, as a folder of tiles, each N pixels wide (256), with a web page that shows them")
              ->type_name("PIXELS");
          define_output_options(
              v, "a .png, an .apng or .gif for motion, an .svg for a plan, or a folder (ending in a slash)");
          define_json_option(v, "JSON: the camera of each picture, on a line"), define_reading_options(v);
        });
    add_verb(
        k_group, "show", "draw files in the terminal",
        {"Draws what `dio render` draws, as large as the terminal allows: with the graphics protocol of kitty "
         "(kitty, "
         "WezTerm, Ghostty), as sixels (foot, mlterm, xterm -ti vt340 and every other terminal that reports them), "
         "or "
         "as half blocks in colours (COLORTERM and TERM decide between 24 bits and 256). Without colours, letters "
         "show what is bright. Several files follow one another with their names; a folder or an archive becomes a "
         "sheet, where the terminal has pixels.\n\nInto a pipe or a file it draws only if --graphics says how: "
         "otherwise the exit code is 2. Cameras, options for animations and --part are those of `dio render`.",
         {"dio show course.kmp --camera top", "dio show mill.nsbmd mill.nsbca --play", "dio show models/",
          "dio show town.nsbtx --graphics blocks | less -R"}},
        [&](CLI::App& v) {
          define_drawing_options(v, "pixels (as many as fit); for blocks, half lines and columns");
          define_choice(v, r_.graphics, "--graphics", "KIND",
                        "auto (default), kitty, sixel, blocks (half blocks in colours), or ascii",
                        {"auto", "kitty", "sixel", "blocks", "ascii"});
          define_flag(v, r_.play, "--play", "play the animation until a key is pressed, at most a minute");
          define_reading_options(v);
        });
    add_verb(
        k_group, "view", "look at files in a browser",
        {"Makes one page of the viewer with the files in it. It opens from disk, needs no network and sends nothing "
         "anywhere. Files in the same folder that belong to one of them are included: the textures and sounds of a "
         "pack, the files that a .GNS lists. A page holds files of at most 64 MiB; --limit allows up to 256M. Archives "
         "and images are included whole. Without files, it is the empty viewer, into which you drop files.\n\nWithout "
         "-o, the page goes into a temporary folder and opens in your browser. The folder stays until the system "
         "clears it.\n\n--serve shows files of any size, such as the image of a disc: the page reads them in parts. "
         "It prints an address with a random token, which only programs on this machine can open (127.0.0.1), and "
         "only with the token. Files that change while they are shown are read again when the page is loaded again. "
         "It stops by itself after 30 minutes without a request, and on Ctrl-C; the exit code is then 0.\n\nFiles can "
         "only be read through it, unless --edit is given: then Save in the page replaces the file on disk, as a whole "
         "and only if no other program has changed it since the page has loaded it. --backup keeps each file as it was "
         "before it was saved for the first time. Files in archives are saved with their archive.\n\nThe page itself, "
         "without files, is PREFIX/share/diorama/diorama.html, or "
         "build/viewer/diorama.html in a source tree, where `./dev viewer` builds it.",
         {"dio view course.kmp", "dio view mill.nsbmd mill.nsbca -o mill.html", "dio view game.nds --serve",
          "dio view course.kmp --serve --edit --backup", "dio view disc.bin --serve --open --minutes 120",
          "dio view -o viewer.html"}},
        [&](CLI::App& v) {
          define_arguments(v, r_.inputs, "FILE", "files, folders, archives and patterns; - is standard input", false);
          define_flag(v, r_.recursive, "-r,--recursive", "recurse into folders and archives");
          define_output_options(
              v, "write the page to this file, or into a folder (ending in a slash); - is standard output");
          define_flag(v, r_.serve, "--serve", "serve the page and the files to a browser on this machine");
          define_flag(v, r_.edit, "--edit", "with --serve: the page may save files");
          v.add_flag("--backup{.bak}", r_.backup, "with --edit: keep the old file under this suffix (.bak)")
              ->type_name("SUFFIX");
          define_number(v, r_.port, "--port", "with --serve: this port instead of a free one");
          define_flag(v, r_.open, "--open", "open the page in your browser, also with -o or --serve");
          define_option(v, r_.minutes, "--minutes", "N", "with --serve: stop after N minutes without a request (30)");
          size(v, r_.limit, "--limit",
               "limit the size of the files in a page or, with --serve, of members and piped data: 64M (default) to "
               "256M");
          define_option(v, r_.page, "--page", "FILE",
                        "the page of the viewer, without files, if it is not where `dio` looks for it");
        });
    add_verb(k_group, "explain", "explain a rule, a format or a field",
             {"TOPIC is the id of a rule (kmp.ckpt-lap), the id of a format (kmp), or a field of a file: "
              "FILE#PATH. Some formats answer questions about a position, as FILE#QUESTION@POSITION; `dio "
              "explain FORMAT` lists them. Without a topic, all ids are listed.",
              {"dio explain layout.truncated", "dio explain kmp", "dio explain course.kmp#STGI.entries[0].pole",
               "dio explain land.bin#height@8,24"}},
             [&](CLI::App& v) {
               define_argument(v, r_.topic, "TOPIC", "what to explain", false), define_json_option(v),
                   define_reading_options(v);
             });
  }

  /// How findings are chosen and printed.
  void define_finding_options(CLI::App& v) {
    define_choice(v, r_.fail_on, "--fail-on", "SEVERITY",
                  "the lowest severity that makes the exit code 1: hint, warning (the default), error, or never",
                  {"hint", "warning", "error", "never"});
    v.add_option("--rule", r_.rules, "check only rules whose ids start with ID; can be repeated")
        ->type_name("ID")
        ->allow_extra_args(false);
    v.add_option("--ignore", r_.ignored,
                 "leave out this rule, or all that match a pattern (\"kmp.pt-*\"); can be repeated")
        ->type_name("ID")
        ->allow_extra_args(false);
    define_option(v, r_.baseline, "--baseline", "FILE",
                  "print only findings that are not in FILE, the --json output of an earlier run");
    define_flag(v, r_.compact, "--compact", "one line per finding, without bytes");
    define_flag(v, r_.all, "-a,--all", "print every finding; otherwise at most three per rule and file");
    define_flag(v, r_.summary, "--summary", "print how many findings each rule has, instead of the findings");
    define_choice(v, r_.format, "--format", "FORMAT", "text, json or sarif", {"text", "json", "sarif"}),
        define_json_option(v, "same as --format json");
  }

  void add_check_verbs() {
    constexpr const char* k_group = "Check";
    add_verb(
        k_group, "check", "report what is wrong with a file",
        {"Prints what breaks the game (errors), what misbehaves (warnings) and what is worth knowing (hints), in "
         "this order, each with the id of its rule; with -v also why it matters. Equal findings about several "
         "elements are printed as one: points[17-61]. The last line counts the findings and the files that have "
         "any.\n\nExit code 1 means that a finding is at least as severe as --fail-on (a warning, by default), 0 that "
         "none is, 2 that the command line is wrong, 3 that a file cannot be read at all, 5 that it cannot be opened. "
         "With --fail-on never, findings do not change the exit code. Findings that --ignore or --baseline hides do "
         "not count.\n\nA baseline hides findings that are already known: `dio check -r "
         "courses/ "
         "--json -o known.json` writes it, and with --baseline known.json only what is new is shown. A finding stays "
         "known if its element moves, or if its file grows.\n\nWith --maps, each FILE is a "
         "game (an image of its "
         "cartridge or disc, or a folder of its files). Its maps are followed to their textures, and everything "
         "that concerns more than one file is checked. Findings known in the retail game are left out; "
         "--known shows them.\n\nWith --fix, repairs that are safe are applied and written to a new file. What "
         "was repaired and what remains is printed.",
         {"dio check course.kmp", "dio check -r courses/ --fail-on error", "dio check -r courses/ --summary",
          "dio check -r courses/ --compact --ignore \"kmp.pt-*\" --ignore kmp.ver",
          "dio check -r courses/ --json -o known.json", "dio check -r courses/ --baseline known.json",
          "dio check course.kmp --format sarif -o findings.sarif", "dio check --explain kmp.ckpt-lap",
          "dio check game.nds --maps", "dio check scene.splashpack --fix -o repaired.splashpack"}},
        [&](CLI::App& v) {
          define_file_arguments(v);
          v.get_option("FILE")->required(false);
          define_finding_options(v);
          define_flag(v, r_.maps, "--maps", "check a whole game, across its files");
          define_flag(v, r_.known, "--known", "include findings known in the retail game");
          define_option(v, r_.topic, "--explain", "ID", "explain a rule instead of checking");
          define_flag(v, r_.fix, "--fix", "apply repairs that are safe; -o names the repaired file");
          define_output_options(v, "write to this file instead of standard output"), define_reading_options(v);
        });
    add_verb(
        k_group, "simulate", "play a course by the rules of the game",
        {"Plays a Mario Kart Wii course with the checkpoint search and the lap counting of the game. Finds ways around "
         "the course that count no lap, falls after which the lap does not count, searches that never end, shortcuts "
         "that count, and, with the collision file beside it (course.kcl), roads that lie in no sector. What a kart "
         "can really do, nobody simulates, so shortcuts are hints. `dio render course.kmp --race -o race.svg` draws "
         "what was found, and so do `convert` and pictures with --race. `dio explain course.kmp#lap@X,Z` says where a "
         "place is in the lap.\n\nExit code 1 means that a finding is at least as "
         "severe as --fail-on (a warning, by default).",
         {"dio simulate course.kmp", "dio simulate course.szs/course.kmp", "dio simulate -r courses/ --summary"}},
        [&](CLI::App& v) {
          define_file_arguments(v), define_finding_options(v);
          define_output_options(v, "write to this file instead of standard output"), define_reading_options(v);
        });
    add_verb(
        k_group, "budget", "show resource use against the limits of the console",
        {"Memory, VRAM, sounds, triangles and everything else that the engine limits. Exit code "
         "1 means that something does not fit. --picture draws bars and a map of VRAM.\n\nWith --maps, FILE is a game "
         "(an image of its cartridge or disc, or a folder of its files): for each map and each area, what it takes "
         "the most of. --part shows all limits of one part: header/3, area/6, matrix/0, land/489, prop/26.",
         {"dio budget scene.splashpack", "dio budget -r scenes/ --json", "dio budget land.bin --with area.nsbtx",
          "dio budget scene.splashpack --picture budget.svg", "dio budget game.nds --maps",
          "dio budget game.nds --maps --part area/6"}},
        [&](CLI::App& v) {
          define_file_arguments(v), define_json_option(v, "JSON, one object per line");
          v.add_option("--with", r_.with,
                       "a file with textures that the model uses; FILE:FORMAT reads it as that format")
              ->type_name("FILE")
              ->allow_extra_args(false);
          define_flag(v, r_.maps, "--maps", "of the maps and areas of a game");
          define_option(v, r_.part, "--part", "PART", "with --maps: a part of the game; \"area/*\" are all areas");
          define_option(v, r_.picture, "--picture", "FILE", "also draw it as SVG");
          define_flag(v, r_.overwrite, "-f,--force", "overwrite existing files");
          define_flag(v, r_.dry_run, "-n,--dry-run", "write nothing; print what would be written"),
              define_reading_options(v);
        });
    add_verb(k_group, "verify", "check that files survive reading and writing byte for byte",
             {"Reads each file and writes it again, once directly and once through JSON, and compares the "
              "bytes. Nothing is written to disk.",
              {"dio verify course.kmp", "dio verify -r courses/"}},
             [&](CLI::App& v) {
               define_file_arguments(v), define_json_option(v, "JSON, one object per line"), define_reading_options(v);
             });
    add_verb(
        k_group, "diff", "show how two files or folders differ",
        {"Compares meaning: values that changed, elements that were added, removed or moved. Exit code 1 means that "
         "they differ. In two folders or two archives, files with the same path are compared. With --maps, two "
         "games are compared map by map: tiles, props, heights, textures, events.\n\nWith --render, a picture shows "
         "both files and what they draw differently, seen from the same place: what is new is green, what was removed "
         "is red, what changed or moved is yellow, and the rest is grey. A name ending in .apng or .gif gives one "
         "that blinks "
         "between the two. Textures that differ become a sheet. Also for .glb and .gltf files, which are compared "
         "only by what they draw. /dev/null stands for a file that does not exist, as in git.",
         {"dio diff old.kmp new.kmp", "dio diff old.kmp new.kmp --bytes", "dio diff game.nds hack.nds --maps",
          "dio diff old.nsbmd new.nsbmd --with town.nsbtx --render changes.png"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "A", "a file or a folder; - is standard input"),
              define_argument(v, r_.other, "B", "what to compare it with");
          define_flag(v, r_.bytes, "--bytes", "compare bytes instead of meaning");
          define_flag(v, r_.maps, "--maps", "compare the maps of two games");
          define_flag(v, r_.all, "-a,--all", "with --maps: list every map that a change affects"),
              define_json_option(v);
          define_option(v, r_.render, "--render", "OUT",
                        "also draw what differs: a .png, or an .apng or .gif that blinks");
          define_option(v, r_.size, "--size", "WxH", "with --render: pixels of each picture (480x480)");
          define_option(v, r_.camera, "--camera", "CAMERA",
                        "with --render: iso (default), free, top, game, AZIMUTH,ELEVATION or a name");
          define_option(v, r_.background, "--background", "COLOR",
                        "with --render: #rrggbb, white, black, grey or transparent");
          define_option(v, r_.time, "--time", "SECONDS", "with --render: a moment of the animations (1.5)");
          v.add_option("--with", r_.with, "with --render: textures or animations that belong to both files")
              ->type_name("FILE")
              ->allow_extra_args(false);
          define_flag(v, r_.overwrite, "-f,--force", "with --render: overwrite an existing file");
          define_flag(v, r_.dry_run, "-n,--dry-run", "with --render: write nothing; print what would be written");
          define_reading_options(v);
        });
    add_verb(
        k_group, "merge", "join two edits of one file",
        {"BASE is the file that both edits began with. Edits of different values, elements or files of an archive are "
         "joined; what one side added, removed or moved does not change what the other one refers to. Where both "
         "changed the same thing in different ways, each collision is printed, nothing is written, and the exit code "
         "is 1.\n\n`dio git install` lets git use it.",
         {"dio merge base.kmp mine.kmp yours.kmp -o both.kmp",
          "dio merge base.kmp mine.kmp yours.kmp -i --favor theirs"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "BASE", "the file before both edits"),
              define_argument(v, r_.other, "OURS", "the file after one edit"),
              define_argument(v, r_.theirs, "THEIRS", "the file after the other edit");
          define_choice(v, r_.favor, "--favor", "SIDE", "who is right where the edits collide: ours or theirs",
                        {"ours", "theirs"});
          define_option(v, r_.called, "--name", "NAME", "the name of the file in messages");
          define_output_options(v, "the output file; - is standard output");
          define_flag(v, r_.in_place, "-i,--in-place", "write over OURS");
          v.add_flag("--backup{.bak}", r_.backup, "with -i: keep the old file under this suffix (.bak)")
              ->type_name("SUFFIX");
          define_json_option(v, "JSON: the collisions"), define_reading_options(v);
        });
    add_verb(
        k_group, "git", "set up a git repository",
        {"`dio git install` lets git compare (git diff, git difftool --tool=dio) and merge the files of games in the "
         "repository around this folder: it adds lines to its .gitattributes and its configuration, and prints them.",
         {"dio git install", "dio git install -n"}},
        [&](CLI::App& v) {
          define_argument(v, r_.topic, "install", "what to do");
          define_flag(v, r_.dry_run, "-n,--dry-run", "write nothing; print what would be set");
        });
  }

  void add_change_verbs() {
    constexpr const char* k_group = "Change";
    add_verb(
        k_group, "set", "change values",
        {"A value is a number (3, 0x1F, 1.5), a word that the field knows (\"moving road\") or a text. All "
         "other bytes stay as they are, except for sizes and counts that follow from the value.\n\nA path may mean "
         "several values: GOBJ[*], GOBJ[2-5], GOBJ[id=itembox].presence. +=, -= and *= change the present value by a "
         "number; whole numbers are rounded to the nearest. Values of a structure are separated by commas: "
         "position=1,2,3.\n\nSeveral files can be changed at "
         "once, with -i or into a folder: all of them, or none.",
         {"dio set course.kmp STGI.entries[0].laps=5 -o new.kmp",
          "dio set course.kmp \"AREA.entries[2].type=moving road\" -i --backup",
          "dio set course.kmp \"GOBJ[id=itembox].position.y+=100\" -o higher.kmp",
          "dio set courses/*.kmp STGI.entries[0].laps=5 -i"}},
        [&](CLI::App& v) {
          define_file_argument(v),
              define_arguments(v, r_.assignments, "PATH=VALUE", "more files, then the values to change");
          define_output_options(v, "the output file; - is standard output"), define_in_place_options(v),
              define_reading_options(v);
        });
    add_verb(
        k_group, "edit", "add, remove and move elements; apply named edits",
        {"Without an edit, the edits of the format are listed. Several edits can follow one another: each sees what "
         "the "
         "ones before it did. Unlike `dio set`, an edit may change the length of a file; sizes, counts and offsets are "
         "updated.\n\nLists of every format can be edited: add, remove, duplicate, move, swap and sort; where the "
         "structures "
         "of a file cannot move (BRRES), what needs room is refused. References to "
         "elements follow them. An element that something still refers to is not removed: --unlink clears these "
         "references; --cascade also removes the elements that refer to it. With -n or -v, every change is "
         "printed.\n\nA cartridge, a disc or a "
         "folder may be edited as a game: what takes several files, and parts such as land/12, which get other numbers "
         "with all that refers to them.",
         {"dio edit land.bin", "dio edit course.kmp remove POTI[3] --unlink -o new.kmp",
          "dio edit course.kmp duplicate ENPT[4] move GOBJ[7] before=2 -i",
          "dio edit land.bin raise-plate plate=3 by=16 -o new.bin",
          "dio edit land.bin set-tiles x=3..9 z=20 \"behavior=tall grass\" remove-prop prop=0 -i",
          "dio edit mill.nsbmd set models[0].materials[1].name=cloth --with mill.nsbta -i",
          "dio edit game.nds add-prop land=12 model=40 x=8 z=24 move land/12 before=land/3 -o new.nds"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "FILE", "a file or a game; - is standard input"),
              define_arguments(v, r_.assignments, "EDIT", "an edit, its paths, and its arguments as NAME=VALUE", false);
          define_option(v, r_.script, "--script", "FILE", "edits from a file, one a line; - is standard input");
          v.add_option("--with", r_.with,
                       "a file that means the same by its names: an animation of a model, a model with textures; it "
                       "follows what is renamed")
              ->type_name("FILE")
              ->allow_extra_args(false);
          define_referrer_options(v);
          define_output_options(v, "the output file; - is standard output"), define_in_place_options(v),
              define_saving_options(v);
          define_json_option(v, "JSON: list the edits"), define_reading_options(v);
        });
    add_verb(
        k_group, "decode", "convert a file to JSON",
        {"The JSON holds everything: `dio encode` turns it back into the same bytes.\n\n--lean is for "
         "version control: a line of it changes only if the data does. It leaves out offsets, sizes and counts that "
         "`dio encode` can compute. If the layout of a file is unusual, it keeps the offsets and sizes that are "
         "needed, "
         "and says so.\n\n--refs is for "
         "programs that edit the JSON: elements have an \"@id\", and references are these ids, so elements can be "
         "removed, inserted and sorted, and `dio encode` numbers them again.",
         {"dio decode course.kmp -o course.json", "dio decode course.kmp | jq .document.version",
          "dio decode courses/*.kmp -o decoded/", "dio decode land.bin --lean -o land.json",
          "dio decode course.kmp --refs | jq 'del(.document.ENPT.entries[7])' | dio encode - -o new.kmp"}},
        [&](CLI::App& v) {
          define_file_arguments(v),
              define_output_options(v, "a file, a folder (ending in a slash), or - for standard output");
          define_flag(v, r_.omit_derived, "--lean", "leave out offsets, sizes and counts that follow from the rest");
          define_flag(v, r_.by_id, "--refs", "references are ids of elements in place of numbers"),
              define_reading_options(v);
        });
    add_verb(k_group, "encode", "convert JSON back to a file",
             {"JSON that was not edited gives the original bytes. After an edit, counts, sizes and offsets are "
              "updated.",
              {"dio encode course.json -o course.kmp"}},
             [&](CLI::App& v) {
               define_file_arguments(v),
                   define_output_options(v, "a file, a folder (ending in a slash), or - for standard output"),
                   define_saving_options(v);
             });
    add_verb(
        k_group, "convert", "convert files to glTF or JSON, and back",
        {"The extension of OUT decides what is made: .glb and .gltf for Blender and other 3D programs, .json "
         "for reading and editing, the extension of a console format for such a file. Converting to the same "
         "format with --canonical rewrites the layout of a file. Textures and animations given along with "
         "models are exported with them: those of the same name, or those that fit. A map inside an image of "
         "its game comes with the textures and props that the game gives it; so does a map whose file lists "
         "others (.GNS) in the same folder.\n\n--onto FILE applies an edited .glb or .gltf that was made from "
         "FILE: what was moved, turned, scaled, copied and deleted (courses, props of maps), or vertices and texture "
         "coordinates (Final Fantasy Tactics). Everything else in FILE stays as it is; what FILE cannot state is "
         "refused. Where the scene has changes that cannot be taken, or lacks more than three elements, nothing is "
         "written without "
         "--partly or --delete. The program that saved the scene should keep custom properties, and must keep vertex "
         "attributes "
         "(_SOURCE) where vertices are applied.\n\nSome formats (splashpack) can be made from any .glb or .gltf, by "
         "the names and custom "
         "properties of its nodes. Files that belong together get the name of OUT and their own extensions. The "
         "options from --target-layout on are for this, and for converting a file to another version of its format.",
         {"dio convert course.kmp -o course.glb", "dio convert courses/*.kmp -o glb/ --to glb",
          "dio convert mill.nsbmd mill.nsbca town.nsbtx -o mill.glb",
          "dio convert MAP/MAP001.GNS --state night -o map.glb", "dio convert course.kmp -o clean.kmp --canonical",
          "dio convert edited.glb --onto course.kmp -o new.kmp", "dio convert edited.glb --onto MAP001.9 -o new.9",
          "dio convert scene.glb -o scene.splashpack --scaling 20",
          "dio convert old.splashpack -o new.splashpack --target-layout v21"}},
        [&](CLI::App& v) {
          define_file_arguments(v),
              define_option(
                  v, r_.to, "--to", "TYPE",
                  "the output type, if the extension of OUT does not tell: glb, gltf, json, or the id of a format");
          define_option(v, r_.onto, "--onto", "FILE", "apply an edited .glb or .gltf to this file; -i changes it");
          define_referrer_options(v);
          define_flag(v, r_.partly, "--partly", "leave out what cannot be taken from the scene");
          define_flag(v, r_.deletes, "--delete", "with --onto: remove more than three elements that the scene lacks");
          define_flag(v, r_.lit, "--lit", "bake the light of the game into vertex colours");
          define_scene_options(v), define_race_option(v), define_making_options(v);
          define_output_options(v, "a file, a folder (ending in a slash), or - for standard output"),
              define_in_place_options(v), define_saving_options(v), define_reading_options(v);
        });
    add_verb(
        k_group, "textures", "extract textures as PNG, or import edited ones",
        {"Palettes and bit depths stay as they are. The pictures come with textures.json, which describes each "
         "of them and is read by --replace. An edited picture may have another size, and \"format\" in "
         "textures.json may be changed. Textures that were not edited keep their bytes. A palette gets new colours "
         "if all its pictures in the folder agree on them. With --pal, the palettes are files as well, and --replace "
         "takes the colours from these, not from the pictures.",
         {"dio textures town.nsbtx", "dio textures town.nsbtx -o pictures/",
          "dio textures town.nsbtx --pal -o pictures/", "dio textures town.nsbtx --replace pictures -o new.nsbtx",
          "dio textures MAP001.8 --with MAP001.9 -o pictures/",
          "dio textures town.nsbtx --with town.nsbmd -o pictures/",
          "dio textures cave.bin --as fft-texture --with cave.map:fft-mesh -o pictures/"}},
        [&](CLI::App& v) {
          define_file_arguments(v),
              define_flag(v, r_.all, "--all-palettes", "each texture with every palette that fits it");
          define_flag(v, r_.palette_files, "--pal", "also write each palette as a JASC palette (.pal)");
          define_option(v, r_.replace, "--replace", "FOLDER", "import the edited pictures of this folder");
          define_flag(v, r_.adds, "--add",
                      "with --replace: pictures that textures.json does not name are new textures");
          define_flag(v, r_.rescales, "--rescale",
                      "with --replace: texture coordinates of the model follow pictures of another size");
          define_option(v, r_.vram, "--vram", "FILE", "the whole VRAM as one picture, for files that hold it");
          v.add_option(
               "--with", r_.with,
               "a file with the palettes, or a model that names the palette of each texture; FILE:FORMAT reads it as "
               "that format")
              ->type_name("FILE")
              ->allow_extra_args(false);
          define_output_options(v, "the folder for the pictures; with --replace, the new file"),
              define_in_place_options(v), define_saving_options(v), define_reading_options(v);
          define_json_option(v);
        });
  }

  void add_archive_verbs() {
    constexpr const char* k_group = "Archives";
    add_verb(k_group, "unpack", "extract an archive to a folder",
             {"Members without names become 0000.bin, 0001.bin and so on. Everything else goes into "
              "the folder _system, such as the programs and tables of a cartridge. `dio pack` restores the archive; "
              "on a disc, the files may get other sectors. A folder inside an archive can be extracted alone. "
              "Names with a meaning to the file system, such as .., are written as %2E%2E.",
              {"dio unpack land_data.narc -o land_data", "dio unpack game.nds -o game",
               "dio unpack game.nds/fielddata/mapmatrix -o mapmatrix"}},
             [&](CLI::App& v) {
               define_argument(v, file_, "ARCHIVE", "an archive, or a path into one; - is standard input");
               define_output_options(v, "the output folder, new or empty");
             });
    add_verb(
        k_group, "pack", "create an archive from a folder, or compress a file",
        {"A folder with _system/header.bin becomes a cartridge; other folders become a NARC of the files "
         "0000.bin, 0001.bin and so on, or of those that a file *.order names, one per line. Unchanged members "
         "of an unpacked archive stay where they were. The header checksum of a cartridge is updated. Without "
         "_system/fnt.bin and _system/fat.bin, the name table of a cartridge is rebuilt. An output .iso creates "
         "a disc image, and so do .bin and .img, with 2352-byte sectors, if the folder is not an unpacked archive.\n\n"
         "An output .arc creates a U8 archive of the folder, and .szs a compressed one. A FILE becomes a compressed "
         "file: .lz (also of a folder with a single file) or .szs. Unchanged data of an unpacked .lz or .szs keeps its "
         "bytes. Links in a folder are refused, unless --follow is given.",
         {"dio pack land_data -o land_data.narc", "dio pack game -o game.nds", "dio pack maps --named -o maps.narc",
          "dio pack disc -o disc.iso", "dio pack course -o course.szs", "dio pack town.nsbmd -o town.lz"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "FOLDER", "a folder of files; for .lz and .szs also a file");
          define_output_options(v, "the output archive; - is standard output");
          define_flag(v, r_.named, "--named", "a NARC that keeps file names");
          define_choice(v, r_.byte_order, "--byte-order", "MARK",
                        "the byte order mark of a NARC: fe-ff (Pokémon games) or ff-fe (other games)",
                        {"fe-ff", "ff-fe"});
          define_choice(v, r_.lz, "--lz", "KIND", "compress one file as lz10 (the default for .lz) or lz11",
                        {"lz10", "lz11"});
          define_flag(v, r_.follow, "--follow", "follow symbolic links and pack their targets");
          size(v, r_.limit, "--limit",
               "the largest size that an unpacked archive may record: 500M, 2G (default: 64M plus 16 times its files)");
        });
  }

  void add_other_verbs() {
    constexpr const char* k_group = "More";
    std::vector<std::string> ids;
    for (const Format* f : formats()) ids.emplace_back(f->id);
    add_verb(k_group, "find", "find files inside any other file",
             {"Searches archives, images of discs and memory, or anything else for files of the known "
              "formats. Compressed files are not found.",
              {"dio find disc.iso", "dio find memory.bin --every-byte -o found/"}},
             [&](CLI::App& v) {
               define_file_arguments(v),
                   define_flag(v, r_.every_byte, "--every-byte", "search at every byte instead of every fourth"),
                   define_json_option(v);
               define_output_options(v, "a folder (ending in a slash) for the files found");
             });
    add_verb(
        k_group, "maps", "list the maps of a game",
        {"GAME is an image of a cartridge or a disc, another archive, or a folder of the files of a game, unpacked "
         "or as sources. With PART, that part is described: for a map with states what each state changes, and with "
         "--state which file provides what; for other parts what they use and what uses them. --make builds a file "
         "from the others: matshp, the order in which the shapes of props are drawn.",
         {"dio maps game.nds", "dio maps game.nds --json | jq .maps[3].lands",
          "dio maps game.bin map/1 --state night,heavy-rain",
          "dio maps game/ --make matshp -o build_model_matshp.dat"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "GAME", "an image of a cartridge or a disc, or a folder"), define_json_option(v);
          define_argument(v, r_.path, "PART", "a part of it, such as map/1 or land/489", false), define_state_option(v);
          define_option(v, r_.make, "--make", "NAME", "build a file from the others: matshp");
          define_output_options(v, "the output file; - is standard output");
        });
    add_verb(
        k_group, "world", "export the maps of a game as glTF",
        {"PART is land/489, header/3, matrix/2, area/6 or map/1, as `dio maps` and `dio tree --maps` "
         "name them; the default is the largest world of a cartridge. Textures, light, props and "
         "animations are those of the game. Every node names the part of the files it comes from.",
         {"dio world game.nds -o world.glb", "dio world game.nds header/3 --time 20:00 -o town.glb",
          "dio world game/ land/489 --show tiles,heights -o land.glb",
          "dio world game.bin map/1 --all-states -o map.glb"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "GAME", "an image of a cartridge or a disc, or a folder");
          define_argument(v, r_.path, "PART", "the part to export; default: the largest world of a cartridge", false);
          define_output_options(v, "a .glb or .gltf file; - is standard output");
          define_option(v, r_.time, "--time", "H:MM", "the time of day, for the light; default: 12:00");
          define_option(v, r_.show, "--show", "LIST",
                        "overlays, separated by commas: tiles, collision, heights, events, warps");
          define_scene_options(v);
          define_flag(v, r_.rotation, "--rotation", "apply the prop rotations in the files, which the game ignores");
          define_flag(v, r_.instances, "--instances", "use instancing for repeated meshes (EXT_mesh_gpu_instancing)");
        });
    add_verb(k_group, "formats", "list the known formats", {"", {"dio formats", "dio formats --samples samples/"}},
             [&](CLI::App& v) {
               define_json_option(v),
                   define_option(v, r_.samples, "--samples", "FOLDER", "write sample files of every format");
               define_flag(v, r_.mime, "--mime", "print MIME types for desktops (shared-mime-info)");
               define_flag(v, r_.thumbnailer, "--thumbnailer",
                           "print the entry that makes file managers call `dio thumbnail`");
               define_flag(v, r_.desktop, "--desktop", "print the entry by which desktops open files with `dio view`");
               define_flag(v, r_.overwrite, "-f,--force", "overwrite existing files"),
                   define_flag(v, r_.dry_run, "-n,--dry-run", "write nothing; print what would be written");
             });
    add_verb(
        k_group, "thumbnail", "draw a small picture of a file, for file managers",
        {"Draws one file, without those that belong to it, as a PNG that is at most --size pixels wide and high; of "
         "textures, the first 16. OUT is overwritten. There are limits, so that no file can stop a file manager: 64 "
         "MiB, 2,000,000 triangles, 1 GiB of memory, 5 seconds. Exit code 1 means that there is nothing to see, 4 "
         "that a limit was exceeded, 5 also that memory ran out.\n\n`cmake --install` and the Debian package "
         "install what desktops need to call this by themselves: `dio formats --mime` and `dio formats "
         "--thumbnailer` print it.",
         {"dio thumbnail -s 256 course.kmp course.png"}},
        [&](CLI::App& v) {
          define_file_argument(v), define_argument(v, r_.other, "OUT", "the PNG; - is standard output");
          define_option(v, r_.size, "-s,--size", "N", "the largest width and height in pixels, 1 to 1024 (128)"),
              define_reading_options(v);
        });
    add_verb(k_group, "schema", "describe the JSON of a format",
             {"A JSON Schema of what `dio decode` prints: editors check and complete with it. With "
              "--markdown, it prints readable tables of all fields.",
              {"dio schema kmp > kmp.schema.json", "dio schema kmp --markdown"}},
             [&](CLI::App& v) {
               choices_[define_argument(v, r_.topic, "FORMAT", "the id of a format")] = ids;
               define_flag(v, r_.markdown, "--markdown", "print Markdown tables"),
                   define_output_options(v, "write to this file instead of standard output");
             });
    add_verb(k_group, "completion", "print completions for your shell",
             {"Prints a script for the shell to read.",
              {"dio completion bash > ~/.local/share/bash-completion/completions/dio",
               "dio completion fish > ~/.config/fish/completions/dio.fish"}},
             [&](CLI::App& v) {
               choices_[define_argument(v, r_.topic, "SHELL", "bash, zsh or fish")] = {"bash", "zsh", "fish"};
             });
    add_verb(k_group, "help", "show help for a verb", {"", {"dio help check", "dio help --man | man -l -"}},
             [&](CLI::App& v) {
               define_argument(v, r_.topic, "VERB", "the verb", false),
                   define_flag(v, r_.man, "--man", "print the manual page, in roff");
             });
  }

  // ---- what is wrong

  bool check_choices(Parsed& p);
  OptionText describe_option(const CLI::Option&) const;

  std::string_view only_;
  CLI::App app_{"", "dio"};
  Request r_;
  std::string as_, file_, share_;
  bool help_ = false, version_ = false;
  std::map<std::string, std::string> making_;
  std::map<std::string, More> more_;
  std::map<const CLI::Option*, std::vector<std::string>> choices_;
  std::map<const CLI::Option*, bool (*)(const std::string&)> unlisted_;  // what can be said besides
};

OptionText CommandLine::describe_option(const CLI::Option& o) const {
  OptionText t;
  for (const std::string& n : o.get_snames()) t.names.push_back("-" + n);
  for (const std::string& n : o.get_lnames()) t.names.push_back("--" + n);
  const bool positional = t.names.empty();
  if (positional) t.names.push_back(o.get_name());
  t.about = o.get_description();
  t.value = o.get_type_name();
  t.optional_value = o.get_expected_max() == 0 && !t.value.empty() && t.value != "BOOLEAN";
  if (!positional && o.get_expected_max() == 0 && !t.optional_value) t.value.clear();
  t.required = o.get_required();
  t.several = o.get_expected_max() > 1;
  if (const auto c = choices_.find(&o); c != choices_.end()) t.choices = c->second;
  return t;
}

Manual CommandLine::build_manual() {
  Manual m;
  for (const CLI::Option* o : app_.get_options()) m.common.push_back(describe_option(*o));
  for (const CLI::App* v : app_.get_subcommands({})) {
    VerbText t;
    t.name = v->get_name();
    t.group = v->get_group();
    t.about = v->get_description();
    t.details = more_[t.name].details;
    const auto& examples = more_[t.name].examples;
    t.examples.assign(examples.begin(), examples.end());
    for (const CLI::Option* o : v->get_options())
      (o->get_positional() ? t.arguments : t.options).push_back(describe_option(*o));
    m.verbs.push_back(std::move(t));
  }
  return m;
}

bool CommandLine::check_choices(Parsed& p) {
  for (const auto& [o, words] : choices_) {
    if (o->count() == 0) continue;
    const std::string given = o->as<std::string>();
    if (std::find(words.begin(), words.end(), given) != words.end()) continue;
    if (const auto known = unlisted_.find(o); known != unlisted_.end() && known->second(given)) continue;
    const std::string like = closest_match(given, words), name = describe_option(*o).names.back();
    set_usage_error(
        p, "invalid value " + in_quotes(given) + " for " + name,
        (like.empty() ? "" : "did you mean " + like + "? ") + "The possible values are " + join_texts(words, ", "));
    return false;
  }
  return true;
}

/// The verb that was probably meant, also by the names that other programs have for the same.
static std::string suggest_verb(const std::string& typed, const std::vector<std::string>& verbs) {
  static constexpr std::pair<std::string_view, const char*> k_elsewhere[] = {
      {"extract", "unpack"}, {"decompress", "unpack"}, {"compress", "pack"}, {"export", "convert"},
      {"import", "convert"}, {"open", "view"},         {"draw", "render"},   {"screenshot", "render"},
      {"list", "ls"},        {"dump", "tree"},         {"print", "tree"},    {"compare", "diff"},
      {"validate", "check"}, {"lint", "check"},        {"fix", "check"},     {"repair", "check"},
      {"search", "find"},    {"change", "set"},        {"json", "decode"},   {"describe", "info"}};
  for (const auto& [word, verb] : k_elsewhere)
    if (lower_case(typed) == word) return verb;
  return closest_match(typed, verbs);
}

/// The last of several inputs, if it looks like an output without -o: it does not exist, and is a folder or of another
/// type than the first.
static std::string find_misplaced_output(const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  if (inputs.size() < 2) return {};
  const std::string& last = inputs.back();
  const std::string& first = inputs.front();
  std::error_code error;
  const bool is_type = last.ends_with('/') || (!fs::path(last).extension().empty() &&
                                               fs::path(last).extension() != fs::path(first).extension());
  return is_type && fs::exists(first, error) && !fs::exists(last, error) && last.find_first_of("*?[") == last.npos &&
                 (last.find('/') == last.npos || last.find('/') + 1 == last.size() ||
                  fs::is_directory(fs::path(last).parent_path(), error))
             ? last
             : std::string();
}

/// As it has to be typed: in quotes if it has spaces.
static std::string quote_for_shell(const std::string& name) {
  return name.find(' ') == name.npos ? name : in_quotes(name);
}

/// Without a verb, or with one that does not exist. `left`: the arguments that nothing has taken.
static void set_verb_error(Parsed& p, const Manual& m, const std::vector<std::string>& left) {
  const auto first = std::find_if(left.begin(), left.end(), [](const std::string& s) { return !s.starts_with('-'); });
  if (first == left.end()) {
    if (!left.empty()) {
      set_usage_error(p, "options go after the verb: dio VERB " + left.front() + " ...", "`dio help` lists the verbs");
    } else {
      p.report.err = help_overview(m);
      p.report.exit = ExitCode::usage;
    }
    return;
  }
  std::vector<std::string> names = m.names();
  names.emplace_back("--version");
  const std::string like = suggest_verb(*first, names);
  std::error_code error;
  if (std::filesystem::exists(*first, error))
    set_usage_error(p, "a verb is missing before the file " + *first,
                    "`dio info " + *first + "` describes it; `dio help` lists the verbs");
  else
    set_usage_error(
        p, "unknown verb " + in_quotes(*first),
        like.empty() ? "`dio help` lists them" : "did you mean `dio " + like + "`? `dio help` lists them all");
}

/// K/N of --share; false if it is none, with an error.
static bool parse_share(Parsed& p, const std::string& text, const std::string& usage) {
  char end = 0;
  size_t share = 0, shares = 0;
  if (std::sscanf(text.c_str(), "%zu/%zu%c", &share, &shares, &end) != 2 || share < 1 || share > shares) {
    set_usage_error(p, "--share takes two numbers: 1/4 to 4/4 are the parts of four, not " + in_quotes(text), usage);
    return false;
  }
  p.request.share = share - 1, p.request.shares = shares;
  return true;
}

Parsed CommandLine::parse(int argc, const char* const* argv) {
  Parsed p;
  const Manual m = build_manual();
  std::string problem;
  try {
    app_.parse(argc, argv);
  } catch (const CLI::RequiredError& e) {
    problem = e.what();
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string what = e.what();
    problem = what.substr(0, what.find(':')) + " needs a value";
  } catch (const CLI::ParseError& e) {
    problem = e.what();
    if (const size_t at = problem.find(": must"); at != problem.npos) problem.erase(at, 1);
  }
  const auto chosen = app_.get_subcommands();
  const CLI::App* v = chosen.empty() ? nullptr : chosen.front();
  if (v) p.request.verb = v->get_name();
  const VerbText* text = v ? m.find(v->get_name()) : nullptr;

  if (version_) {
    p.report.out = "dio " DIORAMA_VERSION "\n";
    return p;
  }
  if (help_) {
    p.report.out = text ? help_of(m, *text) : help_overview(m);
    return p;
  }
  // An option or argument too many is likelier what is meant than the one that is missing then.
  std::vector<std::string> left = app_.remaining(true);
  std::erase(left, "--");
  if (!text) {
    set_verb_error(p, m, left);
    return p;
  }
  const std::string usage = usage_line(*text) + "\n    `dio help " + text->name + "` has details";
  for (const std::string& extra : left) {
    if (extra.size() > 1 && extra.starts_with('-')) {
      std::vector<std::string> names;
      for (const auto* list : {&text->options, &m.common})
        for (const OptionText& o : *list) names.insert(names.end(), o.names.begin(), o.names.end());
      if (std::find(names.begin(), names.end(), extra.substr(0, extra.find('='))) != names.end()) {
        set_usage_error(p, "options go after the verb", "dio " + text->name + " " + extra + " ...");
        return p;
      }
      const std::string like = extra.starts_with("--") ? closest_match(extra.substr(0, extra.find('=')), names) : "";
      const bool takes_several = extra.starts_with("--with") && !text->arguments.empty() && text->arguments[0].several;
      set_usage_error(p, "unknown option " + extra,
                      takes_several
                          ? "give the files that belong to a file along with it: dio " + text->name + " FILE OTHER ..."
                      : like.empty() ? usage
                                     : "did you mean " + like + "?");
    } else {
      const bool may_be_output = !file_.empty() && r_.output.empty() && v->get_option_no_throw("-o");
      set_usage_error(
          p, "unexpected argument " + in_quotes(extra),
          may_be_output ? "name the output with -o: dio " + text->name + " " + file_ + " -o " + extra : usage);
    }
    return p;
  }
  if (!problem.empty()) {
    for (const OptionText& a : text->arguments)
      if (a.required && v->get_option(a.names[0])->count() == 0) {
        problem = "the argument " + a.names[0] + " is missing";
        break;
      }
    set_usage_error(p, problem, usage);
    return p;
  }
  if (!check_choices(p)) return p;

  r_.verb = p.request.verb;
  p.request = r_;
  for (const auto& [name, value] : making_)
    if (!value.empty()) p.request.making.push_back({name, value});
  if (!as_.empty()) p.request.as = find_format_and_layout(as_);
  if (!r_.layout.empty()) {
    const ReadAs layout = find_layout(r_.layout);
    if (p.request.as && p.request.as != layout && p.request.as != ReadAs{layout.format}) {
      set_usage_error(p, "--as " + as_ + " and --layout " + r_.layout + " contradict each other",
                      "--layout " + r_.layout + " is short for --as " + layout.id());
      return p;
    }
    p.request.as = layout;
  }
  if (r_.maps && (!share_.empty() || !r_.manifest.empty())) {
    set_usage_error(p, "--share and --manifest cannot be combined with --maps: they are for files", usage);
    return p;
  }
  if (!share_.empty() && !parse_share(p, share_, usage)) return p;
  if (!file_.empty()) p.request.inputs = {file_};
  const bool may_have_output = v->get_option_no_throw("-o") && r_.output.empty() && !r_.in_place && r_.verb != "check";
  if (const std::string output = find_misplaced_output(p.request.inputs); may_have_output && !output.empty()) {
    set_usage_error(p, "no such file: " + output,
                    "name the output with -o: dio " + text->name + " " + quote_for_shell(p.request.inputs[0]) + " -o " +
                        quote_for_shell(output));
    return p;
  }
  p.run = true;
  return p;
}

}  // namespace

static Parsed parse_arguments(int argc, const char* const* argv) {
  if (argc > 1)
    if (CommandLine one(argv[1]); one.has_verbs()) return one.parse(argc, argv);
  return CommandLine().parse(argc, argv);
}

/// What was typed, without inputs and what only says how to work on them: the same for all parts of a batch.
/// Whether a word is short flags that do not change what is done: -rq, -rj2. `takes_next`: the number of jobs is the
/// next word.
static bool is_short_flags(std::string_view word, bool& takes_next) {
  if (word.size() < 2 || word[0] != '-' || word[1] == '-') return false;
  const size_t jobs = std::min(word.find('j'), word.size());
  takes_next = jobs + 1 == word.size();
  return word.substr(1, jobs - 1).find_first_not_of("qvfr") == word.npos &&
         word.find_first_not_of("0123456789", std::min(jobs + 1, word.size())) == word.npos;
}

static std::string normalized_command(int argc, const char* const* argv, const std::vector<std::string>& inputs) {
  constexpr std::string_view k_values[] = {"-j", "--jobs", "--share", "--manifest", "--color"};
  constexpr std::string_view k_flags[] = {"-q", "--quiet", "-v", "--verbose", "-f", "--force", "-r", "--recursive"};
  std::string out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i], name = word.substr(0, word.find('='));
    if (std::ranges::find(k_flags, word) != std::end(k_flags) || std::ranges::find(inputs, word) != inputs.end())
      continue;
    if (std::ranges::find(k_values, name) != std::end(k_values)) {
      i += name == word;  // its value is the next word
      continue;
    }
    if (bool takes_next = false; is_short_flags(word, takes_next)) {
      i += takes_next;
      continue;
    }
    out += (out.empty() ? "" : " ") + std::string(word);
  }
  return out;
}

Parsed parse(int argc, const char* const* argv) {
  Parsed out = parse_arguments(argc, argv);
  if (!out.request.manifest.empty()) out.request.command = normalized_command(argc, argv, out.request.inputs);
  return out;
}

Manual build_manual() { return CommandLine().build_manual(); }

}  // namespace dio::cli

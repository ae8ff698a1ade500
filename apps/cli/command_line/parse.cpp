// parse.cpp: the only file that knows the library that parses command lines. Its errors become plain sentences.
#include "parse.hpp"

#include <CLI/CLI.hpp>
#include <map>

#include "../files/files.hpp"
#include "../system/filesystem.hpp"
#include "core/command_text.hpp"
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
    app_.allow_windows_style_options(false);
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
  Parsed parse(const std::vector<std::string>& arguments);
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
    define_flag(v, r_.quiet, "-q,--quiet", "suppress all messages except errors");
    define_flag(v, r_.verbose, "-v,--verbose", "print more details");
    define_choice(v, r_.color, "--color", "WHEN",
                  "use colours: auto (on a terminal, unless NO_COLOR is set), always or never",
                  {"auto", "always", "never"});
    define_flag(v, help_, "-h,--help", "print this help and exit");
  }
  void define_file_argument(CLI::App& v) {
    define_argument(v, file_, "FILE", "the file to read; - means standard input");
  }
  void define_file_arguments(CLI::App& v) {
    define_arguments(v, r_.inputs, "FILE",
                     "files, folders or patterns such as \"courses/*.kmp\"; - means standard input");
    define_flag(v, r_.recursive, "-r,--recursive", "recurse into folders and archives");
    define_number(v, r_.jobs, "-j,--jobs", "process N files in parallel (default: one per processor)");
    define_option(v, files_from_, "--files-from", "FILE",
                  "also process the files named in FILE, one per line; - means standard input; exit "
                  "code 3 if there are none");
    define_option(v, share_, "--share", "K/N",
                  "process only part K of N equal parts of the files, to divide the work among processes or machines");
    define_option(v, r_.manifest, "--manifest", "FILE",
                  "record finished files in FILE and skip them next time, to resume an interrupted batch");
    size(v, r_.limit, "--limit",
         "the size limit for nested archives (-r) and for files encoded from JSON, such as 500M or 2G (default: 64M "
         "plus 16 times the input size)");
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
    define_choice(
        v, r_.layout, "--layout", "LAYOUT",
        "the version or layout of the input, for formats whose files do not record it; short for --as FORMAT-LAYOUT",
        all_layout_names());
    define_flag(v, r_.strict, "--strict", "fail on damaged parts instead of keeping them as raw bytes");
  }
  void define_json_option(CLI::App& v, const char* about = "print JSON") { define_flag(v, r_.json, "--json", about); }
  void define_output_options(CLI::App& v, const char* about) {
    define_option(v, r_.output, "-o,--output", "OUT", about);
    define_flag(v, r_.overwrite, "-f,--force", "overwrite existing files");
    define_flag(v, r_.dry_run, "-n,--dry-run", "write nothing; list the files that would be written");
  }
  void define_in_place_options(CLI::App& v) {
    define_flag(v, r_.in_place, "-i,--in-place", "change the input file in place");
    v.add_flag("--backup{.bak}", r_.backup, "with -i: keep the old file, with SUFFIX added to its name (default: .bak)")
        ->type_name("SUFFIX");
  }
  void define_saving_options(CLI::App& v) {
    define_flag(v, r_.save.canonical, "--canonical",
                "rewrite the file in its canonical layout: the usual order, no gaps");
    define_flag(v, r_.save.lossy, "--lossy", "discard unreferenced bytes that have no place in the new layout");
  }

  void define_referrer_options(CLI::App& v) {
    auto* unlink = define_flag(v, r_.unlink, "--unlink", "clear references to removed elements");
    define_flag(v, r_.cascade, "--cascade", "also remove the elements that refer to removed ones")->excludes(unlink);
  }

  void define_state_option(CLI::App& v) {
    define_option(v, r_.state, "--state", "STATE",
                  "the map state, such as night,heavy-rain,arrangement=1, for games whose maps have several states");
  }
  void define_scene_options(CLI::App& v) {
    define_state_option(v),
        define_flag(v, r_.every_state, "--all-states", "put all map states into one scene, as variants");
    define_flag(v, r_.lamps, "--lamps", "export lights instead of baking them into vertex colours");
    define_option(v, r_.tick_rate, "--tick-rate", "HZ",
                  "ticks per second, for games that count time in ticks (default: 60)");
  }

  void define_race_option(CLI::App& v) {
    define_flag(v, r_.race, "--race",
                "also draw the findings of `dio simulate`, such as shortcuts and laps that do not count");
  }

  /// What formats want to know that make files of scenes, each option once.
  void define_making_options(CLI::App& v) {
    for (const Format* f : formats())
      for (const MakeOption& o : make_options_of(*f))
        if (const auto [at, is_new] = making_.try_emplace(std::string(o.name)); is_new) {
          CLI::Option* made = v.add_option("--" + typed_option_name(o.name), at->second, word_commands(o.about));
          made->type_name(std::string(o.usage));
          if (o.name == "layout") choices_[made] = all_layout_names();
        }
  }

  /// What `render` and `show` have in common.
  void define_drawing_options(CLI::App& v, const char* size) {
    define_arguments(v, r_.inputs, "FILE", "files, folders, archives or patterns; - means standard input");
    define_option(v, r_.size, "--size", "WxH", size);
    define_option(v, r_.look, "--look", "LOOK",
                  "imitate the graphics of a console: ds or psx; plain (default) draws like a modern viewer");
    define_option(v, r_.zoom, "--zoom", "N", "enlarge each pixel to N x N; N is 1 to 16 (default: 1)");
    define_option(v, r_.camera, "--camera", "CAMERA",
                  "the camera: iso (default), free, top, game, AZIMUTH,ELEVATION or a camera name");
    define_option(v, r_.background, "--background", "COLOR",
                  "the background: #rrggbb, white, black, grey or transparent");
    define_option(v, r_.samples_across, "--samples", "N",
                  "smooth edges with N x N samples per pixel; N is 1 to 8 (default: 3), with at most 9 x 2^28 "
                  "samples in a picture; with --look ds, 1 turns off the console's own smoothing");
    define_option(v, r_.animation, "--animation", "NAME",
                  "play this animation (default: all animations that can play together)");
    define_option(v, r_.time, "--time", "TIME",
                  "the animation time in seconds, such as 1.5; with --part, also a time of day for the light (H:MM)");
    define_option(v, r_.frame, "--frame", "N", "the animation time in ticks (see --tick-rate)");
    define_option(v, r_.strip, "--strip", "N", "draw N moments of the animation side by side");
    define_option(v, r_.part, "--part", "PART", "draw this part of a game, such as land/489");
    define_option(v, r_.show, "--show", "LIST",
                  "the overlays (with --part) or plan layers (ckpt,enpt) to show, separated by commas");
    define_flag(v, r_.lit, "--lit", "bake the game's lighting into vertex colours");
    define_scene_options(v), define_race_option(v);
    v.get_option("--all-states")->group("");  // refused with a hint, so not listed
    define_number(v, r_.jobs, "-j,--jobs", "process N files in parallel (default: one per processor)");
  }

  // ---- the verbs

  void add_look_verbs() {
    constexpr const char* k_group = "Look";
    constexpr const char* k_path = "the path of a value, such as KTPT.entries[0].position.x";
    add_verb(k_group, "info", "describe a file: its version, parts and counts",
             {"", {"dio info course.kmp", "dio info -r courses/ --json"}}, [&](CLI::App& v) {
               define_file_arguments(v), define_json_option(v, "print JSON, one object per line"),
                   define_reading_options(v);
             });
    add_verb(k_group, "ls", "list the parts of a file, one level deep, or the contents of an archive or a folder",
             {"Every verb that takes a file also accepts a path into an archive, such as game.nds/data/maps.narc/12.",
              {"dio ls course.kmp", "dio ls course.kmp KTPT", "dio ls game.nds/fielddata", "dio ls courses/"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.path, "PATH", "list this part of the file", false),
                   define_json_option(v);
               define_flag(v, r_.all, "-a,--all", "for archives and folders: list the members of all subfolders"),
                   define_reading_options(v);
             });
    add_verb(k_group, "tree", "print all values of a file",
             {"Long lists and texts are shortened; --all prints them in full.\n\nWith --maps, FILE is a game (a "
              "cartridge image, a disc image or a folder of its files) and PATH is a part of the game, such as "
              "land/489, prop/26, area/6, matrix/0, header/3 or texture-set/5. `dio tree` then prints the parts that "
              "PATH uses and the parts that use PATH.",
              {"dio tree course.kmp", "dio tree course.kmp CAME --all", "dio tree game.nds --maps prop/26",
               "dio tree game.nds --maps area/6 --graph dot | dot -Tsvg -o area.svg"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.path, "PATH", "print only this part of the file", false),
                   define_json_option(v);
               define_number(v, r_.depth, "-d,--depth", "print at most N levels");
               define_flag(v, r_.all, "-a,--all", "print long lists and texts in full");
               define_flag(v, r_.maps, "--maps", "print which parts of a game refer to each other");
               define_choice(v, r_.graph, "--graph", "FORM", "with --maps: print a graph for Graphviz (dot) or Mermaid",
                             {"dot", "mermaid"});
               define_reading_options(v);
             });
    add_verb(k_group, "get", "print a value, or a table of values",
             {"Numbers and texts are printed as they are; lists and objects are printed as JSON. With -v, the meaning "
              "and unit of the value are also printed.",
              {"dio get course.kmp STGI.entries[0].laps", "dio get course.kmp \"CAME.entries[0]\" --json",
               "dio get course.kmp \"GOBJ[*].id\" --each",
               "dio get course.kmp \"GOBJ[*]\" --columns id,position.x > objects.tsv"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.path, "PATH", k_path);
               define_flag(v, r_.each, "--each",
                           "print one line for each value that PATH selects: the path, a tab, and the value");
               define_option(v, r_.columns, "--columns", "FIELDS",
                             "print a tab-separated table of FIELDS (such as id,position.x), with one row for each "
                             "element that PATH selects");
               define_json_option(v, "print JSON: the value with its type, offset and meaning"),
                   define_reading_options(v);
             });
    add_verb(k_group, "refs", "show the references to and from a part of a file",
             {"Without PATH, prints every list whose elements are referenced, and every broken reference. In a game, "
              "PATH may be a part such as land/12. Other files can refer to materials, textures and palettes by name; "
              "--with includes such a file.",
              {"dio refs course.kmp", "dio refs course.kmp POTI[3]", "dio refs course.kmp \"GOBJ[id=itembox]\"",
               "dio refs game.nds land/12", "dio refs model.nsbmd \"models[0].materials[0]\" --with waves.nsbta"}},
             [&](CLI::App& v) {
               define_file_argument(v),
                   define_argument(v, r_.path, "PATH",
                                   "elements or values (POTI[3], GOBJ[2-5]), or a part of a game (land/12)", false);
               v.add_option("--with", r_.with, "a file that shares names with FILE, such as a model's animation")
                   ->type_name("FILE")
                   ->allow_extra_args(false);
               define_json_option(v), define_reading_options(v);
             });
    add_verb(k_group, "hex", "show the bytes of a file with their meaning",
             {"A damaged file is shown up to the damage.",
              {"dio hex course.kmp KTPT", "dio hex course.kmp --range 0x40-0x80", "dio hex course.kmp --unknown",
               "dio hex course.kmp --html -o course.html"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.path, "PATH", "print only this part of the file", false);
               define_option(v, r_.range, "--range", "RANGE",
                             "show only these bytes: 0x40-0x80 (end excluded), 0x40+16 or 0x40");
               define_flag(v, r_.unknown, "--unknown", "show only unreferenced bytes"),
                   define_flag(v, r_.all, "-a,--all", "show long runs of bytes in full");
               define_json_option(v, "print JSON: every field with its offset, size and value"),
                   define_flag(v, r_.html, "--html",
                               "print an HTML page in which bytes and fields are linked, of at most 64 MiB");
               define_output_options(v, "write to this file instead of standard output"), define_reading_options(v);
             });
    add_verb(
        k_group, "render", "draw pictures of files",
        {"One file, or a model with its textures and animations, becomes one picture. Several files, a folder or an "
         "archive become a sheet of small labelled pictures; with -o FOLDER/, each file becomes a separate picture. A "
         "texture file becomes a sheet of its textures. Models, maps, courses and scenes are drawn as `dio convert` "
         "exports them; .glb and .gltf files can be drawn directly. With --part, FILE is a game, and PART is the part "
         "to draw: land/489, map/1, or world for the largest world; \"map/*\" draws a sheet of all maps.\n\nWith -o "
         "OUT.svg, a Mario Kart Wii course becomes a plan: all sections seen from above, with names, a legend and a "
         "scale. Each section is a layer; --show ckpt,enpt shows only these two layers.\n\nThe camera is iso (parallel "
         "projection, from above and the right), free (the same view with perspective), top (from above, north is up), "
         "AZIMUTH,ELEVATION in degrees, game (the first camera in the file), or the name of a camera.\n\n--scale draws "
         "a map from above with exactly N x N pixels per map tile; the picture ends at the border of the map. --tiles "
         "cuts such a picture into small images at several zoom levels, {z}/{x}/{y}.png, for web maps; tiles.json "
         "describes these images, and index.html shows them.\n\nWith --look, pictures have the colours, pixels and "
         "drawing order of a Nintendo DS (ds) or a PlayStation (psx).",
         {"dio render course.kmp -o course.png --camera top", "dio render course.kmp -o plan.svg --show ckpt,jgpt",
          "dio render mill.nsbmd mill.nsbca -o mill.apng", "dio render mill.nsbmd mill.nsbca -o mill.gif",
          "dio render mill.nsbmd mill.nsbca -o steps.png --strip 6", "dio render props.narc sets.narc -o props.png",
          "dio render game.nds --part world --scale 16 -o overworld.png",
          "dio render game.nds --part world --tiles -o overworld/"}},
        [&](CLI::App& v) {
          define_drawing_options(
              v,
              "the size in pixels (default: 640x480; with --part 1024x1024; with --look the console's screen size; on "
              "a sheet 128x128 per picture; for a plan at least 1600 wide)");
          define_option(v, r_.scale, "--scale", "N",
                        "draw from above with N pixels per game tile, instead of --size; also N/m (pixels per metre) "
                        "or N/unit (pixels per unit)");
          v.add_flag("--tiles{256}", r_.tiles,
                     "draw a map from above as a folder of square image tiles, PIXELS wide (default: 256), with a web "
                     "page to view them")
              ->type_name("PIXELS");
          define_output_options(
              v, "the output: .png, .apng or .gif (animated), .svg (plan), or a folder (ending in a slash)");
          define_json_option(v, "print JSON: the camera of each picture, one object per line"),
              define_reading_options(v);
        });
    add_verb(
        k_group, "show", "draw files in the terminal",
        {"Draws the same pictures as `dio render`, as large as the terminal allows. Terminals with kitty graphics "
         "(kitty, WezTerm, Ghostty) or sixel support (foot, mlterm, xterm -ti vt340 and any other terminal that "
         "reports it) show pixels. Other terminals show coloured half-block characters, in 24-bit colour or 256 "
         "colours, depending on COLORTERM and TERM. Without colours, pictures are drawn with letters. Several files "
         "are shown one after another, each below its name; in terminals that show pixels, a folder or an archive "
         "becomes a sheet of small pictures.\n\nIf standard output is a pipe or a file, --graphics is required; "
         "without it, the exit code is 2. Cameras, animation options and --part work as in `dio render`.",
         {"dio show course.kmp --camera top", "dio show mill.nsbmd mill.nsbca --play", "dio show models/",
          "dio show town.nsbtx --graphics blocks | less -R"}},
        [&](CLI::App& v) {
          define_drawing_options(v,
                                 "the size in pixels (default: as large as fits); with --graphics blocks, a pixel is "
                                 "one column wide and half a line high");
          define_choice(
              v, r_.graphics, "--graphics", "KIND",
              "the kind of graphics: auto (default), kitty, sixel, blocks (coloured half-block characters) or ascii",
              {"auto", "kitty", "sixel", "blocks", "ascii"});
          define_flag(v, r_.play, "--play", "play the animation until you press a key, for at most a minute");
          define_reading_options(v);
        });
    add_verb(
        k_group, "view", "open files in the browser viewer",
        {"Makes one HTML page that contains the viewer and the files. The page opens from disk, needs no network and "
         "sends no data. Companion files in the same folder are included, such as the textures and sounds of a pack or "
         "the files listed in a .GNS file. A page holds at most 64 MiB of files; --limit raises this to at most 256 "
         "MiB. Archives and images are included whole. Without FILE, the page is an empty viewer into which you can "
         "drop files.\n\nWithout -o, the page is written to a temporary folder and opened in your browser. The folder "
         "stays until the system deletes it.\n\n--serve starts a local server that shows files of any size, such as "
         "disc images; the page reads them in parts. The server prints an address with a random token; only programs "
         "on this machine (127.0.0.1) that know the token can open the address. Reload the page to see changes to the "
         "files. The server stops after 30 minutes without a request, or on Ctrl-C; the exit code is then 0.\n\nThe "
         "page can change files only with --edit: Save then replaces the whole file on disk, unless another program "
         "has changed the file since the page loaded it. --backup keeps a copy of each file as it was before the first "
         "save. To edit a file in an archive, serve the archive; Save then replaces the archive.\n\nThe empty viewer "
         "page is installed as PREFIX/share/diorama/diorama.html; in a source tree, `./dev viewer` builds it as "
         "build/viewer/diorama.html.",
         {"dio view course.kmp", "dio view mill.nsbmd mill.nsbca -o mill.html", "dio view game.nds --serve",
          "dio view course.kmp --serve --edit --backup", "dio view disc.bin --serve --open --minutes 120",
          "dio view -o viewer.html"}},
        [&](CLI::App& v) {
          define_arguments(v, r_.inputs, "FILE", "files, folders, archives or patterns; - means standard input", false);
          define_flag(v, r_.recursive, "-r,--recursive", "recurse into folders and archives");
          define_output_options(
              v, "write the page to this file, or into a folder (ending in a slash); - means standard output");
          define_flag(v, r_.serve, "--serve", "serve the page and the files to browsers on this machine");
          define_flag(v, r_.edit, "--edit", "with --serve: let the page save files");
          v.add_flag("--backup{.bak}", r_.backup,
                     "with --edit: keep the old file, with SUFFIX added to its name (default: .bak)")
              ->type_name("SUFFIX");
          define_number(v, r_.port, "--port", "with --serve: listen on port N instead of a free port");
          define_flag(v, r_.open, "--open", "open the page in your browser even with -o or --serve");
          define_option(v, r_.minutes, "--minutes", "N",
                        "with --serve: stop after N minutes without a request (default: 30)");
          size(v, r_.limit, "--limit",
               "the limit for the total size of the files in a page (with --serve, of archive members and piped data): "
               "64M (default) to 256M");
          define_option(v, r_.page, "--page", "FILE", "the empty viewer page to use instead of the installed one");
        });
    add_verb(k_group, "explain", "explain a rule, a format or a field",
             {"TOPIC is a rule id (kmp.ckpt-lap), a format id (kmp), or a field of a file (FILE#PATH). Some formats "
              "also answer questions about a position: FILE#QUESTION@POSITION. `dio explain FORMAT` lists the "
              "questions. Without TOPIC, all ids are listed.",
              {"dio explain layout.truncated", "dio explain kmp", "dio explain course.kmp#STGI.entries[0].pole",
               "dio explain land.bin#height@8,24"}},
             [&](CLI::App& v) {
               define_argument(v, r_.topic, "TOPIC", "the rule, format or field to explain, or the question to answer",
                               false),
                   define_json_option(v), define_reading_options(v);
             });
  }

  /// How findings are chosen and printed.
  void define_finding_options(CLI::App& v) {
    define_choice(v, r_.show_from, "--show", "SEVERITY",
                  "the lowest severity to show: hint (default), warning or error", {"hint", "warning", "error"});
    define_choice(v, r_.fail_on, "--fail-on", "SEVERITY",
                  "the lowest severity that causes exit code 1: hint, warning (default), error, or never",
                  {"hint", "warning", "error", "never"});
    v.add_option("--rule", r_.rules, "check only rules whose ids start with ID; can be repeated")
        ->type_name("ID")
        ->allow_extra_args(false);
    v.add_option("--ignore", r_.ignored,
                 "ignore this rule, or all rules that match a pattern (\"kmp.pt-*\"); can be repeated")
        ->type_name("ID")
        ->allow_extra_args(false);
    define_option(v, r_.baseline, "--baseline", "FILE",
                  "print only findings that are not in FILE, which is the --json output of an earlier run");
    define_flag(v, r_.compact, "--compact", "print one line per finding, without the bytes");
    define_flag(v, r_.all, "-a,--all", "print every finding (default: at most three per rule and file)");
    define_flag(v, r_.summary, "--summary", "print the number of findings per rule instead of the findings");
    define_choice(v, r_.format, "--format", "FORMAT", "the output format: text (default), json or sarif",
                  {"text", "json", "sarif"}),
        define_json_option(v, "same as --format json");
  }

  void add_check_verbs() {
    constexpr const char* k_group = "Check";
    add_verb(
        k_group, "check", "report problems in a file",
        {"Prints findings with their rule ids: first errors (the game breaks), then warnings (the game misbehaves), "
         "then hints (worth knowing). -v also prints why each rule matters. Equal findings about several elements are "
         "combined into one finding, for example about points[17-61]. The last line counts the findings and the files "
         "with findings.\n\nExit code 0 means that no finding reaches the severity of --fail-on (default: warning), 1 "
         "that at least one does, 2 that the command line is invalid, 3 that a file has an unknown format or is too "
         "damaged to read, 5 that a file cannot be opened. With --fail-on never, findings do not change the exit code. "
         "Findings hidden by --ignore or --baseline do not affect the exit code, but findings hidden by --show "
         "do.\n\nA baseline hides known findings: `dio check -r courses/ --json -o known.json` writes one, and "
         "--baseline known.json then shows only new findings. A finding counts as known even if its element has moved "
         "or its file has grown.\n\nWith --maps, each FILE is a game (a cartridge image, a disc image or a folder of "
         "its files). The check follows all references between files, from the maps to their textures. Findings known "
         "from the retail game are left out; --known shows them.\n\nWith --fix, dio applies safe repairs, writes the "
         "repaired file, and prints the repairs and the remaining findings.",
         {"dio check course.kmp", "dio check -r courses/ --fail-on error", "dio check -r courses/ --summary",
          "dio check -r courses/ --compact --ignore \"kmp.pt-*\" --ignore kmp.ver",
          "dio check -r courses/ --json -o known.json", "dio check -r courses/ --baseline known.json",
          "dio check course.kmp --format sarif -o findings.sarif", "dio check --explain kmp.ckpt-lap",
          "dio check game.nds --maps", "dio check scene.splashpack --fix -o repaired.splashpack"}},
        [&](CLI::App& v) {
          define_file_arguments(v);
          v.get_option("FILE")->required(false);
          define_finding_options(v);
          define_flag(v, r_.maps, "--maps", "check a whole game, including references between its files");
          define_flag(v, r_.known, "--known", "include findings known from the retail game");
          define_option(v, r_.topic, "--explain", "ID", "explain a rule instead of checking");
          define_flag(v, r_.fix, "--fix", "apply safe repairs; -o sets the name of the repaired file");
          define_output_options(v, "write to this file instead of standard output"), define_reading_options(v);
        });
    add_verb(
        k_group, "simulate", "simulate laps on a course by the game's rules",
        {"Simulates the game's checkpoint search and lap counting on a Mario Kart Wii course. Finds complete laps that "
         "the game does not count, falls after which the lap does not count, checkpoint searches that hang the game, "
         "and shortcuts that count as a lap. If the collision file (course.kcl) is in the same folder, roads outside "
         "all checkpoint sectors are also found. Shortcuts are reported only as hints, because kart physics are not "
         "simulated. `dio render course.kmp --race -o race.svg` draws the findings; --race also works with other "
         "picture types and with `dio convert`. `dio explain course.kmp#lap@X,Z` shows the lap progress at a "
         "position, `dio explain course.kmp#completion@all` that at each checkpoint.\n\nExit code 1 means that a "
         "finding is at least as severe as --fail-on (default: warning).",
         {"dio simulate course.kmp", "dio simulate course.szs/course.kmp", "dio simulate -r courses/ --summary"}},
        [&](CLI::App& v) {
          define_file_arguments(v), define_finding_options(v);
          define_output_options(v, "write to this file instead of standard output"), define_reading_options(v);
        });
    add_verb(k_group, "budget", "compare resource use with the console's limits",
             {"Compares the memory, VRAM, sounds, triangles and other resources that a file uses with the limits of "
              "the console and the engine. Exit code 1 means that a limit is exceeded. --picture draws bars and a VRAM "
              "map.\n\nWith --maps, FILE is a game (a cartridge image, a disc image or a folder of its files); the "
              "output lists the tightest limit of each map and area. --part shows all limits of one part: header/3, "
              "area/6, matrix/0, land/489 or prop/26.",
              {"dio budget scene.splashpack", "dio budget -r scenes/ --json", "dio budget land.bin --with area.nsbtx",
               "dio budget scene.splashpack --picture budget.svg", "dio budget game.nds --maps",
               "dio budget game.nds --maps --part area/6"}},
             [&](CLI::App& v) {
               define_file_arguments(v), define_json_option(v, "print JSON, one object per line");
               v.add_option("--with", r_.with,
                            "a file with the model's textures; FILE:FORMAT reads FILE as this format")
                   ->type_name("FILE")
                   ->allow_extra_args(false);
               define_flag(v, r_.maps, "--maps", "show the maps and areas of a game");
               define_option(v, r_.part, "--part", "PART",
                             "with --maps: show only this part of the game; \"area/*\" means all areas");
               define_option(v, r_.picture, "--picture", "FILE", "also draw the result as an SVG file");
               define_flag(v, r_.overwrite, "-f,--force", "overwrite existing files");
               define_flag(v, r_.dry_run, "-n,--dry-run", "write nothing; list the files that would be written"),
                   define_reading_options(v);
             });
    add_verb(
        k_group, "verify", "check that reading and writing a file keeps every byte",
        {"Reads each file, writes it again to memory, both directly and through JSON, and compares the bytes. "
         "Of compressed files, it also checks that the data can be decompressed (otherwise DAMAGED). Nothing is "
         "written to disk.\n\n--report prints only counts: of files, formats, findings, and of values whose meaning "
         "is not proven. It contains nothing of the files, so you can send it to the developers.",
         {"dio verify course.kmp", "dio verify -r courses/", "dio verify --report game.nds"}},
        [&](CLI::App& v) {
          define_file_arguments(v), define_json_option(v, "print JSON, one object per line"),
              define_flag(v, r_.report, "--report", "print counts for the developers, without contents of files"),
              define_reading_options(v);
        });
    add_verb(
        k_group, "diff", "show how two files or folders differ",
        {"Compares values instead of bytes: lists changed values and added, removed or moved elements. Exit code 1 "
         "means that the files differ. In folders and archives, files with the same path are compared. With --maps, "
         "two games are compared map by map: tiles, props, heights, textures and events.\n\n--render draws both files "
         "from the same camera, and a third picture that marks the differences: new parts are green, removed parts are "
         "red, changed or moved parts are yellow, and everything else is grey. If OUT ends in .apng or .gif, the "
         "picture alternates between the two files. For texture files, the picture shows all textures that differ. "
         ".glb and .gltf files are compared only as pictures. As in git, /dev/null stands for a missing file.",
         {"dio diff old.kmp new.kmp", "dio diff old.kmp new.kmp --bytes", "dio diff game.nds hack.nds --maps",
          "dio diff old.nsbmd new.nsbmd --with town.nsbtx --render changes.png"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "A", "the old file or folder; - means standard input"),
              define_argument(v, r_.other, "B", "the new file or folder");
          define_flag(v, r_.bytes, "--bytes", "compare bytes instead of values");
          define_flag(v, r_.maps, "--maps", "compare the maps of two games");
          define_flag(v, r_.all, "-a,--all", "with --maps: list every map that a change affects"),
              define_json_option(v);
          define_option(
              v, r_.render, "--render", "OUT",
              "also draw the differences to OUT: a .png file, or a .apng or .gif file that alternates between A and B");
          define_option(v, r_.size, "--size", "WxH",
                        "the size of each picture of --render in pixels (default: 480x480)");
          define_option(v, r_.camera, "--camera", "CAMERA",
                        "the camera for --render: iso (default), free, top, game, AZIMUTH,ELEVATION or a camera name");
          define_option(v, r_.background, "--background", "COLOR",
                        "the background for --render: #rrggbb, white, black, grey or transparent");
          define_option(v, r_.time, "--time", "SECONDS", "the animation time for --render in seconds, such as 1.5");
          v.add_option("--with", r_.with, "with --render: a file with textures or animations for both files")
              ->type_name("FILE")
              ->allow_extra_args(false);
          define_flag(v, r_.overwrite, "-f,--force", "with --render: overwrite an existing file");
          define_flag(v, r_.dry_run, "-n,--dry-run",
                      "with --render: write nothing; list the files that would be written");
          define_reading_options(v);
        });
    add_verb(
        k_group, "merge", "merge two edited versions of one file",
        {"BASE is the common ancestor of OURS and THEIRS. Changes to different values, elements or archive members are "
         "combined; references keep pointing to the same elements. If both sides changed the same value or element in "
         "different ways, dio prints each conflict, writes nothing and exits with 1; with --favor, one side wins "
         "instead.\n\nAfter `dio git install`, `git merge` merges game files with this verb.",
         {"dio merge base.kmp mine.kmp yours.kmp -o both.kmp",
          "dio merge base.kmp mine.kmp yours.kmp -i --favor theirs"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "BASE", "the file before both edits"),
              define_argument(v, r_.other, "OURS", "the file after one edit"),
              define_argument(v, r_.theirs, "THEIRS", "the file after the other edit");
          define_choice(v, r_.favor, "--favor", "SIDE", "the side that wins conflicts: ours or theirs",
                        {"ours", "theirs"});
          define_option(v, r_.called, "--name", "NAME", "the file name to print in messages");
          define_output_options(v, "the output file; - means standard output");
          define_flag(v, r_.in_place, "-i,--in-place", "overwrite OURS with the result");
          v.add_flag("--backup{.bak}", r_.backup,
                     "with -i: keep the old file, with SUFFIX added to its name (default: .bak)")
              ->type_name("SUFFIX");
          define_json_option(v, "print JSON: the conflicts"), define_reading_options(v);
        });
    add_verb(k_group, "git", "set up git to diff and merge game files",
             {"`dio git install` sets up the repository that contains the current folder, so that git can compare (git "
              "diff, git difftool --tool=dio) and merge game files. The command adds lines to .gitattributes and "
              "settings to the repository's configuration, and prints both.",
              {"dio git install", "dio git install -n"}},
             [&](CLI::App& v) {
               define_argument(v, r_.topic, "install", "set up the repository (the only action)");
               define_flag(v, r_.dry_run, "-n,--dry-run", "write nothing; print the lines that would be added");
             });
  }

  void add_change_verbs() {
    constexpr const char* k_group = "Change";
    add_verb(k_group, "set", "change values",
             {"VALUE is a number (3, 0x1F, 1.5), a text, or a name that the field accepts (\"moving road\"). All other "
              "bytes stay unchanged, except sizes and counts that depend on the value.\n\nPATH can select several "
              "values: GOBJ[*], GOBJ[2-5], GOBJ[id=itembox].presence. +=, -= and *= add to, subtract from and multiply "
              "the current value; integer fields round the result to the nearest integer. Separate the values of a "
              "structure with commas: position=1,2,3.\n\nWith -i, or with a folder as output, several files can be "
              "changed at once: either all of them change, or none.",
              {"dio set course.kmp STGI.entries[0].laps=5 -o new.kmp",
               "dio set course.kmp \"AREA.entries[2].type=moving road\" -i --backup",
               "dio set course.kmp \"GOBJ[id=itembox].position.y+=100\" -o higher.kmp",
               "dio set courses/*.kmp STGI.entries[0].laps=5 -i"}},
             [&](CLI::App& v) {
               define_file_argument(v),
                   define_arguments(v, r_.assignments, "PATH=VALUE", "more files, then the values to set");
               define_output_options(v, "the output file; - means standard output"), define_in_place_options(v),
                   define_reading_options(v);
             });
    add_verb(k_group, "edit", "add, remove and move elements; apply named edits",
             {"Without EDIT, lists the edits that FILE supports. Several edits are applied in order, each to the "
              "result of the one before. An edit may change the length of a file; sizes, counts and offsets are "
              "updated.\n\nThe edits add, remove, duplicate, move, swap and sort work on lists in every format. "
              "References keep pointing to the same elements. An element to which other elements refer is removed only "
              "with --unlink, "
              "which clears these references, or with --cascade, which also removes the referring elements. -n and -v "
              "print every change.\n\nIf FILE is a game (a cartridge image, a disc image or a folder), edits may "
              "change several files. Parts such as land/12 can also be moved; references are renumbered.",
              {"dio edit land.bin", "dio edit course.kmp remove POTI[3] --unlink -o new.kmp",
               "dio edit course.kmp duplicate ENPT[4] move GOBJ[7] before=2 -i",
               "dio edit land.bin raise-plate plate=3 by=16 -o new.bin",
               "dio edit land.bin set-tiles x=3..9 z=20 \"behavior=tall grass\" remove-prop prop=0 -i",
               "dio edit mill.nsbmd set models[0].materials[1].name=cloth --with mill.nsbta -i",
               "dio edit game.nds add-prop land=12 model=40 x=8 z=24 move land/12 before=land/3 -o new.nds"}},
             [&](CLI::App& v) {
               define_argument(v, file_, "FILE", "a file or a game; - means standard input"),
                   define_arguments(v, r_.assignments, "EDIT",
                                    "the name of an edit, then its paths and arguments (NAME=VALUE)", false);
               define_option(v, r_.script, "--script", "FILE",
                             "read edits from a file, one per line; - means standard input");
               v.add_option("--with", r_.with,
                            "a file that shares names with FILE, such as a model's animation; names changed in FILE "
                            "also change in this file")
                   ->type_name("FILE")
                   ->allow_extra_args(false);
               define_referrer_options(v);
               define_flag(v, r_.partly, "--partly", "with make-map: exit with 0 even if parts of the scene are lost");
               define_output_options(v, "the output file; - means standard output"), define_in_place_options(v),
                   define_saving_options(v);
               define_json_option(v, "print JSON: the list of edits"), define_reading_options(v);
             });
    add_verb(
        k_group, "decode", "convert a file to JSON",
        {"The JSON contains all data: `dio encode` restores the same bytes from it.\n\n--lean is for version control: "
         "it omits offsets, sizes and counts that `dio encode` can compute, so a line changes only if the data "
         "changes. If the layout of a file is unusual, --lean keeps the necessary offsets and sizes, and prints a "
         "note.\n\n--refs is for programs that edit the JSON: each element has an \"@id\", and references use these "
         "ids instead of numbers. Elements can then be removed, inserted and sorted; `dio encode` renumbers them.",
         {"dio decode course.kmp -o course.json", "dio decode course.kmp | jq .document.version",
          "dio decode courses/*.kmp -o decoded/", "dio decode land.bin --lean -o land.json",
          "dio decode course.kmp --refs | jq 'del(.document.ENPT.entries[7])' | dio encode - -o new.kmp"}},
        [&](CLI::App& v) {
          define_file_arguments(v),
              define_output_options(v, "the output: a file, a folder (ending in a slash), or - for standard output");
          define_flag(v, r_.omit_derived, "--lean", "omit offsets, sizes and counts that follow from other values");
          define_flag(v, r_.by_id, "--refs", "write references as element ids instead of numbers"),
              define_reading_options(v);
        });
    add_verb(
        k_group, "encode", "convert JSON back to a file",
        {"Unedited JSON restores the original bytes. If the JSON was edited, counts, sizes and offsets are updated.",
         {"dio encode course.json -o course.kmp"}},
        [&](CLI::App& v) {
          define_file_arguments(v),
              define_output_options(v, "the output: a file, a folder (ending in a slash), or - for standard output"),
              define_saving_options(v);
        });
    add_verb(
        k_group, "convert", "convert files to glTF or JSON, and back",
        {"The extension of OUT determines the output type: .glb or .gltf for Blender and other 3D programs, .json for "
         "reading and editing, or the extension of a console format. Converting to the same format with --canonical "
         "rewrites the file in its canonical layout. Textures and animations given along with models are exported with "
         "the model of the same name; if there is none, with the model that they fit. A map in a game image is "
         "exported with the textures and props that the game loads for it. A .GNS file and the map files listed in it "
         "are exported together if they are in the same folder.\n\n--onto FILE applies an edited .glb, .gltf or .obj "
         "to "
         "FILE, from which it was exported. In scenes of courses and map props, you can move, rotate, scale, copy and "
         "delete nodes; in scenes of models, terrain, collision files and Final Fantasy Tactics maps, you can add, "
         "change and delete triangles. Everything else in FILE stays unchanged; changes that FILE cannot store are "
         "rejected. If some changes cannot be applied, nothing is written unless --partly is given; if the scene lacks "
         "more than three elements, nothing is written unless --delete is given. When you export the edited scene from "
         "a 3D program, include custom properties.\n\nSome formats, such as splashpack, can be made from any scene "
         "(.glb, .gltf, .obj); node names and custom properties control the result. If the result consists of several "
         "files, all "
         "have the name of OUT with different extensions. The options from --units-per-metre to --ambient apply only "
         "if a file is made from a scene or converted to another version.",
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
                  "the output type, if the extension of OUT does not determine it: glb, gltf, json, or a format id");
          define_option(v, r_.own_files, "--files", "FOLDER",
                        "a folder or an archive with files for a course archive (.szs): those of objects, and parts "
                        "that the scene lacks, such as course.kmp");
          define_option(v, r_.onto, "--onto", "FILE",
                        "apply an edited scene (.glb, .gltf, .obj) to FILE; -i changes FILE in place");
          define_referrer_options(v);
          define_flag(v, r_.partly, "--partly", "skip the parts of the scene that cannot be converted or applied");
          define_flag(
              v, r_.deletes, "--delete",
              "with --onto: remove elements that are missing from the scene, even if more than three are missing");
          define_flag(v, r_.lit, "--lit", "bake the game's lighting into vertex colours");
          define_scene_options(v), define_race_option(v), define_making_options(v);
          define_output_options(v, "the output: a file, a folder (ending in a slash), or - for standard output"),
              define_in_place_options(v), define_saving_options(v), define_reading_options(v);
        });
    add_verb(k_group, "textures", "extract textures as PNG, or import edited ones",
             {"PNGs keep the palettes and bit depths of the textures. textures.json describes the pictures and is read "
              "by --replace. Edited pictures may have a different size; to change the format of a texture, edit "
              "\"format\" in textures.json. Unedited textures keep their bytes. A palette gets new colours if all its "
              "pictures in the folder use the same new colours. --pal also writes the palettes as .pal files; "
              "--replace then reads the colours from these files instead of the pictures.",
              {"dio textures town.nsbtx", "dio textures town.nsbtx -o pictures/",
               "dio textures town.nsbtx --pal -o pictures/", "dio textures town.nsbtx --replace pictures -o new.nsbtx",
               "dio textures MAP001.8 --with MAP001.9 -o pictures/",
               "dio textures town.nsbtx --with town.nsbmd -o pictures/",
               "dio textures cave.bin --as fft-texture --with cave.map:fft-mesh -o pictures/"}},
             [&](CLI::App& v) {
               define_file_arguments(v),
                   define_flag(v, r_.all, "--all-palettes", "extract each texture with every palette that fits it");
               define_flag(v, r_.palette_files, "--pal", "also write each palette as a JASC palette (.pal)");
               define_option(v, r_.replace, "--replace", "FOLDER", "import the edited pictures in this folder");
               define_flag(v, r_.adds, "--add",
                           "with --replace: add new textures from pictures that textures.json does not list");
               define_flag(v, r_.rescales, "--rescale",
                           "with --replace: adapt the model's texture coordinates to pictures of a different size");
               define_option(v, r_.vram, "--vram", "FILE",
                             "write the whole VRAM to FILE as one picture, for formats that contain a VRAM image");
               v.add_option("--with", r_.with,
                            "a file with the palettes, or a model that assigns a palette to each texture; FILE:FORMAT "
                            "reads FILE as this format")
                   ->type_name("FILE")
                   ->allow_extra_args(false);
               define_output_options(v, "the folder for the pictures; with --replace, the new file"),
                   define_in_place_options(v), define_saving_options(v), define_reading_options(v);
               define_json_option(v);
             });
  }

  void add_archive_verbs() {
    constexpr const char* k_group = "Archives";
    add_verb(
        k_group, "unpack", "extract an archive to a folder",
        {"Members without names become 0000.bin, 0001.bin and so on. Data outside the members, such as a "
         "cartridge's programs and tables, goes into the folder _system. `dio pack` restores the archive, but "
         "files on a disc may move to other sectors. You can also extract a single folder of an archive. Names "
         "that are special to the file system are escaped: .. becomes %2E%2E.\n\nA land data file is extracted "
         "to its parts, in the files of other tools: tiles (.per), props (.bld), model (.nsbmd), bdhc (.bdhc) and "
         "sounds (.bgs).",
         {"dio unpack land_data.narc -o land_data", "dio unpack game.nds -o game",
          "dio unpack game.nds/fielddata/mapmatrix -o mapmatrix", "dio unpack land.bin --part model -o land.nsbmd"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "ARCHIVE", "an archive, or a path into one; - means standard input");
          define_option(v, r_.part, "--part", "PART",
                        "extract one part of a file, such as model, or all of its parts into a folder");
          define_output_options(v, "the output folder, new or empty; with --part PART, a file");
        });
    add_verb(
        k_group, "pack", "create an archive from a folder, or compress a file",
        {"A folder with _system/header.bin becomes a cartridge image, and so do project folders of ndstool, ds-rom and "
         "DSPRE; archives that DSPRE keeps in the folder unpacked are rebuilt. Other folders become a NARC archive of "
         "the files "
         "0000.bin, 0001.bin and so on, or of the files listed in a *.order file, one per line. Unchanged members of "
         "an unpacked archive keep their positions. The header checksum of a cartridge is updated; the name table is "
         "rebuilt if _system/fnt.bin and _system/fat.bin are missing. The output extension .iso creates a disc image; "
         ".bin and .img create a disc image with 2352-byte sectors, unless the folder is an unpacked archive.\n\nThe "
         "output extension .arc creates a U8 archive; .szs creates a compressed U8 archive. A single file can be "
         "compressed to .lz or .szs; a folder with one file can be compressed to .lz. Unchanged data of an unpacked "
         ".lz or .szs keeps its bytes. A folder with the parts of a land data file (.per, .bld, .nsbmd, .bdhc) becomes "
         "that file. Symbolic links are rejected unless --follow is given.",
         {"dio pack land_data -o land_data.narc", "dio pack game -o game.nds",
          "dio pack project --base original.nds -o game.nds", "dio pack maps --named -o maps.narc",
          "dio pack disc -o disc.iso", "dio pack course -o course.szs", "dio pack town.nsbmd -o town.lz"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "FOLDER", "a folder of files; for .lz and .szs also a file");
          define_output_options(v, "the output archive; - means standard output");
          define_flag(v, r_.named, "--named", "create a NARC archive with file names");
          define_choice(v, r_.byte_order, "--byte-order", "MARK",
                        "the byte order mark of a NARC archive: fe-ff (Pokémon games) or ff-fe (other games)",
                        {"fe-ff", "ff-fe"});
          define_option(v, r_.base, "--base", "CARTRIDGE",
                        "the original cartridge of a project folder, or of a folder with some of its files: its file "
                        "numbers, order and padding are kept, and what the folder does not contain");
          define_choice(v, r_.lz, "--lz", "KIND", "compress one file as lz10 (the default for .lz) or lz11",
                        {"lz10", "lz11"});
          define_flag(v, r_.follow, "--follow", "follow symbolic links and pack their targets");
          size(v, r_.limit, "--limit",
               "the size limit for the new archive, such as 500M or 2G (default: 64M plus 16 times the size of the "
               "files)");
        });
  }

  void add_other_verbs() {
    constexpr const char* k_group = "More";
    std::vector<std::string> ids;
    for (const Format* f : formats()) ids.emplace_back(f->id);
    add_verb(k_group, "find", "find game files inside any other file",
             {"Searches archives, disc images, memory dumps or any other file for files in known formats. Compressed "
              "data is not searched.",
              {"dio find disc.iso", "dio find memory.bin --every-byte -o found/"}},
             [&](CLI::App& v) {
               define_file_arguments(v),
                   define_flag(v, r_.every_byte, "--every-byte", "search at every byte instead of every fourth byte"),
                   define_json_option(v);
               define_output_options(v, "write the found files to this folder (ending in a slash)");
             });
    add_verb(
        k_group, "maps", "list the maps of a game",
        {"GAME is a cartridge image, a disc image, another archive, or a folder with a game's files (unpacked, or "
         "source files). With PART, prints details of this part. For a map with several states, the output lists the "
         "changes in each state; with --state, the output shows this state and the file that contains each kind of "
         "data. For any other part, the output lists the parts that PART uses and the parts that use PART. --make "
         "builds a file of the game from other files; the only NAME is matshp, the drawing order of prop shapes.",
         {"dio maps game.nds", "dio maps game.nds --json | jq .maps[3].lands",
          "dio maps game.bin map/1 --state night,heavy-rain",
          "dio maps game/ --make matshp -o build_model_matshp.dat"}},
        [&](CLI::App& v) {
          define_argument(v, file_, "GAME", "a cartridge image, a disc image or a folder"), define_json_option(v);
          define_argument(v, r_.path, "PART", "a part of the game, such as map/1 or land/489", false),
              define_state_option(v);
          define_option(v, r_.make, "--make", "NAME",
                        "build this file from other files of the game; the only NAME is matshp");
          define_output_options(v, "the output file; - means standard output");
        });
    add_verb(k_group, "world", "export a game's maps as glTF",
             {"PART is a part listed by `dio maps` or `dio tree --maps`: land/489, header/3, matrix/2, area/6 or "
              "map/1. The default is the largest world in the cartridge. The scene contains the game's textures, "
              "light, props and animations. Each node names its source file and its part of the game.",
              {"dio world game.nds -o world.glb", "dio world game.nds header/3 --time 20:00 -o town.glb",
               "dio world game/ land/489 --show tiles,heights -o land.glb",
               "dio world game.bin map/1 --all-states -o map.glb"}},
             [&](CLI::App& v) {
               define_argument(v, file_, "GAME", "a cartridge image, a disc image or a folder");
               define_argument(v, r_.path, "PART", "the part to export (default: the largest world in the cartridge)",
                               false);
               define_output_options(v, "the output file (.glb or .gltf); - means standard output");
               define_option(v, r_.time, "--time", "H:MM", "the time of day for the light (default: 12:00)");
               define_option(v, r_.show, "--show", "LIST",
                             "the overlays to include, separated by commas: tiles, collision, heights, events, warps");
               define_scene_options(v);
               define_flag(v, r_.rotation, "--rotation",
                           "apply the prop rotations stored in the files (the game ignores these rotations)");
               define_flag(v, r_.instances, "--instances",
                           "use instancing for repeated meshes (EXT_mesh_gpu_instancing)");
             });
    add_verb(k_group, "formats", "list the known formats", {"", {"dio formats", "dio formats --samples samples/"}},
             [&](CLI::App& v) {
               define_json_option(v),
                   define_option(v, r_.samples, "--samples", "FOLDER", "write sample files of every format to FOLDER");
               define_flag(v, r_.mime, "--mime", "print MIME types for desktops (shared-mime-info)");
               define_flag(v, r_.thumbnailer, "--thumbnailer",
                           "print a thumbnailer entry, so that file managers can call `dio thumbnail`");
               define_flag(v, r_.desktop, "--desktop", "print the desktop entry that opens files with `dio view`");
               define_flag(v, r_.overwrite, "-f,--force", "overwrite existing files"),
                   define_flag(v, r_.dry_run, "-n,--dry-run", "write nothing; list the files that would be written");
             });
    add_verb(k_group, "thumbnail", "draw a small picture of a file, for file managers",
             {"Draws one file, without its companion files, as a PNG at most --size pixels wide and high; for texture "
              "files, the first 16 textures. OUT is overwritten. Limits keep file managers responsive: 64 MiB per "
              "file, 2,000,000 triangles, 1 GiB of memory, 5 seconds. Exit code 1 means that the file has nothing to "
              "draw, 4 that a limit was exceeded, 5 that memory ran out or that a file cannot be read or "
              "written.\n\n`cmake --install` and the Debian package set up thumbnails on desktops; `dio formats "
              "--mime` and `dio formats --thumbnailer` print the configuration files for this.",
              {"dio thumbnail -s 256 course.kmp course.png"}},
             [&](CLI::App& v) {
               define_file_argument(v), define_argument(v, r_.other, "OUT", "the PNG file; - means standard output");
               define_option(v, r_.size, "-s,--size", "N",
                             "the largest width and height in pixels, 1 to 1024 (default: 128)"),
                   define_reading_options(v);
             });
    add_verb(k_group, "schema", "describe the JSON of a format",
             {"Prints a JSON Schema for the output of `dio decode`; editors use it to validate and complete JSON. With "
              "--markdown, prints tables of all fields.",
              {"dio schema kmp > kmp.schema.json", "dio schema kmp --markdown"}},
             [&](CLI::App& v) {
               choices_[define_argument(v, r_.topic, "FORMAT", "a format id")] = ids;
               define_flag(v, r_.markdown, "--markdown", "print Markdown tables"),
                   define_output_options(v, "write to this file instead of standard output");
             });
    add_verb(k_group, "completion", "print shell completions",
             {"Prints a completion script for bash, zsh or fish.",
              {"dio completion bash > ~/.local/share/bash-completion/completions/dio",
               "dio completion fish > ~/.config/fish/completions/dio.fish"}},
             [&](CLI::App& v) {
               choices_[define_argument(v, r_.topic, "SHELL", "bash, zsh or fish")] = {"bash", "zsh", "fish"};
             });
    add_verb(
        k_group, "licences", "print the licences of dio and of the software in it",
        {"Prints the licence of dio, and the notices of all software that the program contains.", {"dio licences"}},
        [](CLI::App&) {});
    add_verb(k_group, "help", "show help for a verb", {"", {"dio help check", "dio help --man | man -l -"}},
             [&](CLI::App& v) {
               define_argument(v, r_.topic, "VERB", "the verb to describe", false),
                   define_flag(v, r_.man, "--man", "print the manual page in roff format");
             });
  }

  // ---- what is wrong

  bool check_choices(Parsed& p);
  std::string parse_words(const std::vector<std::string>& arguments);
  void report_extra_word(Parsed&, const Manual&, const VerbText&, const std::string& extra, const std::string& usage);
  bool apply_layout(Parsed&);
  OptionText describe_option(const CLI::Option&) const;

  std::string_view only_;
  CLI::App app_{"", "dio"};
  Request r_;
  std::string as_, file_, share_, files_from_;
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
      if (!o->get_group().empty()) (o->get_positional() ? t.arguments : t.options).push_back(describe_option(*o));
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

/// The last of several inputs, if it looks like an output without -o: it does not exist, and is a folder or of another
/// type than the first.
static std::string find_misplaced_output(const std::vector<std::string>& inputs) {
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
  const std::string all_verbs = "`dio help` lists the verbs";
  const auto first = std::find_if(left.begin(), left.end(), [](const std::string& s) { return !s.starts_with('-'); });
  if (first == left.end()) {
    if (!left.empty()) {
      set_usage_error(p, "options go after the verb: dio VERB " + left.front() + " ...", all_verbs);
    } else {
      p.report.err = help_overview(m);
      p.report.exit = ExitCode::usage;
    }
    return;
  }
  std::vector<std::string> names = m.names();
  names.emplace_back("--version");
  const std::string like = closest_match(*first, names);
  std::error_code error;
  if (fs::exists(*first, error))
    set_usage_error(p, "the verb is missing before the file " + *first,
                    "describe the file with `dio info " + *first + "`; " + all_verbs);
  else
    set_usage_error(p, "unknown verb " + in_quotes(*first),
                    like.empty() ? all_verbs : "did you mean `dio " + like + "`? " + all_verbs);
}

/// K/N of --share; false if it is none, with an error.
static bool parse_share(Parsed& p, const std::string& text, const std::string& usage) {
  char end = 0;
  size_t share = 0, shares = 0;
  if (std::sscanf(text.c_str(), "%zu/%zu%c", &share, &shares, &end) != 2 || share < 1 || share > shares) {
    set_usage_error(p, "--share must be K/N with K from 1 to N, such as 1/4, not " + in_quotes(text), usage);
    return false;
  }
  p.request.share = share - 1, p.request.shares = shares;
  return true;
}

/// The names in a file, one per line, or separated by NUL. False if it cannot be read, with an error.
static bool append_file_list(Parsed& p, const std::string& name) {
  const auto bytes = name == "-" ? read_standard_input(name) : read_file(name);
  if (!bytes) {
    set_usage_error(p, "--files-from: " + name + " cannot be read", "");
    p.report.exit = ExitCode::system;
    return false;
  }
  const std::string text(bytes->begin(), bytes->end());
  const char separator = text.find('\0') == text.npos ? '\n' : '\0';
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) p.request.inputs.push_back(std::move(line));
    at = end + 1;
  }
  if (!p.request.inputs.empty()) return true;
  set_usage_error(p, "--files-from: " + name + " names no files", "");
  p.report.exit = ExitCode::unreadable;
  return false;
}

/// Parses the words of the command line; returns the problem.
std::string CommandLine::parse_words(const std::vector<std::string>& arguments) {
  try {
    app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // the last one first
  } catch (const CLI::RequiredError& e) {
    return e.what();
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string what = e.what();
    return what.substr(0, what.find(':')) + " needs a value";
  } catch (const CLI::ParseError& e) {
    std::string problem = e.what();
    if (const size_t at = problem.find(": must"); at != problem.npos) problem.erase(at, 1);
    return problem;
  }
  return {};
}

/// An option or argument that the verb does not have.
void CommandLine::report_extra_word(Parsed& p, const Manual& m, const VerbText& text, const std::string& extra,
                                    const std::string& usage) {
  if (extra.size() < 2 || !extra.starts_with('-')) {
    const bool may_be_output =
        !file_.empty() && r_.output.empty() && app_.get_subcommands().front()->get_option_no_throw("-o");
    return set_usage_error(
        p, "unexpected argument " + in_quotes(extra),
        may_be_output ? "name the output with -o: dio " + text.name + " " + file_ + " -o " + extra : usage);
  }
  std::vector<std::string> names;
  for (const auto* list : {&text.options, &m.common})
    for (const OptionText& o : *list) names.insert(names.end(), o.names.begin(), o.names.end());
  if (std::find(names.begin(), names.end(), extra.substr(0, extra.find('='))) != names.end())
    return set_usage_error(p, "options go after the verb", "dio " + text.name + " " + extra + " ...");
  std::vector<std::string> long_names;
  for (const std::string& n : names)
    if (n.starts_with("--")) long_names.push_back(n.substr(2));
  const std::string typed = extra.starts_with("--") ? extra.substr(2, extra.find('=') - 2) : "";
  const std::string slip = typed.empty() ? "" : closest_match(typed, long_names);
  const bool takes_several = extra.starts_with("--with") && !text.arguments.empty() && text.arguments[0].several;
  set_usage_error(p, "unknown option " + extra,
                  takes_several  ? "list companion files as further arguments: dio " + text.name + " FILE OTHER ..."
                  : slip.empty() ? usage
                                 : "did you mean --" + slip + "?");
}

/// --layout is short for --as. False if they contradict each other.
bool CommandLine::apply_layout(Parsed& p) {
  if (r_.layout.empty()) return true;
  const ReadAs layout = find_layout(r_.layout);
  if (p.request.as && p.request.as != layout && p.request.as != ReadAs{layout.format}) {
    set_usage_error(p, "--as " + as_ + " and --layout " + r_.layout + " contradict each other",
                    "--layout " + r_.layout + " is short for --as " + layout.id());
    return false;
  }
  p.request.as = layout;
  return true;
}

Parsed CommandLine::parse(const std::vector<std::string>& arguments) {
  Parsed p;
  const Manual m = build_manual();
  std::string problem = parse_words(arguments);
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
  if (!left.empty()) {
    report_extra_word(p, m, *text, left.front(), usage);
    return p;
  }
  if (!files_from_.empty() && r_.inputs.empty() && !text->arguments.empty() && text->arguments[0].several)
    problem.clear();  // FILE is not required then
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
  if (!apply_layout(p)) return p;
  if (r_.maps && (!share_.empty() || !r_.manifest.empty())) {
    set_usage_error(p, "--share and --manifest cannot be combined with --maps, which works on whole games", usage);
    return p;
  }
  if (!share_.empty() && !parse_share(p, share_, usage)) return p;
  if (!file_.empty()) p.request.inputs = {file_};
  if (!files_from_.empty() && !append_file_list(p, files_from_)) return p;
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

static Parsed parse_arguments(const std::vector<std::string>& arguments) {
  if (!arguments.empty())
    if (CommandLine one(arguments[0]); one.has_verbs()) return one.parse(arguments);
  return CommandLine().parse(arguments);
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

static std::string normalized_command(const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& inputs) {
  constexpr std::string_view k_values[] = {"-j", "--jobs", "--share", "--manifest", "--color"};
  constexpr std::string_view k_flags[] = {"-q", "--quiet", "-v", "--verbose", "-f", "--force", "-r", "--recursive"};
  std::string out;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i], name = word.substr(0, word.find('='));
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

Parsed parse(const std::vector<std::string>& arguments) {
  Parsed out = parse_arguments(arguments);
  if (!out.request.manifest.empty()) out.request.command = normalized_command(arguments, out.request.inputs);
  return out;
}

Manual build_manual() { return CommandLine().build_manual(); }

}  // namespace dio::cli

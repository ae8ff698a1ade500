#include "core/diagnostic.hpp"

#include <algorithm>

#include "core/text_format.hpp"

namespace dio {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::hint:
      return "hint";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
    case Severity::stop:
      return "stop";
  }
  return "stop";
}

std::string_view shown(Severity severity) { return to_string(severity == Severity::stop ? Severity::error : severity); }

std::string_view name_of(Cause cause) {
  constexpr std::string_view k_names[] = {"input", "request", "absent", "limit", "system", "fault"};
  return k_names[size_t(cause)];
}

std::string describe_severities(const Rule& rule) {
  std::string out(shown(rule.severity)), between = ", also ";
  for (const Severity s : {Severity::stop, Severity::error, Severity::warning, Severity::hint}) {
    if (!rule.also.has(s) || shown(s) == shown(rule.severity)) continue;
    out += between;
    out += shown(s);
    between = ", ";
  }
  return out;
}

Location::Location(const Location&) = default;
Location::Location(Location&&) noexcept = default;
Location& Location::operator=(const Location&) = default;
Location& Location::operator=(Location&&) noexcept = default;
Location::~Location() = default;

Diagnostic::Diagnostic() = default;
Diagnostic::Diagnostic(const Diagnostic&) = default;
Diagnostic::Diagnostic(Diagnostic&&) noexcept = default;
Diagnostic& Diagnostic::operator=(const Diagnostic&) = default;
Diagnostic& Diagnostic::operator=(Diagnostic&&) noexcept = default;
Diagnostic::~Diagnostic() = default;

Location Location::in_file(std::string_view file, std::string path) {
  Location p(std::move(path));
  p.file = file;
  return p;
}

Location Location::of_bytes(u64 offset, u64 size, std::string path) {
  Location p(std::move(path));
  p.offset = offset;
  p.size = size;
  return p;
}

Diagnostic make_diagnostic(Severity severity, std::string_view id, Location place, DiagnosticText said) {
  Diagnostic d;
  d.severity = severity;
  d.id = id;
  d.place = std::move(place);
  d.message = std::move(said.message);
  d.expected = std::move(said.expected);
  d.found = std::move(said.found);
  d.hint = std::move(said.hint);
  return d;
}

Diagnostic make_diagnostic(std::string_view id, Location place, DiagnosticText said) {
  return make_diagnostic(Severity::stop, id, std::move(place), std::move(said));
}

namespace {

std::string format_bit_range(const Location& place) {
  if (place.bit < 0) return {};
  const int last = place.bit + std::max(place.bits, 1) - 1;
  if (last == place.bit) return "bit " + std::to_string(place.bit);
  return "bits " + std::to_string(place.bit) + "-" + std::to_string(last);
}

}  // namespace

std::string format_one_line(const Diagnostic& d) {
  std::string line;
  const auto append_part = [&line](std::string_view text, std::string_view before) {
    if (text.empty()) return;
    if (!line.empty()) line += before;
    line += text;
  };
  append_part(d.place.file, "");
  if (d.place.known()) {
    append_part(format_hex(d.place.offset), ": ");
    append_part(format_bit_range(d.place), " ");
  }
  append_part(d.place.path, d.place.known() ? " " : ": ");
  if (!d.message.empty()) {
    append_part(d.message, ": ");
  } else {
    append_part(d.expected.empty() ? "" : "expected " + d.expected, ": ");
    append_part(d.found.empty() ? "" : "found " + d.found, d.expected.empty() ? ": " : ", ");
  }
  return escape_control_chars(line);  // names and values may come from the file
}

std::string format_hex_excerpt(const Diagnostic& d, ByteView file) {
  constexpr u64 k_width = 16;
  const Location& place = d.place;
  if (!place.known() || place.offset > file.size() || file.empty()) return {};

  // Bytes that are missing get carets too, so a size may reach beyond the file, but not beyond all numbers.
  const u64 size = std::min(std::max<u64>(place.size, 1), ~u64(0) - place.offset);
  const u64 end = place.offset + size;

  // Lines start at multiples of 16. What would be cut at the end of the line but can be shown whole moves it.
  u64 start = place.offset - place.offset % k_width;
  if (end - start > k_width && size <= k_width) start = place.offset - place.offset % 8;
  if (end - start > k_width && size <= k_width) start = place.offset;
  if (place.offset == file.size()) start = place.offset - (place.offset - 1) % k_width - 1;  // the end of the last line
  if (place.offset == file.size() && place.offset - start == k_width) start += k_width / 2;

  std::string line = format_hex(start, 4) + "  ";
  const size_t margin = line.size();
  std::string letters, carets(margin, ' ');
  for (u64 i = 0; i < k_width; ++i) {
    const u64 at = start + i;
    const bool is_there = at < file.size(), is_meant = at >= place.offset && at < end;
    if (i == 8) {
      line += ' ';
      carets += ' ';
    }
    line += is_there ? encode_hex(file.subspan(size_t(at), 1)) + ' ' : std::string("   ");
    carets += is_meant ? "^^ " : "   ";
    if (is_there) {
      const u8 c = file[size_t(at)];
      letters += c >= 0x20 && c < 0x7f ? char(c) : '.';
    }
  }
  carets.erase(carets.find_last_not_of(' ') + 1);
  if (end - start > k_width) carets += " ... " + format_count(size, "byte");
  if (place.bit >= 0) carets += "  " + format_bit_range(place);
  return line + ' ' + letters + '\n' + carets;
}

std::span<const Rule> library_rules() {
  using enum Severity;
  static constexpr std::string_view k_here = "diorama";
  static constexpr Rule k_rules[] = {
      // Reading.
      {"layout.truncated", stop, "the file holds every byte that its structures need",
       "The game would read past the end of the data. The download was probably cut off, or a size field is wrong.",
       "Get a complete copy of the file. If it is complete, correct the size or count that leads past its end.",
       k_here},
      {"layout.magic", stop, "every structure starts with the magic bytes of its format",
       "Other bytes mean another format or version, or an offset that leads to the wrong position.",
       "Check that the file is of this format and not compressed; `dio info FILE` shows what is recognised, and --as "
       "chooses a format.",
       k_here},
      {"layout.offset", stop, "every offset points inside the file",
       "The game would read memory that does not belong to the file.",
       "Get an undamaged copy, or correct the offset with a hex editor.", k_here},
      {"layout.count", stop, "every list fits into the bytes that remain",
       "The game would read past the end of the list: its count is wrong, or was read from the wrong position.",
       "Get an undamaged copy, or correct the count with a hex editor.", k_here},
      {"layout.requires", stop, "related fields of a structure agree as the format requires",
       "The positions of everything that follows depend on these fields.",
       "Correct the field that the message names, with a hex editor or in the program that wrote the file.", k_here},
      {"layout.depth", stop, "structures are nested no deeper than the format ever needs",
       "Deeper nesting comes from offsets that lead in a circle.",
       "Get an undamaged copy, or correct the offset that the message names.", k_here},
      {"layout.budget", stop, "blocks that share bytes add up to at most 64 times the size of the file",
       "Shared bytes are read once for each block that refers to them. Without a limit, a small file could use up all "
       "memory.",
       "Write the file again with the program that made it, without shared blocks.", k_here},
      {"layout.raw", warning, "every part of the file can be parsed",
       "It can be neither checked nor edited, but it is written back unchanged.",
       "Correct the count or size that the message names; --strict makes this an error.", k_here, Severities{stop}},

      // Writing.
      {"layout.overlap", stop, "two values that share bytes agree",
       "Structures may share bytes, but only one of two different values can be stored.",
       "Set both values to the same number, or write the file with --canonical, which separates shared parts if the "
       "format allows it.",
       k_here},
      {"layout.overflow", Cause::limit, "every value fits its field",
       "A truncated value would silently become another number.", "Use a value in the range that the message names.",
       k_here},
      {"layout.text-too-long", Cause::limit, "every text fits the bytes of its field",
       "A truncated text would silently become another one, perhaps with half a character at its end.",
       "Shorten the text.", k_here},
      {"layout.loses", Cause::limit, "writing keeps all that was read",
       "The edit changes the layout of the file. Unreferenced bytes have no position in the new one, and where parts "
       "beyond the end of a file that was cut off should be is something else.",
       "Repeat the command with --lossy to discard these, or make an edit that does not change sizes.", k_here},
      {"layout.not-canonical", hint,
       "the parts of a file have the usual order and no gaps, so that lean JSON needs no offsets",
       "Otherwise the JSON has to keep the offsets, and many of its lines change when the data changes a little.",
       "Write the file with `dio convert FILE -o NEW --canonical`, then decode that.", k_here},

      // A document from JSON.
      {"layout.unknown-key", stop, "the JSON has only members that the format knows",
       "A misspelt name would be ignored, and its value would not be set.",
       "Correct the name, or remove the member; `dio schema` lists the names of a format.", k_here},
      {"layout.missing-key", stop, "the JSON has every member that the format needs",
       "The value would have to be guessed, and the file would differ from the one that was decoded.",
       "Add the member; `dio schema` describes the members of a format.", k_here},
      {"layout.derived", stop, "only values that are not computed from others are set",
       "Sizes, counts and checksums are computed from the content of a file, which would overwrite the value.",
       "Change the content that the value is computed from: to change a count, add or remove entries.", k_here},
      {"layout.type", stop, "every JSON value has the type of its field",
       "Texts are not converted to numbers, and fractions are not rounded.",
       "Use a value of the type that the message names.", k_here},

      {"layout.limit", Cause::limit,
       "JSON, or an unpacked folder, describes a file of at most 64 MiB plus 16 times its own size",
       "A few digits could request a gigabyte, by mistake or to use up all memory.",
       "If the file is really that large, repeat the command with --limit SIZE.", k_here},

      // Text of JSON.
      {"json.syntax", stop, "the text is valid JSON (RFC 8259)",
       "Without a comma or a bracket, the meaning of the text is ambiguous.",
       "Correct the text at the line and column that the message names.", "RFC 8259"},
      {"json.duplicate-key", stop, "no name appears twice in an object",
       "One of the two values would be lost silently.", "Remove one of the two members.", "RFC 8259, section 4"},
      {"json.depth", stop, "lists and objects are nested at most 128 deep",
       "No format needs more; deeper texts are made to exhaust the stack of a program.",
       "Remove the nesting; no file of `dio` needs it.", k_here},
      {"json.utf8", stop, "the text is UTF-8", "Another encoding cannot be distinguished from damaged text.",
       "Save the text as UTF-8.", "RFC 8259, section 8.1"},

      // Conversion.
      {"gltf.size", Cause::limit, "a .glb file is smaller than 4 GiB", "Its header stores the length in 32 bits.",
       "Divide the scene into several files, or make its textures smaller.", "glTF 2.0, section 4.4"},
      {"gltf.syntax", stop, "a glTF file follows the glTF 2.0 specification",
       "Indices out of range, lists of different lengths and invalid numbers would become garbage in the file.",
       "Export the file again; the Khronos glTF validator lists everything that is wrong with it.", "glTF 2.0"},
      {"gltf.extension", stop, "diorama supports every extension that a glTF file requires",
       "Without the extension, the file cannot be read: the scene may be compressed with it, for example.",
       "Export the file again without the extension, such as without mesh compression.", "glTF 2.0, section 3.12"},
      {"gltf.resource", stop, "a glTF file refers only to existing files in its own folder or below",
       "Other paths could lead to any file on the computer.",
       "Copy the missing file beside the glTF file, or export as .glb, which holds everything.",
       "glTF 2.0, section 2.8"},
      {"gltf.budget", stop, "the contents of a glTF file need at most 16 MiB plus 256 times its size in memory",
       "Parts that are used many times are copied for each use. Without a limit, a small file could use up all memory.",
       "Divide the scene into several files.", k_here},
      {"gltf.partly", hint, "everything in a glTF file can be imported",
       "What is not supported is left out of the result.",
       "Check that the result has what you need; apply or bake the unsupported part in your 3D program.", k_here},

      // Pictures.
      {"render.size", Cause::limit, "a picture is 1 to 16384 pixels wide and high, and has at most 2^28 pixels in all",
       "A larger one would take gigabytes of memory, and few programs could open it.",
       "Choose a smaller --size, --scale or --zoom, or write a pyramid of tiles (--tiles).", k_here},
      {"render.camera", Cause::request, "the camera is iso, free, top, AZIMUTH,ELEVATION, or one of the file's cameras",
       "Without a camera there is no picture.", "Choose one of the cameras that the message names.", k_here},
      {"render.scale", Cause::request, "only maps with tiles are drawn at a scale per tile",
       "Only maps of Pokémon Platinum and Final Fantasy Tactics have tiles. Other scenes are drawn at a scale per unit "
       "(0.05/unit) or per metre (20/m).",
       "Give the scale per unit or per metre, or use --size.", k_here},
      {"render.animation", Cause::request, "the file has the animation that should play",
       "Without it nothing would move.",
       "Choose one of the animations that the message names, or give the file of the animation along with the model.",
       k_here},
      {"png.syntax", stop, "a picture is a valid PNG file",
       "Pixels guessed for damaged parts would go unnoticed until the game shows them.",
       "Save the picture again as PNG.", "Portable Network Graphics (PNG) Specification, third edition"},
      {"png.size", stop, "a picture has at most 2^26 pixels",
       "No console shows pictures that large; such files are made to exhaust the memory of a program.",
       "Scale the picture down.", k_here},

      {"jpeg.syntax", stop, "a picture is a valid JPEG file with Huffman coding and 8 bits per sample, grey or colour",
       "Pixels guessed for damaged parts would go unnoticed until the game shows them.",
       "Save the picture again as PNG, or as JPEG in greyscale or colour (not CMYK).", "ITU-T T.81"},
      {"jpeg.size", stop, "a picture has at most 2^26 pixels, and no more than a file of its size can hold",
       "No console shows pictures that large; such files are made to exhaust the memory of a program.",
       "Scale the picture down.", k_here},

      {"jasc.syntax", stop, "a palette (.pal) has the lines JASC-PAL, 0100, a number of colours, and the colours",
       "Colours guessed for damaged lines would go unnoticed until the game shows them.",
       "Save the palette again as a JASC palette, from the program that edits it.", "Paint Shop Pro, JASC-PAL 0100"},

      // The viewer.
      {"view.size", Cause::limit,
       "a page of the viewer holds files of at most 64 MiB, or as many as --limit allows, up to 256 MiB",
       "Browsers keep several copies of a page, and of what is in it, in memory.",
       "Use `dio view --serve`, or allow more with --limit.", k_here},
      {"view.page", stop, "the page that files are inserted into is the page of the viewer",
       "Files cannot be inserted into any other page.", "Build the page with `./dev viewer`, and use it unchanged.",
       k_here},

      // Files.
      {"io.read", Cause::system, "the file can be read",
       "It may be missing, be a folder, or you may not have permission to read it.",
       "Check the name, and that you may read the file.", k_here},
      {"io.write", Cause::system, "the file can be written",
       "The folder may be missing, the disk may be full, or you may not have permission to write there.",
       "Check that the folder exists, that the disk has room, and that you may write there.", k_here},
      {"io.git", Cause::system, "git is installed, and the folder belongs to a repository",
       "The settings are those of a repository.", "Install git, or make a repository with `git init`.", k_here},
      {"io.manifest", Cause::system, "the file after --manifest is a manifest, or does not exist yet",
       "What is done is added to its end; any other file would be damaged.", "Name a new file.", k_here},
      {"io.exists", Cause::system, "the output does not exist yet", "Files are overwritten only on request.",
       "Repeat the command with -f to overwrite the file, or choose another name.", k_here},

      // Finding out what a file is, and where a value in it lies.
      {"detect.unknown", stop, "the format of the file is known",
       "Neither its contents nor its name match a known format. --as FORMAT reads it as that format anyway.",
       "Check that the file is not compressed or damaged; name its format with --as FORMAT if you know it. `dio find "
       "FILE` looks for known files inside.",
       k_here},
      {"detect.tie", stop, "the file matches one format better than all others",
       "Two formats match equally well, and a wrong guess might damage the file.",
       "Choose one of the formats that the message names with --as FORMAT.", k_here},
      {"scene.invalid", Cause::fault, "a scene is valid: indices in range, finite numbers, unit normals",
       "Other programs would reject what is made of it, or show it wrongly. Scenes out of files are always valid; "
       "programs that use the library can build others.",
       "Correct the value that the message names in the program that made the scene.", k_here},
      {"scene.none", Cause::absent, "the file has something to show",
       "Textures and animations are shown on the model they belong to.",
       "Give the model along with its textures and animations, or use `dio textures` for pictures.", k_here},
      {"scene.source", stop, "every vertex of an edited scene refers to its vertex in the file",
       "The glTF attribute _SOURCE holds this reference. If it is missing or comes from another file, vertices cannot "
       "be matched.",
       "Export the scene again with the vertex attribute _SOURCE, from a scene that `dio convert` made of this file.",
       k_here},
      {"scene.place", Cause::limit, "what an edited scene changes can be said in the file",
       "Not everything has a position, a rotation and a size in every format.",
       "Undo this change in the scene, and export it again.", k_here},
      {"scene.other", warning, "an edited scene was made of the file that it is applied to",
       "Nodes are known by the paths of their values. In another file of the format, the same paths are other things, "
       "which would be moved instead.",
       "Apply the scene to the file it was made of; if that was changed since, look at what -n prints.", k_here},
      {"scene.older", warning, "an edited scene was made of the file as it is",
       "Elements and vertices are known by their numbers. What the file got since the scene was made is not in the "
       "scene, as if it had been deleted there.",
       "Look at what -n prints. Apply the scene to the file as it was, or make a new one of the file as it is.",
       k_here},
      {"scene.property", warning, "an edited property of a node is a value of the file",
       "Some properties say what follows from other values, such as the model of an object from its kind; changed "
       "there, "
       "they change nothing.",
       "Edit the values that they follow from; `dio explain FILE#PATH` names those of an element.", k_here},
      {"scene.material", warning, "the materials of an edited scene are those of the file",
       "Triangles are taken from an edited scene; colours, pictures and transparency of materials are not.",
       "Edit them in the file: `dio set` for values, `dio textures FILE --replace FOLDER` for pictures. Or make a new "
       "file of the scene.",
       k_here},
      {"scene.kept", hint, "an edited scene has everything that can be placed",
       "What is missing together with the node it was below was probably not exported, so it is not removed.",
       "Export the whole scene; remove elements with `dio edit FILE remove`.", k_here},
      {"scene.lost", Cause::limit, "all that was changed in an edited scene is taken",
       "The lines above name what the file cannot hold, or what nothing says how to hold.",
       "Undo these changes in the scene, or take the others with `dio convert --onto FILE --partly`.", k_here},
      {"scene.deleted", Cause::limit, "an edited scene has nearly all of the file",
       "More than three elements or polygons are missing. Programs also leave out what is hidden or not selected when "
       "they export.",
       "Export everything, or remove them with `dio convert --onto FILE --delete`.", k_here},
      {"scene.new", warning, "what is new in an edited scene is a copy, or below the node of a section",
       "Otherwise nothing says what it is in the file.",
       "Copy a node of the file and move the copy, or put the new node below the node of a section, such as objects.",
       k_here},
      {"path.unknown", Cause::absent, "the path refers to a value of the file",
       "Names are case-sensitive, and elements are counted from 0.", "`dio tree FILE` lists all paths.", k_here},
      {"path.syntax", Cause::request, "a path is names with dots between them, and indices or conditions in brackets",
       "Other paths would mean nothing, or something that was not intended. Examples: GOBJ[3].route, GOBJ[2-5], "
       "GOBJ[*], GOBJ[id=itembox].",
       "Correct the path; in a shell, put it in quotes if it has brackets or spaces.", k_here},

      // Edits, what is made, and questions.
      {"edit.argument", Cause::request, "the arguments of an edit are valid for the file",
       "The edit would change something else, or nothing. `dio edit FILE` lists the edits and their arguments.",
       "Correct the argument; `dio edit FILE` lists the edits and their arguments.", k_here},
      {"edit.referred", Cause::limit, "nothing refers to an element that is removed",
       "The references would lead to other elements or to none, and the game would read outside of the list.",
       "Let the references lead to other elements first, clear them with --unlink, or remove what refers to the "
       "element "
       "with --cascade. `dio refs FILE PATH` lists them.",
       k_here},
      {"edit.limit", Cause::limit, "the new number of an element fits the fields that refer to it",
       "A field of 8 bits can number only 256 elements, and its last number often means none.",
       "Remove other elements first, or add the element where fewer fields refer to what follows.", k_here},
      {"edit.result", Cause::limit, "a file can be written and read after an edit",
       "Some lists cannot have any other length or order: their structures lie where other parts expect them. Nothing "
       "is changed.",
       "Use an edit of the format, if there is one (`dio edit FILE` lists them).", k_here},
      {"edit.opaque", Cause::limit, "an element that a part of unknown structure may refer to keeps its number",
       "The part is kept as bytes, so the numbers in it cannot follow: it would mean another element.",
       "Add elements at the end of the list, and set values instead of moving or removing elements.", k_here},
      {"edit.parted", hint, "values that share their bytes are set together",
       "Only what was asked for changes: the file is laid out again, so that each value has bytes of its own.",
       "Set the other value as well, if both should stay one.", k_here},
      {"edit.stale", stop, "a change is applied to the document that it was made for",
       "In another document it would change something else.", "Repeat the edit on the file as it is now.", k_here},
      {"layout.reference", error, "a reference leads to an element that exists",
       "The game reads outside of the list, or finds nothing of that name.",
       "Let it lead to an element that exists; `dio refs FILE` lists all references that lead outside.", k_here,
       Severities{warning}},
      {"json.reference", stop, "in JSON with references by id, each reference leads to an element that has its id",
       "The number would mean another element, or none.",
       "Let the reference lead to another element, or write null, which leads nowhere where the field allows that.",
       k_here},
      {"merge.format", stop, "files that are merged have one format",
       "Values of different formats have nothing to do with each other.",
       "Merge files of one format; --as says which one it is.", k_here},
      {"make.argument", Cause::request, "the options of a conversion are valid",
       "The result would not be what was asked for. `dio help convert` lists the options and their defaults.",
       "Correct the option; `dio help convert` lists them.", k_here},
      {"question.argument", Cause::request, "a question names a position that the file has",
       "There is no answer for other positions. `dio explain FORMAT` lists the questions.",
       "Correct the position; `dio explain FORMAT` lists the questions.", k_here},

      // Archives.
      {"file.missing", Cause::system, "the archive or the folder has a file of this name",
       "Names are case-sensitive; members without names are addressed by number.", "`dio ls ARCHIVE` lists the names.",
       k_here},
      {"archive.none", stop, "a path that continues after the name of a file leads into an archive",
       "Only archives have members: game.narc/3 is member 3 of game.narc.",
       "Check the path: everything before the last slash must be an archive or a folder.", k_here},
      {"archive.limit", Cause::limit,
       "archives are nested at most eight deep, and nested ones hold at most 64 MiB plus 16 times the outermost one",
       "Archives can be made to expand without end. Each nested archive counts as at least 16 KiB and the sizes of its "
       "members, which may share their bytes.",
       "Unpack the inner archives one at a time.", k_here},
      {"archive.pack", stop, "a folder holds everything that an archive is made of, and nothing else",
       "Missing parts cannot be made up, and files that no table lists would be lost.",
       "Add the missing parts or remove the surplus files that the message names; `dio unpack` makes a complete "
       "folder.",
       k_here},
      {"archive.disc", stop, "a disc image has a volume descriptor in sector 16",
       "Everything else on the disc is found through it. Images of audio tracks have none.",
       "Give the image of the data track, usually track 1.", "ECMA-119, 6.7.1"},
      {"archive.cue", stop, "a cue sheet names a file that starts with a data track, in its own folder or below",
       "Only a data track holds files; audio tracks have none. A file elsewhere could be any file, and `-i` would "
       "change it.",
       "Correct the file name in the cue sheet, or give the .bin file of the data track itself.", k_here},
      {"archive.full", Cause::limit, "a changed file fits in the sectors available to it",
       "Games address files on a disc by sector, so no other file is moved.",
       "Make the file smaller, or unpack the image and pack it again: files then get other sectors, which only games "
       "that find files by name accept.",
       k_here},
      {"archive.shared", Cause::limit, "a changed file shares its sectors with no other file",
       "The other file would change as well.",
       "Change the other file as well, or unpack the image and pack it again, which separates the two.", k_here},

      // What was found before.
      {"check.baseline", stop, "a baseline is the output of `dio check --json`",
       "Findings in the baseline are not shown again; other files do not say which findings to leave out.",
       "Make a baseline with `dio check FILES --json > baseline.json`.", k_here},

      // Games.
      {"game.unknown", stop, "the files are those of a known game",
       "A game is recognised by the names and paths of its files; some may be missing.",
       "Give the image of the game, or a folder that has its files under their original names and paths.", k_here},
      {"game.part", Cause::absent, "the game has a part of this name", "Parts are named by kind and number: land/489.",
       "`dio maps GAME` lists the maps; `dio tree --maps GAME` lists all parts.", k_here},
      {"game.budget", Cause::absent, "limits are known for parts of this kind",
       "Others have no room of their own in the game.",
       "`dio budget GAME --maps` lists maps and areas; lands, matrices and props have limits, too.", k_here},
      {"game.state", Cause::request, "the state of a map uses words that the game knows",
       "A state is a time of day, a weather and an arrangement; the files of the map define what it changes.",
       "`dio maps GAME map/N` lists the states of a map.", k_here},
      {"game.make", stop, "only files that can be computed from others of the game are built",
       "Other files hold data of their own.", "Copy the file from the game, or use a name that the message lists.",
       k_here},
  };
  return k_rules;
}

}  // namespace dio

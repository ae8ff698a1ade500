// library_rules.cpp: the rules of the library itself, by topic.
#include "core/diagnostic.hpp"
#include "core/join_rules.hpp"

namespace dio {

namespace {

using enum Severity;
constexpr std::string_view k_here = "diorama's own rule";

constexpr Rule k_reading_rules[] = {
    {"layout.truncated", stop, "the file contains every byte that its structures need",
     "If bytes are missing, the game reads past the end of the data. The file is probably incomplete, or a size "
     "field is wrong.",
     "Use a complete copy of the file. If the file is complete, correct the size or count that points past the end "
     "of the file.",
     k_here},
    {"layout.magic", stop, "every structure starts with the magic bytes of its format",
     "If the magic bytes differ, the structure belongs to another format or version, or an offset points to the "
     "wrong position.",
     "Check that the file has this format and is not compressed: {info FILE} shows the recognised format, and {--as "
     "FORMAT} sets the format explicitly.",
     k_here},
    {"layout.offset", stop, "every offset points inside the file",
     "If an offset points outside the file, the game reads memory that does not belong to the file.",
     "Use an undamaged copy, or correct the offset with a hex editor.", k_here},
    {"layout.count", stop, "every list fits in the remaining bytes of the file",
     "If a list is too long, the game reads past the end of the file. The count of the list is wrong, or was read "
     "from the wrong position.",
     "Use an undamaged copy, or correct the count of the list with a hex editor.", k_here},
    {"layout.requires", stop, "related fields of a structure agree with each other",
     "The positions of all later data depend on fields such as counts and sizes.",
     "Correct the field that the message names, with a hex editor or in the program that wrote the file.", k_here},
    {"layout.depth", stop, "structures are nested no deeper than the format needs",
     "If structures are nested deeper, their offsets form a cycle.",
     "Use an undamaged copy, or correct the offset that the message names.", k_here},
    {"layout.budget", stop, "the total size of blocks that share bytes is at most 64 times the file size",
     "Shared bytes are read once for each block that refers to them. Without a limit, a small file could use up all "
     "memory.",
     "Write the file again with the program that made it, without shared blocks.", k_here},
    {"layout.raw", warning, "every part of the file can be parsed",
     "A part that cannot be parsed can be neither checked nor edited; it is written back unchanged.",
     "Correct the count or size that the message names. {--strict} turns this warning into an error.", k_here,
     Severities{stop}},
};

constexpr Rule k_writing_rules[] = {
    {"layout.overlap", stop, "values that are stored in the same bytes are equal",
     "Structures may share bytes, but the same bytes cannot store two different values.",
     "Set both values to the same number, or write the file with {--canonical}, which stores shared parts separately "
     "if the format allows separate copies.",
     k_here},
    {"layout.overflow", Cause::limit, "every value fits in its field",
     "If a value were truncated to the size of its field, it would silently become another number.",
     "Use a value in the range that the message names.", k_here},
    {"layout.text-too-long", Cause::limit, "every text fits in its field",
     "If a text were truncated to the size of its field, it would silently become another text and might end in the "
     "middle of a character.",
     "Shorten the text.", k_here},
    {"layout.loses", Cause::limit, "a new layout of the file loses no data",
     "Some edits move the parts of a file. Bytes that nothing refers to have no position in the new layout, and "
     "references to parts beyond the end of a truncated file would point to the wrong data.",
     "Repeat the command with {--lossy} to discard the data that would be lost, or make an edit that does not change "
     "sizes.",
     k_here},
    {"layout.not-canonical", hint,
     "the parts of a file are in the usual order without gaps, so that lean JSON needs no offsets",
     "If the order is unusual or the file has gaps, the JSON must contain offsets, and a small change to the data "
     "changes many lines of the JSON.",
     "Write the file with {convert FILE -o NEW --canonical}, then decode the new file.", k_here},
};

// A document from JSON.
constexpr Rule k_json_document_rules[] = {
    {"layout.unknown-key", stop, "the JSON contains only members that the format defines",
     "A misspelt name would be ignored, and its value would not be set.",
     "Correct the name, or remove the member; {schema} lists the member names of a format.", k_here},
    {"layout.missing-key", stop, "the JSON contains every member that the format requires",
     "If a required member is missing, its value would have to be guessed, and the encoded file would differ from "
     "the original file.",
     "Add the missing member; {schema} describes the members of a format.", k_here},
    {"layout.derived", stop, "computed values are not set directly",
     "Sizes, counts and checksums are computed from the content of the file, so a value that is set directly would "
     "be overwritten.",
     "Change the content that the value is computed from; to change a count, for example, add or remove entries.",
     k_here},
    {"layout.type", stop, "every JSON value has the type of its field",
     "Texts are not converted to numbers, and fractions are not rounded.",
     "Use a value of the type that the message names.", k_here},

    {"layout.limit", Cause::limit,
     "a file built from JSON or a folder has at most 64 MiB plus 16 times the size of its source",
     "A few digits in the JSON could request gigabytes of memory, by mistake or on purpose.",
     "If the file is really that large, repeat the command with {--limit SIZE}.", k_here},
};

constexpr Rule k_json_text_rules[] = {
    {"json.syntax", stop, "the text is valid JSON (RFC 8259)",
     "A missing comma or bracket makes the meaning of the text ambiguous.",
     "Correct the text at the line and column that the message names.", "RFC 8259"},
    {"json.duplicate-key", stop, "each member name appears only once in an object",
     "If a name appears twice, one of the two values would be lost silently.", "Remove one of the two members.",
     "RFC 8259, section 4"},
    {"json.depth", stop, "lists and objects are nested at most 128 deep",
     "No format needs deeper nesting, which can overflow the stack of a program.", "Reduce the nesting.", k_here},
    {"json.utf8", stop, "the text is UTF-8", "Text in another encoding cannot be distinguished from damaged text.",
     "Save the text as UTF-8.", "RFC 8259, section 8.1"},
};

constexpr Rule k_conversion_rules[] = {
    {"gltf.size", Cause::limit, "a .glb file is smaller than 4 GiB",
     "The header of a .glb file stores the length in 32 bits.",
     "Split the scene into several files, or make its textures smaller.", "glTF 2.0, section 4.4"},
    {"gltf.syntax", stop, "a glTF file follows the glTF 2.0 specification",
     "Indices out of range, lists of different lengths and invalid numbers would put garbage into the converted "
     "file.",
     "Export the file again; the Khronos glTF validator lists all errors in a file.", "glTF 2.0"},
    {"gltf.extension", stop, "diorama supports every extension that a glTF file requires",
     "A required extension can, for example, compress the whole scene, so the file cannot be read without support "
     "for the extension.",
     "Export the file again without the extension, for example with mesh compression turned off.",
     "glTF 2.0, section 3.12"},
    {"gltf.resource", stop, "a glTF file refers only to existing files in its own folder or below",
     "A path outside the folder of the glTF file could point to any file on the computer.",
     "Copy the missing file next to the glTF file, or export as .glb, which contains everything.",
     "glTF 2.0, section 2.8"},
    {"gltf.budget", stop, "reading a glTF file takes at most 16 MiB of memory plus 256 times the file size",
     "Parts that a scene uses many times are copied for each use. Without a limit, a small file could use up all "
     "memory.",
     "Split the scene into several files.", k_here},
    {"gltf.partly", hint, "everything in a glTF file can be imported", "Unsupported parts are omitted from the result.",
     "Check that nothing important is missing from the result. Apply or bake the unsupported parts in your 3D "
     "program.",
     k_here},
    {"obj.syntax", stop, "the statements of an OBJ file have the numbers they need, and refer to vertices before them",
     "A face without its vertices cannot be shown.", "Export the file again.",
     "Wavefront, Object Files, appendix B1 of the Advanced Visualizer manual"},
    {"obj.missing", warning, "the material files and pictures of an OBJ file are in its folder, as PNG or JPEG",
     "The scene is read without them: its surfaces are white.",
     "Copy the missing files into the folder of the OBJ file, and convert other pictures to PNG.", k_here},
    {"obj.partly", hint, "everything in an OBJ file can be imported", "Unsupported parts are omitted from the result.",
     "Check that nothing important is missing from the result.", k_here},
};

constexpr Rule k_picture_rules[] = {
    {"render.size", Cause::limit,
     "a picture is 1 to 16,384 pixels wide and high, and has at most 2^28 pixels and 9 x 2^28 samples in total",
     "A picture above these limits would take gigabytes of memory or minutes to draw, and few programs could open it.",
     "Choose a smaller {--size}, {--scale}, {--zoom} or {--samples}, or write a pyramid of tiles with {--tiles}.",
     k_here},
    {"render.camera", Cause::request, "the camera is iso, free, top, AZIMUTH,ELEVATION, or one of the file's cameras",
     "Without a valid camera, there is nothing to draw.", "Choose one of the cameras that the message names.", k_here},
    {"render.scale", Cause::request, "a scale per tile is used only for maps with tiles",
     "Only maps of Pokémon Platinum and Final Fantasy Tactics have tiles. Other scenes are drawn at a scale per unit "
     "(0.05/unit) or per metre (20/m).",
     "Give the scale per unit or per metre, or use {--size}.", k_here},
    {"render.animation", Cause::request, "the file contains the animation to play",
     "If the file does not contain the animation, nothing moves.",
     "Choose one of the animations that the message names, or pass the animation file together with the model.",
     k_here},
    {"png.syntax", stop, "a picture is a valid PNG file",
     "The reader would have to guess damaged pixels, and the wrong pixels might be noticed only in the game.",
     "Save the picture again as PNG.", "Portable Network Graphics (PNG) Specification, third edition"},
    {"png.size", stop, "a picture has at most 2^26 pixels",
     "No console shows pictures with more than 2^26 pixels, and decoding such a picture could use up all memory.",
     "Scale the picture down.", k_here},

    {"jpeg.syntax", stop, "a JPEG picture is a valid Huffman-coded file with 8 bits per sample, in greyscale or colour",
     "The reader would have to guess damaged pixels, and the wrong pixels might be noticed only in the game.",
     "Save the picture again as PNG, or as JPEG in greyscale or colour (not CMYK).", "ITU-T T.81"},
    {"jpeg.size", stop,
     "a JPEG picture has at most 2^26 pixels, and no more pixels than a file of its size can contain",
     "No console shows pictures with more than 2^26 pixels, and decoding such a picture could use up all memory.",
     "Scale the picture down.", k_here},

    {"jasc.syntax", stop,
     "a palette file (.pal) contains the line JASC-PAL, the line 0100, the number of colours, and one colour per "
     "line",
     "The reader would have to guess damaged colours, and the wrong colours might be noticed only in the game.",
     "Save the palette again in the JASC format.", "JASC-PAL 0100, the palette format of Paint Shop Pro"},
};

constexpr Rule k_viewer_rules[] = {
    {"view.size", Cause::limit,
     "the files in a viewer page have at most 64 MiB in total, or up to 256 MiB with {--limit}; a page of {hex --html} "
     "has at most 64 MiB",
     "A browser keeps several copies of a page and its contents in memory.",
     "Use {view --serve}, or raise the limit of a viewer page with {--limit}.", k_here},
    {"view.page", stop, "files are embedded only in a viewer page",
     "Only a viewer page has a place for the data of embedded files.",
     "Build the viewer page with `./dev viewer`, and use it unchanged.", k_here},
};

constexpr Rule k_file_rules[] = {
    {"io.read", Cause::system, "the file can be read",
     "The file may be missing, it may be a folder, or you may lack permission to read it.",
     "Check the name of the file and your permission to read it.", k_here},
    {"io.write", Cause::system, "the file can be written",
     "The folder may be missing, the disk may be full, or you may lack permission to write to the folder.",
     "Check that the folder exists, that the disk has free space, and that you have permission to write to the "
     "folder.",
     k_here},
    {"io.git", Cause::system, "git is installed, and the folder belongs to a repository",
     "The command writes its settings to a git repository.", "Install git, or create a repository with `git init`.",
     k_here},
    {"io.manifest", Cause::system, "the file given with {--manifest} is either a manifest or a new file",
     "The program appends finished files to the manifest and would damage any other file.",
     "Give the name of a manifest or of a new file.", k_here},
    {"io.exists", Cause::system, "the output does not exist yet", "Existing files are overwritten only on request.",
     "Repeat the command with -f to overwrite the file, or choose another name.", k_here},
};

// Detecting formats and locating values.
constexpr Rule k_detection_rules[] = {
    {"detect.unknown", stop, "the format of the file is known",
     "Neither the contents nor the name of the file matches a known format. {--as FORMAT} reads the file as that "
     "format anyway.",
     "Check that the file is not compressed or damaged. If you know the format, name it with {--as FORMAT}. {find "
     "FILE} searches the file for embedded files of known formats.",
     k_here},
    {"detect.tie", stop, "the file matches one format better than all others",
     "Two formats match equally well, and a wrong guess might damage the file.",
     "Use {--as FORMAT} with one of the formats that the message names.", k_here},
    {"scene.invalid", Cause::fault, "a scene is valid: indices in range, finite numbers, unit normals",
     "If a scene is invalid, other programs reject the exported file or display it incorrectly. Scenes read from "
     "files are always valid; programs that use the library can build invalid ones.",
     "Correct the value that the message names, in the program that made the scene.", k_here},
    {"scene.none", Cause::absent, "the file contains a model or a map to show",
     "Textures and animations can be shown only on their model.",
     "Pass the model together with its textures and animations, or extract pictures with {textures}.", k_here},
    {"scene.source", stop, "every vertex of an edited scene refers to its vertex in the file",
     "The glTF attribute _SOURCE stores the reference of each vertex. If the attribute is missing or comes from "
     "another file, the vertices cannot be matched.",
     "Make a scene from this file with {convert}, edit it, and export it with the vertex attribute _SOURCE.", k_here},
    {"scene.place", Cause::limit, "the format can store every change of an edited scene",
     "Some formats store no position, rotation or size for some of their elements.",
     "Undo the change in the scene, and export the scene again.", k_here},
    {"scene.other", warning, "an edited scene was made from the file that it is applied to",
     "Nodes are identified by paths in the file. If the scene was made from another file, its paths belong to "
     "different elements, which would be moved instead.",
     "Apply the scene to its original file. If that file has changed since, check the changes that -n prints.", k_here},
    {"scene.older", warning, "an edited scene was made from the current version of the file",
     "Elements and vertices are identified by their numbers. Elements added to the file later are missing from the "
     "scene, so they count as deleted.",
     "Check the changes that -n prints. Apply the scene to the original version of the file, or make a new scene "
     "from the current version.",
     k_here},
    {"scene.property", warning, "an edited property of a node is a value that the file stores",
     "Some properties are computed from other values, such as the model of an object from its kind. Editing a "
     "computed property has no effect.",
     "Edit the values that the property depends on; {explain FILE#PATH} lists the values of an element.", k_here},
    {"scene.material", warning, "an edited scene has the same materials as the file",
     "Only triangles are imported from an edited scene. The colours, pictures and transparency of its materials are "
     "ignored.",
     "Edit the materials in the file: use {set FILE PATH VALUE} for values and {textures FILE --replace FOLDER} for "
     "pictures. Or make a new file from the scene.",
     k_here},
    {"scene.kept", hint, "an edited scene contains every element of the file that has a position",
     "If the parent node of a missing element is also missing, it was probably not exported. The element therefore "
     "stays in the file.",
     "Export the whole scene. To remove elements, use {edit FILE remove}.", k_here},
    {"scene.lost", Cause::limit, "every change in an edited scene can be applied",
     "Earlier messages name the changes that the file cannot store or that are ambiguous.",
     "Undo the changes that earlier messages name, or apply all other changes with {convert --onto FILE --partly}.",
     k_here},
    {"scene.deleted", Cause::limit, "an edited scene contains nearly everything in the file",
     "More than three elements or polygons are missing. Many programs skip hidden or unselected objects on export.",
     "Export everything, or remove the missing parts with {convert --onto FILE --delete}.", k_here},
    {"scene.new", warning, "a new node in an edited scene is a copy of another node or a child of a section node",
     "If a new node is neither a copy nor a child of a section node, it is unclear which kind of element to add.",
     "Copy a node of the file and move the copy, or make the new node a child of a section node, such as objects.",
     k_here},
    {"path.unknown", Cause::absent, "the path refers to a value in the file",
     "Names are case-sensitive, and elements are counted from 0.", "{tree FILE} lists all paths.", k_here},
    {"path.syntax", Cause::request,
     "a path consists of names separated by dots, with indices or conditions in brackets",
     "A path in any other form has no meaning or could select the wrong values. Examples: GOBJ[3].route, GOBJ[2-5], "
     "GOBJ[*], GOBJ[id=itembox].",
     "Correct the path. In a shell, quote a path that contains brackets or spaces.", k_here},
};

// Edits, conversions and questions.
constexpr Rule k_edit_rules[] = {
    {"edit.argument", Cause::request, "the arguments of an edit are valid for the file",
     "With an invalid argument, the edit would change the wrong values or nothing.",
     "Correct the argument; {edit FILE} lists the edits and their arguments.", k_here},
    {"edit.referred", Cause::limit, "nothing refers to a removed element",
     "References to a removed element would point to the wrong element or to none, and the game would read outside "
     "the list.",
     "Before you remove the element, point the references to other elements. Alternatively, clear the references "
     "with {--unlink}, or remove the referring elements with {--cascade}. {refs FILE PATH} lists the references.",
     k_here},
    {"edit.limit", Cause::limit, "the new number of an element fits in the fields that refer to it",
     "An 8-bit field, for example, can refer to only 256 elements, and its highest value often stands for no "
     "element.",
     "Remove other elements first, or add the element at a position where fewer references change.", k_here},
    {"edit.result", Cause::limit, "a file can be written and read again after an edit",
     "Some lists have a fixed length or order, because other parts of the file expect their elements at fixed "
     "positions. If the edited file could not be read again, the original file stays unchanged.",
     "Use a named edit of the format if there is one; {edit FILE} lists them.", k_here},
    {"edit.opaque", Cause::limit,
     "an element keeps its number if a part of the file with an unknown structure may refer to the element",
     "References in a part with an unknown structure cannot be renumbered, so they would point to other elements.",
     "Add new elements only at the end of the list, and set values instead of moving or removing elements.", k_here},
    {"edit.parted", hint, "values that share bytes are set to the same value",
     "If only one of the values is set, the file is written in a new layout in which each value has its own bytes. "
     "The other value stays unchanged.",
     "To keep the values equal, also set the other value.", k_here},
    {"edit.stale", stop, "an edit is applied to the version of the file that it was made for",
     "In another version of the file, the edit would change the wrong parts.", "Repeat the edit on the current file.",
     k_here},
    {"layout.reference", error, "a reference points to an element that exists",
     "If the element does not exist, the game reads outside the list or finds no element with the given name.",
     "Point the reference to an existing element; {refs FILE} lists all broken references.", k_here,
     Severities{warning}},
    {"json.reference", stop, "in JSON with references by id, each reference names the id of an existing element",
     "A reference with an unknown id would point to another element or to none.",
     "Correct the id, or write null for no reference if the field allows it.", k_here},
    {"merge.format", stop, "merged files have the same format",
     "Files of different formats have no values in common to merge.",
     "Merge files of one format. If the format is not recognised, set it with {--as FORMAT}.", k_here},
    {"make.argument", Cause::request, "the options of a conversion are valid",
     "With an invalid option, the result would differ from the requested result.",
     "Correct the option; {help convert} lists the options and their defaults.", k_here},
    {"question.argument", Cause::request, "a question names a valid position in the file",
     "For an invalid position, there is no answer.", "Correct the position; {explain FORMAT} lists the questions.",
     k_here},
};

constexpr Rule k_archive_rules[] = {
    {"file.missing", Cause::system, "the archive or folder contains a file with the given name",
     "Names are case-sensitive; members without names are addressed by number.", "{ls ARCHIVE} lists the names.",
     k_here},
    {"archive.none", stop, "in a path, everything before the last slash is an archive or a folder",
     "Only archives have members. For example, game.narc/3 is member 3 of the archive game.narc.",
     "Check the path: everything before the last slash must be an archive or a folder.", k_here},
    {"archive.limit", Cause::limit,
     "archives are nested at most eight levels deep, and the contents of all nested archives are at most 64 MiB plus "
     "16 times the size of the outermost archive",
     "Without a limit, a small archive could expand until all memory is used up. Each nested archive counts as at "
     "least 16 KiB plus the sizes of its members, even if members share bytes.",
     "Unpack the inner archives one at a time.", k_here},
    {"archive.pack", stop, "a folder contains every part of the archive to pack, and nothing else",
     "Missing parts cannot be reconstructed, and files that are in no table would be lost.",
     "Add the missing parts or remove the surplus files that the message names. {unpack FILE} writes a complete "
     "folder.",
     k_here},
    {"archive.disc", stop, "a disc image has a volume descriptor in sector 16",
     "All other data on the disc is found through the volume descriptor. Images of audio tracks have no volume "
     "descriptor.",
     "Use the image of the data track, usually track 1.", "ECMA-119, 6.7.1"},
    {"archive.cue", stop,
     "the file named in a cue sheet starts with a data track and is in the folder of the cue sheet or below",
     "Audio tracks contain no files. If a cue sheet could name files outside its folder, `-i` could change any file "
     "on the computer.",
     "Correct the file name in the cue sheet, or pass the .bin file of the data track itself.", k_here},
    {"archive.full", Cause::limit, "a changed file fits in the sectors that are available for the file",
     "Games address files on a disc by sector, so no other file is moved to make room.",
     "Make the file smaller, or unpack the image and pack it again. Packing moves files to other sectors, which "
     "works only for games that find files by name.",
     k_here},
    {"archive.shared", Cause::limit, "a changed file shares its sectors with no other file",
     "A change to shared sectors would also change the other file.",
     "Also change the other file. Alternatively, unpack the image and pack it again, which gives each file its own "
     "sectors.",
     k_here},
    {"archive.repacked", warning, "the disc image from which a folder was unpacked can hold the files of the folder",
     "A new image has the system area and the files, but other sectors, and new dates. Games that address files by "
     "sector do not find them, except where {pack FOLDER} knows the tables.",
     "Add and remove no files, and keep files as small as they were. To convert an image on purpose, ignore this "
     "warning.",
     k_here},
};

constexpr Rule k_baseline_rules[] = {
    {"check.baseline", stop, "a baseline is the output of {check --json}",
     "Findings in the baseline are not reported again, so the file must be a list of findings.",
     "Make a baseline with {check FILES --json > baseline.json}.", k_here},
};

constexpr Rule k_game_rules[] = {
    {"game.unknown", stop, "the files belong to a known game",
     "A game is recognised by the names and paths of its files. Some files may be missing.",
     "Use the image of the game, or a folder with its files under their original names and paths.", k_here},
    {"game.part", Cause::absent, "the game has a part with the given name",
     "Parts are named by kind and number, for example land/489.",
     "{maps GAME} lists the maps; {tree --maps GAME} lists all parts.", k_here},
    {"game.budget", Cause::absent, "budgets are computed only for parts with known limits",
     "The game reserves separate memory only for some kinds of parts. Parts of any other kind have no limits.",
     "{budget GAME --maps} lists maps and areas. Lands, matrices and props also have known limits.", k_here},
    {"game.state", Cause::request, "the state of a map consists of words that the game knows",
     "A state consists of a time of day, a weather and an arrangement. The files of the map define how each state "
     "looks.",
     "{maps GAME map/N} lists the states of a map.", k_here},
    {"game.make", stop, "the file to build can be computed from other game files",
     "Most game files contain original data that cannot be computed from other files.",
     "Copy the file from the game, or use a name that the message lists.", k_here},
};

}  // namespace

std::span<const Rule> library_rules() {
  static const std::vector<Rule> all = concat_rules(
      {k_reading_rules, k_writing_rules, k_json_document_rules, k_json_text_rules, k_conversion_rules, k_picture_rules,
       k_viewer_rules, k_file_rules, k_detection_rules, k_edit_rules, k_archive_rules, k_baseline_rules, k_game_rules});
  return all;
}

}  // namespace dio

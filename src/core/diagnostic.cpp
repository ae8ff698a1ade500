#include "core/diagnostic.hpp"

#include <algorithm>

#include "core/printing.hpp"

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

Place Place::in_file(std::string_view file, std::string path) {
  Place p(std::move(path));
  p.file = file;
  return p;
}

Place Place::of_bytes(u64 offset, u64 size, std::string path) {
  Place p(std::move(path));
  p.offset = offset;
  p.size = size;
  return p;
}

Diagnostic make_diagnostic(Severity severity, std::string_view id, Place place, Said said) {
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

Diagnostic make_diagnostic(std::string_view id, Place place, Said said) {
  return make_diagnostic(Severity::stop, id, std::move(place), std::move(said));
}

namespace {

std::string bit_range(const Place& place) {
  if (place.bit < 0) return {};
  const int last = place.bit + std::max(place.bits, 1) - 1;
  if (last == place.bit) return "bit " + std::to_string(place.bit);
  return "bits " + std::to_string(place.bit) + "-" + std::to_string(last);
}

}  // namespace

std::string to_line(const Diagnostic& d) {
  std::string line;
  const auto part = [&line](std::string_view text, std::string_view before) {
    if (text.empty()) return;
    if (!line.empty()) line += before;
    line += text;
  };
  part(d.place.file, "");
  if (d.place.known()) {
    part(hex_number(d.place.offset), ": ");
    part(bit_range(d.place), " ");
  }
  part(d.place.path, d.place.known() ? " " : ": ");
  if (!d.message.empty()) {
    part(d.message, ": ");
  } else {
    part(d.expected.empty() ? "" : "expected " + d.expected, ": ");
    part(d.found, d.expected.empty() ? ": " : ", ");
  }
  return printable(line);  // names and values may come from the file
}

std::string to_excerpt(const Diagnostic& d, ByteView file) {
  constexpr u64 k_width = 16;
  const Place& place = d.place;
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

  std::string line = hex_number(start, 4) + "  ";
  const size_t margin = line.size();
  std::string letters, carets(margin, ' ');
  for (u64 i = 0; i < k_width; ++i) {
    const u64 at = start + i;
    const bool is_there = at < file.size(), is_meant = at >= place.offset && at < end;
    if (i == 8) {
      line += ' ';
      carets += ' ';
    }
    line += is_there ? hex_digits(file.subspan(size_t(at), 1)) + ' ' : std::string("   ");
    carets += is_meant ? "^^ " : "   ";
    if (is_there) {
      const u8 c = file[size_t(at)];
      letters += c >= 0x20 && c < 0x7f ? char(c) : '.';
    }
  }
  carets.erase(carets.find_last_not_of(' ') + 1);
  if (end - start > k_width) carets += " ... " + counted(size, "byte");
  if (place.bit >= 0) carets += "  " + bit_range(place);
  return line + ' ' + letters + '\n' + carets;
}

std::span<const Rule> library_rules() {
  using enum Severity;
  static constexpr std::string_view k_here = "diorama";
  static constexpr Rule k_rules[] = {
      // Reading.
      {"layout.truncated", stop, "the file holds every byte that its structures need",
       "A file cut short, by a broken download or a wrong size, has nothing where the game will read.", k_here},
      {"layout.magic", stop, "the fixed bytes that mark a structure are the ones the format states",
       "Other bytes mean another format, another version, or that an offset leads to the wrong place.", k_here},
      {"layout.offset", stop, "every offset points inside the file",
       "The game would read memory that does not belong to the file.", k_here},
      {"layout.count", stop, "a list with as many elements as its count says fits into the bytes that are left",
       "The game would run past the end of the list; the count, or the place it was read from, is wrong.", k_here},
      {"layout.requires", stop, "the fields of a structure stand in the relation that the format states",
       "What follows is laid out by that relation; without it there is no telling where anything lies.", k_here},
      {"layout.depth", stop, "structures are nested no deeper than the format ever needs",
       "Deeper nesting comes from offsets that lead back to where they came from.", k_here},
      {"layout.budget", stop, "blocks that share bytes stay within 64 times the size of the file",
       "Shared bytes are read once for each block that names them. Without a limit a small file could ask for all the "
       "memory there is.",
       k_here},
      {"layout.raw", warning, "each part of the file reads as what it should be",
       "The part is kept as raw bytes and written back unchanged, but it can be neither checked nor edited.", k_here},

      // Writing.
      {"layout.overlap", stop, "two values written to the same bytes agree",
       "Structures may share bytes, but only one of two different values can be stored.", k_here},
      {"layout.overflow", stop, "a value fits the field it is stored in",
       "Cutting it to the size of the field would silently store another number.", k_here},
      {"layout.text-too-long", stop, "a text fits the bytes of its field",
       "Cutting it would silently store another text, perhaps with half a character at its end.", k_here},
      {"layout.loses", stop, "writing keeps every byte that was read",
       "The document was edited and gets a new layout, in which bytes that nobody described have no place. "
       "--lossy drops them.",
       k_here},

      // A document from JSON.
      {"layout.unknown-key", stop, "the JSON has only members that the format knows",
       "A misspelt name would be ignored, and the value it was meant to set would stay as it is.", k_here},
      {"layout.missing-key", stop, "the JSON has every member that the format needs",
       "The value would have to be guessed, and the file would no longer be the one that was decoded.", k_here},
      {"layout.derived", stop, "a value that is set does not follow from others",
       "Sizes, counts and checksums are computed from the content of a file; what is typed would be overwritten.",
       k_here},
      {"layout.type", stop, "a JSON value is of the kind the field needs",
       "A text is not a number, and a number with a fraction is not a whole one; neither is turned into the other.",
       k_here},

      // Text of JSON.
      {"json.syntax", stop, "the text is JSON as RFC 8259 defines it",
       "There is no telling what a text with a missing comma or bracket was meant to say.", "RFC 8259"},
      {"json.duplicate-key", stop, "no name appears twice in an object",
       "One of the two values would be dropped without a word.", "RFC 8259, section 4"},
      {"json.depth", stop, "lists and objects are nested at most 128 deep",
       "No format needs more; deeper texts are made to exhaust the stack of a program.", k_here},
      {"json.utf8", stop, "the text is UTF-8",
       "Bytes of another encoding cannot be told from damaged text. Save the file as UTF-8.", "RFC 8259, section 8.1"},

      // Conversion.
      {"gltf.scene", stop, "the scene holds what every scene must: indices inside, finite numbers, unit normals",
       "A file made from anything else would be refused, or shown wrongly, by other programs.", k_here},
      {"gltf.size", stop, "a .glb file is smaller than 4 GiB", "Its header stores the length in 32 bits.",
       "glTF 2.0, section 4.4"},
      {"gltf.syntax", stop, "a glTF file is one as its specification defines it",
       "Indices that lead nowhere, lists of different lengths and numbers that are none would end in the game as "
       "something else.",
       "glTF 2.0"},
      {"gltf.extension", stop, "a glTF file needs no extension that is not known here",
       "The file itself says that without it the file cannot be understood: compressed meshes, for example.",
       "glTF 2.0, section 3.12"},
      {"gltf.resource", stop, "a glTF file names only files in its own folder, or below",
       "Others could be anything on the computer; and what is not there cannot be read.", "glTF 2.0, section 2.8"},
      {"gltf.budget", stop, "what a glTF file holds needs no more than 16 MiB and 256 times its size",
       "Parts that are used many times are there many times when they are read. Without a limit a small file could ask "
       "for all the memory there is.",
       k_here},
      {"gltf.partly", hint, "a glTF file holds nothing but what a scene has a place for",
       "What has none is left out, and will not be in what is made of it.", k_here},

      // Pictures.
      {"png.syntax", stop, "a picture is a PNG file as its specification defines it",
       "Pixels made up for damaged parts would end in the game without anyone noticing.",
       "Portable Network Graphics (PNG) Specification, third edition"},
      {"png.size", stop, "a picture has at most 2^26 pixels",
       "No console shows pictures that large; such files are made to exhaust the memory of a program.", k_here},

      {"jpeg.syntax", stop, "a picture is a JPEG file with Huffman codes and 8 bits a sample, grey or coloured",
       "Pixels made up for damaged parts would end in the game without anyone noticing.", "ITU-T T.81"},
      {"jpeg.size", stop, "a picture has at most 2^26 pixels, and no more than a file of its size can hold",
       "No console shows pictures that large; such files are made to exhaust the memory of a program.", k_here},

      // Files.
      {"io.read", stop, "the file can be read", "It may be missing, a folder, or not yours to read.", k_here},
      {"io.write", stop, "the file can be written",
       "The folder may be missing, the disk full, or the place not yours to write to.", k_here},
      {"io.exists", stop, "the output does not exist yet",
       "Nothing is overwritten unless that is asked for: use --force, or another name.", k_here},

      // Finding out what a file is, and where a value in it lies.
      {"detect.unknown", stop, "the file is of a format that diorama knows",
       "Neither its contents nor its name match one. --as FORMAT tries one all the same.", k_here},
      {"detect.tie", stop, "the file can be told apart from other formats",
       "Two formats fit equally well, and guessing might damage the file. --as FORMAT says which one it is.", k_here},
      {"scene.none", stop, "there is something to show in the file",
       "Textures and animations are shown on the model they belong to.", k_here},
      {"scene.source", stop, "an edited scene says which vertices of the file its own are",
       "The attribute _SOURCE of glTF says it; without it, or with that of another file, nobody knows what was moved.",
       k_here},
      {"path.unknown", stop, "the path names a value of the file",
       "Names are case-sensitive, and elements are counted from 0.", k_here},

      // Edits, what is made, and questions.
      {"edit.argument", stop, "the arguments of an edit are valid and fit the file",
       "Something else would be changed, or nothing. `dio edit FILE` lists the edits and what they are told.", k_here},
      {"make.argument", stop, "the options for making a file are valid",
       "Something else would be made. `dio help convert` lists what may be told, and what it is otherwise.", k_here},
      {"question.argument", stop, "a question is about a place that the file describes",
       "There is no answer for another one. `dio explain FORMAT` lists the questions.", k_here},

      // Archives.
      {"file.missing", stop, "the archive or the folder has a file of this name",
       "Names are case-sensitive; members without names are found by their number.", k_here},
      {"archive.none", stop, "the path leads into an archive",
       "Only the members of archives have paths behind that of a file.", k_here},
      {"archive.limit", stop,
       "archives lie in each other at most eight deep, and hold at most 64 MiB and 16 times the outermost one",
       "Archives can be made that grow without end when all that is in them is looked into. Each counts as 16 KiB or "
       "more.",
       k_here},
      {"archive.pack", stop, "a folder holds everything that an archive is made of, and nothing else",
       "What is missing cannot be made up, and what no table names would be lost.", k_here},
      {"archive.disc", stop, "an image of a disc has a volume descriptor in its sector 16",
       "It says where everything else is. An image of sound alone has none.", "ECMA-119, 6.7.1"},
      {"archive.cue", stop, "a cue sheet names a file with the data track of a disc",
       "Sheets of sound alone, or of a file that begins with something else, lead to no files of a disc.", k_here},
      {"archive.full", stop, "a file of an archive whose parts keep their places fits into its own",
       "Games find the files of a disc by their sectors: none of them is moved.", k_here},
      {"archive.shared", stop, "a file that is changed has its sectors for itself",
       "Another file would change with it.", k_here},

      // Games.
      {"game.unknown", stop, "the files are those of a game that diorama knows",
       "A game is recognised by its files and where they lie; some of them may be missing.", k_here},
      {"game.part", stop, "the game has a part of this name", "Parts are named by their kind and number: land/489.",
       k_here},
      {"game.state", stop, "the state of a map is said in words that the game has for it",
       "What a state changes is what the files say for its time, weather and arrangement.", k_here},
      {"game.make", stop, "the file is one that follows from others of the game",
       "Only what follows from other files can be built.", k_here},
  };
  return k_rules;
}

}  // namespace dio

// gns.cpp: the list of a map's files and commands, and the size of textures.
#include <tuple>

#include "core/sorting.hpp"
#include "formats/contract/findings.hpp"
#include "formats/fft/check/checks.hpp"
#include "formats/fft/layout/states.hpp"

namespace dio::fft {

namespace {

using enum Severity;
constexpr Rule k_gns_rule_table[] = {
    {"fft.gns-size", error, "the rows and commands of a GNS file take at most 3,000 bytes",
     "The game keeps only the first 3,000 bytes (150 rows) of a GNS file and never finds an end row or end command "
     "beyond this "
     "limit. A file without an end row (type 0x80) or an end command (type 0) cannot be read (layout.truncated).",
     "Remove rows or commands that the map does not need from the GNS file.",
     "a decompilation of the game; measured on its 1,575 files", Severities{warning}},
    {"fft.gns-row-const", warning, "the fixed bytes of a row in a GNS file are 33 33 and 55 66 77 88",
     "All 2,987 GNS rows of the game contain the bytes 33 33 and end with 55 66 77 88. If the last byte of a row is 0, "
     "the game does not load the file of the row.",
     "Copy the fixed bytes from another row of the GNS file.",
     "a decompilation of the game; measured on its 1,575 files", Severities{error}},
    {"fft.gns-type", error, "the type of a row in a GNS file is 0x17 or 0x2E to 0x31",
     "The game keeps one row for each type up to 0x30 in an array. For a type above 0x30, it writes past the end of "
     "the array. Type 0x12 stops the game. Types 0x13 to 0x16 (one texture page each) work, but no map of the game "
     "uses these types.",
     "Use 0x17 for textures, 0x2E to 0x30 for meshes, and 0x31 only for the filler rows at the end.",
     "a decompilation of the game", Severities{warning}},
    {"fft.gns-compare", error, "the `comparison` field of a row is 1 (equal), 2 (below) or 3 (above)",
     "If the comparison has another value, the row never matches, and the game never loads its file.",
     "Set the `comparison` field of the row to 1, 2 or 3.", "a decompilation of the game; measured on its 1,575 files"},
    {"fft.gns-var", warning, "the `variable` field of a row is 0x22, 0x30 or 0x70",
     "The maps of the game use only the variables 0x22, 0x30 and 0x70, and no known code or script sets another "
     "variable for maps.",
     "Set the variable of the row to 0x22, 0x30 or 0x70, which the game sets.",
     "the ffhacktics.com wiki; measured on the game's 1,575 files"},
    {"fft.gns-filler", warning, "rows of type 0x31 (filler) come last and repeat the LBA and length of the last file",
     "All 1,533 filler rows of the game come last and repeat the LBA and length of the last file. Tools easily miss a "
     "file that is listed after filler rows.",
     "Move the filler rows to the end, and copy the LBA and length of the last file into them.",
     "measured on the game's 1,575 files"},
    {"fft.gns-default", error, "the default state of a map has a mesh and a texture",
     "If the default mesh or texture is missing, the game keeps the mesh or texture of the previous map. If the mesh "
     "file has its own texture pages, the map needs no texture file.",
     "Add a row that loads the missing file in the default state.", "a decompilation of the game"},
    {"fft.gns-dup-state", warning, "no two rows of a GNS file have the same type and the same state",
     "If two rows have the same type and state, the game uses the later row and never loads the file of the earlier "
     "row.",
     "Remove one of the two rows that have the same type and state, or change its state.",
     "a decompilation of the game"},
    {"fft.gns-unreachable", hint, "every row of a GNS file has a weather from 0 to 4 and an arrangement from 0 to 5",
     "No map of the game has another weather or arrangement, so only a custom event script could request the state of "
     "the row.",
     "Choose a weather from 0 to 4 and an arrangement from 0 to 5, unless a custom event script requests the state of "
     "the row.",
     "measured on the game's 1,575 files"},
    {"fft.gns-command", error, "the commands of a GNS file are 20 or 28 bytes long and have a known type",
     "The game uses the length of a command to find the next command. If the length is wrong, the game reads garbage; "
     "if the length is 0, the game hangs. The game has no code for commands of unknown types.",
     "Correct the length and type of the command; use a similar command of the game as a model.",
     "a decompilation of the game; the file table of its disc"},
};
constexpr Rule k_textures[] = {
    {"fft.tex-size", error, "a texture file has 131,072 bytes",
     "The game always copies four pages of 32,768 bytes to VRAM, even if the texture file is smaller or larger.",
     "Make the texture 256 x 1024 texels at 4 bits per texel, which take 131,072 bytes.",
     "a decompilation of the game; measured on its 1,575 files"},
};

constexpr u64 k_read = 4096, k_copied = 3000;  // bytes of the file that the game reads, and keeps
constexpr u8 k_fatal = 0x12, k_last_page = 0x16;
constexpr u8 k_weathers_known = 5;
constexpr u16 k_most_arrangements = 6;

std::string row_path(size_t i, std::string_view field = {}) { return text("rows[", i, "]", field); }

void check_size(Reporter& r, const Gns& gns) {
  u64 size = gns.rows.size() * k_row_size;
  for (const GnsCommand& c : gns.commands)
    size += c.type == 0 ? GnsCommand::k_end_size : GnsCommand::k_head_size + c.payload.size();
  if (size > k_copied)
    r.report("fft.gns-size", Location::of_bytes(k_copied, size - k_copied),
             {.message = text("rows and commands take ", size, " bytes; the game keeps only the first ", k_copied)});
  else if (r.findings.file_size > k_read)
    r.report(
        warning, "fft.gns-size", "rows",
        {.message = text("the file has ", r.findings.file_size, " bytes; the game reads only the first ", k_read)});
}

void check_row(Reporter& r, const GnsRow& row, size_t i) {
  if (row.mark != k_row_mark)
    r.report("fft.gns-row-const", row_path(i, ".mark"),
             {.message = text("the mark of the row is ", format_hex(row.mark, 4), "; it must be ",
                              format_hex(k_row_mark, 4))});
  if (row.end != k_row_end)
    r.report(
        row.end.back() == 0 ? error : warning, "fft.gns-row-const", row_path(i, ".end"),
        {.message = text("the row ends with ", encode_hex(row.end), "; it must end with ", encode_hex(k_row_end))});
  if (!row.is_file()) return;
  const bool is_page = row.type >= k_page_type && row.type <= k_last_page;
  if (is_page)
    r.report(warning, "fft.gns-type", row_path(i, ".type"),
             {.message = text("type ", format_hex(row.type), " (", k_resources.of(row.type),
                              ") works, but the game's maps use whole textures (0x17)")});
  else if (row.type == k_fatal || k_resources.of(row.type).empty())
    r.report("fft.gns-type", row_path(i, ".type"),
             {.message = text("type is ", format_hex(row.type), "; it must be 0x17 or 0x2E to 0x31")});
  if (k_comparisons.of(row.comparison).empty())
    r.report("fft.gns-compare", row_path(i, ".comparison"),
             {.message = text("comparison is ", row.comparison, "; it must be 1, 2 or 3")});
  if (k_variables.of(row.variable).empty())
    r.report(
        "fft.gns-var", row_path(i, ".variable"),
        {.message = text("variable is ", format_hex(row.variable), "; the game's maps use only 0x22, 0x30 and 0x70")});
  if (row.variable == k_crystals_variable) return;  // the row is for crystals, not arrangements
  if (row.state.weather >= k_weathers_known)
    r.report("fft.gns-unreachable", row_path(i, ".state.weather"),
             {.message = text("weather is ", row.state.weather, "; the game's maps use only 0 to 4")});
  if (row.state.arrangement >= k_most_arrangements)
    r.report("fft.gns-unreachable", row_path(i, ".state.arrangement"),
             {.message = text("arrangement is ", row.state.arrangement, "; the game's maps use only 0 to 5")});
}

void check_fillers(Reporter& r, const Gns& gns) {
  const GnsRow* last = nullptr;
  bool filled = false;
  for (size_t i = 0; i < gns.rows.size(); ++i) {
    const GnsRow& row = gns.rows[i];
    if (row.is_file()) {
      if (filled)
        r.report("fft.gns-filler", row_path(i),
                 {.message = "a file is listed after filler rows",
                  .hint = "move the row of the file before the rows of type 0x31"});
      last = &row;
      filled = false;
    } else if (row.type == k_filler) {
      filled = true;
      if (last && (row.lba != last->lba || row.length != last->length))
        r.report("fft.gns-filler", row_path(i, row.lba != last->lba ? ".lba" : ".length"),
                 {.message = text("the filler row has LBA ", row.lba, " and length ", row.length,
                                  ", but the last file has LBA ", last->lba, " and length ", last->length)});
    }
  }
}

void check_states(Reporter& r, const Gns& gns) {
  // Default rows are equal whatever variable they name.
  const auto key = [&](size_t i) {
    const GnsRow& row = gns.rows[i];
    return is_default(row) ? std::tuple(row.type, u16(0), u16(0), u8(0), i)
                           : std::tuple(row.type, row.variable, row.state.word(), row.comparison, i);
  };
  std::vector<size_t> rows;
  bool has_mesh = false;
  for (size_t i = 0; i < gns.rows.size(); ++i)
    if (gns.rows[i].is_file()) {
      rows.push_back(i);
      has_mesh |= gns.rows[i].type == k_primary_type || gns.rows[i].type == k_override_type;
    }
  if (!has_mesh) r.report("fft.gns-default", "rows", {.message = "no row has a primary mesh (type 0x2E)"});
  sort_stably(rows, {}, key);
  for (size_t i = 1; i < rows.size(); ++i) {
    auto a = key(rows[i - 1]), b = key(rows[i]);
    std::get<4>(a) = std::get<4>(b);
    if (a == b)
      r.report("fft.gns-dup-state", row_path(rows[i - 1]),
               {.message = text("the row has the same type and state as ", row_path(rows[i]),
                                ", so the game uses that row instead")});
  }
}

void check_commands(Reporter& r, const Gns& gns) {
  for (size_t i = 0; i < gns.commands.size(); ++i) {
    const GnsCommand& c = gns.commands[i];
    if (c.type == 0) continue;
    const auto path = [&](std::string_view field) { return text("commands[", i, "].", field); };
    const u64 size = c.payload.size() + GnsCommand::k_head_size;
    if (size != 0x14 && size != 0x1C)
      r.report("fft.gns-command", path("length"),
               {.message = text("the command has ", format_hex(size), " bytes; it must have 0x14 or 0x1C")});
    if (k_commands.of(c.type).empty())
      r.report("fft.gns-command", path("type"),
               {.message =
                    text("type is ", format_hex(c.type), "; it must be 0x83 to 0x86, 0x88 to 0x8B, or 0 for the end")});
  }
}

}  // namespace
const std::span<const Rule> k_gns_rules = k_gns_rule_table, k_texture_rules = k_textures;

void check(const Gns& gns, Findings& findings) {
  Reporter r(findings);
  check_size(r, gns);
  for (size_t i = 0; i < gns.rows.size(); ++i)
    if (gns.rows[i].type < k_first_command) check_row(r, gns.rows[i], i);
  check_fillers(r, gns);
  check_states(r, gns);
  check_commands(r, gns);
}

void check(const Texture& texture, Findings& findings) {
  const u64 size = texture.pages.size() * k_page_size + texture.rest.size();
  if (size != k_texture_size)
    findings.add("fft.tex-size", texture.pages.empty() ? "rest" : "pages",
                 {.message = text("the texture has ", size, " bytes; it must have ", k_texture_size)});
}

}  // namespace dio::fft

// places.cpp: positions where karts start, respawn, land after a cannon and stand at the end; and the stage settings.
#include <bitset>

#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_place_rules[] = {
    {"kmp.ktpt-none", error, "a course has a start position", "Without a start position, the game freezes.",
     "Add a start position behind the lap line.", "Wiimm's wkmpt"},
    {"kmp.ktpt-race", hint, "a race has one start position, for player -1",
     "The game uses only the first start position. LE-CODE also uses a second start position for player -1.",
     "Keep one start position, and set its player to -1.", "Wiimm's wkmpt; 320 real courses"},
    {"kmp.ktpt-arena", warning, "an arena has a start position for each of the players 0 to 11",
     "A player without a start position cannot be placed in the arena.",
     "Add start positions until each of the players 0 to 11 has one.", "Wiimm's wkmpt"},
    {"kmp.cnpt-id", hint, "a cannon point's id is its index", "The game uses the index and ignores the id.",
     "Set the id to the index.", "Wexos's Wiki; 314 of 320 real courses"},
    {"kmp.mspt-id", hint, "an end point's id is its index", "The game uses the index and ignores the id.",
     "Set the id to the index.", "Wexos's Wiki"},
    {"kmp.cnpt-effect", error, "a cannon point's effect is -1 to 2",
     "If the effect is above 2, the game reads past its table of three effects. An effect below -1 works like 0.",
     "Set `effect` to -1, 0, 1 or 2.", "decompiled game (riidefi/mkw, Kinoko)", Severities{hint}},
    {"kmp.mspt-arena", warning, "an arena has four end points, and a race course has none",
     "After a battle, the players stand at the end points; races do not use end points.",
     "In an arena, add end points until the arena has four. In a race course, remove all end points.", "Wiimm's wkmpt",
     Severities{hint}},
    {"kmp.stgi", warning,
     "a course has one stage entry, with a pole and a spacing of 0 or 1, three laps and no speed modifier",
     "The effect of a pole or a spacing other than 0 or 1 is undefined. Only cheat codes read the laps and the speed "
     "modifier.",
     "Set the field to the value given in the message. Leave the field as it is if the course needs a cheat code for "
     "laps or speed.",
     "Wiimm's wkmpt", Severities{hint}},
};

constexpr size_t k_players = 12;

void check_race_starts(Check& c, const std::vector<StartPoint>& starts) {
  if (c.version < k_start_count) return;  // older files have something else there
  if (starts[0].player != -1)
    c.report("kmp.ktpt-race", entry("KTPT", 0, "player"),
             {.message = text("the player number is ", starts[0].player, "; in a race, the number must be -1")});
  if (starts.size() > 2 || (starts.size() == 2 && starts[1].player != -1))
    c.report("kmp.ktpt-race", entry("KTPT", 1),
             {.message = text("the course has ", starts.size(), " start positions; a race uses only one")});
}

void check_arena_starts(Check& c, const std::vector<StartPoint>& starts) {
  std::bitset<k_players> taken;
  for (size_t i = 0; i < starts.size(); ++i) {
    const i16 player = starts[i].player;
    if (player < 0 || player >= i16(k_players))
      c.report("kmp.ktpt-arena", entry("KTPT", i, "player"),
               {.message = text("player ", player, " is out of range (0 to 11)")});
    else if (taken[size_t(player)])
      c.report("kmp.ktpt-arena", entry("KTPT", i, "player"),
               {.message = text("player ", player, " has two start positions")});
    else
      taken.set(size_t(player));
  }
  std::string missing;
  size_t count = 0;
  for (size_t player = 0; player < k_players; ++player)
    if (!taken[player]) missing += text(count++ ? ", " : "", player);
  if (count)
    c.report("kmp.ktpt-arena", c.count_field_path(c.course.ktpt),
             {.message = text("the arena has no start position for ", count == 1 ? "player " : "players ", missing)});
}

template <class S>
void check_ids(Check& c, const std::optional<S>& section, std::string_view rule) {
  for (size_t i = 0; i < entries(section).size(); ++i)
    if (const u16 id = section->entries[i].id; id != i)
      c.report(rule, entry(S::k_name, i, "id"),
               {.message = text("the id is ", id, ", but the index of the entry is ", i)});
}

void check_stage(Check& c) {
  const auto& stgi = c.course.stgi;
  if (!stgi) return;
  if (stgi->entries.size() != 1)
    return c.report(
        "kmp.stgi", c.count_field_path(stgi),
        {.message = text("the course has ", stgi->entries.size(), " stage entries; the game uses only one")});
  const Stage& s = stgi->entries[0];
  const auto at = [](std::string_view field) { return entry("STGI", 0, field); };
  if (s.pole > 1) c.report("kmp.stgi", at("pole"), {.message = text("the pole is ", s.pole, "; it must be 0 or 1")});
  if (s.spacing > 1)
    c.report("kmp.stgi", at("spacing"), {.message = text("the spacing is ", s.spacing, "; it must be 0 or 1")});
  if (s.laps != 3)
    c.report(hint, "kmp.stgi", at("laps"),
             {.message = text("the course has ", format_count(s.laps, "lap"), " instead of 3"),
              .hint = "only cheat codes read the number of laps"});
  if (s.speed_modifier)
    c.report(hint, "kmp.stgi", at("speed_modifier"),
             {.message = text("the speed modifier is ", format_hex(s.speed_modifier, 4), " instead of 0"),
              .hint = "only cheat codes read the speed modifier"});
}

void check_places(Check& c) {
  const Kmp& k = c.course;
  const std::vector<StartPoint>& starts = entries(k.ktpt);
  if (starts.empty()) {
    if (c.is_reliable(k.ktpt))
      c.report("kmp.ktpt-none", c.count_field_path(k.ktpt), {.message = "the course has no start position"});
  } else if (c.kind.arena)
    check_arena_starts(c, starts);
  else
    check_race_starts(c, starts);
  check_ids(c, k.cnpt, "kmp.cnpt-id");
  check_ids(c, k.mspt, "kmp.mspt-id");
  for (size_t i = 0; i < entries(k.cnpt).size(); ++i)
    if (const i16 effect = k.cnpt->entries[i].effect; effect < -1 || effect > 2)
      c.report(effect > 2 ? error : hint, "kmp.cnpt-effect", entry("CNPT", i, "effect"),
               {.message = text("effect ", effect, " is out of range (-1 to 2)")});
  const size_t ends = entries(k.mspt).size();
  if (c.kind.arena && ends != 4 && c.is_reliable(k.mspt))
    c.report("kmp.mspt-arena", c.count_field_path(k.mspt),
             {.message = text("the arena has ", ends, ends == 1 ? " end point" : " end points", " instead of 4")});
  if (!c.kind.arena && ends)
    c.report(hint, "kmp.mspt-arena", c.count_field_path(k.mspt),
             {.message = text("the course is a race and does not use its ", format_count(ends, "end point"))});
  check_stage(c);
}

}  // namespace

constinit const Topic k_place_checks{k_place_rules, check_places};

}  // namespace dio::kmp

// places.cpp: where karts start, come back, are shot to and stand at the end; and the stage itself.
#include <bitset>

#include "formats/kmp/check/checks.hpp"

namespace dio::kmp {

namespace {

using enum Severity;
constexpr Rule k_place_rules[] = {
    {"kmp.ktpt-none", error, "there is a start position", "The game freezes.",
     "Add a start position behind the lap line.", "wkmpt"},
    {"kmp.ktpt-race", hint, "a race has one start position, for player -1",
     "The game uses only the first one; LE-CODE also uses a second one for player -1.",
     "Keep one start position, and set its player to -1.", "wkmpt; 320 real files"},
    {"kmp.ktpt-arena", warning, "arenas have a start position for each of the players 0 to 11",
     "A player without one has nowhere to start.", "Add start positions until each of the players 0 to 11 has one.",
     "wkmpt"},
    {"kmp.cnpt-id", hint, "the id of a cannon is its index", "The game uses the index and ignores the id.",
     "Set the id to the index.", "Wexos's Wiki; 314 of 320 real files"},
    {"kmp.mspt-id", hint, "the id of an end point is its index", "The game uses the index and ignores the id.",
     "Set the id to the index.", "Wexos's Wiki"},
    {"kmp.cnpt-effect", error, "the effect of a cannon is -1 to 2",
     "The game's table of effects has three rows, 0 to 2. For numbers below -1 it uses row 0.",
     "Set effect to -1, 0, 1 or 2.", "game code", Severities{hint}},
    {"kmp.mspt-arena", warning, "an arena has four end points, a race none",
     "Players of an arena stand there after the battle; races do not use them.",
     "Add end points until there are four; in a race, remove them.", "wkmpt", Severities{hint}},
    {"kmp.stgi", warning,
     "there is one stage entry, with a pole and a spacing of 0 or 1, three laps and no speed modifier",
     "Other poles and spacings are undefined. Laps and speed are read by cheat codes only.",
     "Set the field to the value that the message names; keep it if the course needs a cheat code for laps or speed.",
     "wkmpt", Severities{hint}},
};

constexpr size_t k_players = 12;

void check_race_starts(Check& c, const std::vector<StartPoint>& starts) {
  if (c.version < k_start_count) return;  // older files keep something else there
  if (starts[0].player != -1)
    c.report("kmp.ktpt-race", entry("KTPT", 0, "player"),
             {.message = text("the player is ", starts[0].player, "; in a race it must be -1")});
  if (starts.size() > 2 || (starts.size() == 2 && starts[1].player != -1))
    c.report("kmp.ktpt-race", entry("KTPT", 1),
             {.message = text("there are ", starts.size(), " start positions; a race uses only one")});
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
             {.message = text("there is no start position for ", count == 1 ? "player " : "players ", missing)});
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
    return c.report("kmp.stgi", c.count_field_path(stgi),
                    {.message = text("there are ", stgi->entries.size(), " stage entries; the game uses only one")});
  const Stage& s = stgi->entries[0];
  const auto at = [](std::string_view field) { return entry("STGI", 0, field); };
  if (s.pole > 1) c.report("kmp.stgi", at("pole"), {.message = text("the pole is ", s.pole, "; it must be 0 or 1")});
  if (s.spacing > 1)
    c.report("kmp.stgi", at("spacing"), {.message = text("the spacing is ", s.spacing, "; it must be 0 or 1")});
  if (s.laps != 3)
    c.report(hint, "kmp.stgi", at("laps"),
             {.message = text("the course has ", format_count(s.laps, "lap"), " instead of 3"),
              .hint = "the game reads the number of laps only with a cheat code"});
  if (s.speed_modifier)
    c.report(hint, "kmp.stgi", at("speed_modifier"),
             {.message = text("the speed modifier is ", format_hex(s.speed_modifier, 4), " instead of 0"),
              .hint = "the game reads the speed modifier only with a cheat code"});
}

void check_places(Check& c) {
  const Kmp& k = c.course;
  const std::vector<StartPoint>& starts = entries(k.ktpt);
  if (starts.empty()) {
    if (c.is_reliable(k.ktpt))
      c.report("kmp.ktpt-none", c.count_field_path(k.ktpt), {.message = "there is no start position"});
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
             {.message = text("there are ", ends, ends == 1 ? " end point" : " end points", "; an arena needs 4")});
  if (!c.kind.arena && ends)
    c.report(hint, "kmp.mspt-arena", c.count_field_path(k.mspt),
             {.message = text("the course is a race and does not use its ", format_count(ends, "end point"))});
  check_stage(c);
}

}  // namespace

constinit const Topic k_place_checks{k_place_rules, check_places};

}  // namespace dio::kmp

// families.hpp: all format families and all games, one word each. The word is the name of the folder and of the
// namespace.
#pragma once

#define DIORAMA_FORMATS(family)                                                                                   \
  family(kmp) family(kcl) family(brres) family(bmg) family(egg) family(nitro) family(containers) family(platinum) \
      family(fft) family(splashpack)

#define DIORAMA_GAMES(game) game(platinum) game(fft)

// invented.cpp: any bytes as a file of each of the invented formats, which together use the whole vocabulary of
// layouts. The laws are those of the unit tests.
#include <cstdio>
#include <cstdlib>

#include "invented/boxes.hpp"
#include "invented/dictionary.hpp"
#include "invented/laws.hpp"
#include "invented/meshes.hpp"
#include "invented/numbers.hpp"
#include "invented/offsets.hpp"
#include "invented/parcels.hpp"
#include "invented/pools.hpp"
#include "invented/scripts.hpp"
#include "invented/sheets.hpp"
#include "invented/texts.hpp"
#include "invented/trees.hpp"
#include "invented/versions.hpp"

using namespace dio;
using namespace dio::test;

template <class T>
static std::string broken(ByteView bytes) {
  return LawsOf<T>::broken(bytes);
}

using Law = std::string (*)(ByteView);
static constexpr Law k_laws[] = {broken<Numbers<std::endian::big>>,
                                 broken<Numbers<std::endian::little>>,
                                 broken<Texts>,
                                 broken<Offsets>,
                                 broken<Zoo>,
                                 broken<Versions>,
                                 broken<Unversioned>,
                                 broken<Sheets>,
                                 broken<Box>,
                                 broken<Scripts>,
                                 broken<Parcels>,
                                 broken<Pools>,
                                 broken<Meshes>,
                                 broken<Tree>,
                                 broken<Shells>,
                                 broken<Copies>,
                                 broken<Weights>};

extern "C" int LLVMFuzzerTestOneInput(const u8* data, size_t size) {
  for (size_t i = 0; i < std::size(k_laws); ++i) {
    const std::string law = k_laws[i]({data, size});
    if (law.empty()) continue;
    std::fprintf(stderr, "format %zu: %s\n", i, law.c_str());
    std::abort();
  }
  return 0;
}

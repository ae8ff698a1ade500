// jasc_test.cpp: palettes in .pal files.
#include "bridge/jasc/jasc.hpp"

#include <gtest/gtest.h>

namespace dio::jasc {
namespace {

using Colors = std::vector<scene::Rgba>;

TEST(Jasc, ReadsBackWrittenPalettes) {
  const Colors colors = {{255, 0, 8, 255}, {1, 2, 3, 255}};
  EXPECT_EQ(write_palette(colors), "JASC-PAL\r\n0100\r\n2\r\n255 0 8\r\n1 2 3\r\n");
  EXPECT_EQ(*read_palette(write_palette(colors)), colors);
  EXPECT_EQ(*read_palette("JASC-PAL\n0100\n1\n  9\t8 7 0  "), (Colors{{9, 8, 7, 255}}));  // other spaces, no line end
  EXPECT_EQ(*read_palette("\xef\xbb\xbfJASC-PAL\n0100\n1\n0 0 0\n\n"), (Colors{{0, 0, 0, 255}}));
  const Colors most(256, {4, 5, 6, 255});
  EXPECT_EQ(*read_palette(write_palette(most)), most);
}

TEST(Jasc, ErrorsNameTheFaultyLine) {
  const auto line = [](std::string_view text) {
    const auto read = read_palette(text);
    return read ? std::string("read") : format_one_line(read.error());
  };
  EXPECT_EQ(line(""), "line 1: expected \"JASC-PAL\", found the end of the file");
  EXPECT_EQ(line("RIFF....PAL data"), "line 1: expected \"JASC-PAL\", found \"RIFF....PAL data\"");
  EXPECT_EQ(line("JASC-PAL\n0200\n"), "line 2: expected \"0100\", found \"0200\"");
  EXPECT_EQ(line("JASC-PAL\n0100\n0\n"), "line 3: expected the number of colours, 1 to 256, found \"0\"");
  EXPECT_EQ(line("JASC-PAL\n0100\n257\n"), "line 3: expected the number of colours, 1 to 256, found \"257\"");
  EXPECT_EQ(line("JASC-PAL\n0100\n2\n1 2 3\n"),
            "line 5: expected red, green and blue, each 0 to 255, found the end of the file");
  for (const char* bad : {"1 2", "1 2 256", "1 2 -3", "1 2 3 4 5", "1,2,3", "1 2 3x", "a"})
    EXPECT_EQ(line(std::string("JASC-PAL\n0100\n1\n") + bad),
              "line 4: expected red, green and blue, each 0 to 255, found \"" + std::string(bad) + "\"");
}

}  // namespace
}  // namespace dio::jasc

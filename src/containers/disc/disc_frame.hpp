// disc_frame.hpp: a disc image without the contents of its files, so that an image can be taken apart and put together
// again byte for byte.
#pragma once
#include "containers/disc/iso9660.hpp"

namespace dio {

/// All bytes of an image that do not follow from its size, its form and the contents of its files: the system area,
/// descriptors and directories, unusual subheaders, sectors of no file, wrong check bytes.
struct DiscFrame {
  struct Run {
    u64 offset;
    Bytes bytes;
  };
  SectorForm form = SectorForm::plain;
  u64 size = 0;  // of the image
  std::vector<Run> runs;
};

/// `files`: of the image, each with its content as read_disc_file returns it. Later files count where two overlap. Id:
/// io.read.
struct DiscContent {
  DiscEntry entry;
  ByteView content;
};
Result<DiscFrame> extract_disc_frame(const ByteSource& image, SectorForm form, std::span<const DiscContent> files);

/// The image with zeros in place of the contents of its files.
Bytes make_empty_disc(const DiscFrame&);
/// The size that the content of a file has in such an image: that of its record; for files with Form 2 sectors, 2336
/// bytes per sector.
u64 disc_content_size(ByteView image, SectorForm form, const DiscEntry&);
/// Writes the contents of files, as far as their sectors have room, and updates EDC and ECC; check bytes that were
/// wrong in the original image keep their bytes.
void fill_disc(Bytes& image, const DiscFrame&, std::span<const DiscContent> files);

}  // namespace dio

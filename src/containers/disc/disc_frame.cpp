#include "containers/disc/disc_frame.hpp"

#include <algorithm>

namespace dio {
namespace {

/// Bytes of a sector from the subheader on.
constexpr u64 k_raw_content = 2336;

u64 whole_sectors(const DiscFrame& frame) { return frame.size / sector_size(frame.form); }

/// The first check byte of a sector that has data; the end of other sectors.
u64 check_bytes_start(ByteView sector, SectorForm form) {
  return form != SectorForm::plain && has_data(sector, form) ? data_in_sector(form) + k_sector_data : sector.size();
}

/// Whether a content consists of sectors from the subheader on (read_disc_file).
bool is_raw_content(const DiscContent& file, SectorForm form) {
  return has_subheaders(form) && file.content.size() > file.entry.sectors() * k_sector_data;
}

/// Which part of a content a sector stores, and where.
struct StoredPart {
  size_t at = 0;  // in the sector
  ByteView bytes;
};
StoredPart part_in_sector(const DiscContent& file, SectorForm form, u64 index) {
  const bool is_raw = is_raw_content(file, form);
  const u64 each = is_raw ? k_raw_content : k_sector_data, start = index * each;
  if (start >= file.content.size()) return {};
  return {size_t(is_raw ? subheader_in_sector(form) : data_in_sector(form)),
          file.content.subspan(size_t(start), size_t(std::min<u64>(each, file.content.size() - start)))};
}

void add_differences(ByteView actual, ByteView expected, u64 offset, std::vector<DiscFrame::Run>& runs) {
  for (size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    if (runs.empty() || runs.back().offset + runs.back().bytes.size() != offset + i) runs.push_back({offset + i, {}});
    runs.back().bytes.push_back(actual[i]);
  }
}

/// The file of each sector, as an index plus 1; 0: no file.
std::vector<u32> file_of_each_sector(std::span<const DiscContent> files, u64 sectors) {
  std::vector<u32> owners(static_cast<size_t>(sectors));
  for (size_t i = 0; i < files.size(); ++i) {
    const DiscEntry& e = files[i].entry;
    for (u64 lba = e.lba; lba < std::min(sectors, e.lba + e.sectors()); ++lba) owners[size_t(lba)] = u32(i + 1);
  }
  return owners;
}

/// The bytes that fill_disc makes of a sector, if no run is in its data. Of raw contents, the subheader is left to the
/// runs: it tells such files apart.
void expect_sector(std::span<u8> expected, ByteView actual, SectorForm form, u64 lba, const DiscContent* file) {
  init_sector(expected, form, u32(lba));
  if (file) {
    StoredPart part = part_in_sector(*file, form, lba - file->entry.lba);
    constexpr size_t k_subheader = 8;
    const size_t skipped = is_raw_content(*file, form) ? std::min(k_subheader, part.bytes.size()) : 0;
    std::copy(part.bytes.begin() + std::ptrdiff_t(skipped), part.bytes.end(),
              expected.begin() + std::ptrdiff_t(part.at + skipped));
  }
  const u64 from = check_bytes_start(actual, form);
  Bytes sealed(actual.begin(), actual.end());
  seal_sector(sealed, form);
  std::copy(sealed.begin() + std::ptrdiff_t(from), sealed.end(), expected.begin() + std::ptrdiff_t(from));
}

std::span<u8> sector_span(Bytes& image, SectorForm form, u64 lba) {
  const u64 size = sector_size(form);
  return std::span(image).subspan(size_t(lba * size), size_t(size));
}

void restore_check_bytes(Bytes& image, const DiscFrame& frame) {
  const u64 size = sector_size(frame.form), end = whole_sectors(frame) * size;
  for (const DiscFrame::Run& run : frame.runs) {
    const u64 run_end = std::min(end, run.offset + run.bytes.size());
    for (u64 at = run.offset; at < run_end;) {
      const u64 start = at / size * size, stop = std::min(run_end, start + size);
      const u64 from = std::max(at, start + check_bytes_start(sector_span(image, frame.form, at / size), frame.form));
      if (from < stop)
        std::copy(run.bytes.begin() + std::ptrdiff_t(from - run.offset),
                  run.bytes.begin() + std::ptrdiff_t(stop - run.offset), image.begin() + std::ptrdiff_t(from));
      at = stop;
    }
  }
}

}  // namespace

Result<DiscFrame> extract_disc_frame(const ByteSource& image, SectorForm form, std::span<const DiscContent> files) {
  DiscFrame frame{form, image.size(), {}};
  const u64 size = sector_size(form), sectors = whole_sectors(frame);
  const auto owners = file_of_each_sector(files, sectors);
  Bytes room, expected(static_cast<size_t>(size));
  for (u64 lba = 0; lba < sectors; ++lba) {
    const auto actual = image.view(lba * size, size, room);
    if (!actual) return refuse(actual.error());
    const u32 owner = owners[size_t(lba)];
    expect_sector(expected, *actual, form, lba, owner ? &files[owner - 1] : nullptr);
    add_differences(*actual, expected, lba * size, frame.runs);
  }
  const auto rest = image.view(sectors * size, image.size() - sectors * size, room);
  if (!rest) return refuse(rest.error());
  add_differences(*rest, Bytes(rest->size()), sectors * size, frame.runs);
  return frame;
}

Bytes make_empty_disc(const DiscFrame& frame) {
  Bytes image(static_cast<size_t>(frame.size));
  for (u64 lba = 0; lba < whole_sectors(frame); ++lba)
    init_sector(sector_span(image, frame.form, lba), frame.form, u32(lba));
  for (const DiscFrame::Run& run : frame.runs)
    std::copy(run.bytes.begin(), run.bytes.end(), image.begin() + std::ptrdiff_t(run.offset));
  return image;
}

u64 disc_content_size(ByteView image, SectorForm form, const DiscEntry& e) {
  const u64 size = sector_size(form), end = std::min<u64>(image.size() / size, e.lba + e.sectors());
  for (u64 lba = e.lba; lba < end; ++lba)
    if (is_form2(image.subspan(size_t(lba * size), size_t(size)), form)) return e.sectors() * k_raw_content;
  return e.size;
}

void fill_disc(Bytes& image, const DiscFrame& frame, std::span<const DiscContent> files) {
  const u64 sectors = whole_sectors(frame);
  const auto owners = file_of_each_sector(files, sectors);
  for (u64 lba = 0; lba < sectors; ++lba) {
    const auto sector = sector_span(image, frame.form, lba);
    if (const u32 owner = owners[size_t(lba)]) {
      const DiscContent& file = files[owner - 1];
      const StoredPart part = part_in_sector(file, frame.form, lba - file.entry.lba);
      std::ranges::copy(part.bytes, sector.begin() + std::ptrdiff_t(part.at));
    }
    seal_sector(sector, frame.form);
  }
  restore_check_bytes(image, frame);
}

}  // namespace dio

// cd_sector.hpp: the sectors of a CD as images keep them, and the check bytes over their data.
#pragma once
#include <array>
#include <span>

#include "core/bytes.hpp"

namespace dio {

/// How an image keeps the sectors of its data track.
enum class SectorForm : u8 {
  plain,     // 2048 bytes: data alone (.iso)
  headless,  // 2336 bytes: subheader, data, check bytes
  mode1,     // 2352 bytes: sync, header, data, check bytes
  mode2,     // 2352 bytes: sync, header, subheader, data, check bytes (Form 1), or other data (Form 2)
};

inline constexpr u64 k_sector_data = 2048;  // bytes of a file in a sector
constexpr u64 sectors_for(u64 bytes) { return (bytes + k_sector_data - 1) / k_sector_data; }
/// Sectors before the first one of the data track: their addresses count them.
inline constexpr u32 k_lead_in_sectors = 150;

constexpr u64 sector_size(SectorForm f) {
  return f == SectorForm::plain ? 2048 : f == SectorForm::headless ? 2336 : 2352;
}
/// Where the data of a sector begins in it.
constexpr u64 data_in_sector(SectorForm f) {
  return f == SectorForm::plain ? 0 : f == SectorForm::headless ? 8 : f == SectorForm::mode1 ? 16 : 24;
}
/// Where the subheader begins, in sectors that have one.
constexpr u64 subheader_in_sector(SectorForm f) { return f == SectorForm::headless ? 0 : 16; }
constexpr bool has_subheaders(SectorForm f) { return f == SectorForm::headless || f == SectorForm::mode2; }

/// Bits of the third byte of a subheader.
inline constexpr u8 k_submode_end_of_record = 0x01, k_submode_data = 0x08, k_submode_form2 = 0x20,
                    k_submode_end_of_file = 0x80;

/// The error detection code over these bytes, going on from another: CRC-32, polynomial 0x8001801B, reflected, from 0.
/// Source: ECMA-130, 14.3.
u32 edc_of(ByteView, u32 before = 0);

/// Whether a sector has user data and check bytes over it: it is of Mode 1, or of Mode 2 Form 1. Those of other kinds
/// (Form 2: pictures and sound; Mode 0; sectors without sync) keep their bytes. Of a plain image, every sector has
/// data, and none has check bytes.
bool has_data(ByteView sector, SectorForm);
/// Of Mode 2 Form 2.
bool is_form2(ByteView sector, SectorForm);

/// Puts the right check bytes into a sector that `has_data`; leaves others alone. Sources: ECMA-130, 14 and annex A,
/// for EDC and ECC; CD-ROM XA for Mode 2, whose ECC is computed as if the header were zeros.
void seal_sector(std::span<u8> sector, SectorForm);

/// Which of the check bytes of a sector are right. Without any there is nothing wrong with them.
struct SectorChecks {
  bool edc = true, ecc = true;
};
SectorChecks check_sector(ByteView sector, SectorForm);

/// Writes sync, header and subheader of a data sector, as far as the form has them; the rest becomes zeros. To be
/// sealed when the data is there.
void begin_sector(std::span<u8> sector, SectorForm, u32 lba, u8 submode = k_submode_data);

/// Minute, second, frame of a sector, each two decimal digits (BCD), as its header has them.
std::array<u8, 3> address_of(u32 lba);

}  // namespace dio

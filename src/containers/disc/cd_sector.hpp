// cd_sector.hpp: the sectors of a CD in an image, and their EDC and ECC.
#pragma once
#include <array>
#include <span>

#include "core/bytes.hpp"

namespace dio {

/// The form of the data sectors in an image.
enum class SectorForm : u8 {
  plain,     // 2048 bytes: data alone (.iso)
  headless,  // 2336 bytes: subheader, data, EDC and ECC
  mode1,     // 2352 bytes: sync, header, data, EDC and ECC
  mode2,     // 2352 bytes: sync, header, subheader, data, EDC and ECC (Form 1), or other data (Form 2)
};

inline constexpr u64 k_sector_data = 2048;  // bytes of a file in a sector
constexpr u64 sectors_for(u64 bytes) { return (bytes + k_sector_data - 1) / k_sector_data; }
/// Sectors before the first one of the data track; addresses include them.
inline constexpr u32 k_lead_in_sectors = 150;

constexpr u64 sector_size(SectorForm f) {
  return f == SectorForm::plain ? 2048 : f == SectorForm::headless ? 2336 : 2352;
}
/// The offset of the data in a sector.
constexpr u64 data_in_sector(SectorForm f) {
  return f == SectorForm::plain ? 0 : f == SectorForm::headless ? 8 : f == SectorForm::mode1 ? 16 : 24;
}
/// The offset of the subheader in sectors that have one.
constexpr u64 subheader_in_sector(SectorForm f) { return f == SectorForm::headless ? 0 : 16; }
constexpr bool has_subheaders(SectorForm f) { return f == SectorForm::headless || f == SectorForm::mode2; }

/// Bits of the third byte of a subheader.
inline constexpr u8 k_submode_end_of_record = 0x01, k_submode_data = 0x08, k_submode_form2 = 0x20,
                    k_submode_end_of_file = 0x80;

/// The EDC of these bytes, continuing from another: CRC-32, polynomial 0x8001801B, reflected, from 0.
/// Source: ECMA-130, 14.3.
u32 compute_edc(ByteView, u32 before = 0);

/// Whether a sector has user data with EDC and ECC: Mode 1, or Mode 2 Form 1. Other sectors (Form 2: video and audio;
/// Mode 0; sectors without sync) keep their bytes. In a plain image, every sector has data, and none has EDC or ECC.
bool has_data(ByteView sector, SectorForm);
/// Whether a sector is Mode 2 Form 2.
bool is_form2(ByteView sector, SectorForm);

/// Updates EDC and ECC of a sector that `has_data`; leaves others alone. Sources: ECMA-130, 14 and annex A,
/// for EDC and ECC; CD-ROM XA for Mode 2, whose ECC is computed as if the header were zeros.
void seal_sector(std::span<u8> sector, SectorForm);

/// Whether EDC and ECC of a sector are correct; true for sectors without them.
struct SectorChecks {
  bool edc = true, ecc = true;
};
SectorChecks check_sector(ByteView sector, SectorForm);

/// Writes sync, header and subheader of a data sector, as far as the form has them, and zeros the rest. Once the data
/// is written, the sector still has to be sealed.
void init_sector(std::span<u8> sector, SectorForm, u32 lba, u8 submode = k_submode_data);

/// Minute, second and frame of a sector, each as two BCD digits, as in its header.
std::array<u8, 3> sector_address_bcd(u32 lba);

}  // namespace dio

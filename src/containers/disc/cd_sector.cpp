#include "containers/disc/cd_sector.hpp"

#include <algorithm>
#include <cstring>

namespace dio {
namespace {

constexpr u64 k_sync_bytes = 12, k_header_bytes = 4, k_subheader_bytes = 8;
constexpr u8 k_sync[k_sync_bytes] = {0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0};

/// Eight tables, to process eight bytes per step.
using EdcTables = std::array<std::array<u32, 256>, 8>;
constexpr EdcTables k_edc = [] {
  constexpr u32 k_polynomial = 0xD8018001;  // 0x8001801B, reflected
  EdcTables t{};
  for (u32 i = 0; i < 256; ++i) {
    u32 code = i;
    for (int bit = 0; bit < 8; ++bit) code = code >> 1 ^ (code & 1 ? k_polynomial : 0);
    t[0][i] = code;
  }
  for (size_t n = 1; n < 8; ++n)
    for (u32 i = 0; i < 256; ++i) t[n][i] = t[n - 1][i] >> 8 ^ t[0][t[n - 1][i] & 0xFF];
  return t;
}();

void store(u8* to, u32 n) {
  for (int i = 0; i < 4; ++i) to[i] = u8(n >> 8 * i);
}

// ---- the error correction code: a product of two Reed-Solomon codes over GF(2^8) with 0x11D ----

constexpr u8 twice(u8 x) { return u8(x << 1 ^ (x & 0x80 ? 0x1D : 0)); }
struct FieldTables {
  std::array<u8, 256> twice, third;  // times the element 2; divided by the element 3
};
constexpr FieldTables k_field = [] {
  FieldTables t{};
  for (u32 i = 0; i < 256; ++i) t.twice[i] = twice(u8(i));
  for (u32 i = 0; i < 256; ++i) t.third[i ^ t.twice[i]] = u8(i);
  return t;
}();

/// The code covers the header, the data and the bytes between data and code, in two planes of 43 by 24 bytes: the even
/// and the odd bytes. The rows of P and Q follow.
constexpr size_t k_columns = 43, k_rows = 24, k_diagonals = 26, k_p = 2 * k_columns * k_rows,
                 k_q = k_p + 2 * 2 * k_columns, k_block = k_q + 2 * 2 * k_diagonals;
static_assert(k_block == 2340);

/// The parities a, b of n runs of bytes v: in each run, the sum of all bytes is 0, and so is the sum of each byte times
/// 2^(number of bytes after it). Processes the bytes of all runs side by side, which is fast on processors.
template <size_t n>
struct Parities {
  std::array<u8, n> sum{}, weighted{};
  void add(const u8* v) {
    for (size_t i = 0; i < n; ++i) sum[i] ^= v[i];
    for (size_t i = 0; i < n; ++i) weighted[i] = twice(weighted[i] ^ v[i]);
  }
  void store(u8* first, u8* second) const {
    for (size_t i = 0; i < n; ++i) {
      first[i] = k_field.third[sum[i] ^ k_field.twice[weighted[i]]];
      second[i] = u8(sum[i] ^ first[i]);
    }
  }
};

void compute_ecc(std::array<u8, k_block>& block) {
  constexpr size_t k_row = 2 * k_columns, k_diagonal = 2 * k_diagonals;  // both planes
  Parities<k_row> p;
  for (size_t row = 0; row < k_rows; ++row) p.add(&block[k_row * row]);
  p.store(&block[k_p], &block[k_p + k_row]);
  // Diagonal d has byte d + i of column i, modulo the column length: each column is stored twice, so these bytes are
  // contiguous.
  std::array<u8, 2 * k_diagonal> column;
  Parities<k_diagonal> q;
  for (size_t i = 0; i < k_columns; ++i) {
    for (size_t row = 0; row < k_diagonals; ++row) {
      std::memcpy(&column[2 * row], &block[k_row * row + 2 * i], 2);
      std::memcpy(&column[k_diagonal + 2 * row], &block[k_row * row + 2 * i], 2);
    }
    q.add(&column[2 * (i % k_diagonals)]);
  }
  q.store(&block[k_q], &block[k_q + k_diagonal]);
}

/// The layout of a sector with check bytes.
struct SectorFieldOffsets {
  size_t edc_from, edc, ecc;
};
SectorFieldOffsets sector_field_offsets(SectorForm form) {
  if (form == SectorForm::mode1) return {0, 2064, 2076};
  const size_t from = size_t(subheader_in_sector(form)), edc = from + size_t(k_subheader_bytes + k_sector_data);
  return {from, edc, edc + 4};
}

/// The bytes of a sector that the code covers, followed by the correct code.
std::array<u8, k_block> build_ecc_block(ByteView sector, SectorForm form) {
  std::array<u8, k_block> block{};
  if (form == SectorForm::mode1)
    std::copy_n(sector.data() + k_sync_bytes, k_p, block.data());
  else  // the header counts as zeros, so that sectors can be moved
    std::copy_n(sector.data() + subheader_in_sector(form), k_p - k_header_bytes, block.data() + k_header_bytes);
  compute_ecc(block);
  return block;
}

}  // namespace

u32 compute_edc(ByteView bytes, u32 code) {
  const u8* p = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8)
    code = k_edc[7][(code ^ p[0]) & 0xFF] ^ k_edc[6][(code >> 8 ^ p[1]) & 0xFF] ^ k_edc[5][(code >> 16 ^ p[2]) & 0xFF] ^
           k_edc[4][code >> 24 ^ p[3]] ^ k_edc[3][p[4]] ^ k_edc[2][p[5]] ^ k_edc[1][p[6]] ^ k_edc[0][p[7]];
  for (; left; --left, ++p) code = code >> 8 ^ k_edc[0][(code ^ *p) & 0xFF];
  return code;
}

bool is_form2(ByteView sector, SectorForm form) {
  if (!has_subheaders(form) || sector.size() < sector_size(form)) return false;
  if (form == SectorForm::mode2 && (std::memcmp(sector.data(), k_sync, k_sync_bytes) || sector[15] != 2)) return false;
  return sector[subheader_in_sector(form) + 2] & k_submode_form2;
}

bool has_data(ByteView sector, SectorForm form) {
  if (sector.size() < sector_size(form)) return false;
  if (form == SectorForm::plain) return true;
  if (form != SectorForm::headless) {
    if (std::memcmp(sector.data(), k_sync, k_sync_bytes)) return false;
    if (sector[15] != (form == SectorForm::mode1 ? 1 : 2)) return false;
  }
  return !is_form2(sector, form);
}

void seal_sector(std::span<u8> sector, SectorForm form) {
  if (form == SectorForm::plain || !has_data(sector, form)) return;
  const SectorFieldOffsets p = sector_field_offsets(form);
  store(&sector[p.edc], compute_edc(ByteView(sector).subspan(p.edc_from, p.edc - p.edc_from)));
  if (form == SectorForm::mode1) std::fill_n(&sector[p.edc + 4], 8, u8(0));
  const auto block = build_ecc_block(sector, form);
  std::copy(block.begin() + k_p, block.end(), sector.begin() + std::ptrdiff_t(p.ecc));
}

SectorChecks check_sector(ByteView sector, SectorForm form) {
  if (form == SectorForm::plain || !has_data(sector, form)) return {};
  const SectorFieldOffsets p = sector_field_offsets(form);
  u8 edc[4];
  store(edc, compute_edc(sector.subspan(p.edc_from, p.edc - p.edc_from)));
  const auto block = build_ecc_block(sector, form);
  return {!std::memcmp(edc, &sector[p.edc], 4), std::equal(block.begin() + k_p, block.end(), &sector[p.ecc])};
}

std::array<u8, 3> sector_address_bcd(u32 lba) {
  const u32 frame = lba + k_lead_in_sectors;
  const auto digits = [](u32 n) { return u8(n / 10 % 10 << 4 | n % 10); };
  return {digits(frame / 75 / 60), digits(frame / 75 % 60), digits(frame % 75)};
}

void init_sector(std::span<u8> sector, SectorForm form, u32 lba, u8 submode) {
  std::fill(sector.begin(), sector.end(), u8(0));
  if (form == SectorForm::mode1 || form == SectorForm::mode2) {
    std::copy_n(k_sync, k_sync_bytes, sector.begin());
    const auto address = sector_address_bcd(lba);
    std::copy(address.begin(), address.end(), sector.begin() + k_sync_bytes);
    sector[15] = form == SectorForm::mode1 ? 1 : 2;
  }
  if (!has_subheaders(form)) return;
  const size_t at = size_t(subheader_in_sector(form));
  sector[at + 2] = sector[at + 6] = submode;
}

}  // namespace dio

#include "formats/nitro/layout/display_list.hpp"

namespace dio::nitro {

void DisplayList::pack() {
  std::vector<GxPacket> packed;
  for (GxPacket& p : packets)
    for (GxCommand& c : p.commands) {
      if (c.code == gx::nop) continue;
      if (packed.empty() || packed.back().commands.size() == 4) packed.emplace_back();
      packed.back().commands.push_back(std::move(c));
    }
  packets.clear();
  for (GxPacket& p : packed) {
    const bool bare = gx_parameter_count(p.commands.back().code) == 0;
    p.commands.resize(4);
    packets.push_back(std::move(p));
    if (!bare) continue;
    packets.emplace_back();
    packets.back().commands.resize(4);
  }
}

void DisplayList::settle() {
  for (const GxPacket& p : packets)
    if (p.commands.size() != 4) return pack();
}

Bytes repack_display_list(ByteView list) {
  Bytes out;
  out.reserve(list.size());
  size_t head = 0, used = 4;
  u8 last = gx::nop;
  const auto close = [&] {  // the hardware skips a final command without parameters unless another word follows
    if (used && !out.empty() && gx_parameter_count(last) == 0) out.insert(out.end(), 4, 0);
  };
  const bool whole = for_each_gx_command(list, [&](u8 code, const u8* parameters) {
    if (code == gx::nop) return;
    if (used == 4) {
      close();
      head = out.size();
      out.insert(out.end(), 4, 0);
      used = 0;
    }
    out[head + used++] = last = code;
    out.insert(out.end(), parameters, parameters + 4 * gx_parameter_count(code));
  });
  close();
  return whole ? out : Bytes();
}

}  // namespace dio::nitro

#include "containers/nitro_fs/narc.hpp"

namespace dio {

Narc make_narc(std::vector<Bytes> contents) {
  Narc n;
  n.names = make_nameless_table();
  n.names_size = 16;
  n.files.resize(contents.size());
  for (size_t i = 0; i < contents.size(); ++i) n.files[i].content = std::move(contents[i]);
  return n;
}

u64 data_offset(const Narc& n) { return u64(n.header_size) + n.table_size + n.names_size + 8; }

}  // namespace dio

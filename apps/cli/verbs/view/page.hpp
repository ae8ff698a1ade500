// page.hpp: the page of the viewer, and what is put into it.
#pragma once
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace dio::cli {

/// The page that `./dev viewer` builds, without files: `given`, or the one that belongs to this program: in a tree
/// where it was built, build/viewer/diorama.html; installed, PREFIX/share/diorama/diorama.html. Ids: io.read,
/// view.page.
Result<std::string> read_page(const std::string& given);

/// The page with one more script element of data at its end, which programs in the page find by its id. `json`: may
/// stand in a script element (json::write_script_safe). `page` comes from `read_page`.
std::string embed_json(const std::string& page, std::string_view id, std::string_view json);

/// A gzip member (RFC 1952) that holds these bytes.
Bytes compress_gzip(ByteView);

}  // namespace dio::cli

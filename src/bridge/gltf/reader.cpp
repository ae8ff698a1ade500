#include "bridge/gltf/reader.hpp"

#include "bridge/gltf/reader_parts.hpp"
#include "scene/units.hpp"

namespace dio::gltf {

Result<LoadResult<scene::Scene>> read(ByteView file, const Resolve& resolve) {
  Source source(resolve);
  LoadResult<scene::Scene> out;
  Reading reading{source, out.document};
  source.open(file);
  for (const auto& part : {read_materials, read_meshes, read_lights, read_nodes, read_cameras, read_animations})
    if (!source.failed()) part(reading);
  if (source.failed()) return refuse(*std::move(source.first_fault()));
  scene::scale_roots(out.document, reading.foreign_roots, 1 / f64(out.document.metres_per_unit));
  // Remaining faults, such as numbers that overflow after scaling.
  if (auto fault = scene::validation_error(out.document)) {
    source.report_fault({}, {.message = std::move(fault->message)});
    return refuse(*std::move(source.first_fault()));
  }
  out.notes = source.notes();
  return out;
}

bool looks_like_gltf(ByteView file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const bool is_document = text.substr(0, 200).find("\"diorama.document/") != text.npos;
  return text.starts_with("glTF") || (text.starts_with('{') && !is_document && text.find("\"asset\"") != text.npos);
}

Result<std::vector<std::string>> list_external_files(ByteView file) {
  const Resolve none;
  Source source(none);
  source.open(file);
  auto files = source.failed() ? std::vector<std::string>() : source.list_external_files();
  if (source.failed()) return refuse(*std::move(source.first_fault()));
  return files;
}

}  // namespace dio::gltf

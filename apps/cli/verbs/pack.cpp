// dio pack: an archive of a folder.
#include "../archive_files.hpp"
#include "../verbs.hpp"
#include "../work.hpp"
#include "formats/unpacked.hpp"

namespace dio::cli {

Exit run_pack(const Request& request) {
  Report report;
  const std::string& folder = request.inputs[0];
  if (request.output.empty()) {
    fail_usage(report, request, "say where the archive goes: -o FILE");
  } else if (!is_folder(folder)) {
    fail(report, request, io_problem("io.read", folder, "a folder", "there is none of that name"));
  } else {
    auto bytes = pack(FolderTree(folder), {request.named, request.byte_order == "ff-fe"});
    if (bytes) {
      write_output(request, {}, request.output, *bytes, report);
    } else {
      Diagnostic d = std::move(bytes.error());
      // Problems of files are told with the whole path, those of an archive with the path in it.
      const std::string before = (std::filesystem::path(folder) / "").string();
      if (!d.place.file.starts_with(before)) d.place.file.insert(0, before);
      fail(report, request, d);
    }
  }
  if (!print(report)) report.raise(Exit::system);
  return report.exit;
}

}  // namespace dio::cli

// dio pack: an archive of a folder.
#include <filesystem>

#include "../command_line/print.hpp"
#include "../files/folders.hpp"
#include "../output/results.hpp"
#include "operations/unpacked.hpp"
#include "verbs.hpp"

namespace dio::cli {

/// By the extension of the output; .bin may be that of any file, and folders that say what they are packed to are that.
static std::optional<SectorForm> disc_of(const Request& request, const FileTree& folder) {
  const std::string extension = extension_in(request.output);
  if (extension == ".iso") return SectorForm::plain;
  if (extension == ".bin" && !request.named && !says_what_it_packs_to(folder)) return SectorForm::mode2;
  return {};
}

Exit run_pack(const Request& request) {
  Report report;
  const std::string& folder = request.inputs[0];
  if (request.output.empty()) {
    fail_usage(report, request, "no output given: use -o FILE");
  } else if (!is_folder(folder)) {
    fail(report, request, io_problem("io.read", folder, "no such folder"));
  } else {
    const FolderTree files(folder);
    auto bytes = pack(files, {request.named, request.byte_order == "ff-fe", disc_of(request, files)});
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
  return finish(report);
}

}  // namespace dio::cli

// dio view: files in the viewer: as one page, or from a server for this machine alone.
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "../../command_line/print.hpp"
#include "../../command_line/text.hpp"
#include "../../files/temporaries.hpp"
#include "../../output/results.hpp"
#include "../../system/filesystem.hpp"
#include "../../system/process.hpp"
#include "../verbs.hpp"
#include "core/base64.hpp"
#include "core/json.hpp"
#include "core/text_format.hpp"
#include "desktop.hpp"
#include "page.hpp"
#include "server.hpp"

namespace dio::cli {
namespace {

constexpr f64 k_minutes = 30, k_most_minutes = 7 * 24 * 60;

u64 total_size(const std::vector<ViewedFile>& files) {
  u64 all = 0;
  for (const ViewedFile& f : files) all += f.size;
  return all;
}

/// The page with the files in it.
std::string embed_files(const std::string& page, std::vector<ViewedFile> files) {
  std::string json = "{\"files\":[";
  for (ViewedFile& f : files) {
    if (!json.ends_with('[')) json += ',';
    json += "{\"name\":" + json::write_script_safe(Value(f.name)) + ",\"gzip\":\"" +
            encode_base64(compress_gzip(f.bytes)) + "\"}";
    f.bytes = {};
  }
  return embed_json(page, "diorama-files", json + "]}");
}

// ---- as a page -----------------------------------------------------------------------------------------------------

/// What a page is called that was not given a name: after its first file.
std::string page_file_name(const std::vector<ViewedFile>& files) {
  const std::string first = files.empty() ? "diorama" : fs::path(files.front().name).filename().string();
  return with_extension(first, ".html");
}

void write_page(const Request& request, Report& report) {
  const bool is_temporary = request.output.empty();
  if (is_temporary && !os::has_display())
    return report_usage_error(report, request,
                              "there is no display on which to open the page; -o page.html writes the page to a file, "
                              "--serve serves it to a browser");
  const auto page = read_page(request.page);
  if (!page) return report_error(report, request, page.error());
  const auto inputs = resolve_request_inputs(request);
  auto files = collect_viewed_files(request, inputs, false, report);
  if (!files) return;
  Request writing = request;
  const bool is_folder_wanted = request.output.ends_with('/') || is_folder(request.output);
  std::string name = request.output;
  if (is_folder_wanted) name = (fs::path(request.output) / page_file_name(*files)).string();
  const std::string own = page_file_name(*files);
  const std::string made = files->empty() ? *page : embed_files(*page, std::move(*files));
  if (is_temporary && request.dry_run) {
    report.err += "would open a page of " + format_count(made.size(), "byte", "bytes") + "\n";
    return;
  }
  if (is_temporary) {
    // It stays: the browser reads it when this program has ended.
    std::error_code error;
    std::string folder = (fs::temp_directory_path(error) / "dio-view-XXXXXX").string();
    if (error || !os::create_temporary_folder(folder))
      return report_error(report, request,
                          io_error("io.write", folder, std::string("cannot be created: ") + std::strerror(errno)));
    name = (fs::path(folder) / own).string();
  }
  write_output(writing, inputs, name, as_bytes(made), report);
  if (report.exit != ExitCode::done || request.dry_run || name == "-" || !(is_temporary || request.open)) return;
  if (auto opened = open_on_desktop(fs::absolute(name).string()); !opened)
    report_error(report, request, opened.error());
}

// ---- as a server ---------------------------------------------------------------------------------------------------

std::optional<f64> parse_minutes(const Request& request, Report& report) {
  if (request.minutes.empty()) return k_minutes;
  f64 n = 0;
  const char* const end = request.minutes.data() + request.minutes.size();
  const auto [at, error] = std::from_chars(request.minutes.data(), end, n, std::chars_format::fixed);
  if (error == std::errc() && at == end && n > 0 && n <= k_most_minutes) return n;
  report_usage_error(report, request,
                     "--minutes must be a number above 0, such as 5 or 0.5, and at most 10080 (a week), not " +
                         in_quotes(request.minutes));
  return {};
}

/// 128 random bits in hex digits; empty if the system has none.
std::string random_token() {
  Bytes bytes(16);
  return os::fill_with_random_bytes(bytes) ? encode_hex(bytes) : std::string();
}

/// Opens the address without naming it on a command line, where other users of the machine could see its token: by a
/// page that leads there, which lives as long as `holder`.
Result<bool> open_address(const std::string& address, Temporary& holder) {
  std::error_code error;
  const std::string file = "open.html";
  if (!holder.make_folder(fs::temp_directory_path(error).string(), {file}))
    return refuse(io_error("io.write", "the folder for temporary files", std::strerror(errno)));
  const std::string name = holder.name() + "/" + file;
  const std::string page =
      "<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; url=" + address +
      "\">\n<title>diorama</title>\n<a href=\"" + address + "\">diorama</a>\n";
  if (auto done = write_file(name, as_bytes(page), {}); !done) return refuse(std::move(done.error()));
  return open_on_desktop(name);
}

/// `30 minutes`
std::string minutes_text(f64 minutes) {
  std::string n = format_real(minutes, false);
  if (n.ends_with(".0")) n.resize(n.size() - 2);
  return n + (n == "1" ? " minute" : " minutes");
}

std::string serving_message(const Site& site, f64 minutes, bool can_save) {
  constexpr size_t k_named = 10;
  const auto& files = site.files();
  std::string out;
  for (size_t i = 0; i < std::min(files.size(), k_named); ++i)
    out +=
        "serving " + escape_control_chars(files[i].name) + " (" + format_count(files[i].size, "byte", "bytes") + ")\n";
  if (files.size() > k_named)
    out += "and " + format_count(files.size() - k_named, "other file", "other files") + ", " +
           format_count(total_size(files), "byte", "bytes") + " in total\n";
  if (files.empty()) out += "serving the viewer without files\n";
  if (can_save) out += "the page may save files: saving replaces the file on disk\n";
  return out + "only this machine can open the address, which includes a token; the server stops on Ctrl-C, or after " +
         minutes_text(minutes) + " without a request\n";
}

void serve_files(const Request& request, Report& report) {
  const auto minutes = parse_minutes(request, report);
  if (!minutes) return;
  if (request.port > 65535)
    return report_usage_error(report, request, "--port must be 1 to 65535, not " + std::to_string(request.port));
  auto page = read_page(request.page);
  if (!page) return report_error(report, request, page.error());
  auto files = collect_viewed_files(request, resolve_request_inputs(request), true, report);
  if (!files) return;
  const auto listener = Listener::bind_loopback(u16(request.port));
  if (!listener) return report_error(report, request, listener.error());
  const std::string token = random_token();
  if (token.empty()) return report_error(report, request, io_error("io.read", "random numbers", std::strerror(errno)));
  std::optional<Saving> saving;
  if (request.edit)
    saving = Saving{.overwrite = true,
                    .backup = request.backup,
                    .replace_backup = request.overwrite,
                    .replace_read_only = request.overwrite};
  Site site(std::move(*page), std::move(*files), token, listener->port(), std::move(saving));
  Report begin;
  begin.out = site.address() + "\n";
  if (!request.quiet) begin.err = serving_message(site, *minutes, request.edit);
  Temporary holder;
  if (request.open)
    if (auto opened = open_address(site.address(), holder); !opened) begin.err += format_note_line(opened.error());
  // Before anyone learns the address: a signal in between would end the program without tidying up.
  const os::StopSignals signals;
  if (!print_report(begin)) return report.raise(ExitCode::system);
  const auto idle = std::chrono::milliseconds(std::max<i64>(i64(*minutes * 60'000), 1));
  const ServerStop why = run_server(*listener, site, signals, idle);
  if (!request.quiet)
    report.err +=
        why == ServerStop::by_itself ? "stopped: no request for " + minutes_text(*minutes) + "\n" : "stopped\n";
}

}  // namespace

ExitCode run_view(const Request& request) {
  Report report;
  const auto has_no_effect = [&](std::string_view option, std::string_view where) {
    report_usage_error(report, request, std::string(option) + " has no effect " + std::string(where));
  };
  if (request.serve && !request.output.empty())
    report_usage_error(report, request, "-o and --serve cannot be combined: a page is either written or served");
  else if (request.serve && request.dry_run)
    has_no_effect("-n", "with --serve");
  else if (request.edit && !request.serve)
    has_no_effect("--edit", "without --serve: a page written to a file saves edits as downloads");
  else if (!request.backup.empty() && !request.edit)
    has_no_effect("--backup", "without --edit");
  else if (!request.serve && request.port)
    has_no_effect("--port", "without --serve");
  else if (!request.serve && !request.minutes.empty())
    has_no_effect("--minutes", "without --serve");
  else if (request.limit && *request.limit > k_most_page_bytes)
    report_usage_error(report, request, "--limit must be at most 256M");
  else if (request.serve)
    serve_files(request, report);
  else
    write_page(request, report);
  return finish(report);
}

}  // namespace dio::cli

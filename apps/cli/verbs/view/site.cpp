#include "site.hpp"

#include <algorithm>
#include <cerrno>

#include "../../command_line/text.hpp"
#include "core/command_text.hpp"
#include "core/json.hpp"
#include "core/text_format.hpp"
#include "page.hpp"

namespace dio::cli {
namespace {

/// Nothing from anywhere else, and no frames around it. The page is one file, so that its scripts and styles are in it,
/// and its worker and its pictures are made from what it has.
constexpr std::string_view k_page_policy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src "
    "'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:; connect-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
constexpr std::string_view k_other_pages = "Other pages must not use this server.",
                           k_no_file = "There is no such file.";
constexpr std::string_view k_text = "text/plain; charset=utf-8", k_html = "text/html; charset=utf-8";

/// Takes as long wherever the first difference is.
bool equals_in_constant_time(std::string_view a, std::string_view b) {
  u8 differs = a.size() != b.size();
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) differs |= u8(a[i] ^ b[i]);
  return !differs;
}

/// What tells a file from its later self, as the header ETag has it. Without a state: bytes in memory, or no file.
std::string make_entity_tag(const std::optional<FileState>& state) {
  if (!state) return "\"none\"";
  return "\"" + format_hex(state->id.number).substr(2) + "-" + format_hex(state->size).substr(2) + "-" +
         format_hex(u64(state->seconds)).substr(2) + "-" + format_hex(u64(state->nanoseconds)).substr(2) + "\"";
}

}  // namespace

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) os::close_file(descriptor_);
}

bool Body::read(std::string& to, size_t most) {
  const size_t n = size_t(std::min<u64>(left_, most));
  if (!file_) {
    to.append(view_.substr(size_t(at_), n));
  } else {
    if (file_state(file_.get()) != state_) return false;
    const size_t before = to.size();
    to.resize(before + n);
    for (size_t done = 0; done < n;) {
      auto* const room = reinterpret_cast<u8*>(to.data() + before + done);
      const i64 got = os::read_some_at(file_.get(), at_ + done, {room, n - done});
      if (got <= 0) return false;
      done += size_t(got);
    }
  }
  at_ += n;
  left_ -= n;
  return true;
}

Site::Site(std::string page, std::vector<ViewedFile> files, std::string token, u16 port, std::optional<Saving> saving)
    : page_(std::move(page)),
      files_(std::move(files)),
      states_(files_.size()),
      token_(std::move(token)),
      saving_(std::move(saving)),
      saved_(files_.size()) {
  host_ = port == 80 ? "127.0.0.1" : "127.0.0.1:" + std::to_string(port);  // as browsers write it
  origin_ = "http://" + host_;
  refresh_file_states();
}

void Site::refresh_file_states() {
  for (size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].path.empty()) continue;
    states_[i] = file_state(files_[i].path);
    files_[i].size = states_[i] ? states_[i]->size : 0;
  }
}

Answer Site::make_answer(Status status, std::string_view type, std::string_view more, std::unique_ptr<Body> body,
                         bool with_body) const {
  Answer a;
  a.status = status;
  a.head = "HTTP/1.1 " + std::to_string(int(status)) + " " + std::string(reason_phrase(status)) + "\r\n";
  a.head += "Content-Type: " + std::string(type) + "\r\nContent-Length: " + std::to_string(body->left()) + "\r\n";
  a.head += "Content-Security-Policy: " +
            std::string(type == k_html ? k_page_policy : "default-src 'none'; frame-ancestors 'none'") + "\r\n";
  a.head +=
      "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
      "Cache-Control: no-store\r\n";
  a.head += more;
  if (with_body) a.body = std::move(body);
  return a;
}

Answer Site::make_refusal(Status status, std::string_view why, bool closes) const {
  Answer a = make_answer(status, k_text,
                         status != Status::not_allowed ? ""
                         : saving_                     ? "Allow: GET, HEAD, PUT\r\n"
                                                       : "Allow: GET, HEAD\r\n",
                         std::make_unique<Body>(std::string(why) + "\n"), true);
  a.closes = closes;
  return a;
}

Answer Site::refuse_request(const HttpRequest& request, Status status, std::string_view why) const {
  Answer a = make_refusal(status, why, request.has_body || !request.keeps_alive);
  if (request.method == "HEAD") a.body = nullptr;
  return a;
}

std::optional<Answer> Site::reject_cross_origin(const HttpRequest& request) const {
  const std::string_view origin = request.header("origin");
  if (request.header("host") != host_)
    return refuse_request(request, Status::forbidden, "This server answers to " + host_ + " only.");
  if (!origin.empty() && origin != origin_) return refuse_request(request, Status::forbidden, k_other_pages);
  const auto token = query_parameter(request.query, "token");
  if (!token || !equals_in_constant_time(*token, token_))
    return refuse_request(request, Status::forbidden,
                          "The token is missing or wrong: open the address that dio printed.");
  return {};
}

std::optional<size_t> Site::parse_file_number(std::string_view path) const {
  constexpr std::string_view k_files = "/files/";
  const std::string_view digits = path.starts_with(k_files) ? path.substr(k_files.size()) : std::string_view();
  size_t number = 0;
  bool is_number = !digits.empty() && digits.size() < 8 && (digits == "0" || digits[0] != '0');
  for (const char c : digits) {
    is_number &= c >= '0' && c <= '9';
    number = number * 10 + size_t(c - '0');
  }
  return is_number && number < files_.size() ? std::optional(number) : std::nullopt;
}

bool Site::takes_body(const HttpRequest& request) const {
  return saving_ && request.method == "PUT" && !reject_cross_origin(request) && !check_save_request(request);
}

Answer Site::answer_request(const HttpRequest& request, ByteView body) {
  if (auto refusal = reject_cross_origin(request)) return std::move(*refusal);
  Answer a = answer_trusted(request, body);
  a.is_trusted = true;
  a.closes |= !request.keeps_alive;
  return a;
}

Answer Site::answer_trusted(const HttpRequest& request, ByteView body) {
  const std::string_view site = request.header("sec-fetch-site");
  const bool is_get = request.method == "GET";
  if (saving_ && request.method == "PUT") {
    if (auto refusal = check_save_request(request)) return std::move(*refusal);
    return save_file(request, *parse_file_number(request.path), body);
  }
  if (!is_get && request.method != "HEAD")
    return refuse_request(request, Status::not_allowed,
                          saving_ ? "This server only shows and saves files." : "This server only shows files.");
  if (request.has_body) return refuse_request(request, Status::too_large, "Requests may not have a body.");
  if (request.path == "/") return make_page_answer(is_get);
  if (!site.empty() && site != "same-origin") return refuse_request(request, Status::forbidden, k_other_pages);
  if (const auto number = parse_file_number(request.path)) return make_file_answer(request, *number);
  return refuse_request(request, Status::not_found, k_no_file);
}

std::optional<Answer> Site::check_save_request(const HttpRequest& request) const {
  const auto no = [&](Status status, std::string_view why) { return refuse_request(request, status, why); };
  const std::string_view site = request.header("sec-fetch-site"), tag = request.header("if-match");
  if (request.header("origin").empty() || (!site.empty() && site != "same-origin"))
    return no(Status::forbidden, k_other_pages);
  const auto number = parse_file_number(request.path);
  if (!number) return no(Status::not_found, k_no_file);
  const std::string& name = files_[*number].path;
  if (name.empty())
    return no(Status::forbidden,
              "This file is not stored on disk by itself: save it elsewhere, or serve the archive that contains it.");
  if (!request.header("expect").empty())
    return no(Status::expectation, "This server does not support the Expect header.");
  if (!request.header("content-encoding").empty())
    return no(Status::unsupported, "The body must be the file without any encoding.");
  if (!request.header("content-range").empty()) return no(Status::bad_request, "Files can only be saved as a whole.");
  if (!request.body_size || !request.header("transfer-encoding").empty())
    return no(Status::no_length, "The length of the body is missing.");
  if (*request.body_size == 0) return no(Status::bad_request, "The body is missing.");
  if (*request.body_size > k_most_saved_bytes)
    return no(Status::too_large,
              "Files can be saved up to a size of " + format_count(k_most_saved_bytes, "byte", "bytes") + ".");
  if (tag.empty() || tag == "*")
    return no(Status::no_condition, "The header If-Match with the tag of the file is missing.");
  if (tag != make_entity_tag(states_[*number]))
    return no(Status::precondition, "The file was saved or loaded again by another page.");
  const auto now = file_state(name);
  if (!now) return no(Status::gone, "The file was deleted.");
  if (now != states_[*number]) return no(Status::conflict, "Another program has changed the file.");
  return {};
}

Answer Site::save_file(const HttpRequest& request, size_t number, ByteView body) {
  ViewedFile& f = files_[number];
  Saving options = *saving_;
  options.only_if = states_[number];
  if (saved_[number]) options.backup.clear();
  const auto done = write_file(f.path, body, options);
  if (!done) {
    const Diagnostic& d = done.error();
    Answer a = refuse_request(request, Status::failed,
                              d.message + (d.hint.empty() ? "" : "; " + word_commands(d.hint, d.place.file)) + ".");
    a.closes = false;  // its body was read
    return a;
  }
  saved_[number] = true;
  states_[number] = done->state;
  f.size = body.size();
  std::string told = "Saved.\n";
  for (const Diagnostic& note : done->notes) told += note.message + "\n";
  return make_answer(Status::ok, k_text, "ETag: " + make_entity_tag(states_[number]) + "\r\n",
                     std::make_unique<Body>(std::move(told)), true);
}

Answer Site::make_page_answer(bool with_body) {
  if (with_body) refresh_file_states();
  Value list = Value::list();
  for (size_t i = 0; i < files_.size(); ++i) {
    Value one = Value::object();
    one.add("name", files_[i].name);
    one.add("size", files_[i].size);
    one.add("tag", make_entity_tag(states_[i]));
    if (saving_ && states_[i]) one.add("saves", true);
    if (!files_[i].path.empty() && !states_[i]) one.add("error", "the file was deleted");
    list.push(std::move(one));
  }
  Value data = Value::object();
  data.add("token", token_);
  data.add("files", std::move(list));
  auto body = std::make_unique<Body>(embed_json(page_, "diorama-serve", json::write_script_safe(data)));
  return make_answer(Status::ok, k_html, "", std::move(body), with_body);
}

Answer Site::make_file_answer(const HttpRequest& request, size_t number) {
  const ViewedFile& f = files_[number];
  const std::optional<FileState>& state = states_[number];
  const bool is_get = request.method == "GET";
  OpenFile open;
  if (!f.path.empty()) {
    // What the page knows of a file is what it was when the page was loaded.
    constexpr std::string_view k_changed = "The file has changed: reload the page.";
    open = OpenFile(os::open_for_reading(f.path, false));
    if (!open && errno == ENOENT) return refuse_request(request, Status::gone, "The file was deleted.");
    if (!open || !state || file_state(open.get()) != state) return refuse_request(request, Status::conflict, k_changed);
  }
  const std::string tag = make_entity_tag(state);
  if (const auto wanted = request.header("if-match"); !wanted.empty() && wanted != "*" && wanted != tag)
    return refuse_request(request, Status::precondition, "The file has changed: reload the page.");
  // A range that was meant for another file, or of an answer without a body, has no effect.
  const std::string_view only_if = request.header("if-range");
  const bool takes_range = is_get && (only_if.empty() || only_if == tag);
  bool is_part = false;
  const auto range = parse_range_header(takes_range ? request.header("range") : "", f.size, is_part);
  const std::string size = std::to_string(f.size);
  if (!range)
    return make_answer(Status::bad_range, k_text, "Content-Range: bytes */" + size + "\r\n",
                       std::make_unique<Body>(std::string("Only one byte range inside the file is allowed.\n")),
                       is_get);
  std::string more = "Accept-Ranges: bytes\r\nContent-Disposition: attachment\r\nETag: " + tag + "\r\n";
  if (is_part)
    more += "Content-Range: bytes " + std::to_string(range->first) + "-" +
            std::to_string(range->first + range->size - 1) + "/" + size + "\r\n";
  auto body = open ? std::make_unique<Body>(std::move(open), *state, *range)
                   : std::make_unique<Body>(ByteView(f.bytes).subspan(size_t(range->first), size_t(range->size)));
  return make_answer(is_part ? Status::partial : Status::ok, "application/octet-stream", more, std::move(body), is_get);
}

}  // namespace dio::cli

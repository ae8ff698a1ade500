#include "http.hpp"

#include <algorithm>
#include <charconv>

#include "core/text_format.hpp"

namespace dio::cli {
namespace {

/// Of a method and of names of headers (RFC 9110, 5.6.2).
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_visible(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

std::string_view trim_whitespace(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t");
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

/// Digits alone: no sign, no spaces. What does not fit is far beyond the end of any file.
std::optional<u64> parse_digits(std::string_view digits) {
  u64 n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument) return {};
  return error == std::errc() ? n : ~u64(0);
}

/// Two of one of these could mean two things, one to this server and one to whatever stands between.
constexpr std::string_view k_single[] = {
    "host",           "origin",   "range",    "content-length", "transfer-encoding",
    "sec-fetch-site", "if-match", "if-range", "expect"};

}  // namespace

std::string_view reason_phrase(Status status) {
  switch (status) {
    case Status::ok:
      return "OK";
    case Status::partial:
      return "Partial Content";
    case Status::bad_request:
      return "Bad Request";
    case Status::forbidden:
      return "Forbidden";
    case Status::not_found:
      return "Not Found";
    case Status::not_allowed:
      return "Method Not Allowed";
    case Status::conflict:
      return "Conflict";
    case Status::gone:
      return "Gone";
    case Status::no_length:
      return "Length Required";
    case Status::precondition:
      return "Precondition Failed";
    case Status::too_large:
      return "Content Too Large";
    case Status::unsupported:
      return "Unsupported Media Type";
    case Status::bad_range:
      return "Range Not Satisfiable";
    case Status::expectation:
      return "Expectation Failed";
    case Status::no_condition:
      return "Precondition Required";
    case Status::large_head:
      return "Request Header Fields Too Large";
    case Status::failed:
      return "Internal Server Error";
    case Status::busy:
      return "Service Unavailable";
    default:
      return "HTTP Version Not Supported";
  }
}

std::string_view HttpRequest::header(std::string_view name) const {
  for (const auto& [n, value] : headers)
    if (n == name) return value;
  return {};
}

std::optional<HttpRequest> parse_request_head(std::string_view head, Status& status) {
  status = Status::bad_request;
  // Lines end in CR LF; either of them alone, or any other control character, has no place in a head.
  const auto take_line = [&](std::string_view& rest) {
    const size_t end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    return line;
  };
  const std::string_view first = take_line(head);
  const size_t after_method = first.find(' '), after_target = first.rfind(' ');
  if (after_method == first.npos || after_method == after_target) return {};
  const std::string_view method = first.substr(0, after_method), version = first.substr(after_target + 1);
  const std::string_view target = first.substr(after_method + 1, after_target - after_method - 1);
  if (!is_token(method) || !is_visible(target)) return {};
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    if (version.starts_with("HTTP/")) status = Status::other_version;
    return {};
  }
  // Other forms of a target are for proxies.
  if (!target.starts_with('/') || target.find('#') != target.npos) return {};
  HttpRequest out;
  out.method = method;
  const size_t question = std::min(target.find('?'), target.size());
  out.path = target.substr(0, question);
  if (question < target.size()) out.query = target.substr(question + 1);
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    const size_t colon = line.find(':');
    if (colon == line.npos || !is_token(line.substr(0, colon))) return {};  // a line that goes on begins with a space
    const std::string name = lower_case(line.substr(0, colon));
    const std::string_view value = trim_whitespace(line.substr(colon + 1));
    if (std::ranges::any_of(value, [](char c) { return (u8(c) < ' ' && c != '\t') || c == 0x7f; })) return {};
    const bool is_second = std::ranges::any_of(out.headers, [&](const auto& h) { return h.first == name; });
    if (is_second && std::ranges::find(k_single, name) != std::end(k_single)) return {};
    out.headers.emplace_back(name, value);
  }
  const std::string_view length = out.header("content-length");
  out.body_size = parse_digits(length);
  if (!length.empty() && !out.body_size) return {};
  out.has_body = out.body_size.value_or(0) != 0 || !out.header("transfer-encoding").empty();
  out.keeps_alive = version == "HTTP/1.1" && lower_case(out.header("connection")) != "close";
  return out;
}

std::optional<std::string_view> query_parameter(std::string_view query, std::string_view name) {
  std::optional<std::string_view> found;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const size_t equals = one.find('=');
    if (one.substr(0, equals) != name) continue;
    if (found) return {};
    found = equals == one.npos ? std::string_view() : one.substr(equals + 1);
  }
  return found;
}

std::optional<ByteRange> parse_range_header(std::string_view header, u64 size, bool& is_part) {
  is_part = false;
  const size_t equals = header.find('=');
  if (header.empty() || lower_case(header.substr(0, equals)) != "bytes") return ByteRange{0, size};
  is_part = true;
  if (equals == header.npos) return {};
  const std::string_view range = header.substr(equals + 1);
  const size_t dash = range.find('-');
  if (dash == range.npos) return {};
  const std::string_view from = range.substr(0, dash), to = range.substr(dash + 1);
  const auto first = parse_digits(from), last = parse_digits(to);
  if ((!first && !from.empty()) || (!last && !to.empty())) return {};  // several, too
  if (!first) {                                                        // the last bytes
    if (!last || !*last || !size) return {};
    const u64 count = std::min(*last, size);
    return ByteRange{size - count, count};
  }
  if (*first >= size || (last && *last < *first)) return {};
  return ByteRange{*first, std::min(last.value_or(size - 1), size - 1) - *first + 1};
}

}  // namespace dio::cli

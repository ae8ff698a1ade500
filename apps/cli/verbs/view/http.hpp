// http.hpp: as much of HTTP/1.1 (RFC 9110, RFC 9112) as one page needs: heads of requests, and ranges. No sockets.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.hpp"

namespace dio::cli {

enum class Status : u16 {
  ok = 200,
  partial = 206,
  bad_request = 400,
  forbidden = 403,
  not_found = 404,
  not_allowed = 405,
  conflict = 409,
  gone = 410,
  no_length = 411,
  precondition = 412,
  too_large = 413,
  unsupported = 415,
  bad_range = 416,
  expectation = 417,
  no_condition = 428,
  large_head = 431,
  failed = 500,
  busy = 503,
  other_version = 505
};
std::string_view reason_phrase(Status);

/// The head of a request. Nothing in it is decoded.
struct HttpRequest {
  std::string method, path, query;                           // /files/0, token=...
  std::vector<std::pair<std::string, std::string>> headers;  // names in small letters, values without spaces around
  bool keeps_alive = true;                                   // the connection is for more requests
  bool has_body = false;
  std::optional<u64> body_size;  // where its head says so

  /// Empty if it is missing; a header that decides something never stands there twice.
  std::string_view header(std::string_view name) const;
};
/// A head without the empty line at its end. `status` says what is wrong where there is none: bad_request,
/// other_version.
std::optional<HttpRequest> parse_request_head(std::string_view head, Status& status);

/// The only value of a parameter of a query; nothing if it is missing or there are several.
std::optional<std::string_view> query_parameter(std::string_view query, std::string_view name);

/// Bytes of a file: those from `first`, `size` of them.
struct ByteRange {
  u64 first = 0, size = 0;
};
/// What a Range header asks for of a file of `size` bytes: all of it if there is none, or one of another unit; nothing
/// if it cannot be had: several ranges, none of the bytes, or no valid range. `is_part`: whether it is a range.
std::optional<ByteRange> parse_range_header(std::string_view header, u64 size, bool& is_part);

}  // namespace dio::cli

// site.hpp: what the server of `dio view --serve` has, and to whom it gives it. No sockets.
#pragma once
#include <memory>
#include <utility>

#include "../../files/files.hpp"
#include "http.hpp"
#include "viewed.hpp"

namespace dio::cli {

/// An open file, which closes itself.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& o) noexcept : descriptor_(std::exchange(o.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&& o) noexcept {
    std::swap(descriptor_, o.descriptor_);
    return *this;
  }
  ~OpenFile();
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// The body of an answer, read piece by piece.
class Body {
 public:
  Body() = default;
  explicit Body(std::string text) : text_(std::move(text)), view_(text_), left_(text_.size()) {}
  /// Bytes that live as long as the site.
  explicit Body(ByteView part) : view_(reinterpret_cast<const char*>(part.data()), part.size()), left_(part.size()) {}
  Body(OpenFile file, const FileState& state, ByteRange part)
      : file_(std::move(file)), state_(state), at_(part.first), left_(part.size) {}

  u64 left() const { return left_; }
  /// The next bytes, at most so many. False if the file is no longer what it was, so that the rest cannot be sent.
  bool read(std::string& to, size_t most);

 private:
  std::string text_;
  std::string_view view_;
  OpenFile file_;
  FileState state_{};
  u64 at_ = 0, left_ = 0;
};

struct Answer {
  Status status = Status::ok;
  std::string head;  // all of it, up to the empty line
  std::unique_ptr<Body> body;
  bool closes = false;      // the connection cannot be used again
  bool is_trusted = false;  // to a request that had the token
};

/// How files are saved that the page has edited: with `only_if`, the state in which the page has loaded them.
using Saving = WriteOptions;
/// The largest file that is saved.
constexpr u64 k_most_saved_bytes = k_most_page_bytes;

/// One page and its files. Every request needs the token, which the page has from its own address, has to be made to
/// this host and port, and may come from this page alone (Host, Origin, Sec-Fetch-Site), because any page in the
/// browser and any program on the machine can reach the port. No file is named by a path.
///
/// With `saving`, a file on disk is replaced by PUT: the request needs the origin of the page as well, the length of
/// its body, and If-Match with the tag of the file, so that what another program or another copy of the page has
/// written stays. A backup is made once.
class Site {
 public:
  /// `page`: as read_page returned it. `token`: letters and digits. `saving`: nothing if files can only be read.
  Site(std::string page, std::vector<ViewedFile>, std::string token, u16 port, std::optional<Saving> saving = {});

  const std::string& origin() const { return origin_; }  // http://127.0.0.1:8080
  std::string address() const { return origin_ + "/?token=" + token_; }
  const std::vector<ViewedFile>& files() const { return files_; }

  /// Whether the body of a request is needed to answer it. All others are answered without it.
  bool takes_body(const HttpRequest&) const;
  Answer answer_request(const HttpRequest&, ByteView body = {});
  /// To what is no request.
  Answer make_refusal(Status, std::string_view why, bool closes = true) const;

 private:
  /// At the files on disk: the page that is loaded now shows them as they are now.
  void refresh_file_states();
  /// The refusal of a request, which does not have a body if the request was HEAD.
  Answer refuse_request(const HttpRequest&, Status, std::string_view why) const;
  /// Why a request is not answered at all; nothing if it may ask.
  std::optional<Answer> reject_cross_origin(const HttpRequest&) const;
  /// Why a request cannot save the file that it names; nothing if only its body is missing.
  std::optional<Answer> check_save_request(const HttpRequest&) const;
  Answer answer_trusted(const HttpRequest&, ByteView body);
  Answer make_page_answer(bool with_body);
  Answer make_file_answer(const HttpRequest&, size_t number);
  Answer save_file(const HttpRequest&, size_t number, ByteView body);
  std::optional<size_t> parse_file_number(std::string_view path) const;
  Answer make_answer(Status, std::string_view type, std::string_view more, std::unique_ptr<Body>, bool with_body) const;

  std::string page_;
  std::vector<ViewedFile> files_;
  std::vector<std::optional<FileState>> states_;  // of those on disk when the page was last loaded
  std::string token_, host_, origin_;
  std::optional<Saving> saving_;
  std::vector<bool> saved_;  // files that have their backup
};

}  // namespace dio::cli

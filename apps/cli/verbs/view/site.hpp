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
  Site(std::string page, std::vector<Viewed>, std::string token, u16 port, std::optional<Saving> saving = {});

  const std::string& origin() const { return origin_; }  // http://127.0.0.1:8080
  std::string address() const { return origin_ + "/?token=" + token_; }
  const std::vector<Viewed>& files() const { return files_; }

  /// Whether the body of a request is needed to answer it. All others are answered without it.
  bool takes_body(const HttpRequest&) const;
  Answer answer(const HttpRequest&, ByteView body = {});
  /// To what is no request.
  Answer refusal(Status, std::string_view why, bool closes = true) const;

 private:
  /// At the files on disk: the page that is loaded now shows them as they are now.
  void look_again();
  /// The refusal of a request, which does not have a body if the request was HEAD.
  Answer refused(const HttpRequest&, Status, std::string_view why) const;
  /// Why a request is not answered at all; nothing if it may ask.
  std::optional<Answer> stranger(const HttpRequest&) const;
  /// Why a request cannot save the file that it names; nothing if only its body is missing.
  std::optional<Answer> no_saving(const HttpRequest&) const;
  Answer trusted(const HttpRequest&, ByteView body);
  Answer page(bool with_body);
  Answer file(const HttpRequest&, size_t number);
  Answer save(const HttpRequest&, size_t number, ByteView body);
  std::optional<size_t> file_named(std::string_view path) const;
  Answer made(Status, std::string_view type, std::string_view more, std::unique_ptr<Body>, bool with_body) const;

  std::string page_;
  std::vector<Viewed> files_;
  std::vector<std::optional<FileState>> states_;  // of those on disk when the page was last loaded
  std::string token_, host_, origin_;
  std::optional<Saving> saving_;
  std::vector<bool> saved_;  // files that have their backup
};

}  // namespace dio::cli

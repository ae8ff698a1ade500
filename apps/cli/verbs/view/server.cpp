#include "server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <list>

namespace dio::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t k_most_connections = 32;
constexpr size_t k_most_head = 8192;
constexpr size_t k_piece = 128 << 10;  // of a body, held at a time
constexpr size_t k_most_drained = size_t(1) << 20;
constexpr milliseconds k_head_time{10'000};  // from the first moment of a request to its last byte
constexpr milliseconds k_body_time{30'000};  // for each piece
constexpr milliseconds k_drain_time{1'000};

int signal_pipe = -1;  // a handler may do little more than write to it

// ---- connections ---------------------------------------------------------------------------------------------------

/// What connections share while one of them goes on.
struct PollTurn {
  Site& site;
  bool has_room;           // for a body: one is read at a time
  bool was_asked = false;  // a request with the token was answered
};

class Connection {
 public:
  explicit Connection(OpenFile socket) : socket_(std::move(socket)) { expect_head(); }

  int get() const { return socket_.get(); }
  short events() const { return state_ == State::writing ? POLLOUT : POLLIN; }
  Clock::time_point deadline() const { return deadline_; }
  bool has_body() const { return state_ == State::receiving; }
  /// After poll has seen something. False: it is over.
  bool process_events(PollTurn&);

 private:
  enum class State { reading, receiving, writing, draining };

  bool read_head(PollTurn&);
  bool receive_body(PollTurn&);
  bool send(PollTurn&);
  bool drain();
  /// Answers the request in `in_`, if its head is complete and no body is needed.
  void answer_request(PollTurn&);
  /// Takes what has come of the body, and answers the request if that is all of it.
  void append_body(ByteView, PollTurn&);
  void begin(Answer&&);
  void expect_head() {
    state_ = State::reading;
    deadline_ = Clock::now() + k_head_time;
  }

  OpenFile socket_;
  State state_ = State::reading;
  Clock::time_point deadline_;
  std::string in_, out_;
  HttpRequest request_;  // whose body is received
  Bytes received_;
  u64 awaited_ = 0;                // bytes of it at which there is more time
  size_t sent_ = 0, drained_ = 0;  // of `out_`; of what nobody wants to know
  std::unique_ptr<Body> body_;
  bool closes_ = false;
};

bool Connection::process_events(PollTurn& turn) {
  switch (state_) {
    case State::reading:
      return read_head(turn);
    case State::receiving:
      return receive_body(turn);
    case State::writing:
      return send(turn);
    default:
      return drain();
  }
}

bool Connection::read_head(PollTurn& turn) {
  char bytes[4096];
  const ssize_t n = ::recv(get(), bytes, sizeof bytes, 0);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n == 0) return false;
  in_.append(bytes, size_t(n));
  answer_request(turn);
  return true;
}

bool Connection::receive_body(PollTurn& turn) {
  u8 bytes[size_t(64) << 10];
  const u64 left = *request_.body_size - received_.size();
  const ssize_t n = ::recv(get(), bytes, size_t(std::min<u64>(left, sizeof bytes)), 0);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n == 0) return false;
  append_body({bytes, size_t(n)}, turn);
  return true;
}

void Connection::append_body(ByteView bytes, PollTurn& turn) {
  received_.insert(received_.end(), bytes.begin(), bytes.end());
  if (received_.size() >= awaited_) {
    awaited_ = received_.size() + k_piece;
    deadline_ = Clock::now() + k_body_time;
  }
  if (received_.size() < *request_.body_size) return;
  Answer a = turn.site.answer_request(request_, received_);
  received_ = {};
  turn.was_asked |= a.is_trusted;
  begin(std::move(a));
}

void Connection::answer_request(PollTurn& turn) {
  Site& site = turn.site;
  // An empty line before a request is allowed (RFC 9112, 2.2).
  if (in_.starts_with("\r\n")) in_.erase(0, 2);
  const size_t end = in_.find("\r\n\r\n");
  if (end > k_most_head && in_.size() > k_most_head)
    return begin(site.make_refusal(Status::large_head, "The head of the request is too large."));
  if (end == in_.npos) return;
  Status status{};
  auto request = parse_request_head(std::string_view(in_).substr(0, end), status);
  in_.erase(0, end + 4);
  if (request && site.takes_body(*request)) {
    if (!turn.has_room) return begin(site.make_refusal(Status::busy, "Another file is being saved."));
    request_ = std::move(*request);
    state_ = State::receiving;
    awaited_ = 0;
    const std::string first = in_.substr(0, size_t(std::min<u64>(in_.size(), *request_.body_size)));
    in_.erase(0, first.size());
    return append_body({reinterpret_cast<const u8*>(first.data()), first.size()}, turn);
  }
  Answer a = request ? site.answer_request(*request) : site.make_refusal(status, "This is not an HTTP/1.1 request.");
  turn.was_asked |= a.is_trusted;
  begin(std::move(a));
}

void Connection::begin(Answer&& a) {
  closes_ = a.closes;
  out_ = std::move(a.head) + (closes_ ? "Connection: close\r\n\r\n" : "\r\n");
  sent_ = 0;
  body_ = std::move(a.body);
  state_ = State::writing;
  deadline_ = Clock::now() + k_body_time;
}

bool Connection::send(PollTurn& turn) {
  if (sent_ == out_.size() || out_.size() < k_piece / 2) {
    out_.erase(0, sent_);
    sent_ = 0;
    // A body that cannot be completed ends the connection: its length was promised.
    if (body_ && body_->left() && !body_->read(out_, k_piece)) return false;
  }
  while (sent_ < out_.size()) {
    const ssize_t n = ::send(get(), out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    sent_ += size_t(n);
    deadline_ = Clock::now() + k_body_time;
  }
  if (body_ && body_->left()) return true;
  body_ = nullptr;
  out_.clear();
  sent_ = 0;
  if (closes_) {
    // What is still on its way here would reset the connection, and the answer with it.
    ::shutdown(get(), SHUT_WR);
    in_.clear();
    state_ = State::draining;
    deadline_ = Clock::now() + k_drain_time;
    return true;
  }
  expect_head();
  answer_request(turn);  // the next one may have come already
  return true;
}

bool Connection::drain() {
  char bytes[4096];
  const ssize_t n = ::recv(get(), bytes, sizeof bytes, 0);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  drained_ += size_t(n);
  return n > 0 && drained_ < k_most_drained;
}

tl::unexpected<Diagnostic> listen_error(u16 port) {
  const bool is_used = errno == EADDRINUSE;
  return refuse(io_error("io.read", "127.0.0.1:" + std::to_string(port),
                         is_used ? "the port is in use" : std::string("cannot listen: ") + std::strerror(errno),
                         port ? "without --port, a free port is used" : ""));
}

}  // namespace

// ---- signals -------------------------------------------------------------------------------------------------------

StopSignals::StopSignals() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
  reading_ = OpenFile(ends[0]);
  writing_ = OpenFile(ends[1]);
  signal_pipe = writing_.get();
  struct sigaction action{};
  action.sa_handler = [](int) {
    const int before = errno;
    (void)!::write(signal_pipe, "", 1);
    errno = before;
  };
  for (size_t i = 0; i < k_count; ++i) {
    ::sigaction(k_which[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(k_which[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  if (!reading_) return;
  for (size_t i = 0; i < k_count; ++i) ::sigaction(k_which[i], &before_[i], nullptr);
  signal_pipe = -1;
}

// ---- the server ----------------------------------------------------------------------------------------------------

Result<Listener> Listener::bind_loopback(u16 port) {
  Listener out;
  out.socket_ = OpenFile(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!out.socket_) return listen_error(port);
  const int yes = 1;  // the last run's connections may still be on their way out
  ::setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(out.get(), any, size) != 0 || ::listen(out.get(), int(k_most_connections)) != 0 ||
      ::getsockname(out.get(), any, &size) != 0)
    return listen_error(port);
  out.port_ = ntohs(address.sin_port);
  return out;
}

ServerStop run_server(const Listener& listener, Site& site, const StopSignals& signals, milliseconds idle) {
  std::list<Connection> connections;
  auto last_asked = Clock::now();
  auto accepts_from = last_asked;  // not before
  for (;;) {
    auto now = Clock::now();
    connections.remove_if([&](const Connection& c) { return c.deadline() <= now; });
    if (now - last_asked >= idle) return ServerStop::by_itself;

    const bool accepts = connections.size() < k_most_connections && now >= accepts_from;
    std::vector<pollfd> polled = {{signals.get(), POLLIN, 0}, {accepts ? listener.get() : -1, POLLIN, 0}};
    auto until = last_asked + idle;
    if (now < accepts_from) until = std::min<Clock::time_point>(until, accepts_from);
    for (const Connection& c : connections) {
      polled.push_back({c.get(), c.events(), 0});
      until = std::min(until, c.deadline());
    }
    const auto wait = std::chrono::ceil<milliseconds>(until - now).count();
    if (::poll(polled.data(), polled.size(), int(std::clamp<i64>(wait, 0, 60'000))) < 0)
      continue;  // a signal, or no memory
    if (polled[0].revents) return ServerStop::by_signal;

    auto each = connections.begin();
    for (size_t i = 2; i < polled.size(); ++i) {
      PollTurn turn{site, std::ranges::none_of(connections, &Connection::has_body)};
      const bool lives = !polled[i].revents || each->process_events(turn);
      if (turn.was_asked) last_asked = Clock::now();
      each = lives ? std::next(each) : connections.erase(each);
    }
    if (!polled[1].revents) continue;
    OpenFile socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket)
      connections.emplace_back(std::move(socket));
    else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
      accepts_from = Clock::now() + milliseconds(100);  // else poll would see it at once again
  }
}

}  // namespace dio::cli

#include "server.hpp"

#include <algorithm>
#include <cerrno>
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

// ---- connections ---------------------------------------------------------------------------------------------------

/// What connections share while one of them goes on.
struct PollTurn {
  Site& site;
  bool has_room;           // for a body: one is read at a time
  bool was_asked = false;  // a request with the token was answered
};

class Connection {
 public:
  explicit Connection(os::Socket socket) : socket_(std::move(socket)) { expect_head(); }

  const os::Socket& socket() const { return socket_; }
  bool is_sending() const { return state_ == State::writing; }
  Clock::time_point deadline() const { return deadline_; }
  bool has_body() const { return state_ == State::receiving; }
  /// No complete head has arrived since it was opened or last answered.
  bool is_awaiting_head() const { return state_ == State::reading; }
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

  os::Socket socket_;
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
  u8 bytes[4096];
  const i64 n = socket_.receive(bytes);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  if (n == 0) return false;
  in_.append(reinterpret_cast<const char*>(bytes), size_t(n));
  answer_request(turn);
  return true;
}

bool Connection::receive_body(PollTurn& turn) {
  u8 bytes[size_t(64) << 10];
  const u64 left = *request_.body_size - received_.size();
  const i64 n = socket_.receive(std::span(bytes).first(size_t(std::min<u64>(left, sizeof bytes))));
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
    const i64 n = socket_.send(std::string_view(out_).substr(sent_));
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
    socket_.end_sending();
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
  u8 bytes[4096];
  const i64 n = socket_.receive(bytes);
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

// ---- the server ----------------------------------------------------------------------------------------------------

/// The connection that has been waiting longest for a complete head; `end` if none is.
static std::list<Connection>::iterator find_longest_silent(std::list<Connection>& connections) {
  auto found = connections.end();
  for (auto c = connections.begin(); c != connections.end(); ++c)
    if (c->is_awaiting_head() && (found == connections.end() || c->deadline() < found->deadline())) found = c;
  return found;
}

Result<Listener> Listener::bind_loopback(u16 port) {
  Listener out;
  out.socket_ = os::listen_on_loopback(port, u32(k_most_connections));
  if (!out.socket_) return listen_error(port);
  out.port_ = out.socket_.port();
  return out;
}

ServerStop run_server(const Listener& listener, Site& site, const os::StopSignals& signals, milliseconds idle) {
  std::list<Connection> connections;
  auto last_asked = Clock::now();
  auto accepts_from = last_asked;  // not before
  for (;;) {
    auto now = Clock::now();
    connections.remove_if([&](const Connection& c) { return c.deadline() <= now; });
    if (now - last_asked >= idle) return ServerStop::by_itself;

    // If all places are taken, a connection without a complete head gives its place to a new one.
    const bool has_place =
        connections.size() < k_most_connections || std::ranges::any_of(connections, &Connection::is_awaiting_head);
    const bool accepts = has_place && now >= accepts_from;
    std::vector<os::PolledSocket> polled = {{accepts ? &listener.socket() : nullptr}};
    auto until = last_asked + idle;
    if (now < accepts_from) until = std::min<Clock::time_point>(until, accepts_from);
    for (const Connection& c : connections) {
      polled.push_back({&c.socket(), c.is_sending()});
      until = std::min(until, c.deadline());
    }
    const auto wait = std::chrono::ceil<milliseconds>(until - now).count();
    const os::Polled found = os::poll_sockets(polled, signals, milliseconds(std::clamp<i64>(wait, 0, 60'000)));
    if (found == os::Polled::stopped) return ServerStop::by_signal;
    if (found == os::Polled::nothing) continue;

    auto each = connections.begin();
    for (size_t i = 1; i < polled.size(); ++i) {
      PollTurn turn{site, std::ranges::none_of(connections, &Connection::has_body)};
      const bool lives = !polled[i].is_ready || each->process_events(turn);
      if (turn.was_asked) last_asked = Clock::now();
      each = lives ? std::next(each) : connections.erase(each);
    }
    if (!polled[0].is_ready) continue;
    const auto silent = connections.size() < k_most_connections ? connections.end() : find_longest_silent(connections);
    if (connections.size() >= k_most_connections && silent == connections.end()) continue;  // all have sent one by now
    os::Socket socket = listener.socket().accept();
    if (socket) {
      if (silent != connections.end()) connections.erase(silent);
      connections.emplace_back(std::move(socket));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      accepts_from = Clock::now() + milliseconds(100);  // else poll would see it at once again
    }
  }
}

}  // namespace dio::cli

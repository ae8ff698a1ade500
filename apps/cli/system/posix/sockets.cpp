#include "../sockets.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <vector>

namespace dio::cli::os {
namespace {

int signal_pipe = -1;  // a handler may do little more than write to it

bool prepare(int descriptor) {
  return ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && ::fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0;
}

#ifdef MSG_NOSIGNAL
constexpr int k_without_signal = MSG_NOSIGNAL;
#else
constexpr int k_without_signal = 0;  // SO_NOSIGPIPE
#endif

}  // namespace

Socket::~Socket() {
  if (handle_ >= 0) ::close(int(handle_));
}
i64 Socket::receive(std::span<u8> to) const { return ::recv(int(handle_), to.data(), to.size(), 0); }
i64 Socket::send(std::string_view text) const {
  for (;;)
    if (const ssize_t n = ::send(int(handle_), text.data(), text.size(), k_without_signal); n >= 0 || errno != EINTR)
      return n;
}
void Socket::end_sending() const { ::shutdown(int(handle_), SHUT_WR); }
Socket Socket::accept() const {
  Socket out(::accept(int(handle_), nullptr, nullptr));
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  if (out) ::setsockopt(int(out.handle()), SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  if (out && !prepare(int(out.handle()))) return {};
  return out;
}
u16 Socket::port() const {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  return ::getsockname(int(handle_), reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin_port) : 0;
}

Socket listen_on_loopback(u16 port, u32 waiting) {
  Socket out(::socket(AF_INET, SOCK_STREAM, 0));
  const int yes = 1;  // the last run's connections may still be on their way out
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const int socket = int(out.handle());
  if (!out || !prepare(socket)) return {};
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(socket, int(waiting)) != 0)
    return {};
  return out;
}

// ---- signals -------------------------------------------------------------------------------------------------------

struct StopSignals::State {
  static constexpr std::array k_signals = {SIGINT, SIGTERM};
  std::array<struct sigaction, k_signals.size()> before{};
  int reading = -1, writing = -1;
};

StopSignals::StopSignals() : state_(std::make_unique<State>()) {
  int ends[2];
  if (::pipe(ends) != 0) return;
  state_->reading = ends[0], state_->writing = signal_pipe = ends[1];
  prepare(ends[0]), prepare(ends[1]);
  struct sigaction action{};
  action.sa_handler = [](int) {
    const int before = errno;
    (void)!::write(signal_pipe, "", 1);
    errno = before;
  };
  for (size_t i = 0; i < State::k_signals.size(); ++i) {
    ::sigaction(State::k_signals[i], nullptr, &state_->before[i]);
    if (state_->before[i].sa_handler != SIG_IGN) ::sigaction(State::k_signals[i], &action, nullptr);
  }
}
StopSignals::~StopSignals() {
  if (state_->reading < 0) return;
  for (size_t i = 0; i < State::k_signals.size(); ++i) ::sigaction(State::k_signals[i], &state_->before[i], nullptr);
  signal_pipe = -1;
  ::close(state_->reading), ::close(state_->writing);
}

Polled poll_sockets(std::span<PolledSocket> sockets, const StopSignals& signals, std::chrono::milliseconds wait) {
  std::vector<pollfd> polled = {{signals.state().reading, POLLIN, 0}};
  for (const PolledSocket& s : sockets)
    polled.push_back({s.socket ? int(s.socket->handle()) : -1, short(s.for_sending ? POLLOUT : POLLIN), 0});
  if (::poll(polled.data(), nfds_t(polled.size()), int(wait.count())) < 0)
    return Polled::nothing;  // a signal, or no memory
  if (polled[0].revents) return Polled::stopped;
  for (size_t i = 0; i < sockets.size(); ++i) sockets[i].is_ready = polled[i + 1].revents != 0;
  return Polled::ready;
}

}  // namespace dio::cli::os

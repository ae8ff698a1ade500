#include "../sockets.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <vector>

#include "api.hpp"

namespace dio::cli::os {
namespace {

std::atomic<bool> is_stopped = false;

BOOL WINAPI stop(DWORD) {
  is_stopped = true;
  return TRUE;
}

/// Returns -1.
i64 set_socket_errno() {
  switch (::WSAGetLastError()) {
    case WSAEWOULDBLOCK:
      errno = EAGAIN;
      break;
    case WSAEADDRINUSE:
    case WSAEACCES:  // by a program that has it alone
      errno = EADDRINUSE;
      break;
    case WSAEMFILE:
    case WSAENOBUFS:
      errno = EMFILE;
      break;
    default:
      errno = EIO;
  }
  return -1;
}

SOCKET socket_of(const Socket& s) { return SOCKET(s.handle()); }

Socket checked(SOCKET socket) {
  if (socket == INVALID_SOCKET) return set_socket_errno(), Socket();
  u_long yes = 1;
  ::ioctlsocket(socket, FIONBIO, &yes);
  ::SetHandleInformation(reinterpret_cast<HANDLE>(socket), HANDLE_FLAG_INHERIT, 0);
  return Socket(i64(socket));
}

}  // namespace

Socket::~Socket() {
  if (handle_ >= 0) ::closesocket(SOCKET(handle_));
}
i64 Socket::receive(std::span<u8> to) const {
  const int n = ::recv(socket_of(*this), reinterpret_cast<char*>(to.data()), int(to.size()), 0);
  return n < 0 ? set_socket_errno() : n;
}
i64 Socket::send(std::string_view text) const {
  const int n = ::send(socket_of(*this), text.data(), int(std::min<size_t>(text.size(), 1 << 20)), 0);
  return n < 0 ? set_socket_errno() : n;
}
void Socket::end_sending() const { ::shutdown(socket_of(*this), SD_SEND); }
Socket Socket::accept() const { return checked(::accept(socket_of(*this), nullptr, nullptr)); }
u16 Socket::port() const {
  sockaddr_in address{};
  int size = sizeof address;
  return ::getsockname(socket_of(*this), reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin_port)
                                                                                            : u16(0);
}

Socket listen_on_loopback(u16 port, u32 waiting) {
  static const bool k_is_started = [] {
    WSADATA data{};
    return ::WSAStartup(MAKEWORD(2, 2), &data) == 0;
  }();
  if (!k_is_started) return set_socket_errno(), Socket();
  Socket out = checked(::socket(AF_INET, SOCK_STREAM, 0));
  if (!out) return {};
  const int yes = 1;
  ::setsockopt(socket_of(out), SOL_SOCKET, SO_EXCLUSIVEADDRUSE, reinterpret_cast<const char*>(&yes), sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (::bind(socket_of(out), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket_of(out), int(waiting)) != 0)
    return set_socket_errno(), Socket();
  return out;
}

struct StopSignals::State {};

StopSignals::StopSignals() {
  is_stopped = false;
  ::SetConsoleCtrlHandler(stop, TRUE);
}
StopSignals::~StopSignals() { ::SetConsoleCtrlHandler(stop, FALSE); }

Polled poll_sockets(std::span<PolledSocket> sockets, const StopSignals&, std::chrono::milliseconds wait) {
  using namespace std::chrono;
  std::vector<WSAPOLLFD> polled;
  for (const PolledSocket& s : sockets)
    if (s.socket) polled.push_back({socket_of(*s.socket), short(s.for_sending ? POLLWRNORM : POLLRDNORM), 0});
  // A handler cannot wake it: it looks often.
  constexpr milliseconds k_step{100};
  const auto end = steady_clock::now() + wait;
  for (;;) {
    const auto left = std::clamp(ceil<milliseconds>(end - steady_clock::now()), milliseconds(0), k_step);
    if (::WSAPoll(polled.data(), ULONG(polled.size()), int(left.count())) < 0) return Polled::nothing;
    if (is_stopped) return Polled::stopped;
    size_t next = 0;
    bool has_any = false;
    for (PolledSocket& s : sockets)
      if (s.socket) has_any |= s.is_ready = polled[next++].revents != 0;
    if (has_any || steady_clock::now() >= end) return has_any ? Polled::ready : Polled::nothing;
  }
}

}  // namespace dio::cli::os

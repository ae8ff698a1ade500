// sockets.hpp: connections on 127.0.0.1, without waiting, and the signals that stop a server. What fails sets `errno`.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/bytes.hpp"

namespace dio::cli::os {

class Socket {
 public:
  Socket() = default;
  explicit Socket(i64 handle) : handle_(handle) {}
  Socket(Socket&& o) noexcept : handle_(std::exchange(o.handle_, -1)) {}
  Socket& operator=(Socket&& o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~Socket();
  explicit operator bool() const { return handle_ >= 0; }
  i64 handle() const { return handle_; }

  /// The number of bytes, 0 at the end, or -1: EAGAIN if there are none yet.
  i64 receive(std::span<u8> to) const;
  i64 send(std::string_view text) const;
  void end_sending() const;
  /// Of a listening socket: the next connection.
  Socket accept() const;
  u16 port() const;

 private:
  i64 handle_ = -1;
};

/// `port` 0: any free one.
Socket listen_on_loopback(u16 port, u32 waiting);

/// While one lives, SIGINT and SIGTERM, or Ctrl+C on Windows, stop `poll_sockets` instead of the program, unless they
/// are ignored.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  struct State;
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

struct PolledSocket {
  const Socket* socket;  // null: none
  bool for_sending = false;
  bool is_ready = false;
};
enum class Polled { ready, nothing, stopped };
/// Waits until one of the sockets is ready, or for so long.
Polled poll_sockets(std::span<PolledSocket>, const StopSignals&, std::chrono::milliseconds);

}  // namespace dio::cli::os

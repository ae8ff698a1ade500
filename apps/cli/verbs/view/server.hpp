// server.hpp: a small server for one user on the same machine: sockets, times and bounds. What it answers is
// site.hpp's.
#pragma once
#include <chrono>

#include "../../system/sockets.hpp"
#include "site.hpp"

namespace dio::cli {

/// A socket on 127.0.0.1, and nowhere else, that waits for connections. `port` 0: any free one.
class Listener {
 public:
  /// Id: io.read (the port is in use, or may not be used).
  static Result<Listener> bind_loopback(u16 port);
  u16 port() const { return port_; }
  const os::Socket& socket() const { return socket_; }

 private:
  os::Socket socket_;
  u16 port_ = 0;
};

enum class ServerStop { by_signal, by_itself };

/// Answers until one of the signals comes, or until nobody has asked with the token for `idle`.
/// At most 32 connections, 8 KiB of a request's head and one body that the site takes are held; who is slow is cut off.
ServerStop run_server(const Listener&, Site&, const os::StopSignals&, std::chrono::milliseconds idle);

}  // namespace dio::cli

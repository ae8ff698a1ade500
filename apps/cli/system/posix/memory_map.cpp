#include "../memory_map.hpp"

#include <sys/mman.h>

#include <csignal>

namespace dio::cli::os {
namespace {

void (*on_unreadable_page)(const void* address) = nullptr;

}  // namespace

void* map_file(int descriptor, size_t size, bool is_own) {
  void* at = ::mmap(nullptr, size, PROT_READ | (is_own ? PROT_WRITE : 0), MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  return at == MAP_FAILED ? nullptr : at;
}
void unmap_file(void* at, size_t size) { ::munmap(at, size); }

void run_on_unreadable_page(void (*function)(const void* address)) {
  on_unreadable_page = function;
  struct sigaction action{};
  action.sa_sigaction = [](int signal, siginfo_t* info, void*) {
    on_unreadable_page(info->si_addr);
    ::signal(signal, SIG_DFL);  // it comes again, and ends the program
  };
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace dio::cli::os

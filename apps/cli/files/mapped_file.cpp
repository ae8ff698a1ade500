#include "mapped_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <mutex>

#include "../command_line/request.hpp"
#include "../system/files.hpp"
#include "../system/memory_map.hpp"
#include "fatal_error.hpp"
#include "layout/field_types.hpp"

namespace dio::cli {

namespace {

class Mapping;

// A handler may neither lock nor allocate: it finds the mappings in a table that never moves. One that has no place in
// it is not used.
std::array<std::atomic<const Mapping*>, 64> mappings;

/// Memory that is filled from a file where somebody looks at it.
class Mapping {
 public:
  /// `is_own`: what is written into it stays in memory, for itself.
  Mapping(std::string name, int descriptor, size_t size, bool is_own)
      : name_(std::move(name)), size_(size), at_(os::map_file(descriptor, size, is_own)) {
    for (auto& place : mappings) {
      const Mapping* none = nullptr;
      if (!at_ || !place.compare_exchange_strong(none, this)) continue;
      place_ = &place;
      return;
    }
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (place_) *place_ = nullptr;
    if (at_) os::unmap_file(at_, size_);
  }
  explicit operator bool() const { return place_; }
  std::span<u8> bytes() const { return {static_cast<u8*>(at_), size_}; }
  const std::string& name() const { return name_; }
  bool contains(const void* address) const {
    const std::less_equal<const void*> not_after;
    return not_after(bytes().data(), address) && !not_after(bytes().data() + size_, address);
  }

 private:
  std::string name_;
  size_t size_;
  void* at_;
  std::atomic<const Mapping*>* place_ = nullptr;
};

class MappedFile final : public ByteSource {
 public:
  MappedFile(std::string name, int descriptor, size_t size)
      : descriptor_(descriptor), mapping_(std::move(name), descriptor, size, false) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() override { os::close_file(descriptor_); }
  explicit operator bool() const { return bool(mapping_); }

  u64 size() const override { return mapping_.bytes().size(); }
  std::optional<ByteView> whole() const override { return mapping_.bytes(); }
  EditableCopy draft() const override {
    const auto own = std::make_shared<Mapping>(mapping_.name(), descriptor_, mapping_.bytes().size(), true);
    return *own ? EditableCopy(own->bytes(), own) : ByteSource::draft();
  }

 private:
  bool is_mapped() const override { return true; }
  Result<bool> fetch(u64 offset, std::span<u8> to) const override {
    const auto make_read_error = [&](std::string message) {
      return refuse("io.read", Location::in_file(mapping_.name()), {.message = std::move(message)});
    };
    for (size_t done = 0; done < to.size();) {
      const i64 n = os::read_some_at(descriptor_, offset + done, to.subspan(done));
      if (n < 0) return make_read_error(std::string("cannot be read: ") + std::strerror(errno));
      if (n == 0) return make_read_error("the file became shorter while it was read");
      done += size_t(n);
    }
    return true;
  }

  int descriptor_;
  Mapping mapping_;
};

/// What is looked at is not there any more (SIGBUS).
void exit_for_truncated_file(const void* address) {
  for (const auto& place : mappings) {
    const Mapping* mapping = place;
    if (!mapping || !mapping->contains(address)) continue;
    print_and_exit({"error: the file became shorter while it was read, or its disk cannot be read [io.read]\n  in ",
                    mapping->name(), "\n"},
                   ExitCode::system);
  }
}

void handle_truncated_files() {
  static std::once_flag once;
  std::call_once(once, [] { os::run_on_unreadable_page(exit_for_truncated_file); });
}

bool is_mappable(const std::optional<os::FileStatus>& s) {
  return s && s->is_regular() && s->size >= k_large && s->size <= k_max_file_size;
}

}  // namespace

std::shared_ptr<const ByteSource> map_large_file(const std::string& name) {
  if (!is_mappable(os::file_status(name))) return nullptr;
  const int descriptor = os::open_for_reading(name, false);
  if (descriptor < 0) return nullptr;
  const auto status = os::file_status(descriptor);
  if (!is_mappable(status)) {
    os::close_file(descriptor);
    return nullptr;
  }
  const auto file = std::make_shared<MappedFile>(name, descriptor, size_t(status->size));
  if (!*file) return nullptr;
  handle_truncated_files();
  return file;
}

}  // namespace dio::cli

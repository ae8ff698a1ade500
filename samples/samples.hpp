// samples.hpp: small files of every format, made from nothing: for tests, fuzz seeds, docs tables and the demo.
#pragma once
#include <string>
#include <vector>

#include "formats/contract/game.hpp"
#include "layout/document.hpp"

namespace dio {

/// A small file of a format, made from nothing.
struct Sample {
  std::string name;   // a file name: course.kmp
  std::string about;  // one line
  Bytes bytes;
};

/// Those of a format, in the order of its folder.
std::vector<Sample> samples_of(const Format&);
/// Further files of a format, too many for tests of all samples, with structures that files of the format share with
/// other formats.
std::vector<Sample> shape_samples_of(const Format&);
/// Whole games, as archives.
std::vector<Sample> samples_of(const GameKind&);

/// What a family tells samples.cpp: the samples of one of its formats, or of files of another one that it goes with.
struct SampleList {
  std::string_view format;  // the id
  std::vector<Sample> (*samples)();
  bool only_shape = false;  // shape_samples_of
};

/// A document made from nothing, as a file; nothing if it cannot be written.
template <class T>
Bytes bytes_of(T value, const SaveOptions& options = {}) {
  Document<T> d;
  d.edit() = std::move(value);
  auto bytes = save(d, options);
  return bytes ? std::move(*bytes) : Bytes();
}

}  // namespace dio

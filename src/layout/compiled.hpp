// compiled.hpp: the walks over a document type, compiled in one place. They are the largest templates of the library,
// and every file that loads or saves a document would compile them anew.
//
//   parts.hpp of the format   DIORAMA_WALKS(extern, kmp::Kmp)
//   one source file           DIORAMA_BYTES(, kmp::Kmp)    Reader, Writer, Placer
//   another                   DIORAMA_VALUES(, kmp::Kmp)   Trace, Patch
//
// All three stand outside of any namespace.
#pragma once
#include "layout/document.hpp"

#define DIORAMA_BYTES(prefix, T)                                                      \
  namespace dio {                                                                     \
  prefix template Result<Loaded<Document<T>>> load<T>(ByteView);                      \
  prefix template Result<Bytes> write<T>(const T&, const std::vector<Residue>&, u64); \
  prefix template Result<Bytes> save<T>(const Document<T>&, SaveOptions);             \
  prefix template Result<Bytes> follow<T>(ByteView, ByteView);                        \
  }
#define DIORAMA_VALUES(prefix, T)                        \
  namespace dio {                                        \
  prefix template Traced trace<T>(ByteView);             \
  prefix template Result<T> from_value<T>(const Value&); \
  }
#define DIORAMA_WALKS(prefix, T) \
  DIORAMA_BYTES(prefix, T)       \
  DIORAMA_VALUES(prefix, T)

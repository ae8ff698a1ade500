// values.cpp: a course as spans, and from JSON.
#include "formats/kmp/parts.hpp"

namespace dio {

template Traced trace<kmp::Kmp>(ByteView);
template Result<kmp::Kmp> from_value<kmp::Kmp>(const Value&);

}  // namespace dio

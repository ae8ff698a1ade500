// A Result that nobody looks at would be an error that nobody sees.
// expect: ignoring returned value of type
// expect: Result<int>
#include "core/result.hpp"

dio::Result<int> answer() { return 42; }

int main() {
#ifdef MUST_NOT_COMPILE
  answer();
#endif
  return answer().value_or(0) == 42 ? 0 : 1;
}

// precompiled.hpp: what is read once for all files: headers of the standard library, which are half of what most of them
// would have to read, and those of ours that more than half of them read anyway. Files still include what they need.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/byte_source.hpp"
#include "core/editable_copy.hpp"
#include "core/text_format.hpp"
#include "formats/contract/scenes.hpp"
#include "layout/document.hpp"
#include "layout/reference.hpp"
#include "layout/sizer.hpp"
#include "scene/scene.hpp"

#include "compiled_once.hpp"

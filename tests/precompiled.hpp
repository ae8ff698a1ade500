// precompiled.hpp: what nearly every test reads, compiled once. Files still include what they need.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "../cmake/precompiled.hpp"
#include "bridge/gltf/gltf.hpp"
#include "invented/laws.hpp"
#include "operations/operations.hpp"

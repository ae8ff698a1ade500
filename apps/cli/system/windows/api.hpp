// api.hpp: the headers of Windows, in the order that they need.
#pragma once
// clang-format off
#include <winsock2.h>
#include <windows.h>
#include <ntsecapi.h>
#include <shellapi.h>
// clang-format on

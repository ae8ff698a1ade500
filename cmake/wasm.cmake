# Toolchain: the core as a WebAssembly module, with Debian's clang-19, wasi-libc and libc++.
set(WASM ON)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# Without the last two the compiler would also look into /usr/include, which belongs to the host.
# Every browser of the last five years has the two features, which make code smaller.
set(CMAKE_CXX_FLAGS_INIT "-flto -mbulk-memory -mnontrapping-fptoint -fno-exceptions -nostdlibinc -isystem /usr/include/wasm32-wasi/c++/v1 -idirafter /usr/include/wasm32-wasi")

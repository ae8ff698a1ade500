// Debian's wasi-libc is built with the stack protector, whose two symbols it does not bring along.
extern "C" {
unsigned long __stack_chk_guard = 0x00000aff;
[[noreturn]] void __stack_chk_fail() { __builtin_trap(); }
}

"""The version of this package, and of the library that it needs: that of CMakeLists.txt."""

__version__ = "0.1.0"

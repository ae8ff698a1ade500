"""The version of this package, the same as in CMakeLists.txt. The shared library must have this version."""

__version__ = "0.1.0"

"""The version of this package, the same as in CMakeLists.txt. The shared library must have this version."""

__version__ = "1.0.0"

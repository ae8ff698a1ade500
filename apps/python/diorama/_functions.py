"""The functions, structures and flags of diorama.h for ctypes. Made by tools/make_bindings: do not edit."""

from __future__ import annotations

import ctypes
from typing import Any

STRICT = 1
KNOWN = 8
CANONICAL = 2
LOSSY = 4
UNLINK = 16
CASCADE = 32
PARTLY = 128
DELETE = 256
EVERY_BYTE = 64
NO_SOURCE = 0xFFFFFFFF


class dio_buffer(ctypes.Structure):
    """A handle of diorama.h."""


class dio_file(ctypes.Structure):
    """A handle of diorama.h."""


class dio_editing(ctypes.Structure):
    """A handle of diorama.h."""


class dio_scene(ctypes.Structure):
    """A handle of diorama.h."""


class dio_game(ctypes.Structure):
    """A handle of diorama.h."""


class dio_named(ctypes.Structure):
    """A structure of diorama.h."""

    _fields_ = [("name", ctypes.c_char_p), ("bytes", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class dio_source(ctypes.Structure):
    """A structure of diorama.h."""

    _fields_ = [("path", ctypes.c_char_p), ("size", ctypes.c_uint64), ("user", ctypes.c_void_p)]


dio_read = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)

#: Every function: its name, its result (None: nothing), its arguments.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "dio_version": (ctypes.c_char_p, []),
    "dio_formats": (ctypes.POINTER(dio_buffer), []),
    "dio_samples": (ctypes.POINTER(dio_buffer), []),
    "dio_sample": (ctypes.POINTER(dio_buffer), [ctypes.c_char_p, ctypes.c_char_p]),
    "dio_explain": (ctypes.POINTER(dio_buffer), [ctypes.c_char_p]),
    "dio_schema": (ctypes.POINTER(dio_buffer), [ctypes.c_char_p, ctypes.c_char_p]),
    "dio_find": (ctypes.POINTER(dio_buffer), [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_uint32]),
    "dio_open": (ctypes.POINTER(dio_file), [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint32]),
    "dio_close": (None, [ctypes.POINTER(dio_file)]),
    "dio_open_parts": (ctypes.POINTER(dio_file), [ctypes.c_uint64, ctypes.c_char_p, dio_read, ctypes.c_void_p, ctypes.c_uint32]),
    "dio_file_ok": (ctypes.c_uint32, [ctypes.POINTER(dio_file)]),
    "dio_error": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_file_format": (ctypes.c_char_p, [ctypes.POINTER(dio_file)]),
    "dio_beside": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_together": (ctypes.POINTER(dio_file), [ctypes.POINTER(dio_file), ctypes.POINTER(ctypes.POINTER(dio_file)), ctypes.c_size_t]),
    "dio_info": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_check": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_simulate": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_report": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(ctypes.POINTER(dio_buffer)), ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_repair": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_verify": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_diff": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(dio_file), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_merge": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(dio_file), ctypes.POINTER(dio_file), ctypes.c_char_p]),
    "dio_hex_page": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_trace": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_tree": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_branch": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t]),
    "dio_spans": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_uint64, ctypes.c_uint64]),
    "dio_place": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p]),
    "dio_path_at": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_uint64]),
    "dio_explain_value": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p]),
    "dio_bytes": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_uint64, ctypes.c_uint64]),
    "dio_decode": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_decode_refs": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_decode_lean": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_encode": (ctypes.POINTER(dio_buffer), [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32]),
    "dio_save": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_uint32]),
    "dio_set": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_edits": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_refs": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p, ctypes.POINTER(ctypes.POINTER(dio_file)), ctypes.c_size_t]),
    "dio_editing_begin": (ctypes.POINTER(dio_editing), [ctypes.POINTER(dio_file), ctypes.c_uint32]),
    "dio_editing_close": (None, [ctypes.POINTER(dio_editing)]),
    "dio_editing_ok": (ctypes.c_uint32, [ctypes.POINTER(dio_editing)]),
    "dio_editing_run": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_editing), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.c_uint32]),
    "dio_editing_undo": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_editing)]),
    "dio_editing_redo": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_editing)]),
    "dio_editing_follow": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_editing), ctypes.POINTER(dio_file)]),
    "dio_editing_save": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_editing), ctypes.c_uint32]),
    "dio_budget": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_budget_picture": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_convert": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p]),
    "dio_render": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_sheet": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(ctypes.POINTER(dio_file)), ctypes.c_size_t, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_thumbnail": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_uint32]),
    "dio_plan": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_questions": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_ask": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p, ctypes.c_char_p]),
    "dio_scene_of": (ctypes.POINTER(dio_scene), [ctypes.POINTER(dio_file), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_scene_again": (ctypes.POINTER(dio_scene), [ctypes.POINTER(dio_file), ctypes.POINTER(dio_scene), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_scene_close": (None, [ctypes.POINTER(dio_scene)]),
    "dio_scene_ok": (ctypes.c_uint32, [ctypes.POINTER(dio_scene)]),
    "dio_scene_data": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_scene)]),
    "dio_scene_changes": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_scene), ctypes.POINTER(dio_scene)]),
    "dio_scene_convert": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_scene), ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_scene_render": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_scene), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_scene_tiles": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_scene), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_scene_source": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_scene), ctypes.c_uint32, ctypes.c_uint32]),
    "dio_scene_shows": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_scene), ctypes.c_char_p, ctypes.c_char_p]),
    "dio_game_open": (ctypes.POINTER(dio_game), [ctypes.POINTER(dio_file)]),
    "dio_game_open_files": (ctypes.POINTER(dio_game), [ctypes.c_char_p, ctypes.POINTER(dio_source), ctypes.c_size_t, dio_read, ctypes.c_uint32]),
    "dio_game_close": (None, [ctypes.POINTER(dio_game)]),
    "dio_game_ok": (ctypes.c_uint32, [ctypes.POINTER(dio_game)]),
    "dio_game_info": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game)]),
    "dio_game_parts": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game)]),
    "dio_game_maps": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game)]),
    "dio_game_part": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_game_check": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game)]),
    "dio_game_budget": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.c_char_p]),
    "dio_game_budget_picture": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.c_char_p]),
    "dio_game_graph": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.c_char_p, ctypes.c_char_p]),
    "dio_game_refs": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.c_char_p]),
    "dio_game_diff": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.POINTER(dio_game)]),
    "dio_game_make": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.c_char_p]),
    "dio_game_shown_with": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.c_char_p]),
    "dio_game_world": (ctypes.POINTER(dio_scene), [ctypes.POINTER(dio_game), ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_game_edits": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game)]),
    "dio_game_edit": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.c_uint32, ctypes.POINTER(dio_file)]),
    "dio_game_file": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_game), ctypes.c_char_p]),
    "dio_make": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_put_back": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(dio_file), ctypes.c_uint32]),
    "dio_textures": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_take_textures": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(dio_named), ctypes.c_size_t, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.c_uint32]),
    "dio_sounds": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_members": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file)]),
    "dio_member": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p]),
    "dio_check_member": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p, ctypes.POINTER(dio_named), ctypes.c_size_t]),
    "dio_replace": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t]),
    "dio_replace_all": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.POINTER(dio_named), ctypes.c_size_t]),
    "dio_unpack": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_file), ctypes.c_char_p]),
    "dio_pack": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_named), ctypes.c_size_t, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]),
    "dio_buffer_ok": (ctypes.c_uint32, [ctypes.POINTER(dio_buffer)]),
    "dio_buffer_data": (ctypes.c_void_p, [ctypes.POINTER(dio_buffer)]),
    "dio_buffer_size": (ctypes.c_size_t, [ctypes.POINTER(dio_buffer)]),
    "dio_buffer_file": (ctypes.POINTER(dio_buffer), [ctypes.POINTER(dio_buffer), ctypes.c_size_t]),
    "dio_buffer_free": (None, [ctypes.POINTER(dio_buffer)]),
    "dio_alloc": (ctypes.c_void_p, [ctypes.c_size_t]),
    "dio_free": (None, [ctypes.c_void_p]),
}

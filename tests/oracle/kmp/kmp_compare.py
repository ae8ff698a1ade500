#!/usr/bin/env python3
"""Compares what `dio hex --json` says about KMP files with what the second reader (kmp_oracle.py) says.

    kmp_compare.py DIO FILE...

Both must name the same values at the same places: offset, size, value (floats by their bits). Besides, every byte of
the file must be in a span or a gap of dio. A line a file, its differences below; `N passed, N failed` last.
"""
import json
import re
import struct
import subprocess
import sys

import kmp_oracle

SHOWN_DIFFERENCES = 20
WIDTH = {"u8": 1, "i8": 1, "s8": 1, "u16": 2, "i16": 2, "s16": 2, "u32": 4, "i32": 4, "s32": 4, "f32": 4}


def float_bits(value):
    if isinstance(value, str):  # not a finite number: written as its bits
        return int(value, 16)
    return struct.unpack(">I", struct.pack(">f", value))[0]


def elements(span):
    """The single values of a span: (offset, size, kind, value); kind is int, f32, bytes or magic."""
    at, size, kind, value = span["offset"], span["size"], span["type"], span.get("value")
    if kind == "magic":
        return [(at, size, "bytes", value.encode("latin-1").hex())]
    if kind == "bytes":
        return [(at, size, "bytes", value)]
    one = re.sub(r"\[\d+\]$", "", kind)
    if one not in WIDTH:
        raise ValueError(f"{span['path']}: a span of unknown type {kind}")
    values = value if isinstance(value, list) else [value]
    width = WIDTH[one]
    if width * len(values) != size:
        raise ValueError(f"{span['path']}: {len(values)} values of {width} bytes in a span of {size}")
    return [(at + i * width, width, "f32" if one == "f32" else "int", float_bits(v) if one == "f32" else v)
            for i, v in enumerate(values)]


class Comparison:
    def __init__(self, data, shown):
        self.data = data
        self.differences = []
        oracle, covered = kmp_oracle.read(data)
        self.known = {}  # (offset, size, kind) -> values of the oracle; several where sections overlap
        self.typed = bytearray(len(data))  # 1: a byte of a field; 2: only of a raw part
        for value in oracle:
            kind = value["type"] if value["type"] in ("f32", "bytes") else "int"
            self.known.setdefault((value["offset"], value["size"], kind), []).append(value)
            for i in range(value["offset"], value["offset"] + value["size"]):
                if value.get("role") != "raw":
                    self.typed[i] = 1
                elif not self.typed[i]:
                    self.typed[i] = 2
        self.met = set()
        for span in shown["spans"]:
            if span["size"]:
                self.span(span)
        for key, values in self.known.items():
            if key not in self.met:
                value = values[0]
                self.differ(value["offset"], f"{value['where']} ({value['type']} {value['value']}) is missing")
        self.accounted(shown)

    def differ(self, at, text):
        self.differences.append((at, f"0x{at:04X}: {text}"))

    @staticmethod
    def same(value, kind, found):
        if kind == "f32":
            return value["bits"] == found
        if value.get("either_sign"):
            return (value["value"] - found) % (1 << 8 * value["size"]) == 0
        return value["value"] == found

    def span(self, span):
        for at, size, kind, found in elements(span):
            if kind == "bytes" and (at, size, kind) not in self.known:
                self.loose_bytes(span, at, found)
                continue
            values = self.known.get((at, size, kind))
            if not values:
                # Inside a raw part its magic and count may still be told.
                if span.get("role") == "count" and all(t == 2 for t in self.typed[at:at + size]):
                    continue
                self.differ(at, f"{span['path']} ({span['type']} {found}) is no value the documents know")
                continue
            self.met.add((at, size, kind))
            if not any(self.same(value, kind, found) for value in values):
                expected = values[0]["bits"] if kind == "f32" else values[0]["value"]
                self.differ(at, f"{span['path']} is {found}, {values[0]['where']} is {expected}")

    def loose_bytes(self, span, at, found):
        """Bytes that are no raw part: single bytes of fields, or bytes that belong to nothing."""
        for i, byte in enumerate(bytes.fromhex(found), at):
            values = self.known.get((i, 1, "int"))
            if values:
                self.met.add((i, 1, "int"))
                if values[0]["value"] % 256 != byte:
                    self.differ(i, f"{span['path']} has {byte}, {values[0]['where']} is {values[0]['value']}")
            elif self.typed[i] == 1:
                return self.differ(i, f"{span['path']}: bytes where the documents know a field")
            elif self.data[i] != byte:
                return self.differ(i, f"{span['path']} has {byte}, the file {self.data[i]}")

    def accounted(self, shown):
        told = bytearray(len(self.data))
        for part in shown["spans"] + shown["gaps"]:
            told[part["offset"]:part["offset"] + part["size"]] = b"\1" * part["size"]
        if len(told) != len(self.data):
            self.differ(len(self.data), "a span or gap reaches beyond the file")
        elif 0 in told:
            self.differ(told.index(0), f"{told.count(0)} bytes are neither in a span nor in a gap")
        for gap in shown["gaps"]:
            end = gap["offset"] + gap["size"]
            if self.data[gap["offset"]:end].hex() != gap["hex"]:
                self.differ(gap["offset"], "a gap with other bytes than the file")
        if shown["size"] != len(self.data):
            self.differ(0, f"size is {shown['size']}, the file has {len(self.data)} bytes")


def compare(dio, path):
    """(number of values, list of differences)"""
    with open(path, "rb") as file:
        data = file.read()
    done = subprocess.run([dio, "hex", "--json", path], capture_output=True, text=True, errors="replace")
    try:
        comparison = Comparison(data, json.loads(done.stdout))
    except (ValueError, KeyError) as error:
        return 0, [f"dio hex --json (exit {done.returncode}): {error} {done.stderr.strip()[:200]}"]
    return len(comparison.known), [text for _, text in sorted(comparison.differences)]


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: kmp_compare.py DIO FILE...")
    failed = 0
    for path in sys.argv[2:]:
        values, differences = compare(sys.argv[1], path)
        failed += bool(differences)
        print(f"{path}: " + (f"{len(differences)} differences" if differences else f"{values} values agree"))
        for text in differences[:SHOWN_DIFFERENCES]:
            print(f"  {text}")
        if len(differences) > SHOWN_DIFFERENCES:
            print(f"  ... and {len(differences) - SHOWN_DIFFERENCES} more")
    print(f"{len(sys.argv) - 2 - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()

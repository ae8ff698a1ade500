#!/usr/bin/env python3
"""Pictures of Nitro textures. Second reader, see nitro_oracle.py.

Colours: the 3D hardware works with six bits a channel. It makes them of the five that a palette has as v6 = 2 v5 + 1,
or 0 of 0 (GBATEK, "DS 3D Texture Formats" and "3D Final 2D Output"). Eight bits are not the hardware's; the project's
rule for them is that the highest bits fill the lowest (as emulators do), for alpha as for colours.

    nitro_textures.py FILE...     decodes every texture that a material or a pattern animation pairs with a palette,
                                  and says which have texels outside of their palette
"""
import struct
import sys

import nitro_oracle


def eight_bits(five):
    six = 2 * five + (five > 0)
    return six << 2 | six >> 4


EIGHT = [eight_bits(v) for v in range(32)]
ALPHA = EIGHT
BITS = {1: 8, 2: 2, 3: 4, 4: 8, 5: 2, 6: 8, 7: 16}


def color(rgb555, alpha=255):
    return EIGHT[rgb555 & 31], EIGHT[rgb555 >> 5 & 31], EIGHT[rgb555 >> 10 & 31], alpha


def mix555(a, b, weight_a, weight_b, shift):
    """Mixed with the five bits a palette has."""
    return sum(((a >> s & 31) * weight_a + (b >> s & 31) * weight_b >> shift) << s for s in (0, 5, 10))


def decode(textures, name, palette_name):
    """(width, height, [(r, g, b, a)] from the upper left, how many texels lie outside of the palette data)"""
    texture = textures.textures[name]
    width, height, kind = texture.width, texture.height, texture.format
    if kind not in BITS:
        raise nitro_oracle.NitroError(f"{name}: texture format {kind}")
    size = width * height * BITS[kind] // 8
    store = textures.block_texels if kind == 5 else textures.texels
    data = store[texture.offset:texture.offset + size]
    if len(data) < size:
        raise nitro_oracle.NitroError(f"{name}: its texels end outside of the block")
    if kind == 7:
        pixels = [color(v, 255 if v & 0x8000 else 0) for v, in struct.iter_unpack("<H", data)]
        return width, height, pixels, 0
    base = textures.palettes[palette_name]
    colors = [v for v, in struct.iter_unpack("<H", textures.colors[base:len(textures.colors) & ~1])]
    outside = 0

    def entry(index):
        nonlocal outside
        if index < len(colors):
            return colors[index] & 0x7FFF
        outside += 1
        return 0

    if kind == 5:
        pixels = [None] * (width * height)
        first = texture.offset // 2
        for block in range(width // 4 * (height // 4)):
            texels = int.from_bytes(data[4 * block:4 * block + 4], "little")
            info = int.from_bytes(textures.block_indices[first + 2 * block:first + 2 * block + 2], "little")
            start, mode = (info & 0x3FFF) * 2, info >> 14
            c0, c1 = entry(start), entry(start + 1)
            four = [color(c0), color(c1)]
            if mode == 0:
                four += [color(entry(start + 2)), None]
            elif mode == 1:
                four += [color(mix555(c0, c1, 1, 1, 1)), None]
            elif mode == 2:
                four += [color(entry(start + 2)), color(entry(start + 3))]
            else:
                four += [color(mix555(c0, c1, 5, 3, 3)), color(mix555(c0, c1, 3, 5, 3))]
            across, down = block % (width // 4) * 4, block // (width // 4) * 4
            for i in range(16):
                texel = four[texels >> 2 * i & 3]
                pixels[(down + i // 4) * width + across + i % 4] = texel or (0, 0, 0, 0)
        return width, height, pixels, outside

    if kind == 1:
        return width, height, [color(entry(v & 31), ALPHA[(v >> 5) * 4 + (v >> 5) // 2]) for v in data], outside
    if kind == 6:
        return width, height, [color(entry(v & 7), ALPHA[v >> 3]) for v in data], outside
    if kind == 4:
        indices = data
    elif kind == 3:
        indices = [v >> shift & 15 for v in data for shift in (0, 4)]
    else:
        indices = [v >> shift & 3 for v in data for shift in (0, 2, 4, 6)]
    table = {i: color(entry(i), 0 if i == 0 and texture.first_clear else 255) for i in sorted(set(indices))}
    return width, height, [table[i] for i in indices], outside


def find_texture(sets, name):
    return next((s for s in sets if name in s.textures), None)


def decode_pair(sets, texture_name, palette_name):
    """As decode, of the first set that has the texture, and its palette; None if no set has both."""
    for textures in sets:
        if texture_name in textures.textures:  # there is none without a name
            if palette_name in textures.palettes or textures.textures[texture_name].format == 7:
                return decode(textures, texture_name, palette_name)
    return None


def pairs_of(file):
    """The pairs of texture and palette names that materials or patterns of a file name."""
    pairs = {(m.texture, m.palette) for model in file.models for m in model.materials if m.texture}
    for animation in file.animations:
        if isinstance(animation, nitro_oracle.PatternAnimation):
            pairs |= {key[1:] for keys in animation.tracks.values() for key in keys}
    return sorted(pairs, key=str)


def main(arguments):
    passed = failed = decoded = 0
    for path in nitro_oracle.files_of(arguments):
        for name, file in nitro_oracle.load(path):
            if isinstance(file, nitro_oracle.NitroError) or not file.texture_sets:
                continue
            # A set without models: the palette that has the texture's name, with or without "_pl".
            pairs = pairs_of(file) or [(t, p) for s in file.texture_sets for t in s.textures
                                       for p in (t, t + "_pl", t[:13] + "_pl") if p in s.palettes]
            for texture, palette in pairs:
                try:
                    picture = decode_pair(file.texture_sets, texture, palette)
                except nitro_oracle.NitroError as error:
                    print(f"{name}: {error}")
                    failed += 1
                    continue
                if picture is None:
                    print(f"{name}: texture {texture} or palette {palette} is not here")
                    failed += 1
                    continue
                if picture[3]:
                    print(f"{name}: {picture[3]} colours outside of the palette data: {texture} with {palette}")
                decoded += picture[0] * picture[1]
                passed += 1
    print(f"{decoded} texels")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))

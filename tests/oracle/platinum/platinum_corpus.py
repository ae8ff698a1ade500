"""The files of one Platinum by their roles: from a folder with loose members and archives (Corpus), or from a cartridge
(Cartridge)."""
import functools
import os

import archive_files
import nitro_oracle
import platinum_files

# Role -> where an archive with the members is, relative to the folder, or loose members and the list of their order.
PLACES = {
    "area_data": "tables/area_data.narc",
    "area_build": "tables/area_build.narc",
    "map_matrix": "tables/map_matrix.narc",
    "arealight": "tables/arealight.narc",
    "land_data": "res/field/maps/data/map_data.order",
    "map_tex_set": "res/field/maps/texture_sets/map_texture_sets.order",
    "areabm_texset": "res/field/props/texture_sets/prop_texture_sets.order",
    "build_model": "res/field/props/models/map_prop_models.order",
    "bm_anime": "res/field/props/animations/prop_animations.order",
    "bm_anime_list": "res/prebuilt/arc/bm_anime_list.narc",
    "fldtanime": "res/prebuilt/data/fldtanime.narc",
    "mm_list": "res/prebuilt/fielddata/mm_list/move_model_list.narc",
    "encounters_d": "res/prebuilt/fielddata/encountdata/d_enc_data.narc",
    "tw_arc": "res/prebuilt/fielddata/tornworld/tw_arc.narc",
    "tw_arc_attr": "res/prebuilt/fielddata/tornworld/tw_arc_attr.narc",
}
SINGLE = {"headers": "tables/map_headers.bin", "matshp": "res/prebuilt/fielddata/build_model/build_model_matshp.dat",
          "mapname": "res/prebuilt/fielddata/maptable/mapname.bin"}


def read_file(path):
    with open(path, "rb") as file:
        return file.read()


class Corpus:
    """What is parsed is kept."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, relative):
        return os.path.join(self.folder, relative)

    def has(self, role):
        return os.path.exists(self.path((PLACES | SINGLE)[role]))

    @functools.lru_cache(None)
    def paths(self, role):
        """Of loose members."""
        place = self.path(PLACES[role])
        with open(place, encoding="utf-8") as file:
            names = [line.strip() for line in file if line.strip()]
        folder = os.path.dirname(place)
        return [os.path.join(folder, n if os.path.exists(os.path.join(folder, n)) else n + ".nsbtx") for n in names]

    @functools.lru_cache(None)
    def members(self, role):
        if PLACES[role].endswith(".narc"):
            return archive_files.Narc(read_file(self.path(PLACES[role]))).members
        return [read_file(path) for path in self.paths(role)]

    @functools.lru_cache(None)
    def single(self, role):
        return read_file(self.path(SINGLE[role]))

    @functools.cached_property
    def headers(self):
        return platinum_files.read_headers(self.single("headers"))

    @functools.cached_property
    def matrices(self):
        return [platinum_files.read_matrix(m) for m in self.members("map_matrix")]

    @functools.cached_property
    def lands(self):
        return [platinum_files.read_land(m) for m in self.members("land_data")]

    @functools.cached_property
    def areas(self):
        return [platinum_files.read_area(m) for m in self.members("area_data")]

    @functools.cached_property
    def prop_sets(self):
        return [platinum_files.read_area_build(m) for m in self.members("area_build")]

    @functools.cached_property
    def lights(self):
        return [platinum_files.read_area_light(m) for m in self.members("arealight")]

    @functools.cached_property
    def anime_lists(self):
        return [platinum_files.read_anime_list(m) for m in self.members("bm_anime_list")]

    @functools.cached_property
    def matshp(self):
        return platinum_files.read_matshp(self.single("matshp"))

    @functools.lru_cache(None)
    def nitro(self, role, index):
        """A parsed Nitro member; of a land its model."""
        data = self.lands[index]["model"] if role == "land_data" else self.members(role)[index]
        return nitro_oracle.File(data)

    @functools.lru_cache(None)
    def names_of(self, role, index):
        """(texture names, palette names) of the texture sets of a member."""
        sets = self.nitro(role, index).texture_sets
        return {n for s in sets for n in s.textures}, {n for s in sets for n in s.palettes}

    @functools.lru_cache(None)
    def wanted_names(self, role, index):
        """(texture names, palette names) that the model of a member binds."""
        materials = [m for model in self.nitro(role, index).models for m in model.materials]
        return {m.texture for m in materials if m.texture}, {m.palette for m in materials if m.palette}

    def missing(self, role, index, texture_role, texture_index):
        """Names of textures and palettes that a model looks for and its set does not have."""
        wanted, there = self.wanted_names(role, index), self.names_of(texture_role, texture_index)
        return sorted((wanted[0] - there[0]) | (wanted[1] - there[1]))

    def uses(self):
        """{(land, area, matrix)} as headers, matrices and areas name them: a cell belongs to its own header, and in a
        matrix without headers to every header that names the matrix."""
        entering = {}
        for header in self.headers:
            entering.setdefault(header["map_matrix_id"], set()).add(header["area_data_archive_id"])
        found = set()
        for number, matrix in enumerate(self.matrices):
            for _, _, header, _, land in platinum_files.cells_of(matrix):
                if header is None:
                    found |= {(land, area, number) for area in entering.get(number, ())}
                else:
                    found.add((land, self.headers[header]["area_data_archive_id"], number))
        return found


ROM_PLACES = {
    "area_data": "fielddata/areadata/area_data.narc",
    "area_build": "fielddata/areadata/area_build_model/area_build.narc",
    "areabm_texset": "fielddata/areadata/area_build_model/areabm_texset.narc",
    "map_tex_set": "fielddata/areadata/area_map_tex/map_tex_set.narc",
    "map_matrix": "fielddata/mapmatrix/map_matrix.narc",
    "land_data": "fielddata/land_data/land_data.narc",
    "build_model": "fielddata/build_model/build_model.narc",
    "bm_anime": "arc/bm_anime.narc",
    "bm_anime_list": "arc/bm_anime_list.narc",
    "arealight": "data/arealight.narc",
    "fldtanime": "data/fldtanime.narc",
    "mm_list": "fielddata/mm_list/move_model_list.narc",
    "zone_event": "fielddata/eventdata/zone_event.narc",
    "matshp": "fielddata/build_model/build_model_matshp.dat",
    "mapname": "fielddata/maptable/mapname.bin",
}


class Cartridge(Corpus):
    """The same out of a cartridge. Where the headers are in its program is found by what they look like."""

    def __init__(self, path):
        super().__init__(path)
        self.rom = archive_files.Rom(read_file(path))

    def has(self, role):
        return role == "headers" or ROM_PLACES.get(role) in self.rom.files

    @functools.lru_cache(None)
    def members(self, role):
        return archive_files.Narc(self.rom.files[ROM_PLACES[role]]).members

    @functools.lru_cache(None)
    def single(self, role):
        if role != "headers":
            return self.rom.files[ROM_PLACES[role]]
        count = len(self.single("mapname")) // 16
        program = self.rom.arm9_data
        found = platinum_files.find_headers(program, len(self.members("area_data")), len(self.members("map_matrix")),
                                            count)
        if found is None:
            raise platinum_files.PlatinumError(f"no {count} headers in the program")
        size = platinum_files.HEADER_SIZE
        return program[found[0]:found[0] + count * size]


def open_corpus(path):
    return Corpus(path) if os.path.isdir(path) else Cartridge(path)

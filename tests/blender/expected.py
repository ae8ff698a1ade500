"""Known limits of round trips through Blender. All other tests must be exact; a row that no test needs is a failure."""
from fnmatch import fnmatchcase
from typing import NamedTuple


class Expected(NamedTuple):
    file: str  #: a file name pattern
    edit: str  #: a pattern for keys of `by_hand.EDITS`
    properties: bool | None  #: True: only with custom properties; False: only without; None: both
    became: str  #: refused: dio wrote nothing; changed: the file differs from the expected one
    says: str  #: a regular expression for the messages of dio; for a changed file also for the difference
    reason: str

    def fits(self, file, edit, properties):
        return fnmatchcase(file, self.file) and fnmatchcase(edit, self.edit) and self.properties in (None, properties)


EXPECTED = (
    # Limits of Blender.
    Expected("land-data/*", "transforms applied", None, "changed", r"props\[0\]\.position\.x: .* -> 0\.0\n(.|\n)* moved, 0 added, 0 removed",
             "applying transforms moves the empty of a prop, and so the prop, to the origin"),
    Expected("nsbmd/crane.nsbmd", "joined", None, "refused", "68 parts of .* are missing from the scene", "a joined mesh loses the nodes that scale its parts"),
    Expected("nsbmd/crane.nsbmd", "transforms applied", None, "changed", "12 triangles changed, 60 unchanged",
             "the file stores 1/3 as 1365/4096, so bones shear a little, which Blender objects cannot"),
    Expected("nsbmd/teapot.nsbmd", "moved", None, "changed", "with a moved corner(.|\n)*5 triangles changed, 9 unchanged",
             "its texture coordinates are computed from normals, which Blender recomputes for tilted faces"),
    Expected("fft-mesh/broken_bridge.fft-mesh", "transforms applied", None, "changed", r"terrain\.levels\[0\]\[0\](.|\n)*1 tile has a new height or slope",
             "a scale of 0 hides the terrain, so applying transforms collapses all corners to one point"),
    Expected("fft-mesh/valley.fft-mesh", "transforms applied", None, "changed", r"terrain\.levels\[0\]\[0\](.|\n)*animated_2\.textured_quads\[0\]",
             "the hidden terrain collapses, and an animated mesh keeps the pose of the current frame as its shape"),
    # Limits of the formats.
    Expected("brres/bending.brres", "moved", None, "refused", "the vertices follow several bones", "no single bone can store the new position"),
    Expected("fft-mesh/valley.fft-mesh", "joined", None, "refused", "13 polygons are missing from the scene",
             "an animated mesh is joined in the pose of the current frame"),
    Expected("fft-mesh/*", "a face added", None, "refused", "cannot be applied", "without a texture file next to the mesh file, a new face has no texels"),
    Expected("fft-mesh/terrain.fft-mesh", "a face deleted", None, "changed", "0 triangles instead of one", "the terrain always keeps all tiles"),
    Expected("kcl/empty.kcl", "moved", None, "changed", "no triangle has changed", "the file has no triangles"),
    # Limits of scenes without custom properties.
    Expected("nsbmd/banners.nsbmd", "moved", False, "changed", "2 added, 2 removed",
             "four models differ only in name, and moved triangles are searched in all of them"),
    # A collision type and its mesh have nodes with the same name.
    Expected("kcl/short_header.kcl", "joined", True, "refused", "cannot store these new nodes of the scene: attribute 1", "collision types without meshes count as new nodes"),
)


def find(file, edit, properties):
    """The first row that fits, or None."""
    return next((one for one in EXPECTED if one.fits(file, edit, properties)), None)

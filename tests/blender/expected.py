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
    Expected("nsbmd/crane.nsbmd", "joined", None, "changed", "68 triangles changed, 4 unchanged",
             "joining deletes a node whose scale applies to the other meshes, so Blender also changes their shape"),
    Expected("nsbmd/crane.nsbmd", "transforms applied", None, "changed", "12 triangles changed, 60 unchanged",
             "the file stores 1/3 as 1365/4096, so bones shear a little, which Blender objects cannot"),
    Expected("nsbmd/teapot.nsbmd", "moved", None, "changed", "with a moved corner(.|\n)*5 triangles changed, 9 unchanged",
             "its texture coordinates are computed from normals, which Blender recomputes for tilted faces"),
    Expected("fft-mesh/valley.fft-mesh", "transforms applied", None, "changed", r"animated_2\.textured_quads\[0\](.|\n)*13 polygons changed",
             "an animated mesh keeps the pose of the current frame as its shape"),
    Expected("splashpack/scene_v21.splashpack", "joined", None, "refused", "cannot be added: the object draws nothing",
             "the meshes are joined to an animated one, in the pose of the current frame"),
    Expected("splashpack/scene_v21.splashpack", "transforms applied", None, "changed", r"objects\[2\]\.triangles(.|\n)*10 triangles changed",
             "an animated mesh keeps the pose of the current frame as its shape"),
    # Limits of the formats.
    Expected("brres/bending.brres", "moved", None, "refused", "its vertices follow several bones", "vertices of other bones share the position"),
    Expected("fft-mesh/valley.fft-mesh", "joined", None, "refused", "13 polygons are missing from the scene",
             "an animated mesh is joined in the pose of the current frame"),
    Expected("fft-mesh/*", "a face added", None, "refused", "cannot be applied", "without a texture file next to the mesh file, a new face has no texels"),
    Expected("fft-mesh/terrain.fft-mesh", "a face deleted", None, "changed", "0 triangles instead of one", "the terrain always keeps all tiles"),
    Expected("kcl/empty.kcl", "moved", None, "changed", "no triangle has changed", "the file has no triangles"),
    # Limits of scenes without custom properties.
    Expected("fft-mesh/valley.fft-mesh", "an object moved", False, "changed", r"no triangle has changed(.|\n)*the transform of such a node is ignored",
             "the parent is hidden by a scale of 0, below which Blender exports no position"),
    Expected("fft-mesh/valley.fft-mesh", "an object copied", False, "refused", "a copy must not stay at the position of its original",
             "the parent is hidden by a scale of 0, below which Blender exports no position"),
)


def find(file, edit, properties):
    """The first row that fits, or None."""
    return next((one for one in EXPECTED if one.fits(file, edit, properties)), None)

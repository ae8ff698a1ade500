"""What does not come back exactly, and why. Everything else does; a row that nothing needs any more is a failure."""
from fnmatch import fnmatchcase
from typing import NamedTuple


class Expected(NamedTuple):
    file: str  #: patterns
    edit: str
    properties: bool | None  #: only with custom properties, or only without; None: both
    became: str  #: refused: dio wrote nothing; changed: the file is another one than asked for
    says: str  #: a regular expression for what dio says of it; of a changed file, also for what is wrong with it
    reason: str

    def fits(self, file, edit, properties):
        return fnmatchcase(file, self.file) and fnmatchcase(edit, self.edit) and self.properties in (None, properties)


EXPECTED = (
    # What Blender does.
    Expected("land-data/*", "transforms applied", None, "changed", r"props\[0\]\.position\.x: .* -> 0\.0\n(.|\n)* moved, 0 added, 0 removed",
             "the place of a prop is that of its empty, which goes to the origin where it is applied"),
    Expected("nsbmd/crane.nsbmd", "joined", None, "refused", "68 parts of .* are not in the scene", "the joined mesh leaves the nodes that scale its parts"),
    Expected("nsbmd/crane.nsbmd", "transforms applied", None, "changed", "12 triangles changed, 60 unchanged",
             "a third is 1365/4096 in the file, so bones shear a little, and objects of Blender cannot"),
    Expected("nsbmd/teapot.nsbmd", "moved", None, "changed", "without one with a moved corner(.|\n)*5 triangles changed, 9 unchanged",
             "its texture coordinates are made of normals, which Blender makes anew where faces tilt"),
    Expected("fft-mesh/broken_bridge.fft-mesh", "transforms applied", None, "changed", r"terrain\.levels\[0\]\[0\](.|\n)*1 tile has another height or slope",
             "the terrain is hidden by a scale of 0: applied, all its corners are in one place"),
    Expected("fft-mesh/valley.fft-mesh", "transforms applied", None, "changed", r"terrain\.levels\[0\]\[0\](.|\n)*animated_2\.textured_quads\[0\]",
             "the same, and a mesh that an animation moves: the pose of the frame that is shown becomes its shape"),
    # What the file has no place for.
    Expected("brres/bending.brres", "moved", None, "refused", "its vertices follow several bones", "which have no single place for the new position"),
    Expected("fft-mesh/valley.fft-mesh", "joined", None, "refused", "13 polygons are not in the scene and unchanged",
             "a mesh that an animation moves is joined in the pose of the frame that is shown"),
    Expected("fft-mesh/*", "a face added", None, "refused", "cannot be taken", "without a texture beside the file, a new face says no texels"),
    Expected("fft-mesh/terrain.fft-mesh", "a face deleted", None, "changed", "0 triangles instead of one", "tiles have heights and slopes; the scene cannot delete them"),
    Expected("kcl/empty.kcl", "moved", None, "changed", "no triangle has changed", "it has no triangles to move"),
    # What a scene without custom properties does not say.
    Expected("nsbmd/banners.nsbmd", "moved", False, "changed", "2 added, 2 removed",
             "four models are alike but for the name, and triangles that moved are looked for in all of them"),
    # Nodes of the same name: a type and its mesh.
    Expected("kcl/short_header.kcl", "joined", True, "refused", "no place for what is new in the scene: attribute 1", "types without meshes are taken for new nodes"),
)


def find(file, edit, properties):
    """The first row that fits, or nothing."""
    return next((one for one in EXPECTED if one.fits(file, edit, properties)), None)

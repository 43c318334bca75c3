"""`[[project]]`: the packages of a repository that holds several, each with its own tests and interpreter."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field

from whet.config.section import Section
from whet.config.target import below_the_root


def _plain_folder(folder: str) -> str:
    """Return the folder without a trailing slash; refuse a glob."""
    if any(sign in folder for sign in "*?["):
        raise ValueError(f"{folder!r} is a pattern: name one folder")
    return "." if folder in (".", "./") else PurePosixPath(below_the_root(folder)).as_posix()


class PackagePolicy(Section):
    """`[[project]]`: one package. `name` defaults to the folder. `interpreter` defaults to the folder's `.venv`, else to that of
    `[target]`. `folders`, from the repository's top, are what is collected; empty: the whole folder. `needs` names the packages that this one uses;
    without it they are read from its pyproject.toml.
    """

    folder: Annotated[str, AfterValidator(_plain_folder)]
    name: Annotated[str, Field(pattern=r"^[\w./-]*$", max_length=100)] = ""
    interpreter: str = ""
    folders: tuple[Annotated[str, AfterValidator(_plain_folder)], ...] = ()
    args: tuple[str, ...] = ()
    needs: tuple[str, ...] | None = None

    @property
    def title(self) -> str:
        """Return the name, or the folder of a package without a name."""
        return self.name or self.folder

    def holds(self, path: str) -> bool:
        """True if the path lies in the folder."""
        return self.folder == "." or path == self.folder or path.startswith(f"{self.folder}/")


def consistent(packages: Sequence[PackagePolicy]) -> None:
    """Raise ValueError for two packages of one name or folder, and for needs that no package has."""
    names = [package.title for package in packages]
    folders = [package.folder for package in packages]
    for kind, values in (("name", names), ("folder", folders)):
        for value in values:
            if values.count(value) > 1:
                raise ValueError(f"two packages have the {kind} {value!r}")
    for package in packages:
        if outside := [folder for folder in package.folders if not package.holds(folder)]:
            raise ValueError(
                f"{package.title!r} collects {outside[0]!r}, which is not in its folder {package.folder!r}"
            )
        for needed in package.needs or ():
            if needed not in names:
                raise ValueError(
                    f"{package.title!r} needs {needed!r}, which is no package; those are: {', '.join(names)}"
                )

"""References in files that run commands: CI pipelines, git hooks, task runners, container files."""

import re
from collections.abc import Iterator

from whet.guard.declared.reference import Reference, Role
from whet.guard.declared.words import files_in, modules_in

# Files whose commands run with the rights of a developer or of CI.
RUNNERS = (
    ".github/workflows/**", ".github/actions/**", "action.y*ml", ".gitlab-ci.yml", "*.gitlab-ci.y*ml", ".circleci", "azure-pipelines*.y*ml", ".travis.yml",
    "bitbucket-pipelines.yml", "appveyor.yml", ".appveyor.yml", "Jenkinsfile", ".pre-commit-config.y*ml", ".pre-commit-hooks.y*ml",
    "lefthook.y*ml", "Makefile", "GNUmakefile", "justfile", "Taskfile.y*ml", "mise.toml", ".mise.toml", "tox.ini", "tox.toml",
    "noxfile.py", "pyproject.toml", "hatch.toml", "pixi.toml", "package.json", "Dockerfile", "Dockerfile.*", ".readthedocs.y*ml", "cloudbuild.y*ml", ".woodpecker*", ".forgejo/**", ".gitea/**",
)  # fmt: skip


_HOOKS = re.compile(r"^hooks:[ \t]*\n((?:[ \t]*-[^\n]*\n?)+)", re.MULTILINE)


def mkdocs_references(manifest: str, text: str) -> Iterator[Reference]:
    """Yield the files that a mkdocs.yml names as hooks."""
    for block in _HOOKS.findall(text):
        for line in block.splitlines():
            yield Reference(Role.TOOL_PLUGIN, line.strip().removeprefix("-").strip(" \t'\""), manifest)


def script_references(manifest: str, text: str) -> Iterator[Reference]:
    """Yield the Python files and modules that a file of commands names. The paths are relative to the repository."""
    for path in sorted(files_in(text)):
        yield Reference(Role.SCRIPT, path, manifest)
    for module in sorted(modules_in(text)):
        path = module.replace(".", "/")
        yield from (Reference(Role.SCRIPT, f"{folder}{path}.py", manifest) for folder in ("", "src/"))

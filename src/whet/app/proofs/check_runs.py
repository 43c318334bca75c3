"""Show the result of a proof on its commit, on the forge."""

from whet.app.project import Project
from whet.app.proofs.prove import ProvedChange, policy_of_base
from whet.domain.check_report import check_of
from whet.errors import UsageError
from whet.forge.kinds import connect
from whet.forge.place import place_of
from whet.git.git import Git


def judged_commit(git: Git, branch: str, commits: str) -> str:
    """Return the commit whose tree a proof of this branch or range judges. Refuse a patch file: it is no commit."""
    tip = branch or commits.rpartition("..")[2]
    if not tip:
        raise UsageError("--check needs a commit to show the result on", "name a branch or a range: --branch NAME")
    return git.resolve(tip)


def post_check(project: Project, proof: ProvedChange, commit: str) -> str:
    """Report a proof to the forge and return the address of the report. The base's own policy says which forge."""
    if project.git.tree_of(commit) != proof.patch.tree:
        raise UsageError(f"{commit[:10]} is not the commit that was judged")
    policy = policy_of_base(project, proof.patch.base)
    forge = connect(place_of(policy.forge, project.git.origin()), policy.forge.timeout_seconds)
    return forge.report(check_of(proof.evidence, proof.patch.paths, commit))

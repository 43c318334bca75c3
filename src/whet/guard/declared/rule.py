"""The rule about declared files: build hooks are refused, every other role raises the tier."""

from whet.config import Config
from whet.domain.change import Change
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.categories import HOOKS_TOUCHED
from whet.guard.change.submission import GuardContext, Submission
from whet.guard.declared.reference import Role
from whet.guard.paths.patterns import fold, patterns

_SENTENCES = {
    Role.BUILD_IMPORT: "runs when the package is built, too",
    Role.TOOL_PLUGIN: "is loaded by a development tool",
    Role.SCRIPT: "is run by a pipeline, a hook or a task runner",
    Role.ENTRY_POINT: "is an entry point",
}


def declared_file(change: Change, submission: Submission) -> GuardAnswer:
    return declared_path(change.path, submission.policy, submission.context)


def declared_path(path: str, policy: Config, context: GuardContext) -> GuardAnswer:
    """Refuse a build hook and raise other declared files, unless `guard.open` names the path.

    A bug in an entry point must be fixed too, so it is not refused. No policy opens a plug-in of the test runner:
    it can decide the result of every test.
    """
    roles = context.declared.get(fold(path), ())
    if not roles:
        return Allow()
    gravest = roles[0]
    plugin = next((declared for declared in roles if declared.role == Role.TEST_PLUGIN), None)
    opened = patterns(policy.guard.open).names(path)
    if gravest.role == Role.BUILD_HOOK and opened is None:
        reason = f"{path} is protected: it runs when the package is built ({gravest.manifest} declares it)"
        return Refuse(reason, "path_protected")
    if plugin is not None:
        reason = f"{path} can change the result of every test: {plugin.manifest} declares it as a plug-in"
        return Raise(reason, HOOKS_TOUCHED)
    if opened is not None:
        return Allow(f"{path} is opened by the policy ({opened!r})", pattern=opened, setting="guard.open")
    return Raise(f"{path} {_SENTENCES[gravest.role]} ({gravest.manifest} declares it)", str(gravest.role))

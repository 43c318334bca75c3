"""The deploy phase: put a proven and approved commit where `deploy.strategy` says, and follow it there.

`step.py` has the steps in order: snapshot, rehearse the rollback, write down the intent, deploy, verify. A `Target` moves
git refs, and is found by the name of the strategy among the entry points `whet.targets`:

| strategy     | target (class)           | before it is deployed                  | running applications     |
| ------------ | ------------------------ | -------------------------------------- | ------------------------ |
| `branch`     | `branch.Branch`          |                                        | not told                 |
| `pr`         | `pull_request.ByPullRequest` | people merge it on a forge         | not told                 |
| `merge`      | `merge.Merge`            |                                        | not told                 |
| `hot_reload` | `hot_reload.HotReload`   |                                        | reload the changed module|
| `canary`     | `hot_reload.HotReload`   | trial on `deploy.canary_share` of calls| reload the changed module|
| `ab`         | `hot_reload.HotReload`   | trial on half of the calls             | reload the changed module|
| `shadow`     | `hot_reload.HotReload`   | trial on copies of the calls           | reload the changed module|

The last four share one target, because they move git and applications alike. They differ in the trial before that, which
is not the target's business: `config.DeployPolicy.reloads` is True for all four, and `config.DeployPolicy.trial` is the `Mode` of the
trial, or None. `trial.py` runs the trial, with `arms.py` (canary, ab) or `shadow.py` comparing the two versions.
`watch.py` compares the calls after the deployment with those before it.
"""

from typing import Protocol

from whet.domain.deployment import Intent


class Target(Protocol):
    """Moves a proven, approved commit to its place. Both methods may be repeated after a crash and then finish the work."""

    def deploy(self, intent: Intent, commit: str) -> None:
        """Move `intent.ref` from `intent.before` to `commit`, or refuse and move nothing."""
        ...

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        """Move `ref` from `head` to the commit that reverts a deployment."""
        ...

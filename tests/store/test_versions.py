import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from whet.domain.clock import now
from whet.domain.version import Manifest, Mode, Split, digest_of, read_manifest, write_manifest
from whet.errors import Corrupt, UsageError
from whet.store.process_identity import this_process
from whet.store.versions import Cause, Versions

SPLIT = Split(mode=Mode.CANARY, share=0.1, salt="s", keys={"module.tool": "user"})


def because(why: str) -> Cause:
    return Cause(why=why, deployment=why, at=now())


@pytest.fixture
def versions(tmp_path: Path) -> Versions:
    return Versions(tmp_path)


def publish(versions: Versions, source: bytes, why: str) -> Manifest:
    return versions.publish("shop.prices", "src/shop/prices.py", b"first", source, because(why))


def test_versions_are_listed_in_order_with_their_reasons(versions: Versions) -> None:
    publish(versions, b"second", "faster")
    publish(versions, b"third", "mended")
    manifest = versions.manifest("shop.prices")
    assert manifest is not None
    assert [version.why for version in manifest.previous] == ["was in the repository", "faster"]
    assert (manifest.current.why, manifest.current.deployment) == ("mended", "mended")
    assert [versions.source(version.digest) for version in (*manifest.previous, manifest.current)] == [
        b"first",
        b"second",
        b"third",
    ]
    assert versions.modules() == ["shop.prices"]


def test_publishing_an_old_version_adds_an_entry(versions: Versions) -> None:
    publish(versions, b"second", "faster")
    back = publish(versions, b"first", "it hurt")
    assert back.current.digest == digest_of(b"first")
    assert [version.digest for version in back.previous] == [digest_of(b"first"), digest_of(b"second")]


def test_publishing_the_same_version_twice_changes_nothing(versions: Versions) -> None:
    once = publish(versions, b"second", "faster")
    assert publish(versions, b"second", "faster") == once


def test_a_trial_keeps_the_current_version_until_promotion(versions: Versions) -> None:
    trial = versions.start_trial("shop.prices", "src/shop/prices.py", b"first", b"second", SPLIT, because("trial"))
    assert trial.current.digest == digest_of(b"first")
    assert trial.candidate is not None
    assert (trial.candidate.digest, trial.candidate.split) == (digest_of(b"second"), SPLIT)
    ended = versions.end_trial("shop.prices", "trial")
    assert ended is not None
    assert ended.candidate is None
    versions.start_trial("shop.prices", "p", b"first", b"second", SPLIT, because("trial"))
    promoted = publish(versions, b"second", "good")
    assert (promoted.current.digest, promoted.candidate) == (digest_of(b"second"), None)


def test_a_deployment_ends_only_its_own_trial(versions: Versions) -> None:
    assert versions.end_trial("shop.prices", "trial") is None
    versions.start_trial("shop.prices", "p", b"first", b"second", SPLIT, because("trial"))
    later = versions.start_trial("shop.prices", "p", b"first", b"third", SPLIT, because("another"))
    assert versions.end_trial("shop.prices", "trial") == later


def test_a_manifest_survives_writing_and_reading(versions: Versions) -> None:
    manifest = versions.start_trial("shop.prices", "p", b"first", b"second", SPLIT, because("trial"))
    assert read_manifest(write_manifest(manifest)) == manifest


@pytest.mark.parametrize("key", ["format", "module", "path", "current", "previous", "candidate"])
def test_a_manifest_with_a_missing_field_is_corrupt(versions: Versions, key: str) -> None:
    manifest = versions.start_trial("shop.prices", "p", b"first", b"second", SPLIT, because("trial"))
    fields = json.loads(write_manifest(manifest))
    for damaged in ({**fields, key: 7}, {name: value for name, value in fields.items() if name != key}):
        with pytest.raises(Corrupt):
            read_manifest(json.dumps(damaged).encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"share": 0.1', b'"share": 7'),
        (b'"share": 0.1', b'"share": true'),
        (b'"mode": "canary"', b'"mode": "everybody"'),
        (b'"digest": "', b'"digest": "../'),
        (b'"module": "shop.prices"', b'"module": "../prices"'),
        (b'"format": 1', b'"format": 2'),
        (b'"format": 1', b'"format": 1, "extra": 1'),
        (b"}", b""),
    ],
)
def test_a_manifest_with_an_invalid_value_is_corrupt(versions: Versions, old: bytes, new: bytes) -> None:
    data = write_manifest(versions.start_trial("shop.prices", "p", b"first", b"second", SPLIT, because("trial")))
    assert old in data
    with pytest.raises(Corrupt):
        read_manifest(data.replace(old, new))


def test_a_damaged_source_is_refused_and_repaired_by_adding_it_again(versions: Versions, tmp_path: Path) -> None:
    digest = versions.add(b"first")
    (tmp_path / "registry" / "sources" / f"{digest}.py").write_bytes(b"other")
    with pytest.raises(Corrupt):
        versions.source(digest)
    versions.add(b"first")
    assert versions.source(digest) == b"first"


def test_a_module_name_cannot_lead_out_of_the_registry(versions: Versions) -> None:
    for name in ("../evil", "a/b", "", ".", "a..b", "a b"):
        with pytest.raises(UsageError):
            versions.manifest(name)


KILLED = """
import os, signal, sys
from pathlib import Path
from whet.domain.clock import now
from whet.store import versions
real, dies_at, replaced = os.replace, int(sys.argv[2]), 0
def replace(*names, **folders):
    global replaced
    replaced += 1
    if replaced == dies_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*names, **folders)
os.replace = replace
cause = versions.Cause(why="new", deployment="new", at=now())
versions.Versions(Path(sys.argv[1])).publish("shop.prices", "p", b"first", b"second", cause)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("dies_at", "current"), [(1, b"before"), (2, b"before"), (3, b"second")])
def test_a_killed_writer_leaves_the_old_or_the_new_version(
    versions: Versions, tmp_path: Path, dies_at: int, current: bytes
) -> None:
    publish(versions, b"before", "before")
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path, str(dies_at)], check=False)
    assert done.returncode == -signal.SIGKILL
    manifest = versions.manifest("shop.prices")
    assert manifest is not None
    assert versions.source(manifest.current.digest) == current
    assert publish(versions, b"second", "new").current.digest == digest_of(b"second")
    assert not list((tmp_path / "registry").rglob("*.new"))


def test_reports_of_ended_processes_are_ignored_and_removed(versions: Versions, tmp_path: Path) -> None:
    reports = tmp_path / "registry" / "reports"
    reports.mkdir(parents=True)
    me = str(this_process())
    (reports / "1.json").write_text(json.dumps({"process": me, "modules": {"m": {}}}))
    (reports / "2.json").write_text(
        json.dumps({"process": me.replace(f" {os.getpid()} ", " 999999999 "), "modules": {}})
    )
    (reports / "3.json").write_text("{")
    (reports / "4.json").write_text(json.dumps({"process": "nobody", "modules": []}))
    (reports / "5.json").write_text(json.dumps({"process": me.replace(" ", "x ", 1), "modules": {"elsewhere": {}}}))
    (reports / "6.json").write_text(json.dumps({"process": me.replace(" ", "x ", 1), "modules": {"long ago": {}}}))
    os.utime(reports / "6.json", (1, 1))
    assert [report.modules for report in versions.running()] == [{"m": {}}, {"elsewhere": {}}]
    versions.remove_stale_reports()
    assert sorted(path.name for path in reports.iterdir()) == ["1.json", "5.json"]


def test_the_end_of_the_last_trial_is_recorded(versions: Versions) -> None:
    versions.start_trial("shop.prices", "p", b"first", b"second", SPLIT, because("trial"))
    ended = versions.end_trial("shop.prices", "trial")
    assert ended is not None
    assert ended.trial_ended
    assert versions.end_trial("shop.prices", "trial") == ended  # there was none to end
    assert (
        versions.start_trial("shop.prices", "p", b"first", b"third", SPLIT, because("trial")).trial_ended
        == ended.trial_ended
    )

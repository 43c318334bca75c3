"""A prompt and a workflow are improved against declared evaluations, and the proof scores them again."""

import json
from contextlib import closing

import pytest

from tests.models.scripted_server import ScriptedModel
from tests.support import MakeRepo, Repo
from whet.knowledge.measures.evaluation import is_held_out

POLICY = """[tests]
folders = ["tests"]
[guard]
open = ["**/workflows/**"]
[checks.schemas]
"workflows/*.yaml" = "schemas/workflow.json"
[tune.declared.limit]
file = "workflows/desk.yaml"
objective = "triage"
trials = 5
[tune.declared.limit.constants]
limit = { low = 1, high = 9 }
[evaluations.declared.triage]
command = ["python", "evals/score.py"]
scores = ["prompts/*.md", "workflows/*.yaml"]
files = ["evals/cases.json"]
"""
PROMPT = """# Sort tickets into queues

<!-- keep the order: newest rules last -->

## Examples

- billing: refund invoice charged twice
- shipping: parcel lost courier late

## From the old system

- shipping: invoice charged refund refund invoice
- billing: parcel courier
"""
# A small classifier that reads its examples from the prompt, as a model reads few-shot examples.
TRIAGE = """import re
from pathlib import Path


def examples(text):
    return re.findall(r"^- (\\w+): (.+)$", text, re.MULTILINE)


def queue_of(ticket, prompt):
    words = set(ticket.split())
    scores = {}
    for queue, example in examples(prompt):
        scores[queue] = scores.get(queue, 0) + sum(word in words for word in example.split())
    return max(sorted(scores), key=scores.get)


def escalates(ticket, workflow):
    limit = next(int(line.split(":")[1].split("#")[0]) for line in workflow.splitlines() if "limit:" in line)
    return len(ticket.split()) > limit
"""
SCORE = """import json, sys
from pathlib import Path
sys.path.insert(0, ".")
from triage import escalates, queue_of

prompt, workflow = Path("prompts/triage.md").read_text(), Path("workflows/desk.yaml").read_text()
for name, case in json.loads(Path("evals/cases.json").read_text()).items():
    right = (queue_of(case["ticket"], prompt) == case["queue"]) + (escalates(case["ticket"], workflow) == case["escalate"])
    print(json.dumps({"case": name, "score": right / 2}))
"""
WORKFLOW = "# how tickets travel\nname: desk\nlimit: 2   # words in a short ticket\nsteps:\n  - sort\n  - answer\n"
SCHEMA = {"type": "object", "required": ["name"], "properties": {"limit": {"type": "integer", "maximum": 20}}}


def cases() -> dict[str, object]:
    made: dict[str, object] = {}
    for number in range(48):
        billing, long = number % 2 == 0, number % 3 == 0
        words = ["refund" if billing else "parcel", "invoice" if billing else "courier", f"item{number}", "please"]
        made[f"ticket {number}"] = {
            "ticket": " ".join(words + ["really", "urgent", "now"] * long),
            "queue": "billing" if billing else "shipping",
            "escalate": long,
        }
    return made


PACK = {
    "whet.toml": POLICY,
    "triage.py": TRIAGE,
    "prompts/triage.md": PROMPT,
    "workflows/desk.yaml": WORKFLOW,
    "schemas/workflow.json": json.dumps(SCHEMA),
    "evals/score.py": SCORE,
    "evals/cases.json": json.dumps(cases()),
    "tests/test_triage.py": "from triage import examples\n\n\ndef test_examples_are_read():\n"
    "    assert examples('- a: b c') == [('a', 'b c')]\n",
}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({**PACK})


def test_a_part_of_a_prompt_that_does_harm_is_found_and_its_removal_is_proven(repo: Repo) -> None:
    found = repo.whet("improve", "triage", "--file", "prompts/triage.md", "--json").json
    assert found["improvement"]["changes"] == ["without the section 'From the old system'"]
    assert repo.whet("run", "--finding", found["finding"], "--json").code == 5
    [proposal] = repo.whet("list", "--json").json
    assert (proposal["engine"], proposal["verdict"]) == ("improve", "passed")
    shown = repo.whet("show", proposal["proposal"], "--all").out
    assert "skill_improve" in shown
    assert "Proved: evaluations: triage better by +0.5" in shown
    assert "no safeguard knows" not in shown


@pytest.mark.long
def test_a_number_of_a_workflow_is_tuned_with_its_comments_and_its_schema_kept(repo: Repo) -> None:
    tuned = repo.whet("tune", "limit", "--json").json
    assert tuned["tuning"]["after"] == [5]
    assert repo.whet("run", "--finding", tuned["finding"], "--json").code == 5
    [proposal] = repo.whet("list", "--json").json
    assert (proposal["engine"], proposal["verdict"]) == ("tune", "passed")
    shown = repo.whet("show", proposal["proposal"], "--all").out
    assert "protocol_update" in shown
    assert "workflows/desk.yaml fits its schema" in shown
    assert "+limit: 5   # words in a short ticket" in repo.whet("diff", proposal["proposal"]).out


def test_a_models_version_is_judged_by_cases_that_it_was_not_shown(make_repo: MakeRepo) -> None:
    better = PROMPT.replace("- shipping: invoice charged refund refund invoice\n- billing: parcel courier", "Be kind.")
    with closing(ScriptedModel([f"Here it is.\n<<<<<<< TEXT\n{better}>>>>>>> TEXT\n", "I cannot help."])) as model:
        author = f'[models]\nsamples = 2\n[models.author]\nname = "openai:scripted"\nbase_url = "{model.url}"\nprice_input = "0"\nprice_output = "0"\n'
        repo = make_repo({**PACK, "whet.toml": POLICY + author})
        found = repo.whet("improve", "triage", "--file", "prompts/triage.md", "--dry-run", "--json").json
    assert found["improvement"]["after"] in (better, PROMPT[: PROMPT.index("## From")])
    tried = {tried["change"]: tried["mean"] for tried in found["improvement"]["tried"]}
    assert tried["as the model's version 1 says"] == 0.5
    assert "as the model's version 2 says" not in tried
    shown = [name for name in cases() if f"{name}: score" in model.prompts[0]]
    assert shown
    assert not any(map(is_held_out, shown))


def test_an_evaluation_that_is_not_there_or_scores_several_texts_is_refused(repo: Repo) -> None:
    assert "declared are triage" in repo.whet("improve", "tone").err
    several = repo.whet("improve", "triage")
    assert (several.code, "name one file with --file" in several.err) == (2, True)
    assert "does not score triage.py" in repo.whet("improve", "triage", "--file", "triage.py").err
    repo.commit({"whet.toml": POLICY.replace('open = ["**/workflows/**"]', "open = []")})
    refused = repo.whet("improve", "triage", "--file", "workflows/desk.yaml")
    assert (refused.code, "the guard would refuse a change: " in refused.err) == (2, True)

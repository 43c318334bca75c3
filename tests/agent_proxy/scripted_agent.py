"""A small coding agent: it asks its model once and writes the files that the answer names. Standard library only.

`scripted-agent TASK`: the answer is JSON with `write` ({path: text}), `remove`, `shell` (commands) and `exit`.
"""

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any


def ask(task: str) -> Any:
    body = {"model": "mine", "messages": [{"role": "user", "content": task}]}
    request = urllib.request.Request(
        f"{os.environ['OPENAI_BASE_URL']}/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.loads(json.load(answer)["choices"][0]["message"]["content"])


def main() -> None:
    plan = ask(sys.argv[1])
    for path, text in plan.get("write", {}).items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)
    for path in plan.get("remove", ()):
        Path(path).unlink()
    for command in plan.get("shell", ()):
        subprocess.run(["bash", "-c", command], check=False)
    for _ in range(plan.get("ask_again", 0)):
        ask("and now?")
    sys.exit(plan.get("exit", 0))


main()

import pytest

from tests.guard.content.rows import lines, remarks
from whet.guard.content.broad_excepts import broad_excepts
from whet.guard.content.passage import Passage

TRY = "def f(x):\n    try:\n        return int(x)\n"
NARROW = TRY + "    except ValueError:\n        return 0\n"
QUIET = {
    "nothing": ("", "x = 1\n"),
    "a narrow handler": ("", NARROW),
    "another narrow one": (NARROW, NARROW.replace("ValueError", "TypeError")),
    "one more kind": (NARROW, NARROW.replace("ValueError", "(ValueError, TypeError)")),
    "a broad one that hands on": (NARROW, NARROW.replace("ValueError", "Exception").replace("return 0", "raise")),
    "a broad one that was there": (
        TRY + "    except Exception:\n        pass\n",
        TRY + "    except Exception:\n        return 1\n",
    ),
    "a broad one elsewhere": (
        TRY + "    except Exception:\n        pass\n",
        "def g(): return 1\n" + TRY + "    except Exception:\n        pass\n",
    ),
    "a function that was renamed": (
        TRY + "    except Exception:\n        pass\n",
        TRY.replace("f(", "g(") + "    except Exception:\n        pass\n",
    ),
    "narrower": (TRY + "    except Exception:\n        return 0\n", NARROW),
    "a narrow pass that was there": (
        TRY + "    except KeyError:\n        pass\n",
        "z = 1\n" + TRY + "    except KeyError:\n        pass\n",
    ),
}
SPEAKS = {
    "to Exception": (NARROW, NARROW.replace("ValueError", "Exception"), "raise"),
    "to everything": (NARROW, NARROW.replace(" ValueError", ""), "raise"),
    "to BaseException": (NARROW, NARROW.replace("ValueError", "BaseException"), "raise"),
    "among others": (NARROW, NARROW.replace("ValueError", "(ValueError, Exception)"), "raise"),
    "swallowing everything": ("", TRY + "    except Exception:\n        pass\n", "raise"),
    "swallowing with dots": ("", TRY + "    except Exception:\n        ...\n", "raise"),
    "swallowing in a loop": ("", "for x in y:\n    try:\n        z\n    except Exception:\n        continue\n", "raise"),
    "suppress": ("", "import contextlib\ndef f():\n    with contextlib.suppress(Exception):\n        g()\n", "raise"),
    "suppress by name": ("", "from contextlib import suppress\nwith suppress(BaseException):\n    g()\n", "raise"),
    "in a method": ("", "class A:\n    def f(self):\n        try:\n            g()\n        except Exception:\n            pass\n", "raise"),
    "async": ("", "async def f():\n    try:\n        g()\n    except Exception:\n        pass\n", "raise"),
    "a second one": (
        TRY + "    except Exception:\n        pass\n",
        TRY + "    except Exception:\n        pass\n    try:\n        h()\n    except Exception:\n        pass\n",
        "raise",
    ),
    "one that handed on before": (
        TRY + "    except Exception:\n        raise\n",
        TRY + "    except Exception:\n        pass\n",
        "raise",
    ),
    "one beside a narrow one": (NARROW, NARROW + "    except Exception:\n        return 1\n", "note"),
    "one that does something and goes on": (
        "",
        "for x in y:\n    try:\n        z\n    except Exception:\n        log(x)\n        continue\n",
        "note",
    ),
    "a new broad one that answers": ("", TRY + "    except Exception:\n        return 0\n", "note"),
    "a new narrow one that passes": ("", TRY + "    except KeyError:\n        pass\n", "note"),
    "narrow suppress": ("", "from contextlib import suppress\nwith suppress(KeyError):\n    g()\n", "note"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), QUIET.values(), ids=QUIET.keys())
def test_ordinary_handlers_are_not_remarked_on(old: str, new: str) -> None:
    assert remarks(broad_excepts, new, old) == set()


@pytest.mark.parametrize(("old", "new", "severity"), SPEAKS.values(), ids=SPEAKS.keys())
def test_widened_and_silent_handlers_are_remarked_on(old: str, new: str, severity: str) -> None:
    assert remarks(broad_excepts, new, old) == {(severity, "widened_except")}
    assert remarks(broad_excepts, new, old, is_test=True) == set()


def test_the_remark_has_the_line_of_the_handler() -> None:
    assert lines(broad_excepts, NARROW.replace("ValueError", "Exception"), NARROW) == [4]


def test_the_remark_names_the_exceptions() -> None:
    (bare,) = broad_excepts(Passage("a.py", NARROW, NARROW.replace(" ValueError", "")))
    assert bare.what == "catches everything where it caught less before"
    (two,) = broad_excepts(Passage("a.py", "", TRY + "    except (Exception, ValueError):\n        pass\n"))
    assert two.what == "catches `Exception`, `ValueError` and ignores it"

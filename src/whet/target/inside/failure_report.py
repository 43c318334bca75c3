"""Describe an exception of a test as plain data: its class, text and the project's frames of its traceback.

The exception and the compared values belong to the code under test: their `__str__`, `__repr__` and `__class__` may
raise. Nothing here lets such an error through, because it would end the run of the whole suite.
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import os

FOREIGN = {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"}
PLAIN = (str, bytes, int, float, bool, type(None), list, tuple, dict, set, frozenset)
TEXT_KEPT = 6000
FRAMES_KEPT = 50


def describe(exception, traceback, text, root, compared=()):
    """Return a failure event's data; `text` is the runner's own rendering, `root` the project's folder with a slash."""
    return {
        "exception": type(exception).__name__,
        "message": text_of(exception)[:TEXT_KEPT],
        "frames": frames_of(exception, traceback, root)[-FRAMES_KEPT:],
        "text": last_lines(text),
        "compared": list(compared),
    }


def last_lines(text):
    """Return the end of a long text from the beginning of a line: half a secret would not be recognised as one."""
    if len(text) <= TEXT_KEPT:
        return text
    kept = text[-TEXT_KEPT:]
    return kept.partition("\n")[2] or kept.partition(" ")[2]


def describe_import_error(exception, traceback, text, root):
    """Return a failure event's data of a test file that cannot be imported; the message begins with the class."""
    failure = describe(exception, traceback, text, root)
    first_line = (exception.msg if isinstance(exception, SyntaxError) else failure["message"]) or ""
    failure["message"] = f"{failure['exception']}: {first_line}"[:TEXT_KEPT]
    return failure


def frames_of(exception, traceback, root):
    """Return [path, line, function] of every frame in the project, outermost first.

    The file and line of a syntax error are appended: a file that does not compile has no frame.
    """
    frames = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        frames.append((code.co_filename, traceback.tb_lineno, code.co_name))
        traceback = traceback.tb_next
    if isinstance(exception, SyntaxError) and isinstance(exception.filename, str):
        frames.append((exception.filename, exception.lineno or 1, "<module>"))
    in_project = []
    for name, line, function in frames:
        path = os.path.realpath(name)
        foreign = FOREIGN.intersection(path.split(os.sep))
        if path.startswith(root) and os.path.exists(path) and not foreign:
            in_project.append([path[len(root) :], line, function])
    return in_project


def compared_texts(left, right):
    """Return both sides of a failed `==` as Python writes them, if both are plain data; else nothing."""
    if not issubclass(type(left), PLAIN) or not issubclass(type(right), PLAIN):
        return []
    texts = [text_of(value, repr) for value in (left, right)]
    return [text if len(text) <= TEXT_KEPT else "" for text in texts]


def text_of(value, convert=str):
    """Return `convert(value)`, or a placeholder if that raises."""
    try:
        return convert(value)
    except BaseException as problem:
        return f"<the text of this {type(value).__name__} raised {type(problem).__name__}>"

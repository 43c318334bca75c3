from undo_history import UndoHistory


def test_undo():
    doc = UndoHistory("a")
    doc.change("ab")
    doc.undo()
    assert doc.state == "a"


def test_redo():
    doc = UndoHistory("a")
    doc.change("ab")
    doc.undo()
    doc.redo()
    assert doc.state == "ab"


def test_redo_twice():
    doc = UndoHistory(0)
    doc.change(1)
    doc.change(2)
    doc.undo()
    doc.undo()
    doc.redo()
    doc.redo()
    assert doc.state == 2


def test_nothing_to_undo():
    doc = UndoHistory("x")
    doc.undo()
    assert doc.state == "x"

from undo_history import UndoHistory


def test_change_forgets_redo():
    doc = UndoHistory(0)
    doc.change(1)
    doc.undo()
    doc.change(5)
    doc.redo()
    assert doc.state == 5


def test_change_after_partial_redo():
    doc = UndoHistory(0)
    for n in (1, 2, 3):
        doc.change(n)
    for _ in range(3):
        doc.undo()
    doc.redo()
    doc.change(9)
    doc.redo()
    assert doc.state == 9
    doc.undo()
    assert doc.state == 1


def test_all_the_way_back_and_forth():
    doc = UndoHistory(0)
    for n in range(1, 6):
        doc.change(n)
    for _ in range(9):
        doc.undo()
    assert doc.state == 0
    seen = []
    for _ in range(5):
        doc.redo()
        seen.append(doc.state)
    assert seen == [1, 2, 3, 4, 5]


def test_redo_without_undo():
    doc = UndoHistory("x")
    doc.redo()
    assert doc.state == "x"

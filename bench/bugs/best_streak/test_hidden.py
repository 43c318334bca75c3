from best_streak import best_stretch, has_gain


def test_single_loss():
    assert best_stretch([-7]) == -7


def test_first_loss_is_smallest():
    assert best_stretch([-1, -9, -5]) == -1


def test_last_loss_is_smallest():
    assert best_stretch([-8, -9, -5]) == -5


def test_no_gain():
    assert not has_gain([-1, -2])
    assert not has_gain([])


def test_zero():
    assert best_stretch([-1, 0, -1]) == 0

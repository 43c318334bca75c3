from profile_patch import apply_patch


def test_profile_is_untouched():
    profile = {"a": 1, "b": 2}
    apply_patch(profile, {"a": None, "c": 3})
    assert profile == {"a": 1, "b": 2}


def test_empty_patch_gives_a_copy():
    profile = {"a": 1}
    copy = apply_patch(profile, {})
    assert copy == profile
    assert copy is not profile


def test_remove_unknown_field():
    assert apply_patch({"a": 1}, {"zzz": None}) == {"a": 1}


def test_patch_is_untouched():
    patch = {"a": None}
    apply_patch({"a": 1}, patch)
    assert patch == {"a": None}

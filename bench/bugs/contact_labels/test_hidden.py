from contact_labels import Contact, phone_list


def test_list_of_private_person():
    assert phone_list([Contact("Dee", phone="7")]) == ["Dee: 7"]


def test_mixed():
    people = [Contact("A", None, "1"), Contact("B", "x", "2"), Contact("C")]
    assert phone_list(people) == ["A: 1", "B (X): 2"]


def test_empty_list():
    assert phone_list([]) == []


def test_explicit_none():
    assert Contact("Eve", company=None).label() == "Eve"

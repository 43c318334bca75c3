from contact_labels import Contact, phone_list


def test_label_with_company():
    assert Contact("Ann", "Acme").label() == "Ann (ACME)"


def test_label_without_company():
    assert Contact("Bob").label() == "Bob"


def test_list_leaves_out_missing_phones():
    people = [Contact("Ann", "Acme", "123"), Contact("Cid", "Acme")]
    assert phone_list(people) == ["Ann (ACME): 123"]

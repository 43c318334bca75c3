import pytest

from whet.domain.suite import Outcome
from whet.target.junit import read_junit


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_a_document_type_is_refused_in_every_encoding(encoding: str) -> None:
    def file(definitions: str, name: str) -> bytes:
        text = f'<?xml version="1.0" encoding="{encoding}"?>{definitions}<s><testcase classname="c" name="{name}"/></s>'
        return text.encode(encoding)

    assert read_junit(file("", "n")) == {"c::n": Outcome.PASSED}
    assert read_junit(file('<!DOCTYPE s [<!ENTITY a "xx">]>', "&a;")) == {}
    assert read_junit(file("<!DOCTYPE s>", "n")) == {}
    assert read_junit(b"<s><testcase") == {}

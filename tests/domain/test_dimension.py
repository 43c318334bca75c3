"""Units are read as products of base units, and what cannot be read is refused with the way to write it."""

import pytest

from whet.domain.dimension import NUMBER, UnitDimension, is_unit_name, parse_unit


@pytest.mark.parametrize(
    ("unit", "same"),
    [
        ("N", "kg*m/s^2"),
        ("kN", "kg·m/s²"),
        ("W", "J/s"),
        ("km/h", "m/s"),
        ("μm", "m"),
        ("µm", "m"),  # the micro sign of keyboards
        ("J/(kg*K)", "m^2/s^2/degC"),
        ("V/A", "ohm"),
        ("m**0.5", "m^(1/2)"),
        ("%", "1"),
        ("rad/s", "Hz"),
        ("EUR/item", "EUR*item^-1"),
    ],
)
def test_units_of_one_dimension_are_equal(unit: str, same: str) -> None:
    assert parse_unit(unit, ("EUR", "item")) == parse_unit(same, ("EUR", "item"))


def test_other_dimensions_differ_and_can_be_shown() -> None:
    assert parse_unit("m") != parse_unit("s")
    assert str(parse_unit("N")) == "kg*m*s^-2"
    assert str(parse_unit("m^(1/2)")) == "m^(1/2)"
    assert parse_unit("m/km") == NUMBER == UnitDimension()
    assert str(NUMBER) == "a number without a unit"


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ("kg m", "write products with *"),
        ("m**", "write products with *"),
        ("2*m", "1 for none"),
        ("m^x", "powers with ^"),
        ("m^(1/0)", "powers with ^"),
        ("", "is not a unit"),
        ("__import__('os')", "is not a unit"),
        ("metre", "'metre' is not a unit that whet knows"),
        ("EURO", "near it are EUR"),
        ("m" * 300, "200 characters"),
        ("(" * 150 + "m" + ")" * 40, "is not a unit"),
    ],
)
def test_a_text_that_is_no_unit_is_refused_with_the_way_to_write_it(unit: str, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        parse_unit(unit, ("EUR",))
    assert words in str(refused.value)


def test_a_unit_of_the_project_is_a_new_name() -> None:
    assert is_unit_name("EUR")
    assert not any(map(is_unit_name, ("m", "kWh", "mm", "two words", "1a")))

import asyncio
import inspect
import pickle
from collections.abc import AsyncIterator, Generator
from typing import Any

import pytest

from whet import BaseTool, Case, Registry, runtime, tool
from whet.errors import UsageError
from whet.runtime.registry import declared_tool
from whet.store.executions import Executions


@tool
def add(a: int, b: int = 2) -> int:
    """Adds."""
    return a + b


@tool(name="math.halve", idempotent=True, side_effects=False, requires=("numpy",), ignore=("at",), tolerance=1e-9)
async def halve(a: float) -> float:
    await asyncio.sleep(0)
    return a / 2


@tool
def count_to(limit: int) -> Generator[int, int, int]:
    sent = 0
    for number in range(limit):
        sent = (yield number) or sent
    return sent


@tool
async def count_slowly(limit: int) -> AsyncIterator[int]:
    for number in range(limit):
        await asyncio.sleep(0)
        yield number


class Account:
    def __init__(self) -> None:
        self.total = 0

    @tool
    def pay(self, amount: int) -> int:
        self.total += amount
        return self.total

    @tool
    @staticmethod
    def fee(amount: int) -> int:
        return amount // 10

    @staticmethod
    @tool
    def tax(amount: int) -> int:
        return amount // 5

    @tool
    @classmethod
    def named(cls, name: str) -> str:
        return f"{cls.__name__} {name}"


class Greet(BaseTool):
    """Greets."""

    side_effects = False
    cases = (Case({"name": "Ada"}, "Hello Ada"), Case((1,), error=TypeError))

    def run(self, name: str) -> str:
        return "Hello " + name


class GreetLoudly(Greet):
    name = "loud"


class Double(BaseTool):
    async def __call__(self, number: int) -> int:
        return 2 * number


def test_a_tool_looks_like_the_function_it_wraps() -> None:
    assert str(inspect.signature(add)) == "(a: int, b: int = 2) -> int"
    assert (add.__name__, add.__doc__, add.__module__) == ("add", "Adds.", __name__)
    assert inspect.isfunction(add)
    assert not inspect.iscoroutinefunction(add)
    assert inspect.iscoroutinefunction(halve)
    assert inspect.isgeneratorfunction(count_to)
    assert inspect.isasyncgenfunction(count_slowly)


def test_a_tool_can_be_pickled() -> None:
    import tests.runtime.test_tool as here

    assert pickle.loads(pickle.dumps(here.add)) is here.add


def test_a_call_returns_what_the_function_returns() -> None:
    assert add(1) == 3
    assert add(b=1, a=1) == 2
    assert asyncio.run(halve(3)) == 1.5
    assert list(count_to(3)) == [0, 1, 2]
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        add()  # type: ignore[call-arg]


def test_methods_still_bind_to_instances_and_classes() -> None:
    account = Account()
    assert account.pay(5) == 5
    assert Account.pay(account, 5) == 10
    assert account.fee(100) == Account.fee(100) == 10
    assert account.tax(100) == Account.tax(100) == 20
    assert Account.named("a") == account.named("a") == "Account a"


def test_a_generator_supports_send_throw_and_close(state: object) -> None:
    counting = count_to(3)
    next(counting)
    counting.send(7)
    with pytest.raises(StopIteration) as ended:
        for _ in range(3):
            next(counting)
    assert ended.value.value == 7
    counting = count_to(3)
    next(counting)
    with pytest.raises(KeyError):
        counting.throw(KeyError("x"))
    counting = count_to(3)
    next(counting)
    counting.close()
    assert list(counting) == []


def test_an_async_generator_can_be_closed_early(state: object, executions: Executions) -> None:
    async def first_two() -> list[int]:
        numbers = []
        slowly = count_slowly(10)
        async for number in slowly:
            numbers.append(number)
            if number == 1:
                break
        await slowly.aclose()  # type: ignore[attr-defined]
        return numbers

    assert asyncio.run(first_two()) == [0, 1]
    assert runtime.flush()
    (call,) = executions.calls(declared_tool(count_slowly).name)
    assert call.output == '{"$generator":[[0,1],null]}'


def test_every_kind_of_tool_is_captured_with_its_output(state: object, executions: Executions) -> None:
    assert (add(1, b=4), asyncio.run(halve(3)), list(count_to(2)), Greet()("Ada")) == (5, 1.5, [0, 1], "Hello Ada")
    assert asyncio.run(_all_of(count_slowly(2))) == [0, 1]
    assert asyncio.run(Double()(4)) == 8
    assert Account.named("x") == "Account x"
    assert runtime.flush()
    captured = {each.name: each for each in executions.tools()}
    outputs = {name: executions.calls(name)[0].output for name in captured}
    assert outputs == {
        f"{__name__}.add": "5",
        "math.halve": "1.5",
        f"{__name__}.count_to": '{"$generator":[[0,1],0]}',
        f"{__name__}.count_slowly": '{"$generator":[[0,1],null]}',
        f"{__name__}.Greet": '"Hello Ada"',
        f"{__name__}.Double": "8",
        f"{__name__}.Account.named": '"Account x"',
    }
    assert captured["math.halve"].kind == "async"
    assert captured["math.halve"].characteristics == {
        "idempotent": True, "side_effects": False, "safe_for_shadow": True, "requires": ["numpy"], "ignore": ["at"],
        "tolerance": 1e-9, "mocks": [], "cases": [], "key": "",
    }  # fmt: skip


async def _all_of(items: AsyncIterator[int]) -> list[int]:
    return [item async for item in items]


def test_a_class_that_inherits_run_is_a_tool_of_its_own(state: object, executions: Executions) -> None:
    assert GreetLoudly().run("Bo") == "Hello Bo"
    assert runtime.flush()
    assert [each.name for each in executions.tools()] == ["loud"]
    assert declared_tool(Greet).characteristics.cases[0].arguments() == ((), {"name": "Ada"})


def test_a_case_expects_either_an_output_or_an_error() -> None:
    assert Case(5, None).arguments() == ((5,), {})
    assert Case(5, error=ValueError).error == "ValueError"
    with pytest.raises(UsageError):
        Case(5)
    with pytest.raises(UsageError):
        Case(5, 1, error=ValueError)


def test_safe_for_shadow_follows_from_side_effects_unless_declared() -> None:
    assert declared_tool(halve).characteristics.safe_for_shadow
    assert not declared_tool(add).characteristics.safe_for_shadow
    assert declared_tool(tool(safe_for_shadow=True)(lambda: 1)).characteristics.safe_for_shadow


@pytest.mark.parametrize("wrong", [5, int, Account])
def test_only_functions_can_be_tools(wrong: Any) -> None:
    with pytest.raises(UsageError):
        tool(wrong)


@pytest.mark.parametrize("name", ["", "a b", "a..b", "ä", "x" * 201])
def test_a_bad_name_is_refused_at_the_declaration(name: str) -> None:
    with pytest.raises(UsageError):
        tool(name=name)


def test_a_registry_finds_tools_by_name_and_lists_them_in_its_error() -> None:
    registry = Registry()
    registry.register(halve)
    assert registry["math.halve"] is declared_tool(halve)
    assert "math.halve" in registry
    assert [each.name for each in registry] == ["math.halve"]
    with pytest.raises(UsageError) as unknown:
        registry["halve"]
    assert unknown.value.remedy == "known tools: math.halve"
    with pytest.raises(UsageError):
        registry.register(len)


def test_a_swap_takes_effect_with_the_next_call_and_has_its_own_counts(state: object, executions: Executions) -> None:
    @tool(name="swapped")
    def old(number: int) -> int:
        if number == 0:
            declared_tool(old).swap(lambda number: -number, "v2")
            return old(5) + 100
        return number

    reference = old
    assert old(0) == 95
    assert reference(3) == -3
    assert runtime.flush()
    by_version = {row.version: row.calls for row in executions.opportunity_rows()}
    assert by_version["v2"] == 2
    assert sum(by_version.values()) == 3


def test_a_replaced_implementation_can_be_put_back() -> None:
    @tool
    def answer() -> int:
        return 1

    subject = declared_tool(answer)
    replaced = subject.swap(lambda: 2, "v2")
    assert answer() == 2
    subject.implementation = replaced
    assert answer() == 1


def test_a_swap_for_another_kind_of_callable_is_refused() -> None:
    with pytest.raises(UsageError, match="plain"):
        declared_tool(add).swap(halve, "v2")


def test_a_route_picks_the_implementation_of_each_call(state: object, executions: Executions) -> None:
    @tool(name="routed")
    def current(number: int) -> str:
        return "current"

    subject = declared_tool(current)
    canary = subject.make_implementation(lambda number: "canary", "v2", "canary")
    subject.route = lambda args, kwargs: canary if args[0] % 2 else subject.implementation
    assert [current(number) for number in range(4)] == ["current", "canary"] * 2
    assert runtime.flush()
    assert {(row.arm, row.calls) for row in executions.opportunity_rows()} == {("current", 2), ("canary", 2)}


def test_the_cases_are_captured_with_the_tool(state: object, executions: Executions) -> None:
    cases = [Case((4, 2), 2.0, description="even"), Case({"a": 1, "b": 0}, error=ZeroDivisionError), Case(object(), 1)]

    @tool(name="divide", cases=cases)
    def divide(a: float, b: float) -> float:
        return a / b

    assert divide(4, 2) == 2
    assert runtime.flush()
    (captured,) = executions.tools()
    assert captured.characteristics["cases"] == [
        {"args": [4, 2], "kwargs": {}, "expected": 2.0, "description": "even"},
        {"args": [], "kwargs": {"a": 1, "b": 0}, "error": "ZeroDivisionError", "description": ""},
    ]


def test_a_routing_key_must_be_a_parameter() -> None:
    @tool(key="user")
    def known(item: int, *, user: str) -> None: ...

    @tool(key="user")
    def any_keyword(**fields: int) -> None: ...

    @tool(key="*")
    def every(item: int) -> None: ...

    with pytest.raises(UsageError, match="'customer' is not a parameter of") as refusal:

        @tool(key="customer")
        def unknown(item: int, user: str) -> None: ...

    assert refusal.value.remedy == "its parameters: item, user"

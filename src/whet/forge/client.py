"""Requests to a forge: retries, limits of its rate, pages, and errors as sentences."""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.errors import ForgeRefused, ForgeUnavailable, NotOnForge
from whet.forge.place import ForgePlace

if TYPE_CHECKING:
    import httpx

_MOST_TRIES = 4
_MOST_WAIT_SECONDS = 90.0  # a longer wait is left to `whet resume`
_MOST_PAGES = 20
_PAGE_SIZE = MappingProxyType({"per_page": 100})
_MESSAGE_CHARACTERS = 300


class Client:
    """Sends requests to one API. No redirect is followed, so that the token goes to no other host.

    `page_size` is the parameter for the rows of a page, as this API calls it.
    """

    def __init__(
        self,
        place: ForgePlace,
        headers: Mapping[str, str],
        timeout_seconds: float,
        sleep: Callable[[float], None] = time.sleep,
        page_size: Mapping[str, int] = _PAGE_SIZE,
    ) -> None:
        try:
            import httpx
        except ImportError as problem:
            raise ForgeUnavailable(
                "the package that speaks to forges is not installed", "pip install 'whet[forge]', then `whet resume`"
            ) from problem
        self._place, self._sleep, self._broken = place, sleep, httpx.HTTPError
        self._page_size = page_size
        self._connection = partial(
            httpx.Client, base_url=f"{place.api}/", headers={**headers, "User-Agent": "whet"}, timeout=timeout_seconds
        )

    def get(self, path: str, **query: str | int) -> Any:
        return self._send("GET", path, query=query).json()

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._send("POST", path, body).json()

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._send("PATCH", path, body).json()

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._send("PUT", path, body).json()

    def act(self, path: str, body: Mapping[str, Any]) -> None:
        """Send a POST whose answer does not matter, and may be empty."""
        self._send("POST", path, body)

    def pages(self, path: str, **query: str | int) -> Iterator[Any]:
        """Yield the rows of a list, page by page, as far as the forge says that there are more."""
        for page in range(1, _MOST_PAGES + 1):
            response = self._send("GET", path, query={**self._page_size, "page": page, **query})
            rows = response.json()
            if not isinstance(rows, list):
                raise ForgeUnavailable(f"{self._place.host} answered with something that is not a list")
            yield from rows
            if "next" not in response.links or not rows:
                return

    def parts(self, path: str, name: str) -> Iterator[Any]:
        """Yield the rows of a list that is the field `name` of an answer, until a page is empty: Gitea counts no pages."""
        for page in range(1, _MOST_PAGES + 1):
            answer = self.get(path, **self._page_size, page=page)
            rows = answer.get(name, 0) if isinstance(answer, dict) else 0
            if not isinstance(rows, list | None):
                raise ForgeUnavailable(f"the answer of {self._place.host} has no list of {name.replace('_', ' ')}")
            if not rows:
                return
            yield from rows
        raise ForgeUnavailable(f"{self._place.host} has more {name.replace('_', ' ')} than whet reads")

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str | int] | None = None,
    ) -> "httpx.Response":
        """Send a request until it is answered. A request that may have had its effect already is not repeated."""
        waited = 0.0
        for attempt in range(1, _MOST_TRIES + 1):
            response = self._try(method, path, body, query, last=attempt == _MOST_TRIES)
            if response is not None and not _is_limited(response) and response.status_code < 500:
                return self._accepted(response)
            pause = _pause(response, attempt)
            may_repeat = method == "GET" or (response is not None and _is_limited(response))
            if attempt == _MOST_TRIES or waited + pause > _MOST_WAIT_SECONDS or not may_repeat:
                raise self._unavailable(response, pause)
            self._sleep(pause)
            waited += pause
        raise AssertionError("unreachable")

    def _try(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int] | None,
        *,
        last: bool,
    ) -> "httpx.Response | None":
        """Send a request once. Return None if the connection broke and the request may be repeated."""
        try:
            with self._connection() as http:  # requests are rare, so no connection is kept
                return http.request(method, path, json=body, params=query or None)
        except self._broken as problem:
            if last or method != "GET":
                raise ForgeUnavailable(
                    f"{self._place.host} cannot be reached: {type(problem).__name__}", "`whet resume` tries again"
                ) from problem
            return None

    def _accepted(self, response: "httpx.Response") -> "httpx.Response":
        """Return a good answer; turn every other into a refusal with the forge's own words."""
        code, place = response.status_code, self._place
        if code < 300:
            if code != 204 and "json" not in response.headers.get("content-type", "") and response.content:
                raise ForgeUnavailable(
                    f"{place.host} answered with something that is not JSON", "is forge.address right?"
                )
            return response
        words = _message(response)
        if code < 400:
            where = urlsplit(response.headers.get("location", "")).path
            raise ForgeRefused(
                f"{place.host} says that {place.repository} has moved{f' ({one_line(where)})' if where else ''}",
                "correct forge.repository in whet.toml",
            )
        if code == 401:
            raise ForgeRefused(
                f"{place.host} does not accept the token in {place.variable}: {words}", "make a new token and export it"
            )
        if code == 404:
            raise NotOnForge(
                f"{place.host} has no {place.repository}, or does not show it to the token: {words}",
                "see forge.repository in whet.toml, and what the token may do",
            )
        remedy = "give the token the right to do it" if code == 403 else "see what the forge says, then `whet resume`"
        raise ForgeRefused(f"{place.host} refuses ({code}): {words}", remedy)

    def _unavailable(self, response: "httpx.Response | None", pause: float) -> ForgeUnavailable:
        if response is not None and _is_limited(response):
            return ForgeUnavailable(
                f"{self._place.host} allows no more requests for {pause:.0f} s", "`whet resume` tries again after that"
            )
        code = f" ({response.status_code})" if response is not None else ""
        return ForgeUnavailable(f"{self._place.host} does not answer{code}", "`whet resume` tries again")


def _is_limited(response: "httpx.Response") -> bool:
    """True if the forge asks to wait. GitHub answers 403 for its secondary limits, with a Retry-After."""
    headers = response.headers
    exhausted = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    return response.status_code == 429 or (response.status_code == 403 and exhausted)


def _pause(response: "httpx.Response | None", attempt: int) -> float:
    """Return the seconds to wait before the next try: as many as the forge names, else more with each try."""
    headers: Mapping[str, str] = response.headers if response is not None else {}
    after, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    if after.isdecimal():
        return float(after)
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        return max(1.0, float(reset) - time.time())
    return 0.5 * 2.0**attempt


def _message(response: "httpx.Response") -> str:
    try:
        answer = response.json()
    except ValueError:
        return response.reason_phrase or "no reason"
    parts = [answer.get("message"), answer.get("error")] if isinstance(answer, dict) else []
    errors = answer.get("errors") if isinstance(answer, dict) else None
    if isinstance(errors, list):
        parts += [error.get("message") if isinstance(error, dict) else error for error in errors]
    text = "; ".join(str(part) for part in parts if part) or response.reason_phrase
    return one_line(redact(text))[:_MESSAGE_CHARACTERS]

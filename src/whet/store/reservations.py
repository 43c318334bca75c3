"""The reservations of all processes, in one table.

A reservation is permitted inside the transaction that writes it, so two processes never both take the last of a budget.
The open reservations of a dead process are closed at the next read: tokens and money count as spent, because the process may
have sent its request; the others are refunded.
"""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from whet.domain.clock import now
from whet.domain.reservation import A_DAY, Reservation, ReservationRequest, ReservationState, Resource
from whet.errors import Internal, StateUnusable
from whet.store.process_identity import ProcessIdentity, parse, this_process
from whet.store.schema import reservations as _rows
from whet.store.store import Store

LARGEST = 2**62
_KEPT = 2 * A_DAY
_REMEDY = "restore .whet/ from a backup; nothing is spent while earlier spending cannot be read"


class Reservations:
    """The table of reservations, read and written for this process."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def reserve(self, request: ReservationRequest, permit: Callable[[Sequence[Reservation]], None]) -> Reservation:
        """Reserve `request`, unless `permit` raises when called with all reservations that count now.

        For resources that a subject takes once, return the open reservation of this process if there is one, so that a
        step that runs again reserves once.
        """
        if not _is_amount(request.amount):
            raise Internal(f"{request.amount!r} of {request.resource} cannot be reserved", "please report this")
        me = this_process()
        with self._store.writing() as connection:
            counted = _counted(connection, me)
            if request.resource.once_per_subject:
                existing = _held(counted, request.resource, request.subject, me)
                if existing:
                    return existing[0]
            permit(counted)
            reservation = Reservation(
                **request.__dict__,
                id=uuid.uuid4().hex,
                settled=None,
                holder=str(me),
                at=now(),
                state=ReservationState.OPEN,
            )
            connection.execute(insert(_rows).values(**{**reservation.__dict__, "at": reservation.at.isoformat()}))
            old = (now() - _KEPT).isoformat()
            connection.execute(delete(_rows).where(_rows.c.state != ReservationState.OPEN, _rows.c.at < old))
        return reservation

    def settle(self, reservation: Reservation, actual: int) -> Reservation:
        """Close a reservation with the amount that was really spent, even if that is more than was reserved."""
        if not _is_amount(actual):
            raise Internal(f"{actual!r} of {reservation.resource} cannot have been spent", "please report this")
        return self._close(reservation, ReservationState.SETTLED, actual)

    def refund(self, reservation: Reservation) -> Reservation:
        """Close a reservation of which nothing was spent."""
        return self._close(reservation, ReservationState.REFUNDED, None)

    def held(self, resource: Resource, subject: str) -> list[Reservation]:
        """Return the open reservations of this process for a subject."""
        return _held(self.counted(), resource, subject, this_process())

    def counted(self) -> list[Reservation]:
        """Close the open reservations of dead processes, and return those of the last 24 hours that count."""
        with self._store.writing() as connection:
            return _counted(connection, this_process())

    def _close(self, reservation: Reservation, state: ReservationState, settled: int | None) -> Reservation:
        with self._store.writing() as connection:
            row = connection.execute(select(_rows).where(_rows.c.id == reservation.id)).first()
            if row is None:
                raise StateUnusable(f"the reservation {reservation.id} is missing from the state database", _REMEDY)
            if _reservation(row).state is ReservationState.SETTLED:
                raise Internal(f"the reservation {reservation.id} is already settled", "please report this")
            connection.execute(update(_rows).where(_rows.c.id == reservation.id).values(state=state, settled=settled))
        return replace(reservation, state=state, settled=settled)


def _held(counted: Iterable[Reservation], resource: Resource, subject: str, me: ProcessIdentity) -> list[Reservation]:
    return [
        reservation
        for reservation in counted
        if reservation.state is ReservationState.OPEN
        and reservation.resource is resource
        and reservation.subject == subject
        and reservation.holder == str(me)
    ]


def _counted(connection: Connection, me: ProcessIdentity) -> list[Reservation]:
    """Close the open reservations of dead processes, and return those of the last 24 hours that count.

    Every row is parsed. A row that does not parse blocks all spending, since its amount is unknown.
    """
    rows = connection.execute(select(_rows).order_by(_rows.c.at, _rows.c.id))
    reservations = [_without_holder(_reservation(row), connection, me) for row in rows]
    since = now() - A_DAY
    return [
        reservation
        for reservation in reservations
        if reservation.state is not ReservationState.REFUNDED and reservation.at >= since
    ]


def _without_holder(reservation: Reservation, connection: Connection, me: ProcessIdentity) -> Reservation:
    """Close an open reservation whose process is dead; return any other one unchanged."""
    if reservation.state is not ReservationState.OPEN or not _holder(reservation).is_gone(me):
        return reservation
    paid = reservation.resource.paid_outside
    state = ReservationState.SETTLED if paid else ReservationState.REFUNDED
    closed = replace(reservation, state=state, settled=reservation.amount if paid else None)
    values = {"state": closed.state, "settled": closed.settled}
    connection.execute(update(_rows).where(_rows.c.id == reservation.id).values(**values))
    return closed


def _reservation(row: Any) -> Reservation:
    """Parse a row. Raise StateUnusable if any column has an impossible value."""
    data = row._asdict()
    try:
        at = datetime.fromisoformat(data["at"])
        resource, state = Resource(data["resource"]), ReservationState(data["state"])
    except (TypeError, ValueError) as problem:
        raise _unreadable(row) from problem
    settled, is_settled = data["settled"], state is ReservationState.SETTLED
    texts = all(isinstance(data[name], str) for name in ("id", "subject", "about", "holder"))
    amounts = _is_amount(data["amount"]) and (_is_amount(settled) if is_settled else settled is None)
    if at.utcoffset() is None or not texts or not amounts:
        raise _unreadable(row)
    reservation = Reservation(**{**data, "at": at, "resource": resource, "state": state})
    _holder(reservation)
    return reservation


def _holder(reservation: Reservation) -> ProcessIdentity:
    holder = parse(reservation.holder)
    if holder is None:
        raise _unreadable(reservation)
    return holder


def _unreadable(row: Any) -> StateUnusable:
    return StateUnusable(f"the reservations cannot be read: row {row.id!r} is not a reservation", _REMEDY)


def _is_amount(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST

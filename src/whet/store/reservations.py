"""The reservation book: what is taken from the budgets, by whom, in one place that every process asks.

A reservation is decided inside the transaction that writes it, so two processes never both take the last of anything.
What a process held when it died is given back the next time anybody looks.
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
_REMEDY = "restore .whet/ from a backup; nothing is spent while what was spent before cannot be read"


class Reservations:
    def __init__(self, store: Store) -> None:
        self._store = store

    def reserve(self, wanted: ReservationRequest, permit: Callable[[Sequence[Reservation]], None]) -> Reservation:
        """Take `wanted`, unless `permit` raises over what the book counts now. A subject for which this process holds
        one already is answered with that, so that a step that runs again takes it once."""
        if not _is_amount(wanted.amount):
            raise Internal(f"{wanted.amount!r} of {wanted.resource} cannot be reserved", "please report this")
        me = this_process()
        with self._store.writing() as connection:
            counted = _counted(connection, me)
            if wanted.resource.once_per_subject and (known := _held(counted, wanted.resource, wanted.subject, me)):
                return known[0]
            permit(counted)
            made = Reservation(
                **wanted.__dict__,
                id=uuid.uuid4().hex,
                settled=None,
                holder=str(me),
                at=now(),
                state=ReservationState.OPEN,
            )
            connection.execute(insert(_rows).values(**{**made.__dict__, "at": made.at.isoformat()}))
            old = (now() - _KEPT).isoformat()
            connection.execute(delete(_rows).where(_rows.c.state != ReservationState.OPEN, _rows.c.at < old))
        return made

    def settle(self, reservation: Reservation, actual: int) -> Reservation:
        """What it really took; more than was reserved is written down as it was, and counts."""
        if not _is_amount(actual):
            raise Internal(f"{actual!r} of {reservation.resource} cannot have been spent", "please report this")
        return self._close(reservation, ReservationState.SETTLED, actual)

    def refund(self, reservation: Reservation) -> Reservation:
        """Nothing was spent after all."""
        return self._close(reservation, ReservationState.REFUNDED, None)

    def held(self, resource: Resource, subject: str) -> list[Reservation]:
        """What this process has open for a subject."""
        me = this_process()
        return _held(self.counted(), resource, subject, me)

    def counted(self) -> list[Reservation]:
        """Every reservation of the last day that still counts, what the dead held having been given back."""
        with self._store.writing() as connection:
            return _counted(connection, this_process())

    def _close(self, reservation: Reservation, state: ReservationState, settled: int | None) -> Reservation:
        with self._store.writing() as connection:
            row = connection.execute(select(_rows).where(_rows.c.id == reservation.id)).first()
            if row is None:
                raise StateUnusable(f"the budget book has lost the reservation {reservation.id}", _REMEDY)
            if _reservation(row).state is ReservationState.SETTLED:
                raise Internal(f"the reservation {reservation.id} was settled before", "please report this")
            connection.execute(update(_rows).where(_rows.c.id == reservation.id).values(state=state, settled=settled))
        return replace(reservation, state=state, settled=settled)


def _held(counted: Iterable[Reservation], resource: Resource, subject: str, me: ProcessIdentity) -> list[Reservation]:
    wanted = (ReservationState.OPEN, resource, subject, str(me))
    return [one for one in counted if (one.state, one.resource, one.subject, one.holder) == wanted]


def _counted(connection: Connection, me: ProcessIdentity) -> list[Reservation]:
    """Every row is read, and one that is no reservation stops all spending: it may be anything but nothing."""
    found = [_reservation(row) for row in connection.execute(select(_rows).order_by(_rows.c.at, _rows.c.id))]
    gone = [one.id for one in found if one.state is ReservationState.OPEN and _holder(one).is_gone(me)]
    if gone:
        refunded = {"state": ReservationState.REFUNDED, "settled": None}
        connection.execute(update(_rows).where(_rows.c.id.in_(gone)).values(**refunded))
    since = now() - A_DAY
    return [
        one for one in found if one.id not in gone and one.state is not ReservationState.REFUNDED and one.at >= since
    ]


def _reservation(row: Any) -> Reservation:
    data = row._asdict()
    try:
        at = datetime.fromisoformat(data["at"])
        resource, state = Resource(data["resource"]), ReservationState(data["state"])
    except (TypeError, ValueError) as problem:
        raise _no_reservation(row) from problem
    settled, is_settled = data["settled"], state is ReservationState.SETTLED
    texts = all(isinstance(data[name], str) for name in ("id", "subject", "about", "holder"))
    amounts = _is_amount(data["amount"]) and (_is_amount(settled) if is_settled else settled is None)
    if at.utcoffset() is None or not texts or not amounts:
        raise _no_reservation(row)
    made = Reservation(**{**data, "at": at, "resource": resource, "state": state})
    _holder(made)
    return made


def _holder(reservation: Reservation) -> ProcessIdentity:
    holder = parse(reservation.holder)
    if holder is None:
        raise _no_reservation(reservation)
    return holder


def _no_reservation(row: Any) -> StateUnusable:
    return StateUnusable(f"the budget book cannot be read: row {row.id!r} is no reservation", _REMEDY)


def _is_amount(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST

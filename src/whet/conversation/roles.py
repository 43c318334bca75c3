"""A configured model in its role: metered, recorded, and bound to one subject."""

from whet.config import ModelPolicy
from whet.conversation.recorded_model import RecordedModel
from whet.kit import Kit
from whet.models.meter import Meter
from whet.models.metered import MeteredModel
from whet.models.prices import price_of


def model_in_role(
    role: str, policy: ModelPolicy, kit: Kit, *, phase: str, subject: str, deadline: float
) -> RecordedModel:
    """Return the model that is asked in a role about a subject. `deadline` is on the monotonic clock."""
    price = price_of(policy)
    return RecordedModel(
        role=role,
        phase=phase,
        subject=subject,
        model=MeteredModel(policy, Meter(kit.spending(), price, subject)),
        price=price,
        ledger=kit.ledger,
        progress=kit.progress,
        state=kit.state,
        deadline=deadline,
    )

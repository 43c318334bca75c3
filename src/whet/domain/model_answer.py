"""The answer of a language model, as the ledger records it."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ModelAnswer:
    """An answer, kept so that a resumed workflow does not pay for it again. Made by `phases/propose/model`.

    `prompt` is the digest of the request. `edit_format` is the form of the text `edits`, and `format_failure` says
    why they could not be applied; it is empty if they could. `cost` is in smallest units of money.
    """

    model: str
    role: str
    prompt: str
    temperature: float
    sample: int
    round: int
    edits: str
    finish: str
    input_tokens: int
    output_tokens: int
    cost: int
    seconds: float
    edit_format: str = ""
    format_failure: str = ""

from dataclasses import dataclass


@dataclass(frozen=True)
class Flag:
    """A construct on one line that needs human review.

    `what` is the rest of a sentence that begins with the file; `{name}` in it stands for the construct. With
    `only_if_new` the flag counts if the file did not have the construct before, with `only_if_more` if the file has
    more of it than before. Constructs are the same if their `name` is.
    """

    line: int
    what: str
    name: str
    only_if_new: bool = False
    only_if_more: bool = False

    @property
    def sentence(self) -> str:
        return f"{self.what.replace('{name}', f'`{self.name}`')} (line {self.line})"

"""The encoding of SSH: fields in a row, each with its length in front (RFC 4251, section 5)."""

from whet.errors import BadSignature

LONGEST_NAME = 255


class Reader:
    """Reads fields from the front of `data`. Raises BadSignature where a field is cut off or not in its shortest form."""

    def __init__(self, data: bytes, what: str) -> None:
        self._rest = data
        self._what = what

    def take(self, length: int) -> bytes:
        """Return the next `length` bytes."""
        if length > len(self._rest):
            raise BadSignature(f"{self._what} is cut off")
        taken, self._rest = self._rest[:length], self._rest[length:]
        return taken

    def byte(self) -> int:
        return self.take(1)[0]

    def uint32(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        """Return the next string, without its length."""
        return self.take(self.uint32())

    def name(self) -> str:
        """Return the next string as text. Names of algorithms, curves and applications are ASCII."""
        name = self.string()
        if len(name) > LONGEST_NAME or not name.isascii():
            raise BadSignature(f"{self._what} has a name that is too long or not ASCII")
        return name.decode("ascii")

    def natural(self) -> int:
        """Return the next number. Refuse zero, a negative number, and a number with needless zeros in front."""
        data = self.string()
        if not data or data[0] & 0x80:
            raise BadSignature(f"{self._what} has a number that is not positive")
        if data[0] == 0 and (len(data) == 1 or not data[1] & 0x80):
            raise BadSignature(f"{self._what} has a number that is not in its shortest form")
        return int.from_bytes(data, "big")

    def end(self) -> None:
        """Refuse data after the last field."""
        if self._rest:
            raise BadSignature(f"{self._what} has {len(self._rest)} bytes after its end")


def string(data: bytes) -> bytes:
    """Return `data` with its length in front."""
    return len(data).to_bytes(4, "big") + data

class Record:
    """A read-only record whose fields are read as attributes."""

    def __init__(self, **fields):
        self.__dict__["_fields"] = fields

    def __getattr__(self, name):
        """Look a field up by name."""
        fields = self.__dict__.get("_fields", {})
        if name not in fields:
            raise KeyError(f"no field {name}")
        return fields[name]

    def __setattr__(self, name, value):
        """Refuse every change."""
        raise TypeError("records are read-only")

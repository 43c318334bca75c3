class Contact:
    """A person with an optional company and phone number."""

    def __init__(self, name, company=None, phone=None):
        self.name = name
        self.company = company
        self.phone = phone

    def label(self):
        """Return 'Name (COMPANY)', or only the name."""
        return f"{self.name} ({self.company.upper()})"


def phone_list(contacts):
    """Return 'label: phone' for every contact that has a phone."""
    return [f"{c.label()}: {c.phone}" for c in contacts if c.phone is not None]

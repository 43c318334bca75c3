"""Reports of other systems become events: files that they wrote, and requests that they send.

Nothing here is trusted. Texts are redacted and cut before they are stored, and every reader has limits.
"""

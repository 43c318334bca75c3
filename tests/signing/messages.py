"""The message that the signatures of these tests are over."""

MESSAGE = b"whet approval v1\nproposal: p-6d344c46\nanswer: approved\n"

"""Everything that runs other programs: the sandbox for untrusted code, and host git.

Nothing outside this folder starts a process.
"""

"""The names of whet's own files in a repository."""

FILE_NAME = "whet.toml"
STATE_FOLDER = ".whet"

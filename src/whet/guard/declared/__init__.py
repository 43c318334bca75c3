"""Files that the repository's own manifests give a special role: entry points, build hooks, plug-ins, scripts of CI.

The manifests are read on the base, because a change may not touch them. Nothing here goes by the name of the file.
"""

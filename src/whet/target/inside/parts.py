"""A part of the suite, named by test files, so that several sandboxes can share a run.

Every sandbox collects the whole suite and then leaves out what is not in its part: collecting only some files could give
other ids. A part is a dict: `keep` names the files in it; `skip` names the files of the other parts, so that a file which no
part names, such as a new one, is in that part. With `list` the ids of the whole suite are reported.
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""


def contains(part, file):
    """True if the tests of the file belong to the part."""
    if "keep" in part:
        return file in part["keep"]
    return file not in part.get("skip", ())

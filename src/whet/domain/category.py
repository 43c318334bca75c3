"""The categories of changes."""

from enum import StrEnum


class Category(StrEnum):
    """The purpose of a change; `guard.categories` in whet.toml lists the allowed ones."""

    REFACTORING = "refactoring"
    BUG_FIX = "bug_fix"
    DOCUMENTATION = "documentation"
    TEST_COVERAGE = "test_coverage"
    PERFORMANCE = "performance"
    CODE_QUALITY = "code_quality"
    SELF = "self"  # changes to whet itself

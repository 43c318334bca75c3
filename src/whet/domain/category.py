from enum import StrEnum


class Category(StrEnum):
    REFACTORING = "refactoring"
    BUG_FIX = "bug_fix"
    DOCUMENTATION = "documentation"
    TEST_COVERAGE = "test_coverage"
    PERFORMANCE = "performance"
    CODE_QUALITY = "code_quality"
    SELF = "self"  # whatever changes whet

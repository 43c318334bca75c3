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


class DeniedCategory(StrEnum):
    """A kind of change that `guard.denied` refuses. It is recognised from what the change touches, not from its label."""

    SECURITY = "security_changes"
    AUTH = "auth_changes"
    CONFIG_SCHEMA = "config_schema_changes"
    MIGRATION = "database_migrations"

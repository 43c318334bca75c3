"""The safeguards, one file each. A new safeguard is one new file here and one line in SAFEGUARDS."""

from whet.phases.validate.integrity.safeguard import Safeguard
from whet.phases.validate.integrity.safeguards.assertion_helpers import AssertionHelpers
from whet.phases.validate.integrity.safeguards.changed_expectations import ChangedExpectations
from whet.phases.validate.integrity.safeguards.edited_doctests import EditedDoctests
from whet.phases.validate.integrity.safeguards.expected_data import ExpectedData
from whet.phases.validate.integrity.safeguards.gutted_functions import GuttedFunctions
from whet.phases.validate.integrity.safeguards.hard_coded_answers import HardCodedAnswers
from whet.phases.validate.integrity.safeguards.planted_tests import PlantedTests
from whet.phases.validate.integrity.safeguards.process_state import ProcessState
from whet.phases.validate.integrity.safeguards.reached_assertions import ReachedAssertions
from whet.phases.validate.integrity.safeguards.rephrased_targets import RephrasedTargets
from whet.phases.validate.integrity.safeguards.values_outside_runner import ValuesOutsideRunner

# In the order in which they are recorded. A twelfth, bundled_tests.py, needs runs of its own: own_tests.py calls it for
# a patch that brings tests.
SAFEGUARDS: tuple[Safeguard, ...] = (
    PlantedTests(),  # tests that must fail were added to the suite, and failed
    RephrasedTargets(),  # the targets still pass when their source text is rewritten
    ChangedExpectations(),  # the targets fail when an assertion expects another value
    GuttedFunctions(),  # the targets fail when the changed functions raise at once
    ReachedAssertions(),  # the targets execute their assertions
    ValuesOutsideRunner(),  # the compared values are right in a process without a test runner
    ExpectedData(),  # the code does not open the files that the targets compare with
    HardCodedAnswers(),  # the patch does not contain the answers of the tests as literals
    EditedDoctests(),  # the patch does not change the doctests of the files that it changes
    AssertionHelpers(),  # the patch does not change the assertion helpers that tests call
    ProcessState(),  # the patch leaves the libraries of the test process as they are
)

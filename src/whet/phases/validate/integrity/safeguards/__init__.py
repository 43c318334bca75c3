"""The safeguards, one file each. A new safeguard is one new file here and one line in SAFEGUARDS."""

from whet.phases.validate.integrity.safeguard import Safeguard
from whet.phases.validate.integrity.safeguards.assertion_helpers import AssertionHelpers
from whet.phases.validate.integrity.safeguards.changed_expectations import ChangedExpectations
from whet.phases.validate.integrity.safeguards.changed_observers import ChangedObservers
from whet.phases.validate.integrity.safeguards.edited_doctests import EditedDoctests
from whet.phases.validate.integrity.safeguards.expected_data import ExpectedData
from whet.phases.validate.integrity.safeguards.gutted_functions import GuttedFunctions
from whet.phases.validate.integrity.safeguards.hard_coded_answers import HardCodedAnswers
from whet.phases.validate.integrity.safeguards.module_doctests import ModuleDoctests
from whet.phases.validate.integrity.safeguards.new_conditions import NewConditions
from whet.phases.validate.integrity.safeguards.other_red_tests import OtherRedTests
from whet.phases.validate.integrity.safeguards.patch_mutants import PatchMutants
from whet.phases.validate.integrity.safeguards.planted_tests import PlantedTests
from whet.phases.validate.integrity.safeguards.process_state import ProcessState
from whet.phases.validate.integrity.safeguards.reached_assertions import ReachedAssertions
from whet.phases.validate.integrity.safeguards.rephrased_targets import RephrasedTargets
from whet.phases.validate.integrity.safeguards.values_outside_runner import ValuesOutsideRunner
from whet.phases.validate.integrity.safeguards.varied_inputs import VariedInputs

# In the order in which they are recorded. Another one, bundled_tests.py, needs runs of its own: own_tests.py calls it for
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
    ModuleDoctests(),  # doctests of the changed files that the suite does not collect still pass
    AssertionHelpers(),  # the patch does not change the assertion helpers that tests call
    NewConditions(),  # every condition that the patch adds was seen both ways by passing tests
    ChangedObservers(),  # the patch does not change how the values that tests compare are compared, or their types
    OtherRedTests(),  # no other red test points to the changed functions
    ProcessState(),  # the patch leaves the libraries of the test process as they are
    VariedInputs(),  # the changed functions answer other inputs, repeated calls and other places as a fix would
    PatchMutants(),  # tests need the conditions that the patch adds; other mutants and lines that no test runs are named
)

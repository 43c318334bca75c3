"""TLS connections and SSH sessions whose other end is not verified."""

import ast
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

CODE = "tls_disabled"
_NAMES = frozenset({
    "ssl._create_unverified_context", "ssl.CERT_NONE", "ssl.CERT_OPTIONAL", "urllib3.disable_warnings",
    "requests.packages.urllib3.disable_warnings", "paramiko.AutoAddPolicy", "paramiko.WarningPolicy",
    "ssl._create_default_https_context",
})  # fmt: skip
_SWITCHES = frozenset(
    {"verify", "verify_ssl", "ssl_verify", "check_hostname", "assert_hostname", "validate_certs", "verify_certs"}
)
_TEXTS = frozenset(
    {"CERT_NONE", "PYTHONHTTPSVERIFY", "GIT_SSL_NO_VERIFY", "NODE_TLS_REJECT_UNAUTHORIZED", "--no-check-certificate"}
)


def disabled_tls(passage: Passage) -> Iterator[Remark]:
    for node, construct in _disabled(passage):
        if passage.is_new(node):
            yield Remark(node.lineno, "block", CODE, f"disables certificate checks: `{construct}`")


def _disabled(passage: Passage) -> Iterator[tuple[ast.keyword | ast.expr | ast.stmt, str]]:
    """Yield nodes on added lines that switch verification off, each with its source text."""
    false_names = _names_set_to_false(passage)
    for keyword in passage.touched(ast.keyword):
        if keyword.arg in _SWITCHES and (_is_false(keyword.value) or ast.unparse(keyword.value) in false_names):
            yield keyword, ast.unparse(keyword)
    for dictionary in passage.touched(ast.Dict):
        for key, value in zip(dictionary.keys, dictionary.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in _SWITCHES and _is_false(value):
                yield dictionary, f"{key.value}: False"
    for assignment in passage.touched(ast.Assign):
        for target in assignment.targets:
            if isinstance(target, ast.Attribute) and target.attr in _SWITCHES and _is_false(assignment.value):
                yield assignment, ast.unparse(assignment)
    for used in (*passage.touched(ast.Attribute), *passage.touched(ast.Name)):
        name = passage.name_of(used)
        if name in _NAMES:
            yield used, name
    for constant in passage.touched(ast.Constant):
        if constant.value in _TEXTS:
            yield constant, str(constant.value)


def _names_set_to_false(passage: Passage) -> frozenset[str]:
    """Return names that added lines set to False: `off = False; get(url, verify=off)`."""
    false = (assignment for assignment in passage.touched(ast.Assign) if _is_false(assignment.value))
    return frozenset(ast.unparse(target) for assignment in false for target in assignment.targets)


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False

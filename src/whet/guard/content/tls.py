"""Encryption whose other end nobody checks."""

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
_WORDS = frozenset(
    {"CERT_NONE", "PYTHONHTTPSVERIFY", "GIT_SSL_NO_VERIFY", "NODE_TLS_REJECT_UNAUTHORIZED", "--no-check-certificate"}
)


def tls(passage: Passage) -> Iterator[Remark]:
    for node, how in _switched_off(passage):
        if passage.is_new(node):
            yield Remark(node.lineno, "block", CODE, f"does not check whom it speaks to ({how})")


def _switched_off(passage: Passage) -> Iterator[tuple[ast.keyword | ast.expr | ast.stmt, str]]:
    off = _names_of_off(passage)
    for keyword in passage.touched(ast.keyword):
        if keyword.arg in _SWITCHES and (_is_off(keyword.value) or ast.unparse(keyword.value) in off):
            yield keyword, ast.unparse(keyword)
    for table in passage.touched(ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in _SWITCHES and _is_off(value):
                yield table, f"{key.value}: False"
    for assigned in passage.touched(ast.Assign):
        for target in assigned.targets:
            if isinstance(target, ast.Attribute) and target.attr in _SWITCHES and _is_off(assigned.value):
                yield assigned, ast.unparse(assigned)
    for used in (*passage.touched(ast.Attribute), *passage.touched(ast.Name)):
        if (name := passage.name_of(used)) in _NAMES:
            yield used, name
    for text in passage.touched(ast.Constant):
        if text.value in _WORDS:
            yield text, str(text.value)


def _names_of_off(passage: Passage) -> frozenset[str]:
    """Names that the added lines set to False: a switch may be thrown by way of one."""
    thrown = (assigned for assigned in passage.touched(ast.Assign) if _is_off(assigned.value))
    return frozenset(ast.unparse(target) for assigned in thrown for target in assigned.targets)


def _is_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False

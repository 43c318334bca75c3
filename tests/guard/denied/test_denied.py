"""Kinds of changes that the policy denies: realistic changes that are of such a kind, and similar ones that are not."""

from collections.abc import Callable

import pytest

from whet.config import Config, GuardPolicy, parse
from whet.domain.category import DeniedCategory
from whet.domain.change import Change
from whet.errors import BadConfig
from whet.guard.answer import Allow, Refuse
from whet.guard.change.submission import Submission
from whet.guard.denied.rule import CODE, denied_category, denied_path

Touch = Callable[..., Change]
Submit = Callable[..., Submission]
Row = tuple[str, str, str]

LOGIN = "def login(request):\n    user = find(request)\n    if user is None:\n        return None\n    return user\n"
VIEW = "@login_required\ndef report(request):\n    return render(request)\n"
GUARDED = "def remove(user, item):\n    check_permission(user, item)\n    item.delete()\n    return True\n"
ALEMBIC = "from alembic import op\n\ndef upgrade():\n    op.add_column('a', 'b')\n"
SETTINGS = "from pydantic_settings import BaseSettings\n\nclass AppOptions(BaseSettings):\n    port: int = 80\n\n    def url(self):\n        return 'x'\n"
DATACLASS = "from dataclasses import dataclass\n\n@dataclass\nclass ServerConfig:\n    port: int = 80\n\n    def url(self):\n        return 'x'\n"
MODEL = "from pydantic import BaseModel\n\nclass Order(BaseModel):\n    price: int = 80\n"
RUN = "import subprocess\n\ndef build(path):\n    log(path)\n    subprocess.run(['make', path], check=True)\n"
DIGEST = (
    "import hashlib\n\ndef key(text):\n    text = text.strip()\n    return hashlib.sha256(text.encode()).hexdigest()\n"
)
FETCH = "import requests\n\ndef fetch(url):\n    return requests.get(url, verify=True, timeout=5)\n"

DENIED: dict[DeniedCategory, dict[str, Row]] = {
    DeniedCategory.AUTH: {
        "import swap check": ('app.py', 'from auth import check_permission\ndef f(u):\n    check_permission(u)\n    return 1\n', 'from stubs import check_permission\ndef f(u):\n    check_permission(u)\n    return 1\n'),
        "import swap decorator": ('app.py', 'from django.contrib.auth.decorators import login_required\n@login_required\ndef f(u):\n    return 1\n', 'from noop import login_required\n@login_required\ndef f(u):\n    return 1\n'),
        "def can_edit": ('app.py', 'def can_edit(user, page):\n    return page.owner == user\n', 'def can_edit(user, page):\n    return True\n'),
        "def is_allowed": ('app.py', 'def is_allowed(user):\n    return user.ok\n', 'def is_allowed(user):\n    return True\n'),
        "def has_access": ('app.py', 'def has_access(self, user, doc):\n    return doc in user.docs\n', 'def has_access(self, user, doc):\n    return True\n'),
        "role compare": ('app.py', "def f(request):\n    if request.user.role != 'admin':\n        return None\n    return go()\n", "def f(request):\n    if request.user.role == 'x':\n        return None\n    return go()\n"),
        "owner compare": ('app.py', 'def f(request, doc):\n    if doc.owner_id != request.user.id:\n        raise Http404\n    return doc\n', 'def f(request, doc):\n    return doc\n'),
        "queryset filter": ('app.py', 'def f(request):\n    return Doc.objects.filter(owner=request.user)\n', 'def f(request):\n    return Doc.objects.all()\n'),
        "dependencies kw": ('app.py', 'r = APIRouter(dependencies=[Depends(verify_user)])\n', 'r = APIRouter()\n'),
        "in groups": ('app.py', "def f(user):\n    if 'ops' not in user.groups:\n        return None\n    go()\n", 'def f(user):\n    go()\n'),
        "method can": ('app.py', 'class Policy:\n    def can_delete(self, user, obj):\n        return obj.owner == user\n', 'class Policy:\n    def can_delete(self, user, obj):\n        return True\n'),
        "permission on model": ('app.py', 'def f(request, pk):\n    doc = get_object_or_404(Doc, pk=pk, owner=request.user)\n    return doc\n', 'def f(request, pk):\n    doc = get_object_or_404(Doc, pk=pk)\n    return doc\n'),
        "sqlalchemy where owner": ('app.py', 'def f(s, user):\n    return s.query(Doc).filter(Doc.owner_id == user.id)\n', 'def f(s, user):\n    return s.query(Doc)\n'),
        "user.can": ('app.py', "def f(user,d):\n    if not user.can('edit', d):\n        return None\n    return d\n", 'def f(user,d):\n    return d\n'),
        "api key header": ('app.py', "def f(r):\n    if r.headers.get('X-Api-Key') != KEY:\n        return 1\n    return 2\n", 'def f(r):\n    return 2\n'),
        "authorization header": ('app.py', "def f(r):\n    if r.headers['Authorization'] != KEY:\n        return 1\n    return 2\n", 'def f(r):\n    return 2\n'),
        "route deps": ('app.py', "@app.get('/a', dependencies=[Depends(require_admin)])\ndef f(): ...\n", "@app.get('/a')\ndef f(): ...\n"),
        "login function": ("app.py", LOGIN, LOGIN.replace("user is None", "not user")),
        "a line taken out": ("app.py", GUARDED, GUARDED.replace("    check_permission(user, item)\n", "")),
        "a condition around the check": (
            "app.py",
            GUARDED,
            GUARDED.replace("    check_permission(user, item)\n", "    if strict:\n        check_permission(user, item)\n"),
        ),
        "the check after the return": (
            "app.py",
            GUARDED,
            "def remove(user, item):\n    item.delete()\n    return True\n    check_permission(user, item)\n",
        ),
        "a return before the check": ("app.py", GUARDED, GUARDED.replace("    check_p", "    if item.old:\n        return True\n    check_p")),
        "decorator taken off": ("app.py", VIEW, VIEW.replace("@login_required\n", "")),
        "another decorator": ("app.py", VIEW, VIEW.replace("@login_required", "@csrf_exempt")),
        "decorator with arguments": ("app.py", VIEW, VIEW.replace("@login_required", "@permission_required('a.b')")),
        "is_authenticated": ("app.py", "def f(u):\n    return u.is_authenticated\n", "def f(u):\n    return True\n"),
        "superuser": ("app.py", "def f(u):\n    return u.name\n", "def f(u):\n    return u.is_superuser or u.name\n"),
        "status 403": ("app.py", "def f(u):\n    g(u)\n", "def f(u):\n    if not u:\n        abort(403)\n    g(u)\n"),
        "refusal taken out": (
            "app.py",
            "def f(u):\n    if u.banned:\n        raise PermissionDenied\n    g(u)\n",
            "def f(u):\n    g(u)\n",
        ),
        "password check": ("app.py", "def f(u, p):\n    return 1\n", "def f(u, p):\n    return check_password_hash(u.hash, p)\n"),
        "verify token": ("app.py", "def verify_token(t):\n    return t.ok\n", "def verify_token(t):\n    return True\n"),
        "camel case": ("app.py", "class A:\n    def checkPassword(self):\n        return 1\n", "class A:\n    def checkPassword(self):\n        return 2\n"),
        "permission classes": ("views.py", "class A(View):\n    permission_classes = [IsAdmin]\n", "class A(View):\n    permission_classes = []\n"),
        "backends": ("settings.py", "AUTHENTICATION_BACKENDS = ['a']\n", "AUTHENTICATION_BACKENDS = ['b']\n"),
        "a function replaced by assignment": ("app.py", "", "verify_token = lambda token: True\n"),
        "a function of another module replaced": ("app.py", "import views\n", "import views\nviews.verify_token = allow_all\n"),
        "a function replaced by setattr": ("app.py", "", "setattr(views, 'verify_token', allow_all)\n"),
        "a class for logins": ("app.py", "class LoginView(View):\n    def post(self):\n        return 1\n", "class LoginView(View):\n    def post(self):\n        return 2\n"),
        "an auth middleware": ("app.py", "class AuthMiddleware:\n    def run(self):\n        return 1\n", "class AuthMiddleware:\n    def run(self):\n        return 2\n"),
        "requires": ("app.py", "@requires('authenticated')\ndef f(r):\n    return 1\n", "def f(r):\n    return 1\n"),
        "dependency": ("app.py", "def f(user=Depends(get_current_user)):\n    return 1\n", "def f(user=None):\n    return 1\n"),
        "dependency in an annotation": ("app.py", "def f(user: Annotated[U, Security(who)]):\n    return 1\n", "def f(user: U):\n    return 1\n"),
        "session": ("app.py", "def f():\n    g(1)\n", "def f():\n    session['user_id'] = 1\n    g(1)\n"),
        "session read": ("app.py", "def f():\n    return session.get('is_admin')\n", "def f():\n    return True\n"),
        "is_admin": ("app.py", "def f(u):\n    return u.is_admin\n", "def f(u):\n    return True\n"),
        "an imported check under another name": ("app.py", "from a import check_password as ok\ndef f(u):\n    return ok(u)\n", "from a import check_password as ok\ndef f(u):\n    return 1\n"),
        "a lambda that decides": ("app.py", "can_edit = lambda user, page: page.owner == user\n", "can_edit = lambda user, page: True\n"),
        "a lambda as an argument": ("app.py", "menu(allowed=lambda user: user.ok)\n", "menu(allowed=lambda user: True)\n"),
        "a lambda in a table": ("app.py", "RULES = {'can_delete': lambda u, o: o.by == u}\n", "RULES = {'can_delete': lambda u, o: True}\n"),
        "a lambda put into a table": ("app.py", "", "permissions['edit'] = lambda user: True\n"),
        "a lambda that is registered": ("app.py", "", "add_perm('edit', lambda user: True)\n"),
        "a lambda in place of a check": ("app.py", "", "Page(check_permission=lambda *a: True)\n"),
        "a deleted file": ("app.py", LOGIN, ""),
        "by its path": ("src/auth.py", "x = 1\n", "x = 2\n"),
        "by its path, folder": ("src/permissions/a.py", "x = 1\n", "x = 2\n"),
        "by its path, look-alike": ("src/\u0430uth/a.py", "x = 1\n", "x = 2\n"),
        "by its path, unreadable": ("src/auth.py", "x = 1\n", "def\n"),
    },
    DeniedCategory.SECURITY: {
        "session.verify attr": ('app.py', 'import requests\ndef fetch(url):\n    s = requests.Session()\n    return s.get(url)\n', 'import requests\ndef fetch(url):\n    s = requests.Session()\n    s.verify = False\n    return s.get(url)\n'),
        "check_hostname attr": ('app.py', 'def f(ctx):\n    return ctx\n', 'def f(ctx):\n    ctx.check_hostname = False\n    return ctx\n'),
        "verify_mode attr number": ('app.py', 'def f(ctx):\n    return ctx\n', 'def f(ctx):\n    ctx.verify_mode = 0\n    return ctx\n'),
        "setattr verify": ('app.py', 'def f(s):\n    return s\n', "def f(s):\n    setattr(s, 'verify', False)\n    return s\n"),
        "paramiko": ('app.py', "def f(c):\n    c.connect('h')\n", "def f(c):\n    c.set_missing_host_key_policy(paramiko.AutoAddPolicy())\n    c.connect('h')\n"),
        "autoescape kw": ('app.py', 'env = Environment(loader=l, autoescape=True)\n', 'env = Environment(loader=l, autoescape=False)\n'),
        "Markup": ('app.py', 'def f(x):\n    return x\n', 'def f(x):\n    return Markup(x)\n'),
        "eval": ('app.py', 'def f(x):\n    return int(x)\n', 'def f(x):\n    return eval(x)\n'),
        "ast.literal_eval to eval": ('app.py', 'import ast\ndef f(x):\n    return ast.literal_eval(x)\n', 'import ast\ndef f(x):\n    return eval(x)\n'),
        "import swap defusedxml": ('app.py', 'from defusedxml.ElementTree import parse\ndef f(x):\n    return parse(x)\n', 'from xml.etree.ElementTree import parse\ndef f(x):\n    return parse(x)\n'),
        "import swap yaml": ('app.py', 'from yaml import safe_load as load\ndef f(x):\n    return load(x)\n', 'from yaml import unsafe_load as load\ndef f(x):\n    return load(x)\n'),
        "import swap pickle": ('app.py', 'import json as codec\ndef f(x):\n    return codec.loads(x)\n', 'import pickle as codec\ndef f(x):\n    return codec.loads(x)\n'),
        "import swap secrets": ('app.py', 'from secrets import choice\ndef f(x):\n    return choice(x)\n', 'from random import choice\ndef f(x):\n    return choice(x)\n'),
        "import swap html": ('app.py', 'from html import escape\ndef f(x):\n    return escape(x)\n', 'from mylib import escape\ndef f(x):\n    return escape(x)\n'),
        "Path.chmod": ('app.py', 'def f(p):\n    return p\n', 'def f(p):\n    p.chmod(0o777)\n    return p\n'),
        "mkdir mode": ('app.py', 'def f(p):\n    p.mkdir(mode=0o700)\n', 'def f(p):\n    p.mkdir(mode=0o777)\n'),
        "mktemp": ('app.py', 'import tempfile\ndef f():\n    return tempfile.mkstemp()[1]\n', 'import tempfile\ndef f():\n    return tempfile.mktemp()\n'),
        "CORS": ('app.py', "app.add_middleware(CORSMiddleware, allow_origins=['https://a'])\n", "app.add_middleware(CORSMiddleware, allow_origins=['*'])\n"),
        "flask cookie config": ('app.py', "app.config['X'] = 1\n", "app.config['SESSION_COOKIE_SECURE'] = False\n"),
        "csrf config": ('app.py', "app.config['X'] = 1\n", "app.config['WTF_CSRF_ENABLED'] = False\n"),
        "torch.load": ('app.py', 'x = torch.load(f, weights_only=True)\n', 'x = torch.load(f, weights_only=False)\n'),
        "np.load": ('app.py', 'x = np.load(f)\n', 'x = np.load(f, allow_pickle=True)\n'),
        "read_pickle": ('app.py', 'x = pd.read_csv(f)\n', 'x = pd.read_pickle(f)\n'),
        "lxml entities": ('app.py', 'p = etree.XMLParser()\n', 'p = etree.XMLParser(resolve_entities=True, no_network=False)\n'),
        "SQL += ": ('store.py', "def f(c, n):\n    q = 'SELECT * FROM t'\n    c.execute(q)\n", 'def f(c, n):\n    q = \'SELECT * FROM t\'\n    q += f" WHERE n = \'{n}\'"\n    c.execute(q)\n'),
        "SQL join": ('store.py', "def f(c, n):\n    c.execute('SELECT 1')\n", "def f(c, n):\n    c.execute(' '.join(['SELECT * FROM t WHERE n =', n]))\n"),
        "SQL extra": ('store.py', 'def f(q, n):\n    return q\n', 'def f(q, n):\n    return q.extra(where=[f"name = \'{n}\'"])\n'),
        "SQL constant formatted": ('store.py', "SQL = 'SELECT * FROM t WHERE n = {}'\ndef f(c, n):\n    c.execute(SQL)\n", "SQL = 'SELECT * FROM t WHERE n = {}'\ndef f(c, n):\n    c.execute(SQL.format(n))\n"),
        "SQL constant percent": ('store.py', "SQL = 'SELECT * FROM t WHERE n = %s'\ndef f(c, n):\n    c.execute(SQL, (n,))\n", "SQL = 'SELECT * FROM t WHERE n = %s'\ndef f(c, n):\n    c.execute(SQL % n)\n"),
        "SQL replace": ('store.py', "def f(c, n):\n    c.execute('SELECT * FROM t WHERE n = ?', (n,))\n", "def f(c, n):\n    c.execute('SELECT * FROM t WHERE n = ?'.replace('?', n))\n"),
        "SQL in walrus/dedent": ('store.py', 'def f(c, n):\n    pass\n', "def f(c, n):\n    c.execute(dedent(f'''\n      SELECT * FROM t WHERE n = {n}\n    '''))\n"),
        "SQL as kw": ('store.py', 'def f(c, n):\n    pass\n', "def f(c, n):\n    c.execute(query=f'SELECT * FROM t WHERE n = {n}')\n"),
        "tar variable filter": ('app.py', "import tarfile\ndef f(t,d):\n    t.extractall(d, filter='data')\n", "import tarfile\ndef f(t,d):\n    t.extraction_filter = staticmethod(tarfile.fully_trusted_filter)\n    t.extractall(d, filter='data')\n"),
        "tar kw in dict": ('app.py', "import tarfile\nO = {'filter': 'data'}\ndef f(t,d):\n    t.extractall(d, **O)\n", "import tarfile\nO = {'filter': 'fully_trusted'}\ndef f(t,d):\n    t.extractall(d, **O)\n"),
        "env in": ('app.py', 'import os\nON = True\n', "import os\nON = 'DISABLE_AUTH' not in os.environ\n"),
        "env from import": ('app.py', 'from os import environ\nON = True\n', "from os import environ\nON = environ.get('REQUIRE_LOGIN') != '0'\n"),
        "env via dict()": ('app.py', 'import os\nON = True\n', "import os\nON = dict(os.environ).get('SKIP_AUTH')\n"),
        "env decouple kw": ('app.py', 'ON = True\n', "ON = config('TLS_VERIFY', default=False, cast=bool)\n"),
        "pydantic Field env": ('app.py', 'class A:\n    x: bool = True\n', "class A:\n    x: bool = Field(True, env='AUTH_ENABLED')\n"),
        "click envvar": ('app.py', "@option('--x')\ndef f(x): ...\n", "@option('--x', envvar='SKIP_VERIFY')\ndef f(x): ...\n"),
        "https to http": ('app.py', "API = 'https://api.example.com'\n", "API = 'http://api.example.com'\n"),
        "jwt options dict": ('app.py', "OPTS = {'verify_signature': True}\n", "OPTS = {'verify_signature': False}\n"),
        "debug": ('settings.py', 'DEBUG = False\n', 'DEBUG = True\n'),
        "aiohttp ssl False": ('app.py', 'async def f(s,u):\n    return await s.get(u)\n', 'async def f(s,u):\n    return await s.get(u, ssl=False)\n'),
        "curl opt": ('app.py', 'def f(c):\n    c.perform()\n', 'def f(c):\n    c.setopt(pycurl.SSL_VERIFYPEER, 0)\n    c.perform()\n'),
        "default verify param": ('app.py', 'def fetch(url, verify=True):\n    return get(url, verify=verify)\n', 'def fetch(url, verify=False):\n    return get(url, verify=verify)\n'),
        "dataclass tls field": ('app.py', '@dataclass\nclass Client:\n    verify_tls: bool = True\n', '@dataclass\nclass Client:\n    verify_tls: bool = False\n'),
        "class attr": ('app.py', 'class C:\n    secure = True\n', 'class C:\n    secure = False\n'),
        "sqlalchemy text import": ('store.py', 'from sqlalchemy import text\ndef f(q,n):\n    return q\n', 'from sqlalchemy import text\ndef f(q,n):\n    return q.filter(text(f"name = \'{n}\'"))\n'),
        "sql concat multi": ('store.py', "def f(c,t):\n    c.execute('SELECT 1')\n", "def f(c,t):\n    sql = 'SELECT * FROM ' + t\n    c.execute(sql)\n"),
        "zip path check removed": ('app.py', 'def f(z,root):\n    for n in z.namelist():\n        if not (root / n).resolve().is_relative_to(root):\n            raise ValueError(n)\n        z.extract(n, root)\n', 'def f(z,root):\n    for n in z.namelist():\n        z.extract(n, root)\n'),
        "path traversal startswith": ('app.py', 'import os\ndef f(p,root):\n    full = os.path.realpath(p)\n    if not full.startswith(root):\n        raise ValueError\n    return open(full)\n', 'import os\ndef f(p,root):\n    return open(p)\n'),
        "rate limit decorator": ('app.py', "@limiter.limit('5/minute')\ndef f(): ...\n", 'def f(): ...\n'),
        "html safe filter in template fn": ('app.py', "def f(x):\n    return Template('{{ x }}').render(x=x)\n", "def f(x):\n    return Template('{{ x|safe }}').render(x=x)\n"),
        "bind 0.0.0.0": ('app.py', "app.run(host='127.0.0.1')\n", "app.run(host='0.0.0.0')\n"),
        "flask debug": ('app.py', 'app.run()\n', 'app.run(debug=True)\n'),
        "flask config from": ('app.py', 'app.config.update(SESSION_COOKIE_HTTPONLY=True)\n', 'app.config.update(SESSION_COOKIE_HTTPONLY=False)\n'),
        "shlex import": ('app.py', "from shlex import quote\ndef f(x):\n    return run('ls ' + quote(x))\n", "def quote(x):\n    return x\ndef f(x):\n    return run('ls ' + quote(x))\n"),
        "escaping taken out": (
            "app.py",
            "from html import escape\n\ndef bold(text):\n    return '<b>' + escape(text)\n",
            "from html import escape\n\ndef bold(text):\n    return '<b>' + text\n",
        ),
        "another digest": ("app.py", DIGEST, DIGEST.replace("sha256", "md5")),
        "command": ("app.py", RUN, RUN.replace("['make', path]", "['make', '-C', path]")),
        "command with from": ("app.py", "from subprocess import run\nrun(['a'])\n", "from subprocess import run\nrun(['b'])\n"),
        "TLS argument": ("app.py", FETCH, FETCH.replace("verify=True", "verify=bundle")),
        "TLS context": ("app.py", "import ssl\nc = ssl.create_default_context()\n", "import ssl\nc = ssl.SSLContext()\n"),
        "secret": ("app.py", "SECRET_KEY = load('a')\n", "SECRET_KEY = load('b')\n"),
        "sanitizing": ("app.py", "def sanitize_name(x):\n    return x.strip()\n", "def sanitize_name(x):\n    return x\n"),
        "call of a sanitizer": ("app.py", "def f(x):\n    return sanitize_html(x)\n", "def f(x):\n    return x\n"),
        "mark_safe": ("app.py", "def f(x):\n    return x\n", "def f(x):\n    return mark_safe(x)\n"),
        "cookie flag": ("app.py", "r.set_cookie('a', 'b', httponly=True)\n", "r.set_cookie('a', 'b')\n"),
        "header": ("app.py", "h['Content-Security-Policy'] = 'a'\n", "h['Content-Security-Policy'] = 'b'\n"),
        "file mode": ("app.py", "import os\nos.chmod(p, 0o600)\n", "import os\nos.chmod(p, 0o644)\n"),
        "compare_digest": ("app.py", "def f(a, b):\n    return hmac.compare_digest(a, b)\n", "def f(a, b):\n    return a == b\n"),
        "cryptography": ("app.py", "from cryptography.fernet import Fernet\nf = Fernet(a)\n", "from cryptography.fernet import Fernet\nf = Fernet(b)\n"),
        "by its path": ("src/crypto/a.py", "x = 1\n", "x = 2\n"),
        "argument in a variable": ("app.py", RUN.replace("['make', path]", "cmd").replace("log(path)", "cmd = ['make']"), RUN.replace("['make', path]", "cmd").replace("log(path)", "cmd = ['rm']")),
        "argument appended": ("app.py", RUN.replace("['make', path]", "cmd").replace("log(path)", "cmd = ['make']"), RUN.replace("['make', path]", "cmd").replace("log(path)", "cmd = ['make']\n    cmd.append(path)")),
        "TLS option in a dict": ("app.py", FETCH, FETCH.replace("verify=True", "**{'verify': False}")),
        "TLS option in a variable": ("app.py", "def f(url):\n    options = {'verify': True}\n    return get(url, **options)\n", "def f(url):\n    options = {'verify': False}\n    return get(url, **options)\n"),
        "TLS option by its key": ("app.py", "def f(kw):\n    return kw\n", "def f(kw):\n    kw['verify'] = False\n    return kw\n"),
        "TLS option by setdefault": ("app.py", "def f(kw):\n    return kw\n", "def f(kw):\n    kw.setdefault('check_hostname', False)\n    return kw\n"),
        "yaml.load": ("app.py", "import yaml\nx = yaml.safe_load(f)\n", "import yaml\nx = yaml.load(f, Loader=yaml.Loader)\n"),
        "yaml.load, by position": ("app.py", "import yaml\nx = yaml.safe_load(f)\n", "import yaml\nx = yaml.load(f, yaml.UnsafeLoader)\n"),
        "yaml.load without a loader": ("app.py", "from yaml import load\n", "from yaml import load\nx = load(f)\n"),
        "yaml.unsafe_load": ("app.py", "import yaml\n", "import yaml\nx = yaml.unsafe_load(f)\n"),
        "ruamel": ("app.py", "x = YAML(typ='safe')\n", "x = YAML(typ='unsafe')\n"),
        "pickle": ("app.py", "import json\nx = json.loads(b)\n", "import pickle\nx = pickle.loads(b)\n"),
        "SQL, f-string": ("store.py", "def f(c, n):\n    c.execute('SELECT a FROM t WHERE n = ?', (n,))\n", "def f(c, n):\n    c.execute(f'SELECT a FROM t WHERE n = {n}')\n"),
        "SQL, per cent": ("store.py", "def f(c, n):\n    c.execute('SELECT a FROM t WHERE n = %s', (n,))\n", "def f(c, n):\n    c.execute('SELECT a FROM t WHERE n = %s' % n)\n"),
        "SQL, format": ("store.py", "", "def f(c, n):\n    c.execute('delete from t where n = {}'.format(n))\n"),
        "SQL, joined": ("store.py", "", "def f(c, n):\n    c.execute('UPDATE t SET a = ' + n + ' WHERE b')\n"),
        "SQL, in text()": ("store.py", "", "def f(c, n):\n    c.execute(text(f'SELECT {n}'))\n"),
        "SQL in a variable": ("store.py", "def f(c, n):\n    q = 'SELECT 1'\n    c.execute(q)\n", "def f(c, n):\n    q = f'SELECT {n}'\n    c.execute(q)\n"),
        "tar without a filter": ("app.py", "import tarfile\ndef f(t, d):\n    t.extractall(d, filter='data')\n", "import tarfile\ndef f(t, d):\n    t.extractall(d)\n"),
        "tar, fully trusted": ("app.py", "import tarfile\ndef f(t, d):\n    t.extractall(d, filter='data')\n", "import tarfile\ndef f(t, d):\n    t.extractall(d, filter='fully_trusted')\n"),
        "unpack_archive": ("app.py", "import shutil\n", "import shutil\nshutil.unpack_archive(a, b)\n"),
        "default from the environment": ("app.py", "import os\nON = True\n", "import os\nON = os.environ.get('VERIFY_TLS', '0') == '1'\n"),
        "another default": ("app.py", "import os\nA = os.getenv('AUTH_ENABLED', 'true')\n", "import os\nA = os.getenv('AUTH_ENABLED', 'false')\n"),
        "variable of the environment": ("app.py", "import os\nA = os.environ['JWT_ISSUER']\n", "import os\nA = 'x'\n"),
        "middleware list": ("settings.py", "MIDDLEWARE = ['a', 'b']\n", "MIDDLEWARE = ['a']\n"),
        "by its path, csrf": ("src/csrf.py", "x = 1\n", "x = 2\n"),
    },
    DeniedCategory.MIGRATION: {
        "pragma user_version": ('store.py', 'x=1\n', "x=1\ndef f(c):\n    c.execute('PRAGMA user_version = 4')\n"),
        "sa Column add": ('store.py', 'x=1\n', "def f(t):\n    op.add_column('t', Column('x'))\n"),
        "Flyway": ("sql/V2__orders.sql", "select 1;\n", "select 2;\n"),
        "Prisma": ("prisma/schema.prisma", "model A {\n}\n", "model B {\n}\n"),
        "Django migration": ("shop/migrations/0002_price.py", "", "x = 1\n"),
        "Alembic version": ("alembic/versions/ab12_x.py", "", "x = 1\n"),
        "SQL file": ("db/migrations/1.json", "{}", "[]"),
        "in another folder": ("pkg/changes/a.py", ALEMBIC, ALEMBIC.replace("'b'", "'c'")),
        "Django API": ("pkg/a.py", "", "from django.db import migrations\nx = migrations.AddField()\n"),
        "DDL": ("store.py", "", "def f(c):\n    c.execute('ALTER TABLE a ADD COLUMN b int')\n"),
        "DDL, lower case": ("store.py", "", "def f(c):\n    c.execute('  create unique index x on a (b)')\n"),
        "DDL, f-string": ("store.py", "", "def f(c, t):\n    c.execute(f'DROP TABLE {t}')\n"),
        "DDL, SQLAlchemy": ("store.py", "", "def f(c):\n    c.execute(text('CREATE TABLE a (b int)'))\n"),
        "DDL, joined": ("store.py", "", "def f(c):\n    c.execute('DROP TABLE ' + name)\n"),
        "DDL, formatted": ("store.py", "", "def f(c):\n    c.execute('DROP TABLE {}'.format(name))\n"),
        "DDL in a constant": ("store.py", "SQL = 'CREATE TABLE a (b int)'\n", "SQL = 'CREATE TABLE a (b text)'\n"),
        "DDL in a list": ("store.py", "", "STATEMENTS = ['SELECT 1', 'ALTER TABLE a ADD b int']\n"),
        "DDL after a comment": ("store.py", "", "def f(c):\n    c.execute('-- note\\n/* x */ ALTER TABLE a ADD b int')\n"),
        "full name of op": ("pkg/a.py", "import alembic\n", "import alembic\nalembic.op.drop_column('a', 'b')\n"),
        "schema editor": ("pkg/a.py", "", "def f(schema_editor):\n    schema_editor.add_field(a, b)\n"),
        "create_all": ("store.py", "", "def f(m, e):\n    m.create_all(e)\n"),
        "SQL in a text": ("schema.sql", "", "CREATE TABLE a (b int);\n"),
    },
    DeniedCategory.CONFIG_SCHEMA: {
        "voluptuous": ('app.py', "CONFIG = vol.Schema({'a': int})\n", "CONFIG = vol.Schema({'a': str})\n"),
        "settings field": ("app.py", SETTINGS, SETTINGS.replace("int = 80", "int = 8080")),
        "settings type": ("app.py", SETTINGS, SETTINGS.replace("port: int", "port: str")),
        "new field": ("app.py", SETTINGS, SETTINGS.replace("80\n", "80\n    host: str = ''\n")),
        "field taken out": ("app.py", SETTINGS, SETTINGS.replace("    port: int = 80\n", "")),
        "model_config": ("app.py", SETTINGS, SETTINGS.replace("80\n", "80\n    model_config = {'extra': 'allow'}\n")),
        "validator": ("app.py", SETTINGS, SETTINGS.replace("    def url", "    @field_validator('port')\n    def url")),
        "body of a validator": (
            "app.py",
            SETTINGS.replace("    def url", "    @field_validator('port')\n    def url"),
            SETTINGS.replace("    def url", "    @field_validator('port')\n    def url").replace("'x'", "'y'"),
        ),
        "dataclass": ("app.py", DATACLASS, DATACLASS.replace("80", "81")),
        "model called Settings": ("app.py", MODEL.replace("Order", "UserSettings"), MODEL.replace("Order", "UserSettings").replace("80", "81")),
        "subclass of a configuration": ("app.py", "class AConfig(BaseConfig):\n    a: int = 1\n", "class AConfig(BaseConfig):\n    a: int = 2\n"),
        "model with a base of its own": ("app.py", "class DbConfig(Record):\n    a: int = 1\n", "class DbConfig(Record):\n    a: int = 2\n"),
        "functional form": ("app.py", "", "ServerConfig = TypedDict('ServerConfig', {'a': int})\n"),
        "schema in Python": ("app.py", "CONFIG_SCHEMA = {'a': 1}\n", "CONFIG_SCHEMA = {'a': 2}\n"),
        "JSON schema": ("pkg/config.schema.json", "{}", '{"type": "object"}'),
        "JSON schema by its content": (
            "pkg/data/a.json",
            "{}",
            '{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Configuration of a"}',
        ),
    },
}  # fmt: skip
ALLOWED: dict[str, Row] = {
    "an import from elsewhere": ("app.py", "from typing import Iterable\ndef f(x: Iterable): ...\n", "from collections.abc import Iterable\ndef f(x: Iterable): ...\n"),
    "an import from elsewhere, in use": ("app.py", "from a import load\ndef f(x):\n    return load(x)\n", "from b import load\ndef f(x):\n    return load(x)\n"),
    "an object called verify": ("app.py", "class A:\n    def __init__(self):\n        self.b = 1\n", "class A:\n    def __init__(self):\n        self.verify = Verifier()\n"),
    "another parameter beside a switch": ("app.py", "def f(u, verify=True):\n    return u\n", "def f(u, verify=True, retries=1):\n    return u\n"),
    "a switch of something else": ("app.py", "f(sorted=True)\n", "f(sorted=False)\n"),
    "a role of something else": ("app.py", "def f(node):\n    return node.role == 'a'\n", "def f(node):\n    return node.role == 'b'\n"),
    "a query by name": ("app.py", "def f(n):\n    return Doc.objects.filter(name=n)\n", "def f(n):\n    return Doc.objects.filter(title=n)\n"),
    "a query for the rows of an object": ("app.py", "def f(book):\n    return Page.objects.filter(author=book.writer)\n", "def f(book):\n    return Page.objects.filter(author=book.first_writer)\n"),
    "another address": ("app.py", "A = 'https://a.example'\n", "A = 'https://b.example'\n"),
    "a table of a terminal": ("app.py", "", "table.add_column('Name')\n"),
    "text that is joined": ("app.py", "def f(a):\n    return ', '.join(a)\n", "def f(a):\n    return ' and '.join(a)\n"),
    "a statement of a job": ("app.py", "def f(job, n):\n    job.execute('x')\n", "def f(job, n):\n    name = 'x' + n\n    job.execute(name)\n"),
    "a method that evaluates": ("app.py", "def f(model):\n    model.train()\n", "def f(model):\n    model.eval()\n"),
    "what a box can hold": ("app.py", "def can_hold(box, item):\n    return item < box\n", "def can_hold(box, item):\n    return item <= box\n"),
    "a compiled expression": ("app.py", "import re\nA = re.compile('a')\n", "import re\nA = re.compile('b')\n"),
    "an ordinary fix": ("app.py", "def f(a):\n    return a - 1\n", "def f(a):\n    return a + 1\n"),
    "a comment in a login function": ("app.py", LOGIN, LOGIN.replace("    user =", "    # look the user up\n    user =")),
    "a docstring in an auth file": ("src/auth.py", '"""Old."""\nx = 1\n', '"""New."""\nx = 1\n'),
    "formatting": ("app.py", LOGIN, LOGIN.replace("find(request)", "find( request )")),
    "another function of the file": ("app.py", LOGIN + "\ndef f():\n    return 1\n", LOGIN + "\ndef f():\n    return 2\n"),
    "another route": ("app.py", "@app.route('/')\ndef f():\n    return 1\n", "@app.route('/a')\ndef f():\n    return 2\n"),
    "a log line in a function with a check": ("app.py", GUARDED, GUARDED.replace("    item.delete()", "    log(item)\n    item.delete()")),
    "author": ("app.py", "def author(x):\n    return x\n", "def author(x):\n    return x.name\n"),
    "a tokenizer": ("app.py", "def next_token(x):\n    return x\n", "def next_token(x):\n    return x + 1\n"),
    "status 404": ("app.py", "def f(u):\n    g(u)\n", "def f(u):\n    if not u:\n        abort(404)\n    g(u)\n"),
    "a moved function": ("app.py", LOGIN + "\ndef f():\n    return 1\n", "def f():\n    return 1\n\n" + LOGIN),
    "a line beside a digest": ("app.py", DIGEST, DIGEST.replace("text.strip()", "text.strip().lower()")),
    "a line beside a command": ("app.py", RUN, RUN.replace("log(path)", "log(str(path))")),
    "hash()": ("app.py", "def f(x):\n    return hash(x)\n", "def f(x):\n    return hash((x, 1))\n"),
    "a type of TLS": ("app.py", "import ssl\ndef f(a: ssl.SSLContext): ...\n", "import ssl\ndef f(a: ssl.SSLContext, b: int): ...\n"),
    "reading migrations": ("app.py", "", "from django.db.migrations.loader import MigrationLoader\nx = MigrationLoader(1)\n"),
    "an import": ("app.py", "import os\n", "import os\nimport hashlib\n"),
    "SELECT": ("store.py", "", "def f(c):\n    c.execute('SELECT created FROM a')\n"),
    "prose about tables": ("app.py", "x = 'a'\n", "x = 'Please create table a by hand'\n"),
    "a test of migrations": ("tests/test_migrations.py", "", ALEMBIC),
    "documentation": ("docs/auth.md", "a\n", "b\n"),
    "a method of settings": ("app.py", SETTINGS, SETTINGS.replace("'x'", "'y'")),
    "a method of a dataclass": ("app.py", DATACLASS, DATACLASS.replace("'x'", "'y'")),
    "a variable that no command uses": ("app.py", RUN, RUN.replace("log(path)", "log(path)\n    name = path.name")),
    "an HTTP session": ("app.py", "def f(session):\n    return session.get('https://a')\n", "def f(session):\n    return session.get('https://b')\n"),
    "a form's add_field": ("app.py", "", "def f(form):\n    form.add_field('a')\n"),
    "another model": ("app.py", MODEL, MODEL.replace("80", "81")),
    "a lambda that sorts users": ("app.py", "x = sorted(us, key=lambda user: user.name)\n", "x = sorted(us, key=lambda user: user.age)\n"),
    "a lambda about items": ("app.py", "can_fit = lambda box, item: item < box\n", "can_fit = lambda box, item: item <= box\n"),
    "a lambda for values": ("app.py", "convert = {'role_count': lambda text: int(text)}\n", "convert = {'role_count': lambda text: float(text)}\n"),
    "a key called verify": ("app.py", "x = {'verify': run_checks}\n", "x = {'verify': run_all_checks}\n"),
    "reading an option": ("app.py", "def f(o):\n    return o['verify']\n", "def f(o):\n    return o.get('verify')\n"),
    "yaml.safe_load": ("app.py", "import yaml\nx = yaml.safe_load(f)\n", "import yaml\nx = yaml.safe_load(g)\n"),
    "yaml.load with a safe loader": ("app.py", "import yaml\nx = yaml.load(f, Loader=yaml.SafeLoader)\n", "import yaml\nx = yaml.load(g, Loader=yaml.SafeLoader)\n"),
    "json.loads": ("app.py", "import json\nx = json.loads(a)\n", "import json\nx = json.loads(b)\n"),
    "SQL with parameters": ("store.py", "def f(c, n):\n    c.execute('SELECT a FROM t WHERE n = ?', (n,))\n", "def f(c, n):\n    c.execute('SELECT a, b FROM t WHERE n = ?', (n,))\n"),
    "SQL with a constant": ("store.py", "", "def f(c):\n    c.execute(f'SELECT a FROM {TABLE}')\n"),
    "prose in execute": ("app.py", "", "def f(job, n):\n    job.execute(f'Selecting {n}')\n"),
    "an f-string that is not executed": ("app.py", "", "def f(n):\n    log(f'SELECT took {n} s')\n"),
    "tar with a filter": ("app.py", "import tarfile\ndef f(t, d):\n    t.extractall(d, filter='data')\n", "import tarfile\ndef f(t, d):\n    t.extractall(d / 'x', filter='data')\n"),
    "a zip archive": ("app.py", "import zipfile\ndef f(z, d):\n    z.extractall(d)\n", "import zipfile\ndef f(z, d):\n    z.extractall(d / 'x')\n"),
    "another variable of the environment": ("app.py", "import os\nA = os.getenv('PAGE_SIZE', '10')\n", "import os\nA = os.getenv('PAGE_SIZE', '20')\n"),
    "an author in the environment": ("app.py", "import os\nA = os.environ['AUTHOR_NAME']\n", "import os\nA = os.environ['AUTHOR']\n"),
    "data": ("pkg/data/a.json", "{}", '{"a": 1}'),
    "a schema of something else": ("pkg/a.json", "{}", '{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Orders"}'),
    "a setting's value": ("settings.py", "PAGE_SIZE = 10\n", "PAGE_SIZE = 20\n"),
    "a file whose name only sounds so": ("src/authors.py", "x = 1\n", "x = 2\n"),
}  # fmt: skip
ROWS = [(category, *row) for category, rows in DENIED.items() for row in rows.values()]
NAMES = [f"{category}: {name}" for category, rows in DENIED.items() for name in rows]


def answer(row: Row, touch: Touch, submit: Submit, policy: Config) -> Allow | Refuse:
    path, old, new = row
    return denied_category(touch(path), submit(texts={path: (old, new)}, policy=policy))  # type: ignore[return-value]


@pytest.mark.parametrize(("category", "path", "old", "new"), ROWS, ids=NAMES)
def test_a_change_of_a_denied_kind_is_refused(
    category: DeniedCategory, path: str, old: str, new: str, touch: Touch, submit: Submit
) -> None:
    only = Config(guard=GuardPolicy(denied=(category,)))
    refusal = answer((path, old, new), touch, submit, only)
    assert isinstance(refusal, Refuse)
    assert (refusal.code, refusal.setting) == (CODE, "guard.denied")
    assert str(category) in refusal.reason
    others = Config(guard=GuardPolicy(denied=tuple(other for other in DeniedCategory if other is not category)))
    assert str(category) not in getattr(answer((path, old, new), touch, submit, others), "reason", "")
    assert answer((path, old, new), touch, submit, Config(guard=GuardPolicy(denied=()))) == Allow()


@pytest.mark.parametrize("row", ALLOWED.values(), ids=ALLOWED)
def test_another_change_is_of_no_denied_kind(row: Row, touch: Touch, submit: Submit) -> None:
    assert answer(row, touch, submit, Config()) == Allow()


def test_all_kinds_are_denied_by_default() -> None:
    assert set(Config().guard.denied) == set(DeniedCategory)


@pytest.mark.parametrize("text", ['["auth"]', '"auth_changes"', '["AUTH_CHANGES"]', '["*"]'])
def test_a_misspelt_kind_is_a_config_error(text: str) -> None:
    with pytest.raises(BadConfig):
        parse(f"[guard]\ndenied = {text}\n".encode())


def test_an_unread_file_is_judged_by_its_path(touch: Touch, submit: Submit) -> None:
    assert isinstance(denied_category(touch("src/auth.py"), submit()), Refuse)
    assert denied_category(touch("src/app.py"), submit()) == Allow()


def test_an_opened_path_is_judged_by_its_content(touch: Touch, submit: Submit) -> None:
    opened = Config(guard=GuardPolicy(open=("src/auth.py",)))
    assert answer(("src/auth.py", "x = 1\n", "x = 2\n"), touch, submit, opened) == Allow()
    assert isinstance(answer(("src/auth.py", LOGIN, LOGIN.replace("None", "0")), touch, submit, opened), Refuse)
    assert denied_path("src/auth.py", opened) is None
    assert denied_path("src/auth.py", Config()) is DeniedCategory.AUTH

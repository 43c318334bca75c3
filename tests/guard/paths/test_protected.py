import pytest

from whet.config import Config, GuardPolicy, parse
from whet.domain.approval import Tier
from whet.errors import BadConfig
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.paths.protected import access_control, protected_path, sensitive_path

EVERYTHING_OPEN = Config(guard=GuardPolicy(open=("**",)))

ALLOWED = [
    "src/app.py", "app.py", "README.md", "docs/index.rst", "src/environments.py", "src/locksmith.py",
    "whetstone/a.py", "src/whetstone.py", "docs/whet/usage.md", "src/agent.py", "src/tomls/whet.toml.md",
    "src/gitlab.py", "src/main.py",
]  # fmt: skip
PROTECTED_BY_DEFAULT = [
    ".github/workflows/ci.yml", ".GitHub/workflows/ci.yml", ".GITHUB/x", ".gitlab-ci.yml", ".gitattributes",
    "src/.gitattributes", ".gitmodules", ".pre-commit-config.yaml", ".pre-commit-config.yml", ".env",
    "src/.env.local", "pyproject.toml", "PyProject.TOML", "packages/one/pyproject.toml", "setup.py", "manage.py", "composer.json", "vercel.json", "renovate.json5",
    "setup.cfg", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements/base.txt",
    "uv.lock", "Pipfile.lock", "Dockerfile", "docker-compose.yml", "docker-compose.override.yaml",
    "compose.yaml", "package.json", "AGENTS.md", "src/CLAUDE.md", "claude.md", "skills/one/SKILL.md",
    "agents/one.yaml", "src/agents/one.yaml", "personas/a.md", "src/workflows/a.yaml", "src/app/__main__.py",
    "sitecustomize.py", "src/SiteCustomize.py", "usercustomize.py", "src/x.pth", "src/a.pyc", "pytest.ini",
    ".pytest.ini", "sub/pytest.ini", "tox.ini", "noxfile.py", ".coveragerc", "ruff.toml", "src/.ruff.toml",
    "mypy.ini", "secrets/a.py", "src/credentials.py", ".vscode/settings.json",
    ".devcontainer/devcontainer.json", ".githooks/pre-commit", "lefthook.yml", ".vimrc", "sub/.nvim.lua", "a.code-workspace",
    ".drone.yml", ".woodpecker.yml", "appveyor.yml", "codecov.yml", "poetry.toml", "pip.conf", "pylock.toml", "go.mod",
    ".cursorrules", ".windsurfrules", "mcp.json", "x/reviewer.agent.md", "agents.yaml", "config/persona.yml", "workflow.yaml",
    ".codex/config.toml", "\u0455etup.py", "pyproj\u0435ct.toml",
]  # fmt: skip
NEVER_OPEN = [
    "whet.toml", "whet.signers", "Whet.Signers", "sub/whet.passkeys", "WHET.TOML", "Whet.toml", "sub/whet.toml", "ｗhet.toml", ".whet", ".whet/ledger.db",
    ".WHET/x", "sub/.whet/x", ".git", ".git/config", ".GIT/hooks/post-checkout", ".Git/config",
    "sub/.git/config", "git~1/config", "GIT~1/config", "src/whet/guard/paths.py", "src/whet/py.typed",
    "SRC/Whet/app.py", "whet/app.py", "whet/data.json",
    "lib/whet/cycle.py", "vendor/whet/guard/deep/a.py", "whet.py", "lib/whet.py",
    ".venv/lib/python3.11/site-packages/whet/x.json", "packages/src/whet/templates/a.md",
]  # fmt: skip


@pytest.mark.parametrize("path", ALLOWED)
def test_an_ordinary_path_is_allowed(path: str) -> None:
    assert protected_path(path, Config()) == Allow()


@pytest.mark.parametrize("path", PROTECTED_BY_DEFAULT)
def test_the_defaults_are_protected(path: str) -> None:
    answer = protected_path(path, Config())
    assert isinstance(answer, Refuse)
    assert answer.code == "path_protected"


@pytest.mark.parametrize("path", PROTECTED_BY_DEFAULT)
def test_the_policy_may_open_the_defaults(path: str) -> None:
    assert isinstance(protected_path(path, EVERYTHING_OPEN), Allow)


@pytest.mark.parametrize("path", NEVER_OPEN)
def test_no_policy_opens_the_core(path: str) -> None:
    for policy in (Config(), EVERYTHING_OPEN, Config(guard=GuardPolicy(open=(path,)))):
        answer = protected_path(path, policy)
        assert isinstance(answer, Refuse)
        assert answer.code == "path_protected"


@pytest.mark.parametrize(
    ("opened", "path"),
    [
        ("pyproject.toml", "PyProject.toml"),
        ("PYPROJECT.TOML", "pyproject.toml"),
        ("!pyproject.toml", "pyproject.toml"),
        ("#", "pyproject.toml"),
        ("", "pyproject.toml"),
        ("/", "pyproject.toml"),
        ("/pyproject.toml", "packages/one/pyproject.toml"),
        ("docs/**", "pyproject.toml"),
    ],
)
def test_a_path_is_opened_in_its_exact_spelling_only(opened: str, path: str) -> None:
    assert isinstance(protected_path(path, Config(guard=GuardPolicy(open=(opened,)))), Refuse)


@pytest.mark.parametrize(
    "spelling",
    ["src/core/**", "./src/core/**", "/src/core/**", "src/core", "src/core/", "SRC/Core/**", "core",
     "**/core/**", "!src/core/**", "src\\core\\**", "src//core/**", "src/{core,x}/**", " src/core/**",
     "src/core/**,docs/**", "src/[c", "", "#src/core"],
)  # fmt: skip
def test_a_protected_path_is_protected_however_its_pattern_is_spelled(spelling: str) -> None:
    policy = Config(guard=GuardPolicy(protected=(spelling,), open=("**",)))
    answer = protected_path("src/core/a.py", policy)
    assert isinstance(answer, Refuse)
    assert repr(spelling) in answer.reason


def test_protected_wins_over_open() -> None:
    policy = Config(guard=GuardPolicy(protected=("src/core/**",), open=("src/core/a.py",)))
    assert isinstance(protected_path("src/core/a.py", policy), Refuse)
    assert protected_path("src/other.py", policy) == Allow()


def test_the_reason_names_the_pattern() -> None:
    assert protected_path("whet.toml", Config()) == Refuse("whet.toml is protected", "path_protected")
    assert protected_path("setup.py", Config()) == Refuse(
        "setup.py is protected by default ('setup.py'): it states how the package is built, and what it needs",
        "path_protected",
    )
    assert protected_path("whet.py", Config()) == Refuse(
        "whet.py is protected: it is part of whet itself", "path_protected"
    )
    opened = Config(guard=GuardPolicy(open=("setup.*",)))
    assert protected_path("setup.py", opened) == Allow("setup.py is opened by the policy ('setup.*')")


@pytest.mark.parametrize("text", ['open = "**"', "open = [1]", "opened = []", "protected = { a = 1 }"])
def test_a_malformed_policy_is_a_config_error(text: str) -> None:
    with pytest.raises(BadConfig):
        parse(f"[guard]\n{text}\n".encode())


@pytest.mark.parametrize(
    "path",
    ["auth/a.py", "src/auth/a.py", "src/authentication.py", "src/oauth2/a.py", "permissions.py", "src/login.py", "a/crypto.py", "src/Auth/a.py", "src/auth.py", "AUTH.py", "src/security/x/y.py",
     "app/auth_backend.py", "app/token_auth.py", "authz.py", "lib/authentication_backends.py", "app/user_auth/views.py", "src/\u0430uth/a.py", "web/csrf.py", "rbac/roles.py"],
)  # fmt: skip
@pytest.mark.parametrize("policy", [Config(), Config(guard=GuardPolicy(sensitive=()))])
def test_access_control_needs_the_highest_tier_whatever_the_policy_calls_sensitive(path: str, policy: Config) -> None:
    answer = access_control(path, policy)
    assert isinstance(answer, Raise)
    assert (answer.code, answer.tier) == ("path_guarding", Tier.REQUIRE)


def test_the_policy_opens_access_control_path_by_path() -> None:
    policy = Config(guard=GuardPolicy(open=("src/auth/**",)))
    answer = access_control("src/auth/a.py", policy)
    assert isinstance(answer, Raise)
    assert (answer.code, answer.tier, answer.setting) == ("path_sensitive", Tier.APPROVE, "guard.open")
    for elsewhere in ("src/Auth/a.py", "lib/auth/a.py"):
        still = access_control(elsewhere, policy)
        assert isinstance(still, Raise)
        assert still.tier is Tier.REQUIRE


@pytest.mark.parametrize("path", ["migrations/0001.py", "shop/billing/a.py", "src/Payments/b.py"])
def test_a_sensitive_path_raises_the_tier(path: str) -> None:
    answer = sensitive_path(path, Config())
    assert isinstance(answer, Raise)
    assert (answer.code, answer.tier) == ("path_sensitive", Tier.APPROVE)


@pytest.mark.parametrize(
    "path", ["src/app.py", "src/author.py", "src/authors/a.py", "src/loginfo.py", "docs/security.md", "src/tokens.py"]
)
def test_other_paths_do_not_raise_the_tier(path: str) -> None:
    assert sensitive_path(path, Config()) == Allow()
    assert access_control(path, Config()) == Allow()


def test_an_unreadable_sensitive_pattern_raises_the_tier_of_every_path() -> None:
    assert isinstance(sensitive_path("src/app.py", Config(guard=GuardPolicy(sensitive=("!x",)))), Raise)

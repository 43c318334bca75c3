"""Patterns for network hosts: this machine and its network, and known code forges."""

import re

LOCAL = re.compile(
    r"(\w+://)?([^@/]*@)?(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.(local"
    r"|localhost|test|internal))(:\d+)?(/.*)?"
)

FORGES = re.compile(
    r"(.*\.)?(github|gitlab|bitbucket|codeberg|azure|visualstudio|heroku|sr\.ht|gitea|googlesource|amazonaws"
    r"|huggingface)(\..*)?|git\..*|.*\.(internal|local|lan|corp)"
)

# Hosts of package indexes and forges, as a pattern.
KNOWN_HOSTS = (
    r"(.*\.)?(github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|pypi\.org|pythonhosted\.org|"
    r"pytorch\.org|npmjs\.(org|com)|yarnpkg\.com|rubygems\.org|huggingface\.co|googleapis\.com|amazonaws\.com)"
)

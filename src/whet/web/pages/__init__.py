"""The pages for people. Every page needs a session, except static files."""

from fastapi import APIRouter

router = APIRouter(include_in_schema=False)

"""The pages for people. Every page needs a session, except static files and the page of an invitation."""

from fastapi import APIRouter

from whet.web.pages import inquiry_routes, invitation_routes, passkey_routes, routes

router = APIRouter(include_in_schema=False)
router.include_router(routes.open_router)
router.include_router(routes.router)
router.include_router(inquiry_routes.router)
router.include_router(passkey_routes.router)
router.include_router(invitation_routes.router)

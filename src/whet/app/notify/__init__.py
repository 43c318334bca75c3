"""Notifications: what a person is told, when, and through which channels. A failed delivery blocks nothing."""

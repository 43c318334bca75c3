"""The fixes and preferences that whet has learned: show and unlearn them."""

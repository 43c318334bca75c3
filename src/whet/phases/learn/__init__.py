"""Learn: record a lesson at every end of a proposal or cycle."""

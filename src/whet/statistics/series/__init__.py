"""Measurements over time: trends, drift, windows compared, and series that move together."""

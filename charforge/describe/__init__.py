"""Descriptions of entities, answers and events in plain words."""

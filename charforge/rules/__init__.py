"""Packs: models, loading, validation and compiled rulesets."""

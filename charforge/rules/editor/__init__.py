"""JSON Schemas of packs, for editors."""

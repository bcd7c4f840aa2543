"""From the YAML of packs to a ruleset."""

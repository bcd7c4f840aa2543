"""Commands that print: sheet, party and rulebook."""

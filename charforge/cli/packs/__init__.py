"""Commands about games, packs and campaigns."""

"""The small languages of packs: formulas, dice, texts with figures, markup."""

"""Procedures: the rules that resolve something step by step, with dice, and abilities."""

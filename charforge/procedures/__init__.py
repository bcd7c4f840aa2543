"""Procedures: rules that resolve something, step by step, with dice."""

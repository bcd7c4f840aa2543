"""Three ways to answer one path of decisions: a file, chance, and the wizard."""

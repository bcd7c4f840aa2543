"""What `catalog check` says about the contents of a pack."""

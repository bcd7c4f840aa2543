"""Packs: installed, compared, checked, tested and written; the campaign file of a group.

==============================  =================================================
install, update                 installing, from zips within limits; characters of other versions
sources, download               where packs come from; ``download`` alone uses the network
bundles                         a character with its packs, in one file
check, ability_checks           what is wrong; what cannot be used in play
diff                            what differs between versions
samples, sample_*               the samples in a pack, as its tests
scaffold                        new packs and templates; files for translators
campaign                        the game, packs and print options of one table
rulebook                        the rules of a game as a book
==============================  =================================================
"""

"""Training text made by a language model inside the walls, with marks in the place of names.

``running`` goes through the steps of a run file (``settings``): a persona, a draft without personal
data, marks inserted in rounds, distractors that stay readable (``kept``), and the lists fill what
is marked. ``server`` asks any OpenAI-compatible server, ``asking`` never the same thing twice
(``ledger``). What comes back is checked by ``marks`` and ``gates``, and each drop is counted. The
prompts are the files of ``prompts/``, in Korean.

After SPY (personas, rounds of insertion, distractors); the Thunder-DeID paper's marks and lists.
"""

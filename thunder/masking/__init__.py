"""One judgment in, its de-identified text out, with the record of every change.

``deidentify`` is the recipe in nine steps, ``deidentifier`` the object that programs call.
``known`` is what is decided beforehand, ``deciding`` what is masked, ``lettering`` by which letter;
``audit`` records it without originals, ``doubts`` lists what a person should look at, ``residue``
finds masked words that stand elsewhere.
"""

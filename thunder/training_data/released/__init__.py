"""Public data that others release, brought into this project's formats: ``thunder data``.

``sources`` names what there is, ``archives`` reads it from the network or from a folder or archive
at hand, ``converting`` makes our files of it, ``getting`` does all of that into one folder.
"""

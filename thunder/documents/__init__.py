"""Courts' own files: text out of them, masks into them, the rest as it was.

``segments`` says what a format gives and takes; each format is one module.
"""

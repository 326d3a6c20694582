"""Files in and the same files out: text, tables, and the formats that courts write in.

``records`` says what a table or a text gives and takes, ``sources`` which module reads a file;
``segments`` says the same for files with pages, each of which is one module.
"""

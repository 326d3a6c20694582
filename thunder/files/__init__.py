"""File formats: records in with their rows, the same form out, nothing else changed.

``sources`` lists what there is to read, ``documents`` holds the records and plain text,
``jsonlines``, ``csvtable`` and ``parquet`` the tables, ``outputs`` what is written aside first.
"""

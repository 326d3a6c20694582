"""The desk: people review, decide and release; nothing leaves before they did.

``store`` holds documents, decisions and users in a database (``models``, ``migrations``), originals
and notes sealed by ``vault``; ``states`` says who may do what when; ``review`` turns decisions
into a result and says what stands against its release; ``audit`` is the chained record.
"""

"""Many documents: an outcome for each, what is written where, the page a person checks.

``running`` de-identifies what comes and never lets one document end the run; ``publication`` puts
results, audit and originals in their places; ``page`` shows them side by side.
"""

"""Runs of millions of documents: planned, done shard by shard, each exactly once, and verified.

``plan`` parts the input into shards and writes down what decides about the output; ``shard`` does
one of them; ``driver`` has them done by processes; ``state`` says how far it is; ``verify`` checks
the whole, by code of its own. A folder holds a run::

    plan.jsonl     what there is to do
    out/           the results: documents under their names, tables in parts under theirs
    dead/          documents that were not passed on: where, why, what to do; no word of theirs
    notices/       what a person has to look at in documents that were passed on
    done/          a marker a shard: rows in, out and dead, SHA-256 of each file written

A shard's files are written aside, brought to the disk and renamed; its marker comes last. A shard
without a marker is done anew, and gives the same bytes.
"""

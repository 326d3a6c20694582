"""The way of a document, and who may do what: two tables."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class State(StrEnum):
    """Where a document stands."""

    WAITING = "waiting"
    FAILED = "failed"
    FREE = "free"
    CLAIMED = "claimed"
    SECOND = "second"
    REREADING = "rereading"
    DIFFERING = "differing"
    SETTLING = "settling"
    REVIEWED = "reviewed"
    CONFIRMING = "confirming"
    RELEASED = "released"
    HELD = "held"
    WITHDRAWN = "withdrawn"


class Role(StrEnum):
    """What somebody is at the desk."""

    REVIEWER = "reviewer"
    CONFIRMER = "confirmer"
    ADMINISTRATOR = "administrator"
    AUDITOR = "auditor"


class Deed(StrEnum):
    """What may be done."""

    QUEUE = "queue"
    REVIEW = "review"
    CONFIRM = "confirm"
    IMPORT = "import"
    USERS = "users"
    RECALL = "recall"
    AUDIT = "audit"


MAY: Mapping[Role, frozenset[Deed]] = MappingProxyType(
    {
        Role.REVIEWER: frozenset({Deed.QUEUE, Deed.REVIEW}),
        Role.CONFIRMER: frozenset({Deed.QUEUE, Deed.REVIEW, Deed.CONFIRM}),
        Role.ADMINISTRATOR: frozenset(
            {Deed.QUEUE, Deed.IMPORT, Deed.USERS, Deed.RECALL, Deed.AUDIT}
        ),
        Role.AUDITOR: frozenset({Deed.QUEUE, Deed.AUDIT}),
    }
)
"""An original is shown to who holds the document, and to nobody else, whatever the role."""

HELD_BY: Mapping[State, Deed] = MappingProxyType(
    {
        State.CLAIMED: Deed.REVIEW,
        State.REREADING: Deed.REVIEW,
        State.SETTLING: Deed.CONFIRM,
        State.CONFIRMING: Deed.CONFIRM,
    }
)
"""The states in which somebody holds a document, and what that asks of the role."""

GIVEN_BACK: Mapping[State, State] = MappingProxyType(
    {
        State.CLAIMED: State.FREE,
        State.REREADING: State.SECOND,
        State.SETTLING: State.DIFFERING,
        State.CONFIRMING: State.REVIEWED,
    }
)
"""What becomes of a document whose lease has run out, or that is put back."""

ASKED = ("finish", "send back", "release", "hold", "put back")
"""Steps that who holds a document asks for; ``finish`` leads where its reading has to go."""

RECALLS = ("reopen", "retry", "withdraw", "correct")
"""Steps of an administrator, who holds no document and reads none."""

NEXT: Mapping[str, Mapping[State, State]] = MappingProxyType(
    {
        "claim": {
            State.FREE: State.CLAIMED,
            State.SECOND: State.REREADING,
            State.DIFFERING: State.SETTLING,
            State.REVIEWED: State.CONFIRMING,
        },
        "finish": dict.fromkeys((State.CLAIMED, State.REREADING, State.SETTLING), State.REVIEWED),
        "to be read again": {State.CLAIMED: State.SECOND},
        "differ": {State.REREADING: State.DIFFERING},
        "send back": {State.CONFIRMING: State.FREE},
        "release": {State.CONFIRMING: State.RELEASED},
        "hold": dict.fromkeys(HELD_BY, State.HELD),
        "reopen": {State.HELD: State.FREE},
        "retry": {State.FAILED: State.WAITING},
        "withdraw": {State.RELEASED: State.WITHDRAWN},
        "correct": {State.WITHDRAWN: State.FREE},
        "put back": GIVEN_BACK,
    }
)
"""What each step makes of a state; a step from another state is refused."""

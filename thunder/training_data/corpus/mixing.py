"""Which share of the samples is of which source: weights by language or by source."""

from collections.abc import Mapping

_ADDS_UP = 1e-4


def shares(
    mix: Mapping[str, float], *, languages: Mapping[str, str], place: str = ""
) -> Mapping[str, float]:
    """Return *mix*, checked: it names all languages or all sources, and adds up to 1.

    *languages* gives the language of each source. ValueError says what is wrong, with *place*
    before it.
    """
    known = [set(languages), set(languages.values())]
    if set(mix) not in known:
        choices = " or ".join("all of " + ", ".join(sorted(names)) for names in known)
        found = ", ".join(sorted(mix)) or "nothing"
        raise ValueError(f"{place}weights must name {choices}; they name {found}")
    if any(not 0 <= share <= 1 for share in mix.values()):
        raise ValueError(f"{place}weights are shares from 0 to 1")
    total = sum(mix.values())
    if abs(total - 1) > _ADDS_UP:
        each = ", ".join(f"{name} = {share:.6f}" for name, share in in_proportion(mix).items())
        raise ValueError(f"{place}weights must add up to 1, not {total:g}; in proportion: {each}")
    return mix


def in_proportion(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights as shares of 1; ValueError where all are 0."""
    total = sum(weights.values())
    if not total > 0:
        raise ValueError("all weights are 0")
    return {name: weight / total for name, weight in weights.items()}


def by_source(
    mix: Mapping[str, float] | None, natural: Mapping[str, float], languages: Mapping[str, str]
) -> dict[str, float]:
    """Return the share of each source that *natural* names, from the shares in *mix*.

    *natural* is how much there is of a source; the share of a language is divided by it. Without
    a mix, all is. A source of the mix of which there is nothing leaves its share to the others.
    """
    if not mix:
        return in_proportion(natural)
    if set(mix) == set(languages):
        return in_proportion({name: mix[name] for name in natural})
    of_language: dict[str, float] = {}
    for name, amount in natural.items():
        of_language[languages[name]] = of_language.get(languages[name], 0) + amount
    return in_proportion(
        {
            name: mix[languages[name]] * amount / of_language[languages[name]]
            for name, amount in natural.items()
        }
    )

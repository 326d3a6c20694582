"""What follows the name in an address: lots, building numbers, blocks, and lists of lots."""

from thunder.identifiers.cues import JOIN
from thunder.taxonomy.lexicon import expression

# A number with one of these after it counts something, or names a floor, building, unit or year.
_NO_LOT = (
    r"(?![0-9])(?!,[0-9]{3}(?![0-9-]))(?![.:][0-9])(?! {0,2}-{1,2} {0,2}[0-9])"
    r"(?!(?<=19..|20..)\. ?[0-9])"
    r"(?!~[0-9]{1,4}(?:층|호|동|명|개|년|월|일))"
    r"(?!<counted-by>|일(?![대원])|분(?!할)|건(?!물)|인(?!근)"
    r"|대(?! ?[0-9]|지)|번(?!지)|도(?!로)|여[ 만]|가(?!구)|[%㎡㎥℃]|[mkcMKC][㎡mg]?)"
    r"(?! <counted-apart>(?![가-힣]))"
)
_NUMBER = rf"[0-9]{{1,4}}(?:{JOIN}[0-9]{{1,4}})?{_NO_LOT}"
_LOT = (
    rf"(?:산 ?)?{_NUMBER}"
    rf"(?: ?번지(?: ?의 ?[0-9]{{1,2}}(?: ?호)?{_NO_LOT}| [0-9]{{1,2}} ?호)?"
    rf"| ?의 ?[0-9]{{1,3}}{_NO_LOT}(?: ?번지)?)?"
)
_BLOCK = r"[A-Z]{0,2}-?[0-9]{1,3}(?:-[0-9]{1,3})? ?<land-block>"
_HOUSEHOLD = r" ?\(?[0-9]{1,3}통 ?[0-9]{1,3}반\)?| ?\([0-9]{1,3}/[0-9]{1,3}\)"
# A lot may begin the next line (전동 \n 995); "1. " and "1) " there count the paragraphs.
_GAP = r"(?: {0,2}\n *(?![0-9]{1,2}[.)](?:\s|\Z))| {0,2})"
_LAND = r"<land>|잡종지|(?:<land-sort>|<further-land-sort>) ?[0-9]"

LOT = expression(rf"{_GAP}(?:{_LOT}(?: {_BLOCK}){{0,2}}|{_BLOCK}(?: {_BLOCK})?)(?:{_HOUSEHOLD})?")
"""A lot after the name of a 동 or 리: 123-4, 산 12, 123번지의 4, 123의 4, A-12블록 3로트."""

BUILDING_NUMBER = expression(rf"{_GAP}(?:지하 ?)?{_NUMBER}")
"""A building number after the name of a road: 123, 34-5, 지하 12."""

STRICT_LOT = expression(
    rf"(?:산 ?[0-9]{{1,4}}(?:{JOIN}[0-9]{{1,4}})?|[0-9]{{1,4}}{JOIN}[0-9]{{1,4}}){_NO_LOT}"
    r"(?: ?번지)?"
    rf"|[0-9]{{1,4}}(?: ?의 ?[0-9]{{1,3}})? ?번지(?:(?: ?의 ?)[0-9]{{1,2}}{_NO_LOT})?"
    rf"|[0-9]{{1,4}} ?의 ?[0-9]{{1,3}}(?= ?(?:{_LAND}))"
    rf"|[0-9]{{2,4}}(?= ?(?:{_LAND}))"
)
"""A number that can only be a lot once the text is about lots."""

LISTED_LOT = expression(
    rf"(?:산 ?)?{_NUMBER}"
    rf"(?=(?:·[0-9-]{{1,9}}){{0,5}} ?(?:,|<and>|각 |등 |외 |번지|소재|{_LAND}))"
    r"(?!(?:[, ]{1,2}[0-9-]{1,9}){1,6}(?:호|동|층))"
)
"""A further lot in a list of lots, known by what follows it."""

NEXT = expression(r"(?: ?[,·ㆍ/~] ?|,? ?(?:<and>|또는|각) ?| 소재 |에 있는 )\n?")
"""What stands between two items of a list of addresses."""

"""The guideline for annotators, in Korean, made from the taxonomy: what is marked, and as what.

Thunder-DeID paper, sections 3.2 and 3.3 and appendix C. What stands in it of labels is read from
the taxonomy, so that an edited one has its own guideline.
"""

from collections.abc import Iterator

from thunder.taxonomy import Label, Taxonomy

_HEAD = """\
# 판결서 개인정보 표시 지침

이 지침은 라벨 체계에서 만들어졌다: 라벨 {labels}개, 세부분류 {categories}개, 분류
{subcategories}개. 라벨 체계를
고치면 `thunder annotation guideline`으로 다시 만든다.

## 1. 무엇을 표시하는가

공개 판결서에는 개인정보가 이미 `A`, `○○`, `(전화번호 1 생략)`처럼 가려져 있다. 표시자는
**가려진 자리**를 찾아, 그 자리에 원래 있었을
것의 종류를 라벨로 적는다.

```text
피고인 <<<내국인이름>>>A<<</내국인이름>>>은 <<<은행>>>B<<</은행>>>은행에서 …
```

- 표시는 `<<<라벨>>>`로 열고 `<<</라벨>>>`로 닫는다. 표시 안에 표시를 넣지 않고, 서로 엇갈리게
  하지 않는다.
- 본문은 한 글자도 고치지 않는다. 띄어쓰기, 줄바꿈, 오타도 그대로 둔다.
- 가려진 자리마다 표시한다. 같은 사람이 열 번 나오면 열 번 표시한다.
- 가려지지 않은 것(법원, 법관, 검사, 변호인, 사건번호, 사건의 날짜와 금액)은 표시하지 않는다.

## 2. 어디서 어디까지인가

- **식별하는 부분만** 표시한다. 종류를 나타내는 말은 밖에 둔다: `<<<식당>>>A<<</식당>>> 식당`,
  `<<<은행>>>B<<</은행>>>은행`.
- 조사는 밖에 둔다: `<<<내국인이름>>>A<<</내국인이름>>>은`.
- 지위와 호칭은 밖에 둔다: `피해자 <<<내국인이름>>>C<<</내국인이름>>>`,
  `<<<내국인이름>>>D<<</내국인이름>>> 부장`.
- 괄호와 따옴표는 밖에 둔다. `(주민등록번호 1 생략)`처럼 법원이 이름을 붙여 생략한 것은 괄호
  안을 표시한다.
- 주소는 가려진 단위마다 따로 표시한다:
  `<<<행정동>>>E<<</행정동>>>동 <<<동아래주소>>>F<<</동아래주소>>>`.

## 3. 라벨을 고르는 순서

1. 앞뒤의 말을 본다: 역할(피고인, 피해자), 종류를 나타내는 말(은행, 학교, 식당), 조사, 동사.
2. 같은 자리표시(`A`)가 판결서의 다른 곳에서 무엇인지 본다. 같은 대상이면 같은 라벨이다.
3. 가장 좁은 라벨을 고른다. 세부분류 안에서 정할 수 없으면 그 분류의 '불특정' 라벨을 고른다.
4. 그래도 정할 수 없으면 표시해 두고 의심스러운 곳으로 적어 낸다. 추측하지 않는다.

## 4. 일하는 차례

1. 두 사람이 서로 보지 않고 같은 판결서를 표시한다.
2. `thunder annotation check 파일`로 표시가 바른지 본다.
3. `thunder annotation agree 첫째.jsonl 둘째.jsonl --differences 차이.tsv`로 일치도와 다른
   곳을 본다.
4. 세 번째 사람이 `decision` 칸에 `1`, `2`, `0`(둘 다 아님) 또는 라벨을 적는다.
5. `thunder annotation adjudicate 첫째.jsonl 둘째.jsonl 차이.tsv -o 최종.jsonl`로 하나로 만든다.
6. `thunder dataset stats 최종.jsonl`로 문서와 표시의 수를 논문의 표 1과 나란히 본다.

어긋남이 한 종류에 몰리면 이 지침의 그 라벨부터 고친다. 일치도(같은 자리·같은 라벨의 F1)를
함께 적어 둔다.

## 5. 라벨
"""
_TREATMENTS = {
    "letter": "문자로 바꿈",
    "omission": "생략",
    "address": "일부만 남김",
    "keep": "그대로 둠",
}


def guideline(taxonomy: Taxonomy) -> str:
    """Return the guideline as Markdown."""
    categories = sum(len(one.categories) for one in taxonomy.subcategories)
    head = _HEAD.format(
        labels=f"{len(list(taxonomy)):,}",
        categories=categories,
        subcategories=len(taxonomy.subcategories),
    )
    return head + "\n".join(_labels(taxonomy)) + "\n"


def _labels(taxonomy: Taxonomy) -> Iterator[str]:
    for main in taxonomy.mains:
        yield f"\n### {main.ko} ({main.en})"
        for sub in taxonomy.subcategories:
            if sub.main != main.code:
                continue
            yield f"\n#### {sub.code} {sub.ko} ({sub.en})"
            for category in sub.categories:
                yield f"\n**{category.ko}** ({category.en})\n"
                yield "| 라벨 | 뜻 | 처리 | 다른 이름 |"
                yield "|---|---|---|---|"
                yield from map(_row, category.labels)


def _row(label: Label) -> str:
    treatment = _TREATMENTS[label.treatment]
    if label.reason:
        treatment += f": {label.reason}"
    if label.omission:
        treatment += f" ({label.omission} 1 생략)"
    cells = (label.ko, label.en, treatment, ", ".join(label.aliases))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

"""What is said of rules, signs, formats and classes, in Korean and in English."""

from thunder.settings.messages import Message

# --- the language of patterns -----------------------------------------------------------------
EMPTY = Message(
    ko="규칙의 글이 비어 있습니다. 찾을 말을 적으십시오",
    en="the pattern is empty: write the words to look for",
)
RUN_TOGETHER = Message(
    ko="{one}과(와) {other} 사이에 아무것도 없어 두 낱말이 이어집니다. 둘을 가르는 말을 사이에 "
    "적으십시오",
    en="nothing stands between {one} and {other}: one word would run into the other; put what "
    "separates them between the two",
)
OPTIONAL_TWICE = Message(
    ko="있어도 되고 없어도 되는 같은 부분이 두 번 이어집니다. 한 번만 적으십시오",
    en="the same optional part stands twice in a row: write it once",
)
NO_WORD_HERE = Message(
    ko="여기에는 낱말 {letter}을(를) 쓸 수 없습니다. 글자와 묶음만 적으십시오",
    en="the word {letter} cannot stand here: only signs and classes",
)
STANDS_ALONE = Message(
    ko="'{sign}'이(가) 홀로 있습니다. 고를 말들을 ( )로 묶으십시오",
    en="'{sign}' stands alone: put ( ) round alternatives",
)
OPTIONAL_MENTION = Message(
    ko="가릴 말 뒤에는 ?를 쓸 수 없습니다. 그 말이 없는 규칙을 따로 적으십시오",
    en="a mention cannot be optional: write a rule without it",
)
TWICE_OPTIONAL = Message(
    ko="'??'는 '?'와 같습니다. 한 번만 적으십시오",
    en="'??' means no more than '?': write it once",
)
NOT_HERE = Message(
    ko="'{sign}'은(는) 여기에 쓸 수 없습니다. 지우거나, 묶음 <…>이나 글자로 바꾸십시오",
    en="'{sign}' cannot stand here",
)
NOT_CLOSED = Message(
    ko="'{opening}'이(가) 닫히지 않았습니다. 짝이 되는 '{closing}'을(를) 적으십시오",
    en="a '{opening}' is not closed: write the '{closing}' that belongs to it",
)
EMPTY_ALTERNATIVE = Message(
    ko="고를 말 가운데 빈 것이 있습니다. 없어도 되면 괄호 뒤에 '?'를 적으십시오",
    en="an alternative is empty: make the group optional with '?' instead",
)
ALTERNATIVE_TWICE = Message(
    ko="고를 말 가운데 같은 것이 두 번 있습니다. 한 번만 적으십시오",
    en="an alternative stands twice: write it once",
)
NEEDS_BRACKETS = Message(
    ko="'{sign}' 뒤에는 ( )가 와야 합니다: {sign}(a|b)",
    en="behind '{sign}' stands ( ): {sign}(a|b)",
)
UNKNOWN_BRACKETS = Message(
    ko="'{written}'은(는) 모르는 말입니다. 쓸 수 있는 것: {known}",
    en="'{written}' is not known: {known}",
)
RUNS_INTO_ITSELF = Message(
    ko="되풀이되는 것이 끝나는 글자로 다시 시작할 수 있어, 어디서 나뉘는지 알 수 없습니다. "
    "길이를 정하거나 사이에 올 글자를 적으십시오",
    en="what is repeated may begin as it ends, so that it has no place to be parted; "
    "write one length, or what stands between",
)
WRONG_COUNT = Message(
    ko="'{written}': 앞 수가 뒤 수보다 클 수 없고, 뒤 수는 {most}까지입니다",
    en="'{written}': the first number is the smaller, the other at most {most}",
)
UNKNOWN_CLASS_MEANT = Message(
    ko="<{name}>이라는 묶음이 없습니다. 이 가운데 하나를 쓰려던 것입니까: {meant}",
    en="the class <{name}> is not known: is one of these meant: {meant}?",
)
UNKNOWN_CLASS = Message(
    ko="<{name}>이라는 묶음이 없습니다. classes.yaml에 그 낱말들을 적으십시오",
    en="the class <{name}> is not known: write its words in classes.yaml",
)
NO_CLASS = Message(
    ko="<{name}>은(는) 낱말의 묶음이 아닙니다. classes.yaml에 그 낱말들을 적으십시오",
    en="<{name}> is no class: write its words in classes.yaml",
)
UNKNOWN_TEST = Message(
    ko="'{written}'은(는) 모르는 조건입니다. 쓸 수 있는 것: {known}, 'at least 4 characters', "
    "그리고 *<class> 같은 무늬",
    en="the test '{written}' is not known; known are {known}, 'at least 4 characters', and "
    "patterns such as *<class>",
)

CURLY_QUOTES = Message(
    ko='굽은 따옴표(“ ”)는 찾을 글자로 읽습니다. 값을 묶으려면 곧은 따옴표(")를 쓰고, 찾을 '
    "글자이면 그 밖을 곧은 따옴표로 한 번 더 묶으십시오",
    en='curly quotes (“ ”) are read as signs to look for: put straight ones (") around a value, '
    "outside of the curly ones if these are to be found",
)

# --- rules and signs --------------------------------------------------------------------------
ID_TWICE_AT = Message(
    ko="id '{id}'가 {file}:{line}에 벌써 있습니다. 다른 것을 쓰십시오",
    en="the id '{id}' is given twice, first at {file}:{line}: choose another",
)
ID_TWICE = Message(
    ko="id '{id}'를 두 번 적었습니다. 다른 것을 쓰십시오",
    en="the id '{id}' is given twice: choose another",
)
CLASS_ALREADY = Message(
    ko="<{name}>은(는) 벌써 있는 묶음입니다. 다른 이름을 쓰십시오",
    en="<{name}> is a class already: choose another name",
)
BAD_ID = Message(
    ko="id '{id}'에는 영어 작은 글자와 숫자, 붙임표(-)만 쓸 수 있습니다",
    en="the id '{id}' is not small letters, digits and hyphens",
)
MENTIONS = Message(
    ko="가릴 말이 {number}개입니다. 규칙 하나는 [X:name]처럼 하나만 표시합니다",
    en="{number} mentions: a rule marks one, [X:name]",
)
NO_MEMBER = Message(
    ko="goes_on과 goes_back은 목록의 다른 항목입니다. 가릴 말 하나를 [{letter}:hangul 2-4]처럼 "
    "적고, name, word, quoted로 된 말은 적지 마십시오",
    en="goes_on and goes_back are other members of a list: one mention, [{letter}:hangul 2-4], "
    "and no name, word or quoted",
)
NO_TRIGGER = Message(
    ko="글에 반드시 있어야 하는 말이 없습니다. '?' 없이 낱말이나 묶음을 하나 적으십시오",
    en="no word of it must stand in the text: write one, or a class, without '?'",
)
NEEDS_MENTION = Message(
    ko="examples의 문장에는 가릴 말을 [한빛]처럼 묶고, near_misses에는 묶지 마십시오",
    en="an example has the mention in square brackets, [한빛]; a near miss none",
)
NO_LABEL = Message(
    ko="'{written}'은(는) 라벨이 아닙니다. '{meant}'처럼 번호와 이름을 적으십시오",
    en="'{written}' is no label: write its id and name, as in '{meant}'",
)
OTHER_LABEL = Message(
    ko="번호 {id}의 라벨은 '{called}'이고, '{name}'은(는) {owner}번입니다. '{id} {called}'나 "
    "'{owner} {name}'(으)로 적으십시오",
    en="the label with the id {id} is '{called}', and '{name}' is {owner}: write '{id} {called}' "
    "or '{owner} {name}'",
)
UNKNOWN_NAME = Message(
    ko="번호 {id}의 라벨은 '{called}'이고, '{name}'(이)라는 라벨은 없습니다. "
    "'{id} {called}'(으)로 적거나 thunder taxonomy show로 다른 번호를 찾으십시오",
    en="the label with the id {id} is '{called}', and none is called '{name}': write "
    "'{id} {called}', or find another id with thunder taxonomy show",
)
NO_LABEL_ID = Message(
    ko="분류 체계에 번호 {id}인 라벨이 없습니다. thunder taxonomy show로 찾으십시오",
    en="the taxonomy has no label with the id {id}: thunder taxonomy show finds it",
)
NO_SUCH_WORD = Message(
    ko="규칙의 글에 {letter}라는 낱말이 없습니다. 있는 글자를 쓰거나 글에 적으십시오",
    en="no word of the pattern is called {letter}: name one that is, or write it there",
)
BAD_SCORE = Message(
    ko="'{value}': 점수는 0.7처럼 0과 1 사이의 수입니다",
    en="'{value}': a score lies between 0 and 1, such as 0.7",
)
RULE_FINDS = Message(
    ko="규칙 '{id}'이(가) 찾은 것: {found}; 예문에 표시된 것: {wanted}",
    en="the rule '{id}' finds {found}; marked is {wanted}",
)
NOTHING = Message(ko="없음", en="nothing")
MARKED_ONCE = Message(
    ko="표지의 예문에는 그 옆의 말 하나만 [한빛]처럼 묶으십시오",
    en="an example of a sign has one word in square brackets, the one beside it: [한빛]",
)
SIGN_STANDS = Message(
    ko="표지 '{id}'가 여기에 있다고 나옵니다: [{word}]",
    en="the sign '{id}' stands there: [{word}]",
)
SIGN_MISSES = Message(
    ko="표지 '{id}'가 여기에 없다고 나옵니다: [{word}]",
    en="the sign '{id}' does not stand there: [{word}]",
)
SIGN_MISSING = Message(
    ko="표지 '{id}'가 없습니다. 이름을 찾는 데 쓰이니 다시 적으십시오",
    en="the sign '{id}' is missing, which the finders of names read: put it back",
)
EVIDENCE_MISSING = Message(
    ko="'{id}' 줄이 없습니다. 이름을 찾는 데 쓰이니 다시 적으십시오",
    en="the row '{id}' is missing, which the finders of names read: put it back",
)
EVIDENCE_IS_NO_SCORE = Message(
    ko="'{id}'의 값은 0보다 크고 1을 넘지 않아야 합니다",
    en="the weight of '{id}' lies above 0 and is 1 at most",
)
ONE_SIDE = Message(
    ko="표지는 한쪽에만 섭니다. 이 가운데 하나를 적으십시오: {sides}",
    en="a sign stands on one side: write one of {sides}",
)

# --- look-alikes ------------------------------------------------------------------------------
LOOKALIKE_COVERS = Message(
    ko="닮은 꼴 '{id}'이(가) 이것을 덮어 남깁니다: [{word}]. 꼴을 좁히십시오",
    en="the look-alike '{id}' covers this: [{word}]; write it narrower",
)
LOOKALIKE_MISSES = Message(
    ko="닮은 꼴 '{id}'이(가) 이것을 덮지 않습니다: [{word}]",
    en="the look-alike '{id}' does not cover this: [{word}]",
)
COVERS_EVERYTHING = Message(
    ko="무엇이든 덮습니다. 어떻게 쓰인 것인지 itself나 within에, 무엇이 곁에 있는지 before나 "
    "behind에 적으십시오",
    en="it covers whatever stands there: say in itself or within how it is written, in before or "
    "behind what stands beside it",
)
NO_KIND = Message(
    ko="'{written}'은(는) 라벨도 종류도 아닙니다. '{meant}'처럼 번호와 이름을 적거나, 이 가운데 "
    "하나를 적으십시오: {kinds}",
    en="'{written}' is no label and no kind: write id and name, as in '{meant}', or one of {kinds}",
)
ONE_EDGE = Message(
    ko="무엇이 빠지는지 한쪽만 적으십시오: 앞에서 빠지면 begins, 뒤에서 빠지면 ends",
    en="say what goes from one edge: begins or ends",
)
EDGE_NEEDS_CUT = Message(
    ko="examples의 가릴 말에는 자를 자리에 '|'를 하나 적고([피고 |한빛]), "
    "near_misses에는 적지 마십시오",
    en="an example has one '|' where the mention is cut, [피고 |한빛]; a near miss has none",
)
EDGE_LEAVES = Message(
    ko="끝자리 '{id}'이(가) 남기는 것: {left}; 예문이 남기는 것: {wanted}",
    en="the edge '{id}' leaves {left}, not {wanted}",
)

# --- formats of numbers -----------------------------------------------------------------------
FORMAT_FINDS = Message(
    ko="형식 '{id}'이(가) 찾은 것: {found}; 예문에 표시된 것: {wanted}",
    en="the format '{id}' finds {found}, not {wanted}",
)
FORMAT_MARKS_ONE = Message(
    ko="형식 하나는 [X={{digits 4}}]처럼 번호 하나를 표시합니다",
    en="a format marks one number: [X={{digits 4}}]",
)
BEFORE_OF_ONE_WIDTH = Message(
    ko="앞에 오면 안 되는 말을 읽을 수 없습니다: {why}. 길이가 정해진 말만 적으십시오",
    en="what it must not stand after: {why}; write words of one length",
)
NEAR_NEEDS = Message(
    ko="앞뒤로 몇 글자까지 볼지와 그 말을 적으십시오: [40, 0, …]",
    en="write how far before and behind, and the words: [40, 0, …]",
)
NO_CONDITION = Message(
    ko="'{name}'은(는) 이 형식의 조건이 아닙니다. called, before, behind, near, like에 적은 이름을 "
    "쓰십시오",
    en="'{name}' is no condition of this format: name one of called, before, behind, near, like",
)
CHECKED_BY = Message(
    ko="무엇으로 검증하는지 적으십시오: check: luhn",
    en="say by what it is checked: check: luhn",
)
SCORE_NEEDS = Message(
    ko="'{written}': 1.0까지의 점수와 조건을 적으십시오",
    en="'{written}': write a score of at most 1.0 and conditions",
)
TRIED_ON = Message(
    ko="비어 있습니다. 시험할 문장을 적으십시오",
    en="it is empty: write a sentence on which it is tried",
)

# --- classes ----------------------------------------------------------------------------------
NOT_ABOVE = Message(
    ko="{word}라는 묶음이 위에 없습니다. 그 묶음을 위에 적으십시오",
    en="{word} is no class that stands above: write it there",
)
WORD_TWICE = Message(
    ko="'{word}'이(가) <{name}>에 두 번 있습니다. 하나를 지우십시오",
    en="'{word}' stands twice in <{name}>: take one out",
)
SIGN_OF_LANGUAGE = Message(
    ko="'{word}'에 규칙의 기호가 들어 있습니다. 낱말만 적으십시오",
    en="'{word}' holds a sign of the patterns' language; words only",
)
NO_WORDS = Message(
    ko="묶음 <{name}>에 낱말이 없습니다. 하나라도 적으십시오",
    en="the class <{name}> has no word: write one",
)
GROUP_ALREADY = Message(
    ko="<{name}>은(는) cues/person_roles.tsv의 묶음입니다. 다른 이름을 쓰십시오",
    en="<{name}> is a group of cues/person_roles.tsv already: choose another name",
)
TABLE_ALREADY = Message(
    ko="<{name}>은(는) cues/의 표입니다. 다른 이름을 쓰십시오",
    en="<{name}> is a table of cues/ already: choose another name",
)

# --- what a rule asks of a word: thunder.names.patterns.conditions ------------------------------
TESTS = {
    "proper": Message(
        ko="이름일 수 있음: 흔한 낱말, 지명, 종류를 말하는 명사가 아님",
        en="may be a name: no ordinary word, no place, no generic noun",
    ),
    "unfamiliar": Message(ko="사전의 명사를 이어 쓴 것이 아님", en="no run of dictionary nouns"),
    "no word": Message(
        ko="사전에도 판결서에도 없는 낱말",
        en="no word of the dictionary, and none that judgments use",
    ),
    "unordinary": Message(
        ko="판결서에서 쓰는 낱말도, 명사 앞에 오는 낱말도 아님",
        en="none of the words of judgments, nor of those before nouns",
    ),
    "common": Message(
        ko="판결서 여든 건에 한 번 넘게 나오는 낱말",
        en="a word of one judgment in eighty and more",
    ),
    "inflected": Message(ko="조사나 어미로 끝남", en="ends in a particle or an ending"),
    "behind roles": Message(
        ko="공개 판결서에서 사람의 지위 뒤에 오는, 이름이 아닌 낱말",
        en="a word that stands behind a person's role in public judgments, and is no name",
    ),
    "placeholder": Message(ko="법원이 가린 글자나 번호", en="a court's letter, or a number"),
    "like a person": Message(
        ko="이름으로 흔히 쓰는 세 글자", en="three syllables that many people are called"
    ),
    "ends in a consonant": Message(
        ko="받침으로 끝남: 구름은 그렇고 나무는 아님",
        en="its last syllable ends in a consonant: 구름, not 나무",
    ),
    "noun by itself": Message(
        ko="사전의 낱말 하나(동사와 부사는 아님)이거나 이름",
        en="one word of the dictionary that is no verb and no adverb, or a name",
    ),
    "given name": Message(
        ko="성을 뺀 이름으로 흔히 쓰는 말", en="what many people are called, without a surname"
    ),
    "surname": Message(ko="성으로 시작함", en="begins with a surname"),
    "foreign": Message(
        ko="한글로 적은 외국 이름의 글자들", en="syllables of foreign names written in Hangul"
    ),
    "station": Message(ko="실제로 있는 역", en="a station that exists"),
    "place": Message(ko="시·군·구, 읍·면, 동·리의 이름", en="a city, district, town or village"),
    "town or station": Message(
        ko="지명이거나 역(‘역’이 있든 없든)", en="a place, or a station with or without 역"
    ),
    "district": Message(ko="실제로 있는 시, 군, 구", en="a 시, 군 or 구 that exists"),
    "province": Message(ko="도 이름", en="a 도"),
    "title": Message(
        ko="따옴표 안의 이름과 같음: 몇 낱말이고, 문장이나 줄인 말이 아님",
        en="as names in quotation marks are: few words, no sentence, no defined term",
    ),
    "noun": Message(ko="종류를 말하는 명사만 있음: 식당", en="a generic noun by itself: 식당"),
    "named place": Message(ko="이름이 붙은 장소: 나래병원", en="a place with its name: 나래병원"),
    "told of": Message(
        ko="그 문장이 사람을 두고 하는 말을 함",
        en="what its sentence says of it is said of persons",
    ),
    "after a name": Message(
        ko="바로 앞에 은행, 상점, 체인점 이름이 있음",
        en="a bank, a shop or a chain is named right before it",
    ),
}

# --- what the annotator goes by, and the ranks of finders -------------------------------------
NEEDS_SIDE = Message(
    ko="줄에는 무엇이 있는지 적어야 합니다. 이 가운데 하나: {sides}",
    en="a row says what stands there: write one of {sides}",
)
MARK_PLACEHOLDER = Message(
    ko="가린 표시를 [A] 식당처럼 대괄호로 묶으십시오",
    en="put the placeholder in square brackets: [A] 식당",
)
BAD_WEIGHT = Message(
    ko="'{value}': 무게는 4나 2.5처럼 0과 20 사이의 수입니다",
    en="'{value}': a weight lies between 0 and 20, such as 4 or 2.5",
)
ROW_UNLIKE_EXAMPLE = Message(
    ko="{label}의 줄이 그 예문과 맞지 않습니다. 어느 한쪽을 고치십시오",
    en="the row for {label} does not fit its example: correct either",
)
RANK_TWICE = Message(
    ko="'{name}'에는 벌써 순위가 있습니다. 한 번만 적으십시오",
    en="'{name}' has a rank already: let it stand once",
)
NO_RANK = Message(
    ko="'{name}'에 순위가 없습니다. 어느 순위의 finders에 적으십시오",
    en="'{name}' has no rank: add it to the finders of one",
)

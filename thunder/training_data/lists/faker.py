"""All labels as a Faker provider; needs Faker (``pip install faker``).

    fake = Faker("ko_KR")
    fake.add_provider(JudgmentProvider)
    fake.mention("치킨집"), fake.party_name(gender="여"), fake.resident_number()

Draws come from the generator's own ``random``, so that ``Faker.seed`` repeats them.
"""

from random import Random
from typing import cast

from faker.providers import BaseProvider

from thunder.training_data import mention_makers
from thunder.training_data.lists import Part, ReplacementLists, load, part_of
from thunder.training_data.mention_makers.names import (
    MIXED,
    PLAIN,
    NameForms,
    korean_person,
    written,
)


class JudgmentProvider(BaseProvider):
    """Mentions of every label, and the identifiers of Korean judgments by their own names."""

    lists: ReplacementLists | None = None
    """Lists of your own; set it on a subclass. The shipped ones without it."""

    @property
    def _random(self) -> Random:
        return cast(Random, self.generator.random)

    def mention(self, label: str, part: Part = "all") -> str:
        """Return a mention of *label*, of the given *part* of its list."""
        source = (self.lists or load()).source(label)
        while True:
            mention = source.at(self._random.getrandbits(128))
            if part == "all" or part_of(mention) == part:
                return mention

    def made(self, maker: str) -> str:
        """Return what the *maker* of that name makes, see ``mention_makers.maker_names``."""
        return mention_makers.maker(maker)(self._random)

    def party_name(
        self, gender: str = "", born: int | None = None, forms: NameForms = PLAIN
    ) -> str:
        """Return the name of a Korean person; *gender* 남 or 여, *born* the year of birth."""
        person = korean_person(self._random, gender=gender, born=born)
        return written(self._random, person, forms)

    def party_name_in_any_form(self) -> str:
        """Return the name of a Korean person, now and then spaced, with Hanja, in Latin letters."""
        return self.party_name(forms=MIXED)

    def resident_number(self) -> str:
        """Return a resident registration number."""
        return self.made("resident")

    def foreigner_number(self) -> str:
        """Return a foreigner registration number."""
        return self.made("foreigner")

    def passport_number(self) -> str:
        """Return a Korean passport number."""
        return self.made("passport")

    def driving_licence_number(self) -> str:
        """Return a driver's licence number."""
        return self.made("licence")

    def business_number(self) -> str:
        """Return a business registration number with its check digit."""
        return self.made("business")

    def corporation_number(self) -> str:
        """Return a corporate registration number with its check digit."""
        return self.made("corporation")

    def account_number(self) -> str:
        """Return an account number in a layout of one of the banks."""
        return self.made("account")

    def card_number(self) -> str:
        """Return a card number with its check digit."""
        return self.made("card")

    def plate_number(self) -> str:
        """Return the number plate of a vehicle."""
        return self.made("plate")

    def mobile_number(self) -> str:
        """Return the number of a mobile telephone."""
        return self.made("mobile")

    def landline_number(self) -> str:
        """Return a telephone number that is no mobile one."""
        return self.made("landline")

    def wallet_address(self) -> str:
        """Return the address of a cryptocurrency wallet."""
        return self.made("wallet")

    def party_address(self) -> str:
        """Return a Korean address from the province down."""
        return self.made("address")

from __future__ import annotations

import enum
from typing import Annotated, ClassVar

import svc


@svc.scalar(base_type=svc.Int, module="./scalars.ts", export="Cents")
class Cents: ...


@svc.enum
class Status(enum.Enum):
    """State of an order"""

    DRAFT = "draft"
    SENT = "SENT"
    DONE = svc.enum_value("done", description="Delivered", deprecated="Use SENT")
    LOST = svc.enum_value(description="Nowhere")


@svc.enum(name="Colour")
class Color:
    RED = "red"
    "Like blood"
    BLUE = "blue"


@svc.scalar(
    specified_by_url="https://example.org/money",
    base_type=svc.Decimal,
    validation_rules=[svc.validate(minimum=0), {"range": {"max": 1000}}],
    elo_expression="value > 0",
)
class Money:
    """An amount"""


@svc.scalar
class Sku: ...


@svc.interface(sql_source="v_party", type_column="kind")
class Party:
    table: ClassVar[str] = "party"
    id: svc.ID
    name: str


@svc.type(name="Firm", sql_source="v_firm", implements=[Party])
class Company(Party):
    capital: Money
    fee: Cents
    sku: Sku


@svc.type(sql_source="v_human", implements=["Party"])
class Human(Party):
    label: Annotated[str, svc.field(column="full_name")]
    status: Status
    colors: list[Color] | None


@svc.error
class Refused:
    reason: str


@svc.union(members=[Company, Human], sql_source="v_search", type_column="kind")
class SearchResult:
    """All that can be found"""


@svc.union(members=lambda: [Company, Refused])
class FirmResult: ...


@svc.query
def search() -> list[SearchResult]: ...


@svc.query
def parties(status: Status = Status.DONE) -> list[Party]: ...


svc.export()

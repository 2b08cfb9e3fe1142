from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Annotated

import svc


@svc.enum
class Priority(enum.Enum):
    LOW = "low"
    HIGH = "high"


@svc.type(sql_source="v_order")
class Order:
    id: svc.ID
    sku: str


@svc.error
class OutOfStock:
    """The article is sold out"""

    message: str
    left: int


@svc.type(is_error=True)
class NotAllowed:
    message: str


@svc.union(members=[Order, OutOfStock, NotAllowed])
class OrderResult: ...


@svc.input(validate={"one_of": ["email", "phone"]})
class PlaceOrder:
    """A new order"""

    sku: Annotated[
        str,
        svc.field(description="Number of the article"),
        svc.validate(pattern=r"^[A-Z]{3}-\d+$", message="Like ABC-1"),
    ]
    count: Annotated[int, svc.validate(range={"min": 1, "max": 99})] = 1
    priority: Priority = Priority.LOW
    allowed: list[Priority] = [Priority.LOW, Priority.HIGH]
    email: Annotated[
        str | None, svc.field(deprecated="Use phone", validate=[{"min_length": 3}, svc.validate(max_length=80)])
    ]
    phone: Annotated[str | None, svc.validate("required")] = None
    due_at: datetime | None = datetime(2026, 1, 1, 8, tzinfo=timezone.utc)
    rules: Rules | None = None
    notes: Annotated[list[str | None], svc.field(extra={"widget": "list"}, default=["a", None])]


@svc.input(
    validate=[
        svc.validate(any_of=["a", "b"]),
        svc.validate(conditional_required={"if_field_present": "a", "then_required": ["b"]}),
        {"required_if_absent": {"absent_field": "a", "then_required": ["c"]}},
    ]
)
@dataclass
class Rules:
    a: Annotated[str | None, svc.validate(required=True)] = None
    b: Annotated[str | None, svc.validate(length={"min": 1, "max": 9})] = None
    c: Annotated[int | None, svc.validate(minimum=1, maximum=2.5)] = field(default=None)
    d: Annotated[str | None, svc.validate(enum=["x", "y"])] = None
    e: Annotated[str | None, svc.validate(checksum="luhn")] = None
    f: Annotated[int | None, svc.validate(cross_field={"field": "c", "operator": "gt"})] = None
    g: Annotated[
        str | None,
        svc.validate(
            conditional={
                "condition": "d == 'x'",
                "then_rules": ["required", svc.validate(pattern=re.compile(r"^\w+$"))],
            }
        ),
    ] = None
    h: Annotated[
        str | None,
        svc.validate(
            all=[
                "required",
                svc.validate(
                    any=[svc.validate(min_length=3), {"pattern": {"pattern": "^-$", "message": "Or -"}}]
                ),
            ]
        ),
    ] = None


@svc.mutation(
    deprecated="Use place",
    validate=svc.validate(any_of=["input", "dry"]),
    sql_source="fn_place_order",
    inject={"customer_id": "jwt:sub"},
    requires_role=["buyer", "admin"],
    requires_scope="write:order",
    requires_policy="own",
    authenticated=True,
    api_key_required=True,
    rest_path="/orders",
    rest_method="POST",
    database="default",
    operation="CREATE",
    input_style="jsonb",
    call="positional",
    invalidates=["v_order"],
    cache_update=True,
    cascade=True,
    upsert_function="fn_upsert_order",
    extra={"label": "Place"},
)
def place_order(
    input: PlaceOrder, dry: Annotated[str | None, svc.argument(description="Anything")] = "no"
) -> OrderResult:
    """Places an order"""
    raise NotImplementedError


@svc.mutation(operation="DELETE", input_style="flatten", public=True)
def delete_order(id: svc.ID) -> Order | None: ...


@svc.query
def orders() -> list[Order]: ...


svc.export()

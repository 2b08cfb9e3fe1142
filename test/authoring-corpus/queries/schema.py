from __future__ import annotations

from decimal import Decimal
from typing import Annotated

import svc


@svc.type(relay=True, sql_source="v_post", aggregate=True)
class Post:
    id: svc.ID
    title: str


@svc.type(dataplane="arrow", sql_source="va_sale")
class Sale:
    id: svc.ID
    total: Decimal


@svc.union(members=["Post"], sql_source="v_hit")
class Hit: ...


@svc.input(validate=svc.validate(any_of=["min", "max"]))
class Size:
    """A range of sizes"""

    min: int | None
    max: int | None = None


@svc.query(
    deprecated="Use feed",
    validate={"one_of": ["id", "words"]},
    sql_source="v_post_of_author",
    inject={"author_id": "jwt:sub"},
    requires_role="editor",
    requires_scope="read:post read:draft",
    requires_policy="own",
    authenticated=True,
    api_key_required=True,
    rest_path="/authors/{id}/posts",
    rest_method="GET",
    database="default",
    auto_params={"where": False, "order_by": True, "limit": True, "offset": True, "total_count": True},
    jsonb_column="doc",
    type_column="kind",
    cache_ttl=30,
    cache=True,
    additional_views=["v_author"],
    id_arg="id",
    row_filter="tenant_id = {tenant}",
    aggregate=False,
    extra={"label": "Posts"},
)
def posts(
    id: svc.ID | None = None,
    title: Annotated[
        str | None,
        svc.argument(description="The whole title", deprecated="Use words"),
        svc.validate(min_length=2),
    ] = None,
    words: Annotated[
        str | None,
        svc.argument(full_text={"column": "search", "query": "websearch", "config": "simple", "rank": True}),
    ] = None,
    plain: Annotated[str | None, svc.argument(full_text="search")] = None,
    pinned: bool = False,
    none: Annotated[int | None, svc.argument(default=None)] = None,
    rate: Decimal | None = Decimal("1.50"),
) -> list[Post]:
    """Posts of the caller"""
    raise NotImplementedError


@svc.query(relay=True, public=True)
def feed() -> list[Post]: ...


@svc.query(auto_params=False)
def hits() -> list[Hit]: ...


@svc.query(auto_params=True, cache=False)
def drafts() -> list[Post]: ...


@svc.arrow_query(
    sql_source="va_sale",
    auto_params={"where": True, "order_by": False, "limit": True, "offset": False},
    jsonb_column="doc",
    row_filter="year = 2025",
    requires_role=["analyst", "admin"],
)
def sales() -> list[Sale]: ...


svc.export()

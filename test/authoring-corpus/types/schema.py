from __future__ import annotations

from typing import Annotated

import svc


@svc.interface(
    sql_source="v_named",
    type_column="kind",
    aggregate={"group_by": ["name"], "count_distinct": ["name"]},
    key_fields=["id"],
    keys=["id name"],
    resolvable=True,
    inaccessible=True,
    tags=["internal"],
)
class Named:
    """An entity with a name"""

    id: svc.ID
    name: str
    "Shown in public"


@svc.type(
    sql_source="v_customer",
    jsonb_column="doc",
    key=["tenant_id", "id"],
    implements=[Named],
    relay=True,
    database="default",
    dataplane="graphql",
    requires_role=["sales", "admin"],
    inject={"tenant_id": "jwt:tenant"},
    row_filter="is_live",
    open=True,
    aggregate={
        "group_by": ["name"],
        "count_distinct": [],
        "sum": ["total"],
        "avg": [],
        "min": ["total"],
        "max": ["total"],
    },
    key_fields=["id"],
    keys=["id", "name"],
    resolvable=False,
    inaccessible=True,
    tags=["one", "two"],
    extends=True,
    shareable=True,
    interface_object=True,
    directives=['@owner(team: "x")'],
    extra={"label": "Customer", "order": {"10": "ten", "b": 1, "2": "two"}},
)
class Customer(Named):
    """A customer"""

    total: Annotated[int, svc.field(deprecated="Use orders")] = 3
    email: Annotated[str | None, svc.field(requires_scope="read:email", requires_role="admin", on_deny="reject")]
    note: Annotated[str, svc.field(filterable=False, orderable=False, searchable=True)]
    status: Annotated[str, svc.field(filter_type="StringFilter")]
    code: Annotated[str, svc.field(filter_operators=["_eq", "_in"])]
    rank: Annotated[int | None, svc.field(computed=True)]
    region: Annotated[svc.LTree, svc.field(hierarchy="regions")]
    embedding: Annotated[svc.Vector, svc.field(vector_config={"dimensions": 3, "distance_metric": "cosine"})]
    orders: Annotated[
        list[Order], svc.field(relation={"from": ["tenant_id", "id"], "to": ["tenant_id", "customer_id"]})
    ]
    secret: Annotated[str | None, svc.field(authorize="own_rows")]
    weight: Annotated[str | None, svc.field(external=True, shareable=True, inaccessible=True, tags=["x"])]
    price: Annotated[str | None, svc.field(override="shop", override_label="percent(25)")]
    lastOrder: Annotated[Order | None, svc.field(provides="note")]
    shipping: Annotated[int | None, svc.field(requires="weight", sql="{weight} * 2", extra={"unit": "g"})]


@svc.type(sql_source="v_order", jsonb_column="data")
class Order:
    id: svc.ID
    note: str | None
    customer: Annotated[Customer | None, svc.field(relation={"from": "customer_id", "to": "id"})]
    lines: list[Line]


@svc.type(embedded=True, requires_role="sales")
class Line:
    sku: str


@svc.type(sql_source="v_region", aggregate=True)
class Region:
    id: Annotated[svc.ID, svc.field(column="region_id")]
    path: svc.LTree
    neighbours: Annotated[
        list[Region],
        svc.field(
            relation={
                "from": "region_id",
                "to": "region_id",
                "through": {"sql_source": "border", "from": "from_id", "to": "to_id"},
            }
        ),
    ]


svc.hierarchy("regions", type=Region, path="path", id="id")
svc.schema_keys({"query_defaults": {"where": True, "order_by": True, "limit": True, "offset": False}})


@svc.query(sql_source="v_customer")
def customers() -> list[Customer]: ...


@svc.query
def orders() -> list[Order]: ...


svc.export()

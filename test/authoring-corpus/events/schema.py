from __future__ import annotations

from decimal import Decimal

import svc


@svc.type(sql_source="v_order")
class Order:
    id: svc.ID
    status: str
    total: Decimal


@svc.query
def orders() -> list[Order]: ...


@svc.mutation(name="shipOrder")
def ship_order(id: svc.ID) -> Order: ...


@svc.subscription(
    deprecated="Use orders",
    validate={"any_of": ["id", "all"]},
    inject={"tenant_id": "jwt:tenant"},
    requires_role="buyer",
    requires_scope="read:order",
    requires_policy="own",
    authenticated=True,
    api_key_required=True,
    database="default",
    entity_type=Order,
    topic="order_shipped",
    operation="UPDATE",
    filter="status == 'shipped'",
    durable=True,
    replay=True,
    extra={"label": "Shipped"},
)
def order_shipped(id: svc.ID | None = None, all: bool = False) -> Order:
    """Orders that leave"""
    raise NotImplementedError


@svc.subscription(
    public=True,
    entity_type="Order",
    operation=["INSERT", "DELETE"],
    filter={"conditions": [{"path": "total", "operator": "gt", "value": 100}, {"argument": "id", "path": "id"}]},
)
def order_listed(id: svc.ID | None) -> Order: ...


@svc.subscription(filter={"path": "status", "value": "new"})
def order_new() -> Order: ...


@svc.observer(
    entity=Order,
    event="UPDATE",
    condition="status.changed() and total > 100",
    actions=[
        svc.webhook(
            "https://example.com/orders/{id}",
            method="PUT",
            headers={"Authorization": "Bearer {SHOP_TOKEN}", "X-Id": "{id}"},
            body_template='{"status": "{{status}}"}',
            secret_env="HOOK_SECRET",
        ),
        svc.webhook(url_env="HOOK_URL"),
        svc.chat("#orders", "Order {id} is {status}", url_env="CHAT_URL"),
        svc.email("a@example.com", "Order {id}", "It is {status}", from_="shop@example.com"),
    ],
    retry=svc.RetryConfig(max_attempts=5, backoff_strategy="exponential", initial_delay_ms=50, max_delay_ms=1000),
    sync=True,
)
def big_orders() -> None: ...


@svc.observer(
    entity="Order", event="shipOrder", actions=[svc.chat("#orders", "Shipped")], retry={"max_attempts": 1}
)
def shipped() -> None: ...


svc.export()

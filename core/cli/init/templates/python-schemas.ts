import { BLOG_SCHEMA_PY } from './python-blog-schema.ts'

const CRUD = `from __future__ import annotations

import svc


@svc.type(sql_source="v_task")
class Task:
    id: svc.ID
    title: str
    done: bool
    created_at: svc.DateTime


@svc.input
class CreateTask:
    title: str


@svc.input
class UpdateTask:
    """Absent fields stay as they are"""

    title: str | None
    done: bool | None


# REST serves the same operations: GET, POST /rest/v1/tasks and GET, PATCH, DELETE /rest/v1/tasks/{id}.
@svc.query(sql_source="v_task")
def tasks() -> list[Task]: ...


@svc.query(sql_source="v_task")
def task(id: svc.ID) -> Task | None: ...


@svc.mutation(sql_source="fn_create_task", operation="CREATE")
def create_task(input: CreateTask) -> Task: ...


@svc.mutation(sql_source="fn_update_task", operation="UPDATE")
def update_task(id: svc.ID, input: UpdateTask) -> Task: ...


@svc.mutation(sql_source="fn_delete_task", operation="DELETE")
def delete_task(id: svc.ID) -> Task: ...


svc.export()
`

const MULTI_TENANT = `from __future__ import annotations

import svc

# The claim of the token that names the tenant. Clients neither see nor set it. As a rule of the type it applies
# wherever svc reads a row: lists, single rows, counts, relations, filters, results of mutations. Without the claim,
# nothing is read.
TENANT = {"tenant_id": "jwt:tenant_id"}


@svc.type(sql_source="v_customer", inject=TENANT)
class Customer:
    id: svc.ID
    name: str
    invoices: list[Invoice]


@svc.type(sql_source="v_invoice", inject=TENANT)
class Invoice:
    id: svc.ID
    title: str
    created_at: svc.DateTime
    customer: Customer | None


@svc.input
class CreateInvoice:
    customer_id: svc.ID
    title: str


@svc.query(sql_source="v_customer")
def customers() -> list[Customer]: ...


@svc.query(sql_source="v_invoice")
def invoices() -> list[Invoice]: ...


@svc.query(sql_source="v_invoice")
def invoice(id: svc.ID) -> Invoice | None: ...


@svc.mutation(sql_source="fn_create_invoice", operation="CREATE", inject=TENANT)
def create_invoice(input: CreateInvoice) -> Invoice: ...


# svc checks the row that the id names under the rule of the type before it calls the function.
@svc.mutation(sql_source="fn_rename_invoice", operation="UPDATE")
def rename_invoice(id: svc.ID, title: str) -> Invoice: ...


svc.export()
`

const EVENTS = `from __future__ import annotations

import svc


@svc.type(sql_source="v_order")
class Order:
    id: svc.ID
    customer: str
    status: str


@svc.query(sql_source="v_order")
def orders() -> list[Order]: ...


@svc.query(sql_source="v_order")
def order(id: svc.ID) -> Order | None: ...


@svc.mutation(sql_source="fn_create_order", operation="CREATE")
def create_order(customer: str) -> Order: ...


@svc.mutation(sql_source="fn_ship_order", operation="UPDATE")
def ship_order(id: svc.ID) -> Order: ...


# For clients, over WebSocket: every committed change of an order.
@svc.subscription(operation=["INSERT", "UPDATE"])
def order_changed(id: svc.ID | None) -> Order: ...


# For other services: a call after the commit. The variable holds the URL.
@svc.observer(
    entity=Order,
    event="UPDATE",
    condition="status.changed() and status == 'shipped'",
    actions=[svc.webhook(url_env="SHIPPED_WEBHOOK_URL")],
)
def order_shipped() -> None: ...


svc.export()
`

/** Contents of schema.py by the name of the template. Each declares the same API as the TypeScript template of that name. */
export const PYTHON_SCHEMAS = {
  blog: BLOG_SCHEMA_PY,
  crud: CRUD,
  'multi-tenant': MULTI_TENANT,
  events: EVENTS,
} as const

from __future__ import annotations

from typing import Annotated

import svc


@svc.type(sql_source="v_user")
class User:
    id: svc.ID
    email: Annotated[str | None, svc.requires_scope("read:email", "read:user")]
    phone: Annotated[str | None, svc.role("admin", "owner"), svc.field(on_deny="mask")]
    note: Annotated[str | None, svc.requires_scope("read:note"), svc.role("admin")]


@svc.authenticated
@svc.query
def users() -> list[User]: ...


@svc.requires_scope("read:user")
@svc.role("admin")
@svc.query
def user(id: svc.ID) -> User | None: ...


@svc.query
@svc.api_key_required()
@svc.authenticated()
def partners() -> list[User]: ...


@svc.role("admin", "owner")
@svc.mutation
def lock_user(id: svc.ID) -> User: ...


@svc.requires_scope("read:user")
@svc.subscription
def user_changed() -> User: ...


svc.export()

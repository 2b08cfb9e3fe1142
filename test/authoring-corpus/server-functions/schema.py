from __future__ import annotations

from typing import Annotated

import svc

svc.middleware("./functions.ts", export="tenant")
svc.middleware("functions.ts", export="log")
svc.before_mutation("createUser", module="./functions.ts", export="quota")
svc.after_mutation("createUser", module="./functions.ts", export="audit")
svc.author_function("validator", "even", module="./functions.ts")


@svc.type(sql_source="v_user")
class User:
    id: svc.ID


@svc.input
class CreateUser:
    seats: Annotated[int, svc.validate(custom="even", message="Even numbers only")]


@svc.query
def users() -> list[User]: ...


@svc.mutation(name="createUser")
def create_user(input: CreateUser) -> User: ...


svc.export()

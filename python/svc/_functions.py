"""Functions of the package whose options are no table of the schema language."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

from ._access import AccessMark, checked_texts, make_mark
from ._export import write_schema
from ._json import to_json
from ._place import caller_place
from ._registry import current, report
from ._server import declare_function

F = TypeVar("F", bound=Callable[..., Any])


@overload
def authenticated(function: F, /) -> F: ...
@overload
def authenticated() -> AccessMark: ...
def authenticated(*given: Any) -> Any:
    """Requires a verified credential, above or below ``@svc.query``. The option ``authenticated=True`` does the same.

    The service checks the credential, the API key, the scope and the role in that order. The order of the decorators
    has no effect.
    """
    return make_mark("authenticated", given, {"authenticated": True})


@overload
def api_key_required(function: F, /) -> F: ...
@overload
def api_key_required() -> AccessMark: ...
def api_key_required(*given: Any) -> Any:
    """Requires an API key, above or below ``@svc.query``. A token does not satisfy it."""
    return make_mark("api_key_required", given, {"api_key_required": True})


def requires_scope(*scopes: str) -> AccessMark:
    """Requires scopes, all of them if there are several: ``@svc.requires_scope("read:user")``.

    In the ``Annotated`` of a field, it protects the field.
    """
    return AccessMark(
        "requires_scope", {"requires_scope": " ".join(checked_texts("requires_scope", scopes))}, caller_place()
    )


def role(*roles: str) -> AccessMark:
    """Requires a role, any of them if there are several: ``@svc.role("admin", "owner")``.

    In the ``Annotated`` of a field, it protects the field.
    """
    every = checked_texts("role", roles)
    return AccessMark("role", {"requires_role": every[0] if len(every) == 1 else every}, caller_place())


def middleware(module: str, *, export: str | None = None) -> Any:
    """Declares request middleware: ``svc.middleware("./middleware.mjs", export="tenant")``.

    Middleware runs in the server around every request, in the order of declaration. The server runs JavaScript, so a
    Python function is refused.

    Args:
        module: JavaScript module; a path relative to svc.toml.
        export: Name of the export, a function ``(request, next)``.
    """
    example = 'svc.middleware("./middleware.mjs", export="tenant")'
    return declare_function("middleware", None, module, export, "middleware", example)


def before_mutation(name: str, *, module: str | None = None, export: str | None = None) -> Any:
    """Runs a function in the transaction of a mutation, before its SQL function and after all access checks.

    The server runs it, so it is a function ``(args, context)`` of a JavaScript module. A throw aborts the mutation.

    Args:
        name: Declared name or wire name of the mutation.
        module: JavaScript module; a path relative to svc.toml.
        export: Name of the export.
    """
    return _hook("before_mutation", name, module, export)


def after_mutation(name: str, *, module: str | None = None, export: str | None = None) -> Any:
    """Runs a function in the transaction of a mutation, after its SQL function has succeeded.

    The server runs it, so it is a function ``(entity, context)`` of a JavaScript module. A throw rolls back.

    Args:
        name: Declared name or wire name of the mutation.
        module: JavaScript module; a path relative to svc.toml.
        export: Name of the export.
    """
    return _hook("after_mutation", name, module, export)


def _hook(kind: str, name: str, module: object, export: object) -> Any:
    example = f'svc.{kind}("{name}", module="./hooks.mjs", export="check")'
    if not isinstance(name, str) or name == "":
        report(caller_place(), f'{kind} wants the name of a mutation: svc.{kind}("createUser", module=…, export=…)')
        return lambda function: function
    return declare_function(kind, name, module, export, f'{kind} "{name}"', example)


def author_function(kind: str, name: str, *, module: str | None = None, export: str | None = None) -> Any:
    """Declares a function that a plugin runs: ``svc.author_function("validator", "even", module="./rules.mjs")``.

    Args:
        kind: Kind of the function, which determines the plugin that runs it: ``validator``.
        name: Name of the function for the plugin: ``svc.validate(custom="even")``.
        module: JavaScript module; a path relative to svc.toml.
        export: Name of the export. Default: the name.
    """
    example = f'svc.author_function("{kind}", "{name}", module="./functions.mjs")'
    return declare_function(kind, name, module, name if export is None else export, f'{kind} "{name}"', example)


def schema_keys(keys: Mapping[str, object]) -> None:
    """Adds keys to the top level of schema.json, as it spells them: ``svc.schema_keys({"query_defaults": {…}})``."""
    place = caller_place()
    read = to_json(keys) if isinstance(keys, Mapping) else None
    if not isinstance(read, dict):
        report(place, "svc.schema_keys() wants a dict that JSON can say")
        return
    for key, value in read.items():
        if key in current().top_level:
            report(place, f'svc.schema_keys() gives "{key}" a second time')
        current().top_level[key] = value


def export(path: str | os.PathLike[str] | None = None) -> None:
    """Writes schema.json beside the program, or reports all errors of the schema and ends the program with 1.

    It is the last line of a schema module, and does nothing in a module that another one imports. The environment
    variables ``SVC_SCHEMA_OUT``, ``SVC_SCHEMA_PLACES`` and ``SVC_SCHEMA_ERRORS`` are those of tools (README.md).

    Args:
        path: Where to write. Default: the path of the program with the extension ``.json``.
    """
    caller = sys._getframe(1).f_globals
    if caller.get("__name__") != "__main__":
        return
    program = os.path.abspath(str(caller.get("__file__", "schema.py")))
    write_schema(os.path.splitext(program)[0] + ".json" if path is None else os.path.abspath(path))

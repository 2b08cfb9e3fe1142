"""Functions that run in the server: references to JavaScript modules."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ._place import caller_module, caller_place
from ._registry import Element, Place, declare, report

JAVASCRIPT = "the server runs JavaScript."
_EXTENSIONS = (".js", ".mjs", ".cjs", ".ts", ".mts")
_EXPORT = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def module_of(options: dict[str, Any], default: str | None, subject: str, place: Place) -> dict[str, Any] | None:
    """Takes ``module`` and ``export`` from options.

    Args:
        default: name of the export if there is none; ``None``: it is required
    Returns:
        The keys of schema.json; ``None``: there is no module, or it is wrong, which is reported.
    """
    module, export = options.pop("module", None), options.pop("export", None)
    if module is None:
        if export is not None:
            report(place, f'{subject} has an export and no module: module="./functions.mjs"')
        return None
    if not isinstance(module, str) or not module.endswith(_EXTENSIONS) or module.startswith("/") or ":" in module:
        wanted = f"a path relative to svc.toml that ends with {', '.join(_EXTENSIONS)}"
        report(place, f"option \"module\" of {subject} wants {wanted}, got {module!r}: {JAVASCRIPT}")
        return None
    export = default if export is None else export
    if not isinstance(export, str) or _EXPORT.fullmatch(export) is None:
        report(place, f'option "export" of {subject} wants the name of the export: export="check"')
        return None
    path = module.replace("\\", "/")
    return {"module": path if path.startswith(".") else f"./{path}", "export": export}


def declare_function(
    kind: str, name: str | None, module: object, export: object, subject: str, example: str
) -> Callable[[Any], Any]:
    """Declares a function of a JavaScript module. Refuses a Python function, with the reason and what to write.

    Args:
        name: name for the plugin; ``None``: that of the export
        subject: how messages name it: ``before_mutation "createUser"``
        example: a correct call
    Returns:
        A decorator that changes nothing, so that a wrong use as decorator is reported with the other errors.
    """
    place = caller_place()
    if module is None or callable(module):
        called = getattr(module, "__name__", None)
        what = f"{subject} has no module" if called is None else f"{subject}: {called} is a Python function"
        report(place, f"{what}, and {JAVASCRIPT} Write the function in a JavaScript module, and name that: {example}")
        return lambda function: function
    target = module_of({"module": module, "export": export}, None, subject, place)
    if target is not None:
        entry = {"kind": kind, "name": name or target["export"], **target}
        declare(
            Element(
                "author_functions",
                entry["name"],
                place,
                lambda _scope: dict(entry),
                module=target["module"],
                origin=caller_module(),
            )
        )
    return lambda function: function

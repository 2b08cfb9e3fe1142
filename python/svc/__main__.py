"""``python -m svc schema.py``: runs a schema module and writes its schema.json."""

from __future__ import annotations

import os
import sys
import types

from ._export import fault_of, report_faults, write_schema
from ._registry import current

_USAGE = "usage: python -m svc SCHEMA.py\n\nRuns a schema module and writes schema.json beside it.\n"


def main(arguments: list[str]) -> int:
    """Runs the command line. Returns its exit code."""
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(_USAGE)
        return 0
    if len(arguments) != 1:
        sys.stderr.write(_USAGE)
        return 2
    (script,) = arguments
    if not os.path.isfile(script):
        sys.stderr.write(f"There is no schema at {os.path.abspath(script)}.\n")
        return 2
    sys.argv = [script]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        _run(script)
    except SystemExit as end:
        if current().exported or end.code not in (None, 0):
            raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        report_faults([*current().faults, fault_of(error, script)])
        return 1
    if not current().exported:
        write_schema(os.path.splitext(os.path.abspath(script))[0] + ".json")
    return 0


def _run(script: str) -> None:
    """Runs a file as the program: its module remains ``__main__``, where annotations are looked up."""
    module = types.ModuleType("__main__")
    module.__file__ = os.path.abspath(script)
    sys.modules["__main__"] = module
    with open(script, "rb") as file:
        code = compile(file.read(), os.path.abspath(script), "exec", dont_inherit=True)
    exec(code, vars(module))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Writes schema.json, and reports errors."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import traceback
from types import TracebackType

from ._collect import SchemaError, format_place, schema_json, source_files
from ._names import SCHEMA_JSON_SCHEMA
from ._place import is_own_file, place_at
from ._registry import Fault, Place, current

_SCHEMA = re.compile(r'\s*\{\s*"\$schema"\s*:\s*"([^"\\]+)"')
_output = sys.stdout


def hold_output() -> None:
    """Sends ``print`` of the author's modules to the standard error if schema.json goes to the standard output."""
    if os.environ.get("SVC_SCHEMA_OUT") == "-":
        sys.stdout = sys.stderr


def write_schema(default: str) -> None:
    """Writes schema.json, or reports all errors and ends the program with 1.

    Args:
        default: path without ``SVC_SCHEMA_OUT``
    """
    current().exported = True
    path = os.environ.get("SVC_SCHEMA_OUT") or default
    places = os.environ.get("SVC_SCHEMA_PLACES") == "1"
    before = "" if path == "-" else _read(path)
    own = _SCHEMA.match(before)
    try:
        text = schema_json(schema_url=SCHEMA_JSON_SCHEMA if own is None else own[1], places=places)
    except SchemaError as error:
        report_faults(error.faults)
        raise SystemExit(1) from None
    if path == "-":
        sys.stderr.flush()
        _output.buffer.write(text.encode()) if hasattr(_output, "buffer") else _output.write(text)
        _output.flush()
    elif text != before:
        _replace(path, text)


def report_faults(faults: list[Fault]) -> None:
    """Writes errors to the standard error, in the form that ``SVC_SCHEMA_ERRORS`` names."""
    if os.environ.get("SVC_SCHEMA_ERRORS") == "json":
        entries = [
            {"file": at.file, "line": at.line, "column": at.column, "message": message}
            for at, message in ((one.place, one.message) for one in faults)
        ]
        sys.stderr.write(json.dumps({"faults": entries, "files": source_files()}) + "\n")
    else:
        for one in faults:
            sys.stderr.write(f"{format_place(one.place)}: {one.message}\n")


def fault_of(error: BaseException, script: str) -> Fault:
    """Describes an exception that ends the author's module."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        at = Place(os.path.abspath(error.filename), error.lineno or 1, max(error.offset or 1, 1))
        return Fault(at, f"{type(error).__name__}: {error.msg}")
    place = _place_in(error.__traceback__) or Place(os.path.abspath(script), 1, 1)
    return Fault(place, f"{type(error).__name__}: {error}{_advice_on(error)}")


def _advice_on(error: BaseException) -> str:
    if isinstance(error, NameError) and error.args:
        missing = re.search(r"name '(\w+)' is not defined", str(error))
        if missing is not None:
            return (
                f". A type that is declared further down is named by a text, '{missing[1]}', or add as first line: "
                "from __future__ import annotations"
            )
    if isinstance(error, TypeError) and "unsupported operand type(s) for |" in str(error):
        return ". Write the whole annotation as one text, 'Post | None', or add: from __future__ import annotations"
    return ""


def _place_in(trace: TracebackType | None) -> Place | None:
    """Returns the innermost location in a file that is neither a library's nor this package's."""
    place = None
    for frame, line in traceback.walk_tb(trace):
        file = os.path.abspath(frame.f_code.co_filename)
        is_library = "site-packages" in file or file.startswith(os.path.dirname(os.path.abspath(os.__file__)))
        if os.path.exists(file) and not is_own_file(file) and not is_library:
            place = place_at(file, line)
    return place


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


def _replace(path: str, text: str) -> None:
    """Writes a file at once, so that a reader never sees a part of it."""
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".schema-", suffix=".tmp")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(temporary, _mode_of(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode_of(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


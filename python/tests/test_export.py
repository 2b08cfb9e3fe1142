"""How tools run a schema module: README.md."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PACKAGE, Ran

from svc._collect import _is_of_author

Run = Callable[..., Ran]

SCHEMA = """import svc

@svc.type(sql_source="v_user")
class User:
    id: svc.ID

@svc.query
def users() -> list[User]: ...
"""
BAD = """import svc

@svc.type(relai=True)
class User:
    id: svc.ID
    name: "strin"
"""
EXPORT = "\nsvc.export()\n"


def test_a_script_writes_beside_itself(run: Run, tmp_path: Path) -> None:
    ran = run({"sub/models.py": SCHEMA + EXPORT}, "sub/models.py")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    schema = json.loads((tmp_path / "sub/models.json").read_text())
    assert list(schema) == ["$schema", "version", "types", "queries", "mutations"]


def test_without_export_nothing_is_written_unless_svc_runs_it(run: Run, tmp_path: Path) -> None:
    assert run({"schema.py": SCHEMA}, "schema.py").returncode == 0
    assert not (tmp_path / "schema.json").exists()
    assert run({}, "-m", "svc", "schema.py").returncode == 0
    assert (tmp_path / "schema.json").exists()


def test_a_file_keeps_its_schema_and_is_written_only_when_it_changes(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "schema.json"
    target.write_text('{ "$schema": "../s.json", "old": 1 }')
    target.chmod(0o640)
    run({"schema.py": SCHEMA + EXPORT}, "schema.py")
    text = target.read_text()
    assert text.startswith('{\n  "$schema": "../s.json",\n  "version"')
    assert target.stat().st_mode & 0o777 == 0o640
    before = target.stat()
    run({}, "schema.py")
    assert target.stat().st_mtime_ns == before.st_mtime_ns
    assert target.stat().st_ino == before.st_ino
    assert sorted(path.name for path in tmp_path.iterdir()) == ["schema.json", "schema.py"]


def test_output_to_a_path_and_to_stdout(run: Run, tmp_path: Path) -> None:
    ran = run({"schema.py": 'print("first")\n' + SCHEMA + 'print("é")' + EXPORT}, "schema.py", SVC_SCHEMA_OUT="out.json")
    assert (ran.returncode, ran.stdout) == (0, "first\né\n")
    text = (tmp_path / "out.json").read_text()
    assert not (tmp_path / "schema.json").exists()
    ran = run({"schema.py": SCHEMA + 'print("é")' + EXPORT}, "schema.py", SVC_SCHEMA_OUT="-")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, text, "é\n")


def test_places_and_files(run: Run, tmp_path: Path) -> None:
    files = {
        "schema.py": "import json\nimport svc\nimport models.users\n\n@svc.query\ndef users() -> list['User']: ...\n\nsvc.export()\n",
        "models/__init__.py": "",
        "models/users.py": SCHEMA.split("@svc.query")[0] + "svc.export()\n",
    }
    ran = run(files, "schema.py", SVC_SCHEMA_OUT="-", SVC_SCHEMA_PLACES="1")
    assert ran.stderr == ""
    schema = json.loads(ran.stdout)
    user = schema["types"][0]
    models = str(tmp_path / "models/users.py")
    assert user["$place"] == {"file": models, "line": 3, "column": 1}
    assert user["fields"][0]["$place"] == {"file": models, "line": 5, "column": 5}
    # A decorator without parentheses is called in the line of the function before Python 3.11.
    line = 5 if sys.version_info >= (3, 11) else 6
    assert schema["queries"][0]["$place"] == {"file": str(tmp_path / "schema.py"), "line": line, "column": 1}
    assert sorted(schema["$files"]) == sorted(str(tmp_path / name) for name in files)
    assert schema["$files"][0] == str(tmp_path / "schema.py")
    assert not (tmp_path / "models/users.json").exists()


@pytest.mark.parametrize("command", [["schema.py"], ["-m", "svc", "schema.py"]])
def test_errors(command: list[str], run: Run, tmp_path: Path) -> None:
    ran = run({"schema.py": BAD + EXPORT}, *command)
    first, second = ran.stderr.splitlines()
    assert (ran.returncode, ran.stdout) == (1, "")
    assert first.startswith('schema.py:3:1: type "User" has no option "relai". Did you mean "relay"? Options: name,')
    assert second == 'schema.py:6:5: field "User.name": type "strin" is not declared.'
    assert not (tmp_path / "schema.json").exists()


def test_errors_as_json(run: Run, tmp_path: Path) -> None:
    files = {"schema.py": 'print("x")\n' + BAD + EXPORT}
    ran = run(files, "-m", "svc", "schema.py", SVC_SCHEMA_OUT="-", SVC_SCHEMA_ERRORS="json")
    assert (ran.returncode, ran.stdout) == (1, "")
    report = json.loads(ran.stderr.splitlines()[-1])
    file = str(tmp_path / "schema.py")
    assert report["files"] == [file]
    assert [(one["file"], one["line"], one["column"]) for one in report["faults"]] == [(file, 4, 1), (file, 7, 5)]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("import svc\nx = (\n", 2, "SyntaxError: '(' was never closed"),
        ("import svc\nimport nope\n", 2, "ModuleNotFoundError: No module named 'nope'"),
        ("import svc\n\ndef f():\n    raise ValueError('x')\n\nf()\n", 4, "ValueError: x"),
        ("import svc\nx: int = Pst\n", 2, "NameError: name 'Pst' is not defined. A type that is declared further down"),
        ("import svc\nx = 'a' | None\n", 2, "TypeError: unsupported operand type(s) for |"),
    ],
)
def test_exceptions_are_errors_of_the_schema(text: str, line: int, message: str, run: Run, tmp_path: Path) -> None:
    ran = run({"schema.py": text}, "-m", "svc", "schema.py", SVC_SCHEMA_ERRORS="json")
    assert (ran.returncode, ran.stdout) == (1, "")
    (fault,) = json.loads(ran.stderr)["faults"]
    assert (fault["file"], fault["line"]) == (str(tmp_path / "schema.py"), line)
    assert fault["message"].startswith(message)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="annotations are evaluated late since Python 3.14")
def test_a_module_has_only_its_own_future_imports(run: Run) -> None:
    text = "import svc\n\n@svc.type\nclass A:\n    b: B\n\n@svc.type\nclass B:\n    id: svc.ID\n"
    ran = run({"schema.py": text}, "-m", "svc", "schema.py")
    assert ran.stderr.startswith("schema.py:5:5: NameError: name 'B' is not defined.")


def test_errors_before_an_exception_are_reported_with_it(run: Run) -> None:
    text = "import svc\nsvc.middleware('./x.py', export='a')\nraise RuntimeError('stop')\n"
    ran = run({"schema.py": text}, "-m", "svc", "schema.py")
    first, second = ran.stderr.splitlines()
    assert first.startswith('schema.py:2:1: option "module" of middleware')
    assert second == "schema.py:3:1: RuntimeError: stop"


def test_command_line(run: Run) -> None:
    assert run({}, "-m", "svc").returncode == 2
    missing = run({}, "-m", "svc", "nope.py")
    assert missing.returncode == 2
    assert "There is no schema at" in missing.stderr
    assert run({}, "-m", "svc", "--help").stdout.startswith("usage: python -m svc SCHEMA.py")
    ended = run({"schema.py": "import sys\nsys.exit(5)\n"}, "-m", "svc", "schema.py")
    assert ended.returncode == 5


def test_a_program_that_its_modules_import_declares_once(run: Run, tmp_path: Path) -> None:
    files = {
        "schema.py": SCHEMA + "import posts\n" + EXPORT,
        "posts.py": "import svc\nimport schema\n\n@svc.type\nclass Post:\n    author: schema.User\n",
    }
    for command in (["schema.py"], ["-m", "svc", "schema.py"]):
        ran = run(files, *command)
        assert (ran.returncode, ran.stderr) == (0, "")
        schema = json.loads((tmp_path / "schema.json").read_text())
        assert [one["name"] for one in schema["types"]] == ["User", "Post"]
        assert len(schema["queries"]) == 1


def test_a_declaration_that_runs_twice_is_a_duplicate(run: Run) -> None:
    text = "import svc\nfor _ in range(2):\n    @svc.type\n    class User:\n        id: svc.ID\n" + EXPORT
    ran = run({"schema.py": text}, "schema.py")
    assert ran.returncode == 1
    assert 'type "User" is declared twice, first at schema.py:' in ran.stderr


def test_importing_loads_no_package(run: Run) -> None:
    code = "import sys, svc; print({m.split('.')[0] for m in sys.modules} - {'svc', '__main__'} - sys.stdlib_module_names)"
    assert run({}, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); {code}").stdout == "set()\n"


def test_a_project_below_the_prefix_is_of_the_author(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert _is_of_author(str(tmp_path / "src" / "app" / "schema.py"))
    assert not _is_of_author(os.__file__)
    assert not _is_of_author(pytest.__file__)

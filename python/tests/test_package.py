"""The package as it is distributed: types, source distribution, wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import PACKAGE, skip

CORPUS = PACKAGE.parent / "test" / "authoring-corpus"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cache of mypy that the tests share."""
    return str(tmp_path_factory.mktemp("mypy"))


def mypy(cache: str, *arguments: str) -> str:
    module = subprocess.run([sys.executable, "-c", "import mypy"], capture_output=True).returncode == 0
    program = shutil.which("mypy")
    if not module and program is None:
        skip("mypy is not installed: apt-get install mypy, or pip install mypy")
    command = [sys.executable, "-m", "mypy"] if module else [str(program)]
    environment = {**os.environ, "MYPYPATH": str(PACKAGE)}
    ran = subprocess.run(
        [*command, "--strict", "--cache-dir", cache, *arguments],
        cwd=PACKAGE,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    return ran.stdout + ran.stderr


def test_mypy_finds_nothing(cache: str) -> None:
    assert mypy(cache, "svc").startswith("Success: no issues found")


def test_mypy_accepts_schemas(cache: str, tmp_path: Path) -> None:
    for schema in CORPUS.glob("*/schema.py"):
        shutil.copy(schema, tmp_path / f"schema_{schema.parent.name.replace('-', '_')}.py")
    found = mypy(cache, "--disable-error-code=empty-body", *map(str, tmp_path.glob("*.py")))
    assert found.startswith("Success: no issues found in")


def test_mypy_refuses_wrong_options(tmp_path: Path, cache: str) -> None:
    lines = [
        "from typing import Annotated",
        "import svc",
        '@svc.type(relay="yes")',
        "class User:",
        '    a: Annotated[str, svc.field(colum="x")]',
        "    id: svc.ID = 3",
        '@svc.query(sql_sorce="v_user")',
        "def users() -> list[User]: raise NotImplementedError",
        "svc.validate(min_length='x')",
        "svc.hierarchy(3, type=User)",
    ]
    path = tmp_path / "schema.py"
    path.write_text("\n".join(lines))
    found = mypy(cache, str(path))
    wrong = {int(line.split(":")[1]) for line in found.splitlines() if ": error:" in line}
    # Options in Annotated are checked by pyright: test/python/pyright.test.ts.
    assert wrong >= {3, 6, 7, 9, 10}
    assert wrong <= {3, 5, 6, 7, 8, 9, 10}


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds source distribution and wheel from a copy, without the network."""
    out = tmp_path_factory.mktemp("dist")
    source = out / "source"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist"))
    build = (
        "import os, sys; _, source, out = sys.argv; os.chdir(source); from setuptools import build_meta as b; "
        "b.build_sdist(out); b.build_wheel(out)"
    )
    for python in (sys.executable, "/usr/bin/python3"):
        ran = subprocess.run([python, "-c", build, str(source), str(out)], capture_output=True, encoding="utf-8")
        if ran.returncode == 0:
            return out
    skip(f"setuptools cannot build a wheel: apt-get install python3-setuptools python3-wheel\n{ran.stderr[-2000:]}")
    raise AssertionError


def test_distributions(distributions: Path) -> None:
    (wheel,) = distributions.glob("svc_server_authoring-*-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    modules = {f"svc/{path.name}" for path in (PACKAGE / "svc").glob("*.py")}
    assert {name for name in names if name.startswith("svc/")} == {*modules, "svc/py.typed"}
    metadata = next(name for name in names if name.endswith("METADATA"))
    text = zipfile.ZipFile(wheel).read(metadata).decode()
    assert "Requires-Python: >=3.10" in text
    assert "Requires-Dist" not in text
    (source,) = [*distributions.glob("svc_server_authoring-*.tar.gz"), *distributions.glob("svc-server-authoring-*.tar.gz")]
    with tarfile.open(source) as archive:
        inside = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert modules <= inside
    assert {"svc/py.typed", "pyproject.toml", "README.md"} <= inside


def test_wheel_in_an_empty_environment(distributions: Path, tmp_path: Path) -> None:
    (wheel,) = distributions.glob("*.whl")
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, encoding="utf-8"
    ).stdout.strip()
    pip = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", site, str(wheel)],
        capture_output=True,
        encoding="utf-8",
    )
    if pip.returncode != 0:
        skip(f"pip is not installed: apt-get install python3-pip\n{pip.stderr[-2000:]}")
    shutil.copy(CORPUS / "mutations" / "schema.py", tmp_path / "schema.py")
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    ran = subprocess.run([python, "-I", "schema.py"], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "schema.json").read_bytes() == (CORPUS / "mutations" / "schema.json").read_bytes()
    again = subprocess.run([python, "-I", "-m", "svc", "schema.py"], cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert (again.returncode, again.stderr) == (0, "")

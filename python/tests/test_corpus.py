"""Each sample of the conformance corpus gives the bytes that its TypeScript twin gives."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import PACKAGE

CORPUS = PACKAGE.parent / "test" / "authoring-corpus"
SAMPLES = sorted(path.parent.name for path in CORPUS.glob("*/schema.py"))


def test_there_are_samples() -> None:
    assert len(SAMPLES) >= 9


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("form", ["script", "module"])
def test_sample(sample: str, form: str, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    beside = CORPUS / sample / "schema.json"
    expected = beside if beside.exists() else PACKAGE.parent / "examples" / sample / "schema.json"
    command = [] if form == "script" else ["-m", "svc"]
    ran = run({}, *command, str(CORPUS / sample / "schema.py"), SVC_SCHEMA_OUT=str(tmp_path / "out.json"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "out.json").read_bytes() == expected.read_bytes()


@pytest.mark.parametrize("sample", ["declared-types", "events", "mutations", "types"])
@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations are evaluated late since Python 3.14")
def test_without_future_import(sample: str, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = (CORPUS / sample / "schema.py").read_text(encoding="utf-8")
    ran = run({"schema.py": text.replace("from __future__ import annotations\n", "")}, "schema.py")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "schema.json").read_bytes() == (CORPUS / sample / "schema.json").read_bytes()

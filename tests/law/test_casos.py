"""Every case of every check, batched by as-of date into one warehouse each."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.law.casos import Case, catalogue, compare, read_cases, run_cases


def _batches() -> list[tuple[str, list[Case]]]:
    batches: dict[str, list[Case]] = defaultdict(list)
    for spec in catalogue().values():
        for case in read_cases(spec):
            # a finding about the norm itself cannot share a warehouse with another case
            alone = f"/{case.key}" if spec.sujeito == "norma" else ""
            batches[f"{case.as_of.isoformat()}{alone}"].append(case)
    return sorted(batches.items())


@pytest.mark.parametrize("batch", _batches(), ids=lambda b: b[0])
def test_cases_agree(batch: tuple[str, list[Case]]) -> None:
    _, cases = batch
    found = run_cases(cases, cases[0].as_of)
    problems = [p for case in cases for p in compare(case, found[case.key])]
    assert not problems, "\n".join(problems)

"""What closes because somebody acted, and what closes because the norm is another: told apart."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from flows.steps import run_nightly
from tests.flows.base import AS_OF, EXTRATOS, request, write_folder

ACT = """
[[ajuste]]
norma = "825/2021"
tabela = "{tabela}"
chave = {chave}
parametro = "{parametro}"
valor = {valor}
vigente_de = 2026-01-01
ato = "Decreto 9/2026"
motivo = "revisão"
"""
LIMITS = ACT.format(tabela="pontuacao_limite", chave=4, parametro="pontos", valor=15)
FEES = "".join(
    ACT.format(tabela="taxas", chave=f'"TVTI/motocicleta/{momento}"', parametro="valor", valor=12)
    for momento in ("primeiro_ano", "renovacao")
)
PAID = EXTRATOS["autos"].replace("100,00;;;;;;;;;;\nN2", "100,00;;;;;;;;;16/03/2026;100,00\nN2")
LAUNCHED = (
    "permissionario_id;tipo;exercicio;valor;vence_em;pago_em;valor_pago;veiculo_id\n"
    "P1;TVTI;2026;12,00;30/01/2026;29/01/2026;12,00;V1\n"
)


def closed_the_next_night(root: Path, acts: str) -> set[tuple[str, str, str]]:
    """(check, subject, cause) of what is gone on the second night: a fine is paid, and those acts are known."""
    first = request(root, write_folder(root / "hoje", taxas=LAUNCHED))
    assert run_nightly(first).erros == []
    overrides = root / "ajustes.toml"
    overrides.write_text(acts, encoding="utf-8")
    folder = write_folder(root / "amanha", taxas=LAUNCHED, autos=PAID)
    day = AS_OF + timedelta(days=1)
    assert run_nightly(replace(first, extracts=folder, as_of=day, overrides=overrides)).erros == []
    with (first.out / "encerrados.csv").open(encoding="utf-8-sig", newline="") as file:
        return {(r["verificacao"], r["sujeito_id"], r["causa"]) for r in csv.DictReader(file, delimiter=";")}


def test_a_fine_paid_while_the_points_limits_change_is_paid(tmp_path: Path) -> None:
    assert closed_the_next_night(tmp_path, LIMITS) == {("multa_vencida", "N1", "regularizado")}


def test_a_fee_that_the_table_came_to_admit_is_no_good_news(tmp_path: Path) -> None:
    assert closed_the_next_night(tmp_path, FEES) == {
        ("multa_vencida", "N1", "regularizado"),
        ("taxa_divergente", "P1", "norma_alterada"),
    }

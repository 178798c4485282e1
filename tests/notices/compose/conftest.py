"""Two nights, run once: Friday's and Monday's, with a step of everything a notice tells."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from notices.compose import ComposeSettings, immediate_messages, weekly_messages
from notices.model import Mensagem
from sql.warehouse import read_warehouse
from tests.notices.compose.base import AS_OF, CPFS, HOSTILE, NORMS, Folder, holder, run_night, van

SEXTA = date(2026, 11, 27)
#: Days from the notice to the end of a permit: both sides of every window.
PRAZOS = (31, 30, 16, 15, 8, 7, 2, 1, 0, -1, -6, -7, -13, -14, -27, -28, -55, -56, -400)


def _municipality(noite: date) -> Folder:
    f = Folder().add("linhas", linha_id="L1", norma="408/2009", nome="Centro - Praia", categoria="comum")
    for n, dias in enumerate(PRAZOS):
        pid = f"K{dias}"
        van(holder(f, pid, "408/2009"), pid, f"V{100 + n}", AS_OF + timedelta(days=dias))
    for n, (pid, nome) in enumerate(HOSTILE.items()):
        van(holder(f, pid, "408/2009", nome=nome), pid, f"V{200 + n}", AS_OF + timedelta(days=10))
    van(holder(f, "EM_DIA", "408/2009"), "EM_DIA", "V300", AS_OF + timedelta(days=200))
    van(holder(f, "NOVATO", "408/2009"), "NOVATO", "V301", None)
    van(holder(f, "SEM_EMAIL", "408/2009", email=""), "SEM_EMAIL", "V302", AS_OF + timedelta(days=5))
    van(holder(f, "DISPENSADO", "408/2009"), "DISPENSADO", "V303", AS_OF - timedelta(days=40))
    van(holder(f, "CURADO", "408/2009"), "CURADO", "V304",
        AS_OF + timedelta(days=200 if noite == AS_OF else -20))  # fmt: skip
    van(holder(f, "SEM_VISTORIA", "408/2009"), "SEM_VISTORIA", "V305", AS_OF + timedelta(days=200),
        vistoria=AS_OF - timedelta(days=500))  # fmt: skip
    for dispensa, verificacao, alvo in (("D1", "", "AV303"), ("D2", "", "V303")):
        f.add("dispensas", dispensa_id=dispensa, verificacao=verificacao, processo="77/2026", autoridade="Juiz",
              sujeito_tipo="alvara" if alvo[0] == "A" else "veiculo", sujeito_id=alvo, motivo="liminar",
              valida_de="2026-01-01", valida_ate="2026-12-31")  # fmt: skip
    _fined(f)
    return f


def _fined(f: Folder) -> None:
    """Operators of 825/2021 with autos: points, defence terms on both sides of three business days, a process."""
    for pid, cpf in (("PONTOS", CPFS[0]), ("LIMITE", CPFS[1]), ("DEFESA3", CPFS[2]), ("DEFESA4", "15350946056"),
                     ("JULGADO", "86288366757"), ("VENCE", "29537995593"), ("SEM_VALOR", "29141777638")):  # fmt: skip
        holder(f, pid, "825/2021", documento=cpf)
        f.add("veiculos", veiculo_id=f"M{pid}", permissionario_id=pid, placa=f"MOT1A{len(f.extratos['veiculos']):02d}",
              tipo="motocicleta", ano_fabricacao=2024, servico="individual", lugares=2, cilindradas=150,
              licenciamento_vence_em="2027-06-30", crlv_exercicio=2026, cadastrado_em="2024-05-02")  # fmt: skip
        f.add("alvaras", alvara_id=f"AM{pid}", permissionario_id=pid, veiculo_id=f"M{pid}", modalidade="permissao",
              emitido_em="2026-02-02", valido_ate="2027-02-02", linha_id="")  # fmt: skip
        f.add("vistorias", vistoria_id=f"IM{pid}", veiculo_id=f"M{pid}", realizada_em="2026-11-20",
              resultado="aprovada")  # fmt: skip

    def auto(auto_id: str, pid: str, codigo: str, dia: str, **outros: object) -> None:
        f.add("autos", auto_id=auto_id, permissionario_id=pid, veiculo_id=f"M{pid}", codigo=codigo,
              ocorrido_em=f"{dia} 08:00", ciencia_em=outros.pop("ciencia_em", dia), valor="150,00",
              local="Centro", agente="Agente 7", descricao="fato",
              **{"pago_em": "", "defesa_em": "", "decisao": "", "decisao_em": "", **outros})  # fmt: skip

    # 26-I is of group A (1 point), doubled the second time; the first day of the 4 months is 30 July, still in.
    auto("P1", "PONTOS", "26-I", "2026-07-29", pago_em="2026-08-01")
    auto("P2", "PONTOS", "26-I", "2026-07-30", pago_em="2026-08-02")
    auto("P3", "PONTOS", "27-I", "2026-10-05", pago_em="2026-10-06")
    auto("P4", "PONTOS", "27-III", "2026-11-25")
    for n in range(4):
        auto(f"L{n}", "LIMITE", "27-I", f"2026-10-{10 + n:02d}", pago_em=f"2026-10-{20 + n}")
    auto("D3", "DEFESA3", "27-III", "2026-11-18")  # 15 days: Thursday 3 December, three business days away
    auto("D4", "DEFESA4", "27-III", "2026-11-19")  # Friday 4 December, four
    auto("J1", "JULGADO", "27-III", "2026-10-01", defesa_em="2026-10-10")
    auto("V1", "VENCE", "27-III", "2026-10-01")
    auto("V2", "VENCE", "27-III", "2026-10-20")
    f.add("processos", processo_id="PR1", permissionario_id="LIMITE", ato="cassacao", fundamento="pontos",
          instaurado_em="2026-11-20", ciencia_em="2026-11-24", decisao="", decisao_em="")  # fmt: skip
    f.add("processos", processo_id="PR0", permissionario_id="LIMITE", ato="suspensao", fundamento="advertências",
          instaurado_em="2025-01-10", ciencia_em="2025-01-12", decisao="arquivada", decisao_em="2025-03-02")  # fmt: skip


@pytest.fixture(scope="session")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse after the two nights."""
    pasta = tmp_path_factory.mktemp("avisos")
    for noite in (SEXTA, AS_OF):
        run_night(_municipality(noite).write(pasta / noite.isoformat()), pasta / "w.duckdb", noite)
    return pasta / "w.duckdb"


@pytest.fixture
def con(warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse, open for reading as the command opens it."""
    with read_warehouse(warehouse) as aberta:
        yield aberta


@pytest.fixture(scope="session")
def weekly(warehouse: Path) -> list[Mensagem]:
    """Monday's weekly notices, nothing told before."""
    with read_warehouse(warehouse) as aberta:
        return list(weekly_messages(aberta, AS_OF, ComposeSettings(), NORMS))


@pytest.fixture(scope="session")
def immediate(warehouse: Path) -> list[Mensagem]:
    """Monday's immediate notices, nothing told before."""
    with read_warehouse(warehouse) as aberta:
        return list(immediate_messages(aberta, AS_OF, ComposeSettings(), NORMS))

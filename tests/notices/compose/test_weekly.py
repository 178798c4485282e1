"""What the weekly notice says, and to whom: on a real warehouse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from notices.compose import ComposeError, ComposeSettings, weekly_messages
from notices.model import Mensagem
from sql.warehouse import read_warehouse
from tests.notices.compose.base import AS_OF, NORMS, by_recipient
from tests.notices.compose.conftest import PRAZOS

STEPS = {
    30: "antes_30", 16: "antes_30", 15: "antes_15", 8: "antes_15", 7: "antes_7", 2: "antes_7", 1: "antes_1",
    0: "antes_1", -1: "depois_0", -6: "depois_0", -7: "depois_1", -13: "depois_1", -14: "depois_2", -27: "depois_2",
    -28: "depois_4", -55: "depois_4", -56: "depois_8", -400: "depois_8",
}  # fmt: skip


def _flat(texto: str) -> str:
    return " ".join(texto.split())


@pytest.mark.parametrize("dias", PRAZOS)
def test_the_step_of_a_permit_follows_its_last_day(weekly: Sequence[Mensagem], dias: int) -> None:
    mensagem = by_recipient(weekly).get(f"K{dias}")
    if dias == 31:
        assert mensagem is None
        return
    (item,) = mensagem.itens
    assert (item.verificacao, item.degrau) == ("alvara_vencido", STEPS[dias])
    assert item.situacao == ("a_vencer" if dias >= 0 else "violacao")


def test_who_is_in_order_or_waived_is_not_written_to(weekly: Sequence[Mensagem]) -> None:
    ids = set(by_recipient(weekly))
    assert not ids & {"EM_DIA", "DISPENSADO", "CURADO", "JULGADO"}
    assert {"NOVATO", "SEM_EMAIL", "SEM_VISTORIA"} <= ids


def test_what_cannot_be_judged_is_not_told(con: duckdb.DuckDBPyConnection, weekly: Sequence[Mensagem]) -> None:
    nao_avaliados = {
        a for (a,) in con.execute("select achado_id from achados where situacao in ('nao_avaliado', 'dispensado')")
        .fetchall()
    }  # fmt: skip
    assert nao_avaliados
    assert not nao_avaliados & {i.achado_id for m in weekly for i in m.itens}


def test_three_wordings(weekly: Sequence[Mensagem]) -> None:
    por = by_recipient(weekly)
    assert "ESTÁ IRREGULAR" in por["K-1"].texto and "VAI VENCER" not in por["K-1"].texto
    assert "o último dia era 29/11/2026" in _flat(por["K-1"].texto)
    assert "VAI VENCER" in por["K0"].texto and "IRREGULAR ==" not in por["K0"].texto
    assert "até 30/11/2026 (segunda-feira)" in _flat(por["K0"].texto)
    assert "PRAZOS DE DEFESA" in por["LIMITE"].texto


def test_what_to_do_basis_contact_and_date_of_the_data(weekly: Sequence[Mensagem]) -> None:
    texto = _flat(by_recipient(weekly)["SEM_VISTORIA"].texto)
    assert "O que fazer: Leve o veículo à vistoria da SEOSP" in texto
    assert "Base: arts. 22, III, e 64 e Anexo II, ordem 24, Lei Municipal nº 408/2009" in texto
    assert "QUEM PROCURAR == Secretaria de Obras e Serviços Públicos (SEOSP)" in texto
    assert "Dados recebidos até 30/11/2026" in texto


def test_fees_of_the_first_licence_follow_the_months_left(weekly: Sequence[Mensagem]) -> None:
    texto = _flat(by_recipient(weekly)["NOVATO"].texto)
    # November counts whole: two months of twelve, and the badges are not prorated.
    assert "taxa de vistoria do transporte municipal R$ 83,33 (2/12 de R$ 500,00" in texto
    assert "Total: R$ 108,33, fora o que é por pessoa (Anexo I, Tabela 1)" in texto


def test_fees_of_a_renewal(weekly: Sequence[Mensagem]) -> None:
    texto = _flat(by_recipient(weekly)["K30"].texto)
    assert "renovação: taxa de vistoria do transporte municipal R$ 90,00" in texto
    assert "Total: R$ 115,00" in texto


def test_fines_have_amount_day_and_sum(weekly: Sequence[Mensagem]) -> None:
    mensagem = by_recipient(weekly)["VENCE"]
    texto = _flat(mensagem.texto)
    assert "o último dia era 16/10/2026. Valor: R$ 150,00" in texto
    assert "Multas a pagar: R$ 300,00" in texto
    assert [i.valor for i in mensagem.itens] == [Decimal("150.00")] * 2


def test_an_open_defence_is_told_with_the_fine_and_once(weekly: Sequence[Mensagem]) -> None:
    mensagem = by_recipient(weekly)["DEFESA3"]
    assert [i.verificacao for i in mensagem.itens] == ["multa_vencida"]
    assert "até 03/12/2026 (quinta-feira); ainda cabe defesa, até o mesmo dia" in _flat(mensagem.texto)


def test_the_term_of_a_process_is_told(weekly: Sequence[Mensagem]) -> None:
    mensagem = by_recipient(weekly)["LIMITE"]
    assert "Processo PR1 de cassação, instaurado em 20/11/2026 (pontos): até 09/12/2026" in _flat(mensagem.texto)
    item = next(i for i in mensagem.itens if i.verificacao == "prazo_aberto")
    assert (item.achado_id, item.situacao, item.devido_em) == ("prazo-processo-PR1", "prazo_aberto", date(2026, 12, 9))


def test_points_now_next_to_fall_and_distance(weekly: Sequence[Mensagem]) -> None:
    texto = _flat(by_recipient(weekly)["PONTOS"].texto)
    # 30 July + 4 months is still in on the 30th of November; 29 July is not. The second 26-I weighs double.
    assert "5 de 12 pontos em 4 meses. Faltam 7 pontos para o limite. Em defesa há mais 3 pontos" in texto
    assert "Em 01/12/2026 deixam de contar 2 pontos" in texto
    assert "6 de 18 pontos em 8 meses" in texto and "6 de 22 pontos em 12 meses" in texto
    assert "21 de 12 pontos em 4 meses. O limite foi atingido." in _flat(by_recipient(weekly)["LIMITE"].texto)


def test_points_follow_the_rule_of_the_finding(con: duckdb.DuckDBPyConnection) -> None:
    from notices.compose.facts import open_night
    from notices.compose.gather import prepare

    prepare(con, open_night(con, AS_OF), ComposeSettings())
    diferentes = con.execute(
        "select auto_id, conjunto, pontos_contados from fatos.pontos_autos"
        " except select auto_id, conjunto, pontos_contados from avisos_pontos_autos"
    ).fetchall()
    assert con.execute("select count(*) from fatos.pontos_autos").fetchall()[0][0] > 0
    assert diferentes == []


def test_subject_is_short_and_says_the_next_day(weekly: Sequence[Mensagem]) -> None:
    por = by_recipient(weekly)
    assert por["K30"].assunto == "Transporte público de passageiros: 1 prazo; acaba em 30/12/2026"
    assert por["VENCE"].assunto == "SITIAC (mototáxi): 2 irregularidades"
    assert max(len(m.assunto) for m in weekly) < 120


def test_no_message_fetches_anything_or_shows_a_whole_cpf(
    weekly: Sequence[Mensagem], con: duckdb.DuckDBPyConnection
) -> None:
    cpfs = [d for (d,) in con.execute("select documento from extrato.permissionarios").fetchall()]
    for m in weekly:
        assert not re.search(r"<[^>]*\s(src|href)=|url\(", m.html)
        for cpf in cpfs:
            assert cpf not in m.texto + m.html + m.assunto
            assert f"{cpf[:3]}.{cpf[3:6]}" not in m.texto + m.html


def test_lines_of_the_text_are_readable(weekly: Sequence[Mensagem]) -> None:
    for m in weekly:
        assert "<" not in m.texto or m.destinatario_id == "SCRIPT"
        assert all(len(linha) <= 76 or " " not in linha.strip() for linha in m.texto.splitlines())


def test_the_same_warehouse_gives_the_same_bytes(warehouse: Path, weekly: Sequence[Mensagem]) -> None:
    with read_warehouse(warehouse) as aberta:
        outra = list(weekly_messages(aberta, AS_OF, ComposeSettings(), NORMS))
    assert [(m.chave, m.texto, m.html, m.anexos) for m in outra] == [
        (m.chave, m.texto, m.html, m.anexos) for m in weekly
    ]


def test_facts_of_another_night_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ComposeError, match="são da noite de 30/11/2026, e não de 27/11/2026"):
        next(weekly_messages(con, date(2026, 11, 27), ComposeSettings(), NORMS))


def test_checks_can_be_kept_out_and_contacts_given(con: duckdb.DuckDBPyConnection) -> None:
    settings = ComposeSettings(
        nao_avisar=("vistoria_vencida",), contatos={"408/2009": "Rua da Sede, 1, das 8h às 14h."}
    )
    por = by_recipient(list(weekly_messages(con, AS_OF, settings, NORMS)))
    assert "SEM_VISTORIA" not in por
    assert "(SEOSP). Rua da Sede, 1, das 8h às 14h." in _flat(por["K30"].texto)


def test_a_long_card_is_cut_and_the_whole_list_attached(con: duckdb.DuckDBPyConnection) -> None:
    por = by_recipient(list(weekly_messages(con, AS_OF, ComposeSettings(linhas_por_cartao=1), NORMS)))
    mensagem = por["VENCE"]
    assert "e mais 1: a lista inteira está no anexo lista.csv" in _flat(mensagem.texto)
    (anexo,) = [a for a in mensagem.anexos if a.nome == "lista.csv"]
    linhas = anexo.conteudo.decode("utf-8-sig").splitlines()
    assert len(linhas) == 3 and linhas[1].split(";")[3:5] == ["16/10/2026", "150,00"]
    assert len(mensagem.itens) == 2

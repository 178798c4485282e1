"""Who or what a line speaks of, its day and its details, in words for the operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from notices.compose.text import one_line
from notices.compose.values import EMPTY, say, say_row
from notices.compose.wording import ATOS, MODALIDADES, TIPOS_DE_VEICULO, wordings
from reports.explain.vocabulary import label, read_evidence
from reports.formats import date_br, mask_cpfs, money_br

WEEKDAYS = ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo")
SHOWN = 6  # rows of a table of evidence told in a line
Row = Mapping[str, Any]


def weekday(dia: date) -> str:
    """`quinta-feira`."""
    return WEEKDAYS[dia.weekday()]


@lru_cache(maxsize=4096)
def day(dia: date) -> str:
    """`03/12/2026 (quinta-feira)`."""
    return f"{date_br(dia)} ({weekday(dia)})"


def subject(r: Row) -> str:
    """The subject of a finding, as the operator knows it: plate, permit, fine, name."""
    escrever = _SUBJECTS.get(r["sujeito_tipo"])
    return escrever(r) if escrever else ""


def _vehicle(r: Row) -> str:
    sobre = [TIPOS_DE_VEICULO.get(r["tipo_veiculo"] or "", ""), str(r["ano_fabricacao"] or "")]
    junto = ", ".join(x for x in sobre if x)
    nome = f"Veículo {one_line(r['placa'] or r['sujeito_id'], 60)}"
    return f"{nome} ({junto})" if junto else nome


def _permit(r: Row) -> str:
    texto = f"{MODALIDADES.get(r['modalidade'] or '', 'Título')} {one_line(r['sujeito_id'], 60)}"
    if r["placa"]:
        texto += f", veículo {one_line(r['placa'], 20)}"
    if r["linha"] or r["linha_id"]:
        texto += f", linha {one_line(r['linha'] or r['linha_id'], 80)}"
    return texto


def _fine(r: Row) -> str:
    texto = f"Auto {one_line(r['sujeito_id'], 60)}"
    if r["dia_do_fato"]:
        texto += f", de {date_br(r['dia_do_fato'])}"
    if r["placa"]:
        texto += f", veículo {one_line(r['placa'], 20)}"
    if r["infracao"]:
        texto += f": infração {one_line(r['infracao'], 30)}"
        if r["conduta"]:
            texto += f", {one_line(r['conduta'], 160)}"
    return texto


def _crew(r: Row) -> str:
    return f"{(r['funcao'] or 'condutor').capitalize()} {one_line(r['condutor'] or r['sujeito_id'], 80)}"


def _process(r: Row) -> str:
    texto = f"Processo {one_line(r['sujeito_id'], 60)}"
    if r["ato"]:
        texto += f" de {ATOS.get(r['ato'], r['ato'])}"
    if r["fato_em"]:
        texto += f", instaurado em {date_br(r['fato_em'])}"
    if r["fundamento"]:
        texto += f" ({one_line(r['fundamento'], 100)})"
    return texto


def _line(r: Row) -> str:
    return f"Linha {one_line(r['linha'] or r['sujeito_id'], 80)}"


_SUBJECTS: dict[str, Callable[[Row], str]] = {
    "veiculo": _vehicle,
    "alvara": _permit,
    "auto": _fine,
    "condutor": _crew,
    "linha": _line,
    "processo": _process,
}


def detail(r: Row) -> str:
    """The fields of the evidence that the wording of the check asks for, in a line."""
    campos = shown_fields(r["verificacao"])
    return evidence_words(r["evidencia"], campos) if campos and r["evidencia"] else ""


def shown_fields(verificacao: str) -> list[str] | None:
    """The fields of the evidence that a person is shown first; None where the wording names none."""
    campos = wordings().get(verificacao, {}).get("mostra")
    return list(campos) if campos else None


def evidence_words(evidencia: str, campos: list[str] | None = None) -> str:
    """The evidence in words: `Fim: 31/12/2026; Linha: L03`. `campos` None: all that says something."""
    dados = read_evidence(evidencia)
    nomes = campos if campos is not None else [n for n in dados if n not in ("falta", "dispensa")]
    partes = [p for n in nomes if (p := _field(n, dados.get(n)))]
    return one_line(mask_cpfs("; ".join(partes)), 1500)


def _field(nome: str, valor: Any) -> str:
    if valor is False or valor in EMPTY:
        return ""
    if isinstance(valor, list) and isinstance(valor[0], Mapping):
        linhas = [linha for x in valor[:SHOWN] if (linha := _table_row(nome, x))]
        if not linhas:
            return ""
        if len(valor) > SHOWN:
            linhas.append(f"e mais {len(valor) - SHOWN}")
        return f"{label(nome)}: " + "; ".join(linhas)
    dito = say(nome, valor)
    return f"{label(nome)}: {dito}" if dito else ""


def _table_row(nome: str, x: Mapping[str, Any]) -> str:
    """One row of a table of evidence, the shapes that occur told as a person would."""
    if nome in ("taxas_em_aberto", "taxas_divergentes"):
        texto = f"{say('tipo', x.get('tipo'))} de {x.get('exercicio')}"
        if x.get("valor") is not None:
            texto += f", {money_br(x['valor'])}"
        if nome == "taxas_em_aberto" and (x.get("devido_em") or x.get("vence_em")):
            texto += f", vencimento {date_br(x.get('devido_em') or x.get('vence_em'))}"
        ditos = (money_br(a["valor"]) for a in x.get("admitidos") or () if a.get("valor") is not None)
        admitidos = list(dict.fromkeys(ditos))
        if admitidos:
            texto += f" (tabela: {' ou '.join(admitidos)})"
        return texto
    if "soma" in x and "meses" in x:
        return f"{x['soma']} de {x['limite']} pontos em {x['meses']} meses, até {date_br(x['fim'])}"
    if x.get("alvara_id"):
        return _title_row(nome, x)
    if x.get("auto_id"):
        return ", ".join(
            p for p in (
                f"auto {x['auto_id']}",
                f"de {date_br(x['dia'])}" if x.get("dia") else "",
                f"infração {x['codigo']}" if x.get("codigo") else "",
                money_br(x["valor_devido"]) if x.get("valor_devido") is not None else "",
            ) if p
        )  # fmt: skip
    return say_row(nome, x)


def _title_row(tabela: str, x: Mapping[str, Any]) -> str:
    """`Permissão A005492, emitido em: 10/01/2026, fim: 31/12/2026`."""
    titulo = f"{MODALIDADES.get(x.get('modalidade') or '', 'Título')} {x['alvara_id']}"
    resto = say_row(tabela, {k: v for k, v in x.items() if k not in ("alvara_id", "modalidade")})
    return f"{titulo}, {resto}" if resto else titulo

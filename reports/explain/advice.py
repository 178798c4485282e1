"""What is missing where nothing can be judged, and what to do about a finding: never an order it does not bear."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import duckdb

from reports.explain.rows import rows_of
from reports.explain.vocabulary import label
from reports.rotulos import words
from sql.acts import only_in_favour

COMPLETE = "Complete o que falta, dito acima: a próxima noite avalia o caso. Até lá nada se exige nem se ordena."
OWN_MATTER = "É assunto do próprio órgão, que confere o auto. Quem opera nada tem a pedir nem a fazer por isto."
#: What is missing and is no column.
FALTAS = {
    "verificacao": "a verificação falhou ao rodar (veja o relatório da noite)",
    "prazo_permissao": "o fim do título: ele não traz valido_ate e a norma não permite calculá-lo",
    "infracoes.valor": "o valor desta infração na tabela da norma, ilegível na fonte",
}


def what_to_do(achado: Mapping[str, Any], evidence: Mapping[str, Any], norm: Mapping[str, Any]) -> str:
    """The norm's own words for where the finding stands; what is not judged orders nothing."""
    if achado["situacao"] == "nao_avaliado":
        return COMPLETE
    if achado["verificacao"] in only_in_favour() and not (evidence.get("diferenca") or 0) > 0:
        return OWN_MATTER
    while_in_time = norm.get("regularizar_a_vencer") if achado["situacao"] == "a_vencer" else None
    return while_in_time or norm.get("regularizar") or "A norma não diz como regularizar; procure o órgão."


def what_is_missing(con: duckdb.DuckDBPyConnection, achado: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Each thing missing, in words: an extract that did not come, a column it came without, a value of these rows."""
    loads = {r["extrato"]: r["situacao"] for r in rows_of(con, "extrato.cargas", "true", {})}
    columns = {(r["extrato"], r["coluna"]) for r in rows_of(con, "extrato.colunas", "true", {})}
    return [_missing(name, loads, columns, achado["sujeito_tipo"] == "norma") for name in names]


def _missing(name: str, loads: Mapping[str, str], columns: set[tuple[str, str]], whole_norm: bool) -> str:
    if name in FALTAS:
        return FALTAS[name]
    extract, _, column = name.partition(".")
    if column == "linhas_rejeitadas":
        return f"as linhas do extrato {extract} que foram rejeitadas, e podem ser deste caso"
    if extract == "valores_referencia" and column:
        return f"o valor de {column} no dia que se avalia (extrato {extract})"
    if loads.get(extract) == "ausente":
        return f"o extrato {extract}, que não veio" + (f" (coluna {column})" if column else "")
    if not column:
        told = f"dados do extrato {name}" if name in loads else words()["falta"].get(name) or label(name)
        return f"{told[:1].lower()}{told[1:]}" + ("" if name in loads else f" ({name})")
    if (extract, column) not in columns if columns else whole_norm:
        return f"a coluna {column} do extrato {extract}, que veio sem ela"
    told = label(column)
    where = f"vazio ou ilegível nas linhas deste caso (coluna {column} do extrato {extract})"
    return f"{told[:1].lower()}{told[1:]}: {where}"

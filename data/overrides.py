"""A municipality's own values: dated, grounded on an act, laid over ours without touching our files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from data.errors import Problema, explain_validation
from data.model import Ajuste, CheckSpec, Origem
from data.override_help import PROIBIDOS, check_parameters, keys_text, near_checks, table_parameters, unknown_parameter
from data.sources import Bruto, read_toml, show, table_rows


@dataclass(frozen=True)
class Alvo:
    """What an `[[ajuste]]` points at: the raw table, the fields that make up `chave`, a nested row list."""

    tabela: str
    chave: tuple[str, ...] = ()
    lista: str | None = None


TABELAS: dict[str, Alvo] = {
    "norma": Alvo("norma"),
    "outorga": Alvo("outorga", ("modalidade",)),
    "processo": Alvo("processo"),
    "idade_maxima": Alvo("idade_maxima", ("ordem",)),
    "pontuacao": Alvo("pontuacao"),
    "pontuacao_limite": Alvo("pontuacao", ("meses",), "limite"),
    "infracoes": Alvo("csv:infracoes", ("codigo",)),
    "taxas": Alvo("csv:taxas", ("codigo", "categoria", "momento")),
    "autoridades": Alvo("csv:autoridades", ("ato",)),
}


def read_overrides(caminho: Path, problemas: list[Problema]) -> tuple[Ajuste, ...]:
    """The `[[ajuste]]` rows of the file, each validated by itself."""
    conteudo, posicoes = read_toml(caminho, problemas)
    arquivo = show(caminho)
    for nome in conteudo.keys() - {"ajuste"}:
        problemas.append(Problema(arquivo, posicoes.linha((nome,)), f"tabela desconhecida `{nome}`; use [[ajuste]]"))
    ajustes: list[Ajuste] = []
    for bruto in table_rows(conteudo, "ajuste", arquivo, posicoes, problemas):
        origem = Origem(arquivo=arquivo, linha=bruto.where()[1], campos=bruto.places())
        try:
            ajuste = Ajuste.model_validate({**bruto.valores, "origem": origem}, strict=True)
        except ValidationError as erro:
            problemas.extend(Problema(*bruto.where(local), texto) for local, texto in explain_validation(erro))
            continue
        defeito = _defect(ajuste, ajustes)
        if defeito is None:
            ajustes.append(ajuste)
        else:
            problemas.append(Problema(*origem.where(defeito[0]), defeito[1]))
    return tuple(ajustes)


def _defect(ajuste: Ajuste, outros: list[Ajuste]) -> tuple[str, str] | None:
    if (ajuste.verificacao is None) == (ajuste.tabela is None):
        return "norma", f"diga `verificacao` ou `tabela`, uma das duas; as tabelas são {', '.join(TABELAS)}"
    if ajuste.tabela is not None and ajuste.tabela not in TABELAS:
        return "tabela", f"tabela {ajuste.tabela!r} desconhecida; existem: {', '.join(TABELAS)}"
    if ajuste.parametro in PROIBIDOS:
        return "parametro", f"`{ajuste.parametro}` não pode ser ajustado"
    if ajuste.vigente_ate is not None and ajuste.vigente_ate < ajuste.vigente_de:
        return "vigente_ate", "`vigente_ate` vem antes de `vigente_de`"
    for outro in outros:
        mesmo = all(
            getattr(ajuste, c) == getattr(outro, c) for c in ("norma", "verificacao", "tabela", "chave", "parametro")
        )
        if mesmo and _meet(ajuste.vigente_de, ajuste.vigente_ate, outro.vigente_de, outro.vigente_ate):
            return "vigente_de", f"repete a vigência do ajuste da linha {outro.origem.linha}"
    return None


def _meet(de: date, ate: date | None, outro_de: date, outro_ate: date | None) -> bool:
    return (outro_ate is None or de <= outro_ate) and (ate is None or outro_de <= ate)


def apply_overrides(
    ajustes: tuple[Ajuste, ...],
    normas: Mapping[str, dict[str, list[Bruto]]],
    problemas: list[Problema],
    catalogue: Mapping[str, CheckSpec] | None = None,
) -> None:
    """Writes each override into the raw rows, cutting a row in two or three where its period asks for it.

    With a `catalogue` the parameters of the checks are known, and a wrong one is told with those there are.
    """
    for ajuste in ajustes:
        origem = ajuste.origem
        if ajuste.norma not in normas:
            texto = f"norma {ajuste.norma!r} desconhecida; existem: {', '.join(sorted(normas))}"
            problemas.append(Problema(*origem.where("norma"), texto))
            continue
        alvo = _target(ajuste)
        defeito = _unfit(ajuste, alvo, normas[ajuste.norma], catalogue) or _apply(ajuste, alvo, normas[ajuste.norma])
        if defeito:
            problemas.append(Problema(*origem.where(defeito[0]), defeito[1]))


def _target(ajuste: Ajuste) -> Alvo:
    if ajuste.tabela is not None:
        return TABELAS[ajuste.tabela]
    tabela = f"verificacao:{ajuste.verificacao}"
    return Alvo(tabela) if ajuste.chave is None else Alvo(tabela, ("ordem",), "regra")


def _unfit(
    ajuste: Ajuste, alvo: Alvo, tabelas: Mapping[str, list[Bruto]], catalogue: Mapping[str, CheckSpec] | None
) -> tuple[str, str] | None:
    """The field of the override that points at nothing, and what it could point at; None where all is well."""
    if not tabelas.get(alvo.tabela):
        nome = alvo.tabela.split(":")[-1]
        perto = near_checks(nome, (t.split(":")[1] for t in tabelas if t.startswith("verificacao:")))
        campo = "verificacao" if ajuste.verificacao else "tabela"
        return campo, f"a norma {ajuste.norma} não tem {nome}{perto if ajuste.verificacao else ''}"
    if (ajuste.chave is None) == bool(alvo.chave):
        if not alvo.chave:
            return "chave", f"`{ajuste.tabela}` não tem `chave`: apague essa linha"
        pede = f"pede `chave` ({'/'.join(alvo.chave)})"
        return "chave", f"`{ajuste.tabela}` {pede}; nesta norma: {_keys(ajuste, alvo, tabelas)}"
    if ajuste.tabela is not None:
        validos: tuple[str, ...] | None = table_parameters(ajuste.tabela, alvo.chave)
    else:
        validos = check_parameters(ajuste, catalogue)
    por_tabela = {nome: a.chave for nome, a in TABELAS.items()}
    erro = unknown_parameter(ajuste, validos, por_tabela) if validos is not None else None
    return ("parametro", erro) if erro else None


def _keys(ajuste: Ajuste, alvo: Alvo, tabelas: Mapping[str, list[Bruto]]) -> str:
    """The keys that the norm has in force in the override's period."""
    chaves: list[str] = []
    for bruto in tabelas[alvo.tabela]:
        if _in_period(ajuste, bruto):
            linhas = [bruto.valores] if alvo.lista is None else bruto.valores.get(alvo.lista, [])
            chaves += [_key(linha, alvo, i) for i, linha in enumerate(linhas, 1)]
    return keys_text(chaves)


def _apply(ajuste: Ajuste, alvo: Alvo, tabelas: dict[str, list[Bruto]]) -> tuple[str, str] | None:
    """Changes the rows; returns the field of the override that is wrong and why, or None."""
    feitos = 0
    novos: list[Bruto] = []
    for bruto in tabelas[alvo.tabela]:
        if not _touches(ajuste, alvo, bruto):
            novos.append(bruto)
            continue
        partes = _cut(bruto, ajuste)
        feitos += sum(_set(parte, ajuste, alvo) for parte, dentro in partes if dentro)
        novos.extend(parte for parte, _ in partes)
    if feitos == 0:
        if ajuste.chave is None:
            return "vigente_de", "nada a ajustar: nenhuma linha em vigor nestas datas"
        chaves = _keys(ajuste, alvo, tabelas)
        return "chave", f"nada a ajustar: nenhuma linha com esta chave em vigor nestas datas; há: {chaves}"
    tabelas[alvo.tabela] = novos
    return None


def _touches(ajuste: Ajuste, alvo: Alvo, bruto: Bruto) -> bool:
    if not _in_period(ajuste, bruto):
        return False
    return alvo.lista is not None or not alvo.chave or _key(bruto.valores, alvo) == str(ajuste.chave)


def _in_period(ajuste: Ajuste, bruto: Bruto) -> bool:
    inicio, fim = bruto.valores.get("vigente_de"), bruto.valores.get("vigente_ate")
    return type(inicio) is date and _meet(ajuste.vigente_de, ajuste.vigente_ate, inicio, fim)


def _key(valores: Mapping[str, Any], alvo: Alvo, ordem: int = 0) -> str:
    """The row's key as `chave` writes it; a rule row without `ordem` goes by its place."""
    return "/".join(str(valores.get(c, ordem if c == "ordem" else "")) for c in alvo.chave)


def _cut(bruto: Bruto, ajuste: Ajuste) -> list[tuple[Bruto, bool]]:
    """The row before, during (True) and after the override's period; empty stretches are left out."""
    inicio: date = bruto.valores["vigente_de"]
    fim: date | None = bruto.valores.get("vigente_ate")
    um_dia = timedelta(days=1)
    de, ate = max(inicio, ajuste.vigente_de), fim
    if ajuste.vigente_ate is not None and (fim is None or ajuste.vigente_ate < fim):
        ate = ajuste.vigente_ate
    partes: list[tuple[Bruto, bool]] = []
    if inicio < de:
        partes.append((_copy(bruto, inicio, de - um_dia), False))
    partes.append((_copy(bruto, de, ate), True))
    if ate is not None and (fim is None or ate < fim):
        partes.append((_copy(bruto, ate + um_dia, fim), False))
    return partes


def _copy(bruto: Bruto, de: date, ate: date | None) -> Bruto:
    valores = {k: [dict(x) if isinstance(x, dict) else x for x in v] if isinstance(v, list) else v
               for k, v in bruto.valores.items() if k != "vigente_ate"}  # fmt: skip
    valores["vigente_de"] = de
    if ate is not None:
        valores["vigente_ate"] = ate
    return Bruto(valores, bruto.arquivo, bruto.caminho, bruto.posicoes, bruto.texto, dict(bruto.marcas))


def _set(bruto: Bruto, ajuste: Ajuste, alvo: Alvo) -> int:
    """Writes the value into the row, or into the chosen rows nested in it; returns how many were written."""
    marca = ajuste.origem.where("valor")
    if alvo.lista is None:
        bruto.valores[ajuste.parametro] = ajuste.valor
        bruto.marcas[(ajuste.parametro,)] = marca
        if ajuste.tabela == "infracoes" and ajuste.parametro == "valor":
            # An act of the municipality settles what the source left unreadable.
            bruto.valores["legivel"] = "sim"
        return 1
    feitas = 0
    for i, linha in enumerate(bruto.valores.get(alvo.lista, [])):
        if _key(linha, alvo, i + 1) == str(ajuste.chave):
            linha[ajuste.parametro] = ajuste.valor
            bruto.marcas[(alvo.lista, i, ajuste.parametro)] = marca
            feitas += 1
    return feitas

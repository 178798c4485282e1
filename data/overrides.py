"""A municipality's own values: dated, grounded on an act, laid over ours without touching our files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from pydantic import ValidationError

from data.errors import Problema, explain_validation
from data.model import Ajuste, Origem
from data.sources import Bruto, read_toml, show, table_rows

#: Table named in an `[[ajuste]]` → (raw table, field that `chave` selects by, nested row list).
TABELAS: dict[str, tuple[str, str | None, str | None]] = {
    "norma": ("norma", None, None),
    "outorga": ("outorga", "modalidade", None),
    "processo": ("processo", None, None),
    "idade_maxima": ("idade_maxima", "ordem", None),
    "pontuacao": ("pontuacao", None, None),
    "pontuacao_limite": ("pontuacao", "meses", "limite"),
    "infracoes": ("csv:infracoes", "codigo", None),
    "taxas": ("csv:taxas", "codigo", None),
    "autoridades": ("csv:autoridades", "ato", None),
}
_PROIBIDOS = {"vigente_de", "vigente_ate", "id", "regra", "limite"}


def read_overrides(caminho: Path, problemas: list[Problema]) -> tuple[Ajuste, ...]:
    """The `[[ajuste]]` rows of the file, each validated by itself."""
    conteudo, posicoes = read_toml(caminho, problemas)
    arquivo = show(caminho)
    for nome in conteudo.keys() - {"ajuste"}:
        problemas.append(
            Problema(arquivo, posicoes.linha((nome,)), f"tabela desconhecida `{nome}`; use [[ajuste]]")
        )
    ajustes: list[Ajuste] = []
    for bruto in table_rows(conteudo, "ajuste", arquivo, posicoes, problemas):
        origem = Origem(arquivo=arquivo, linha=bruto.where()[1], linhas=bruto.lines())
        try:
            ajuste = Ajuste.model_validate({**bruto.valores, "origem": origem}, strict=True)
        except ValidationError as erro:
            problemas.extend(
                Problema(*bruto.where(local), texto) for local, texto in explain_validation(erro)
            )
            continue
        defeito = _defect(ajuste, ajustes)
        if defeito is None:
            ajustes.append(ajuste)
        else:
            problemas.append(Problema(arquivo, origem.line_of(defeito[0]), defeito[1]))
    return tuple(ajustes)


def _defect(ajuste: Ajuste, outros: list[Ajuste]) -> tuple[str, str] | None:
    if (ajuste.verificacao is None) == (ajuste.tabela is None):
        return "norma", "diga `verificacao` ou `tabela`, uma das duas"
    if ajuste.tabela is not None and ajuste.tabela not in TABELAS:
        return "tabela", f"tabela {ajuste.tabela!r} desconhecida; existem: {', '.join(TABELAS)}"
    if ajuste.parametro in _PROIBIDOS:
        return "parametro", f"`{ajuste.parametro}` não pode ser ajustado"
    if ajuste.vigente_ate is not None and ajuste.vigente_ate < ajuste.vigente_de:
        return "vigente_ate", "`vigente_ate` vem antes de `vigente_de`"
    for outro in outros:
        mesmo = all(
            getattr(ajuste, c) == getattr(outro, c)
            for c in ("norma", "verificacao", "tabela", "chave", "parametro")
        )
        if mesmo and _meet(ajuste.vigente_de, ajuste.vigente_ate, outro.vigente_de, outro.vigente_ate):
            return "vigente_de", f"repete a vigência do ajuste da linha {outro.origem.linha}"
    return None


def _meet(de: date, ate: date | None, outro_de: date, outro_ate: date | None) -> bool:
    return (outro_ate is None or de <= outro_ate) and (ate is None or outro_de <= ate)


def apply_overrides(
    ajustes: tuple[Ajuste, ...], normas: Mapping[str, dict[str, list[Bruto]]], problemas: list[Problema]
) -> None:
    """Writes each override into the raw rows, cutting a row in two or three where its period asks for it."""
    for ajuste in ajustes:
        origem = ajuste.origem
        if ajuste.norma not in normas:
            texto = f"norma {ajuste.norma!r} desconhecida; existem: {', '.join(sorted(normas))}"
            problemas.append(Problema(origem.arquivo, origem.line_of("norma"), texto))
            continue
        tabelas = normas[ajuste.norma]
        if ajuste.tabela is not None:
            nome, campo, lista = TABELAS[ajuste.tabela]
        else:
            nome, campo, lista = f"verificacao:{ajuste.verificacao}", "ordem", None
            lista = "regra" if ajuste.chave is not None else None
        defeito = _apply(ajuste, tabelas, nome, campo, lista)
        if defeito:
            problemas.append(Problema(origem.arquivo, origem.line_of(defeito[0]), defeito[1]))


def _apply(
    ajuste: Ajuste, tabelas: dict[str, list[Bruto]], nome: str, campo: str | None, lista: str | None
) -> tuple[str, str] | None:
    if (ajuste.chave is None) != (campo is None) and not nome.startswith("verificacao:"):
        return "chave", f"`{ajuste.tabela}` " + (f"pede `chave` ({campo})" if campo else "não tem `chave`")
    if not tabelas.get(nome):
        return (
            "verificacao" if ajuste.verificacao else "tabela"
        ), f"a norma {ajuste.norma} não tem {nome.split(':')[-1]}"
    feitos, novos = 0, []
    for bruto in tabelas[nome]:
        inicio, fim = bruto.valores.get("vigente_de"), bruto.valores.get("vigente_ate")
        escolhida = lista is not None or campo is None or str(bruto.valores.get(campo)) == str(ajuste.chave)
        if nome.startswith("verificacao:") and lista is None:
            escolhida = True
        if not (
            escolhida and type(inicio) is date and _meet(ajuste.vigente_de, ajuste.vigente_ate, inicio, fim)
        ):
            novos.append(bruto)
            continue
        partes = list(_cut(bruto, ajuste))
        feitos += sum(_set(parte, ajuste, campo, lista) for parte, dentro in partes if dentro)
        novos.extend(parte for parte, _ in partes)
    tabelas[nome] = novos
    if feitos == 0:
        return (
            "chave" if ajuste.chave is not None else "vigente_de"
        ), "nada a ajustar: nenhuma linha com esta chave em vigor nestas datas"
    return None


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


def _set(bruto: Bruto, ajuste: Ajuste, campo: str | None, lista: str | None) -> int:
    marca = (ajuste.origem.arquivo, ajuste.origem.line_of("valor"))
    if lista is None:
        bruto.valores[ajuste.parametro] = ajuste.valor
        bruto.marcas[ajuste.parametro] = marca
        if ajuste.tabela == "infracoes" and ajuste.parametro == "valor":
            # An act of the municipality settles what the source left unreadable.
            bruto.valores["legivel"] = "sim"
        return 1
    feitas = 0
    for i, linha in enumerate(bruto.valores.get(lista, [])):
        if str(linha.get(campo or "", i + 1)) == str(ajuste.chave):
            linha[ajuste.parametro] = ajuste.valor
            bruto.marcas[lista] = marca
            feitas += 1
    return feitas

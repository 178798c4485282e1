"""The folder of one norm, as raw rows by table."""

from __future__ import annotations

from pathlib import Path

from data import rows
from data.errors import Problema
from data.sources import Bruto, read_csv, read_toml, show, table_rows

#: Tables of norma.toml: name there → (field of `Norm`, model, what makes two rows the same thing).
TABELAS_TOML: dict[str, tuple[str, type[rows.Vigente], tuple[str, ...]]] = {
    "norma": ("cabecalhos", rows.Cabecalho, ()),
    "outorga": ("outorgas", rows.Outorga, ("modalidade",)),
    "processo": ("processos", rows.Processo, ()),
    "idade_maxima": ("idades_maximas", rows.IdadeMaxima, ("ordem",)),
    "pontuacao": ("pontuacoes", rows.Pontuacao, ()),
}
#: CSV files: stem → the same.
TABELAS_CSV: dict[str, tuple[str, type[rows.Vigente], tuple[str, ...]]] = {
    "infracoes": ("infracoes", rows.Infracao, ("codigo",)),
    "conflitos": ("conflitos", rows.Conflito, ("codigo_artigo", "codigo_anexo")),
    "taxas": ("taxas", rows.Taxa, ("codigo", "descricao", "categoria", "momento")),
    "autoridades": ("autoridades", rows.Autoridade, ("ato", "autoridade", "dispositivo")),
    "processo": ("etapas", rows.Etapa, ("ordem",)),
    "prazos": ("prazos", rows.Prazo, ("dispositivo", "objeto")),
}
#: Read by others (coverage).
CSV_ALHEIOS = {"artigos", "cobertura", "obrigacoes"}


def raw_id(tabelas: dict[str, list[Bruto]]) -> str:
    """The id written in `[norma]`, or an empty text."""
    return str(tabelas["norma"][0].valores.get("id", "")) if tabelas["norma"] else ""


def read_folder(pasta: Path, problemas: list[Problema]) -> dict[str, list[Bruto]]:
    """Raw rows of one norm by table: the TOML tables, the CSV stems and `verificacao:<id>`."""
    caminho = pasta / "norma.toml"
    conteudo, posicoes = read_toml(caminho, problemas)
    arquivo = show(caminho)
    tabelas = {nome: table_rows(conteudo, nome, arquivo, posicoes, problemas) for nome in TABELAS_TOML}
    for nome in conteudo.keys() - TABELAS_TOML.keys():
        existem = ", ".join(TABELAS_TOML)
        aviso = f"tabela desconhecida `{nome}`; existem: {existem} (verificações vão em verificacoes/)"
        problemas.append(Problema(arquivo, posicoes.linha((nome,)), aviso))
    for nome in TABELAS_CSV:
        tabelas[f"csv:{nome}"] = read_csv(pasta / f"{nome}.csv", problemas)
    for outro in sorted(pasta.glob("*.csv")):
        if outro.stem not in TABELAS_CSV and outro.stem not in CSV_ALHEIOS:
            conhecidos = ", ".join(f"{n}.csv" for n in TABELAS_CSV)
            problemas.append(Problema(show(outro), 1, f"arquivo desconhecido; existem: {conhecidos}"))
    for familia in sorted((pasta / "verificacoes").glob("*.toml")):
        _read_family(familia, tabelas, problemas)
    return tabelas


def _read_family(caminho: Path, tabelas: dict[str, list[Bruto]], problemas: list[Problema]) -> None:
    conteudo, posicoes = read_toml(caminho, problemas)
    arquivo = show(caminho)
    for nome in conteudo.keys() - {"verificacao"}:
        problemas.append(
            Problema(arquivo, posicoes.linha((nome,)), f"tabela desconhecida `{nome}`; use [[verificacao.<id>]]")
        )
    blocos = conteudo.get("verificacao", {})
    for check_id in blocos if isinstance(blocos, dict) else ():
        linhas = table_rows(blocos, check_id, arquivo, posicoes, problemas)
        for bruto in linhas:
            bruto.caminho = ("verificacao", *bruto.caminho)
        tabelas.setdefault(f"verificacao:{check_id}", []).extend(linhas)

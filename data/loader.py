"""Reads `data/normas/<slug>/` into `Norm` objects, or says everything that is wrong with them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from data import model
from data.errors import NormError, Problema, explain_validation
from data.hashes import norm_hash
from data.overrides import apply_overrides, read_overrides
from data.parameters import parameter_problems
from data.sources import Bruto, read_csv, read_toml, show, table_rows

ROOT = Path(__file__).parent / "normas"

#: Tables of norma.toml: name there → (field of `Norm`, model, what makes two rows the same thing).
TABELAS_TOML: dict[str, tuple[str, type[model.Vigente], tuple[str, ...]]] = {
    "norma": ("cabecalhos", model.Cabecalho, ()),
    "outorga": ("outorgas", model.Outorga, ("modalidade",)),
    "processo": ("processos", model.Processo, ()),
    "idade_maxima": ("idades_maximas", model.IdadeMaxima, ("ordem",)),
    "pontuacao": ("pontuacoes", model.Pontuacao, ()),
}
#: CSV files: stem → the same.
TABELAS_CSV: dict[str, tuple[str, type[model.Vigente], tuple[str, ...]]] = {
    "infracoes": ("infracoes", model.Infracao, ("codigo",)),
    "conflitos": ("conflitos", model.Conflito, ("codigo_artigo", "codigo_anexo")),
    "taxas": ("taxas", model.Taxa, ("codigo", "descricao", "categoria", "momento")),
    "autoridades": ("autoridades", model.Autoridade, ("ato", "autoridade", "dispositivo")),
    "processo": ("etapas", model.Etapa, ("ordem",)),
    "prazos": ("prazos", model.Prazo, ("dispositivo", "objeto")),
}
#: Read by others (coverage).
CSV_ALHEIOS = {"artigos", "cobertura"}
_CAMPOS_VERIFICACAO = set(model.Verificacao.model_fields) - {
    "verificacao",
    "familia",
    "parametros",
    "regras",
    "origem",
}

T = TypeVar("T", bound=model.Vigente)


def load_norms(
    root: Path | None = None,
    overrides: Path | None = None,
    catalogue: Mapping[str, model.CheckSpec] | None = None,
) -> tuple[model.Norm, ...]:
    """Every norm under `root` (default: the product's own), sorted by id, with the overrides applied.

    With a `catalogue` (check id → its declared parameters) the parameters are validated too.
    Raises `NormError` listing every problem with file and line.
    """
    raiz = ROOT if root is None else root
    problemas: list[Problema] = []
    pastas = (
        sorted(p for p in raiz.iterdir() if p.is_dir() and (p / "norma.toml").exists())
        if raiz.is_dir()
        else []
    )
    if not pastas:
        problemas.append(Problema(show(raiz), 1, "nenhuma norma: falta <pasta>/norma.toml"))
    brutas = [(p, _read_folder(p, problemas)) for p in pastas]
    ajustes = read_overrides(overrides, problemas) if overrides is not None else ()
    apply_overrides(ajustes, {_raw_id(b): b for _, b in brutas}, problemas)
    normas: list[model.Norm] = []
    for pasta, tabelas in brutas:
        seus = tuple(a for a in ajustes if a.norma == _raw_id(tabelas))
        norma = _build(pasta, tabelas, seus, problemas)
        if norma is not None:
            normas.append(norma)
    _repeated_ids(brutas, problemas)
    if catalogue is not None:
        problemas.extend(parameter_problems(normas, catalogue))
    if problemas:
        raise NormError(problemas)
    return tuple(sorted(normas, key=lambda n: n.id))


def validate_parameters(norms: Iterable[model.Norm], catalogue: Mapping[str, model.CheckSpec]) -> None:
    """Raises `NormError` where a norm's parameters don't fit the types its checks declare."""
    problemas = parameter_problems(norms, catalogue)
    if problemas:
        raise NormError(problemas)


def _raw_id(tabelas: Mapping[str, list[Bruto]]) -> str:
    return str(tabelas["norma"][0].valores.get("id", "")) if tabelas["norma"] else ""


def _read_folder(pasta: Path, problemas: list[Problema]) -> dict[str, list[Bruto]]:
    """Raw rows of one norm by table: the TOML tables, the CSV stems and `verificacao:<id>`."""
    caminho = pasta / "norma.toml"
    conteudo, posicoes = read_toml(caminho, problemas)
    arquivo = show(caminho)
    tabelas = {nome: table_rows(conteudo, nome, arquivo, posicoes, problemas) for nome in TABELAS_TOML}
    for nome in conteudo.keys() - TABELAS_TOML.keys():
        aviso = f"tabela desconhecida `{nome}`; existem: {', '.join(TABELAS_TOML)} (verificações vão em verificacoes/)"
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
            Problema(
                arquivo, posicoes.linha((nome,)), f"tabela desconhecida `{nome}`; use [[verificacao.<id>]]"
            )
        )
    blocos = conteudo.get("verificacao", {})
    for check_id in blocos if isinstance(blocos, dict) else ():
        linhas = table_rows(blocos, check_id, arquivo, posicoes, problemas)
        for bruto in linhas:
            bruto.caminho = ("verificacao", *bruto.caminho)
        tabelas.setdefault(f"verificacao:{check_id}", []).extend(linhas)


def _build(
    pasta: Path,
    tabelas: Mapping[str, list[Bruto]],
    ajustes: tuple[model.Ajuste, ...],
    problemas: list[Problema],
) -> model.Norm | None:
    antes = len(problemas)
    campos: dict[str, Any] = {}
    for nome, (campo, tipo, chave) in (
        *TABELAS_TOML.items(),
        *((f"csv:{n}", t) for n, t in TABELAS_CSV.items()),
    ):
        pares = _rows(tabelas[nome], lambda b, tipo=tipo: b.valores, tipo, problemas)  # type: ignore[misc]
        _overlaps(pares, chave, nome.removeprefix("csv:"), problemas)
        campos[campo] = tuple(linha for _, linha in pares)
    verificacoes: dict[str, tuple[model.Verificacao, ...]] = {}
    for nome in sorted(n for n in tabelas if n.startswith("verificacao:")):
        check_id = nome.removeprefix("verificacao:")
        lidas = _rows(
            tabelas[nome], lambda b, c=check_id: _check_values(c, b, problemas), model.Verificacao, problemas
        )  # type: ignore[misc]
        _overlaps(lidas, (), f"verificacao.{check_id}", problemas)
        verificacoes[check_id] = tuple(linha for _, linha in lidas)
    if not tabelas["norma"]:
        problemas.append(Problema(show(pasta / "norma.toml"), 1, "falta a tabela [norma]"))
    _check_units(campos, tabelas["csv:infracoes"], problemas)
    if len(problemas) > antes:
        return None
    norma = model.Norm(slug=pasta.name, verificacoes=verificacoes, ajustes=ajustes, **campos)
    if norma.id.replace("/", "-") != pasta.name:
        problemas.append(
            Problema(
                show(pasta / "norma.toml"),
                tabelas["norma"][0].where(("id",))[1],
                f"a pasta da norma {norma.id} deve chamar-se {norma.id.replace('/', '-')}",
            )
        )
    return norma.model_copy(update={"hash": norm_hash(norma)})


def _rows(
    brutos: list[Bruto], valores: Callable[[Bruto], dict[str, Any]], tipo: type[T], problemas: list[Problema]
) -> list[tuple[Bruto, T]]:
    pares: list[tuple[Bruto, T]] = []
    for bruto in brutos:
        try:
            pares.append((bruto, tipo.model_validate(valores(bruto), strict=not bruto.texto)))
        except ValidationError as erro:
            problemas.extend(
                Problema(*bruto.where(local), texto) for local, texto in explain_validation(erro)
            )
    return pares


def _check_values(check_id: str, bruto: Bruto, problemas: list[Problema]) -> dict[str, Any]:
    """The fields of a `Verificacao` from a raw block: what isn't a common field is a parameter of the check."""
    valores = bruto.valores
    campos = {k: v for k, v in valores.items() if k in _CAMPOS_VERIFICACAO}
    extras = {k: _freeze(v) for k, v in valores.items() if k not in _CAMPOS_VERIFICACAO and k != "regra"}
    regras: list[model.Regra] = []
    for i, linha in enumerate(valores.get("regra", [])):
        filho = bruto.child("regra", i, dict(linha))
        reservados = {k: linha[k] for k in ("leitura", "alternativa") if k in linha}
        try:
            regras.append(model.Regra(
                ordem=linha.get("ordem", i + 1),
                dispositivo=linha.get("dispositivo", valores.get("dispositivo", "")),
                parametros={k: _freeze(v) for k, v in linha.items() if k not in {"ordem", "dispositivo", *reservados}},
                origem=model.Origem(arquivo=bruto.arquivo, linha=filho.where()[1], linhas=filho.lines()),
                **reservados,
            ))  # fmt: skip
        except ValidationError as erro:
            problemas.extend(
                Problema(*filho.where(local), texto) for local, texto in explain_validation(erro)
            )
    arquivo, numero = bruto.where()
    origem = model.Origem(arquivo=arquivo, linha=numero, linhas=bruto.lines())
    familia = Path(arquivo).stem
    return {
        **campos,
        "verificacao": check_id,
        "familia": familia,
        "parametros": extras,
        "regras": tuple(regras),
        "origem": origem,
    }


def _freeze(valor: Any) -> Any:
    return tuple(_freeze(v) for v in valor) if isinstance(valor, list) else valor


def _overlaps(
    pares: list[tuple[Bruto, T]], chave: tuple[str, ...], tabela: str, problemas: list[Problema]
) -> None:
    """Two rows for the same thing on the same day: nobody could say which one holds."""
    vistas: dict[tuple[Any, ...], list[tuple[Bruto, T]]] = {}
    for bruto, linha in pares:
        nome = tuple(getattr(linha, c) for c in chave)
        for outro_bruto, outra in vistas.get(nome, []):
            fim, outro_fim = linha.vigente_ate, outra.vigente_ate
            if (outro_fim is None or linha.vigente_de <= outro_fim) and (
                fim is None or outra.vigente_de <= fim
            ):
                qual = f"{tabela} {' '.join(str(n) for n in nome if n is not None)}".strip()
                lugar = "{}, linha {}".format(*outro_bruto.where())
                problemas.append(Problema(*bruto.where(), f"`{qual}` repete a vigência de {lugar}: "
                                          "feche a anterior com `vigente_ate` ou apague uma"))  # fmt: skip
        vistas.setdefault(nome, []).append((bruto, linha))


def _check_units(campos: Mapping[str, Any], brutos: list[Bruto], problemas: list[Problema]) -> None:
    if not campos["cabecalhos"]:
        return
    unidades = {"BRL", *campos["cabecalhos"][0].unidades}
    for bruto in brutos:
        unidade = bruto.valores.get("unidade")
        if unidade is not None and unidade not in unidades:
            aviso = f"unidade {unidade!r} desconhecida; a norma declara em [norma] unidades: {', '.join(sorted(unidades))}"
            problemas.append(Problema(*bruto.where(("unidade",)), aviso))


def _repeated_ids(brutas: list[tuple[Path, dict[str, list[Bruto]]]], problemas: list[Problema]) -> None:
    vistos: dict[str, Path] = {}
    for pasta, tabelas in brutas:
        norma = _raw_id(tabelas)
        if norma and norma in vistos:
            lugar = tabelas["norma"][0].where(("id",))
            problemas.append(Problema(*lugar, f"a norma {norma} já está na pasta {vistos[norma].name}"))
        vistos.setdefault(norma, pasta)

"""From raw rows to a validated `Norm`; what doesn't fit becomes a problem with file and line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from data import model
from data.errors import Problema, explain_validation
from data.folder import TABELAS_CSV, TABELAS_TOML
from data.hashes import norm_hash
from data.rows import Vigente
from data.sources import Bruto, show

#: What every check may be given, whatever its own parameters.
CAMPOS_VERIFICACAO = set(model.Verificacao.model_fields) - {
    "verificacao",
    "familia",
    "parametros",
    "regras",
    "origem",
}

T = TypeVar("T", bound=Vigente)


def build_norm(
    pasta: Path,
    tabelas: Mapping[str, list[Bruto]],
    ajustes: tuple[model.Ajuste, ...],
    problemas: list[Problema],
) -> model.Norm | None:
    """The norm of a folder from its raw rows, or None where something in it is wrong (see `problemas`)."""
    antes = len(problemas)
    campos: dict[str, Any] = {}
    for nome, (campo, tipo, chave) in (
        *TABELAS_TOML.items(),
        *((f"csv:{n}", t) for n, t in TABELAS_CSV.items()),
    ):
        pares = _rows(tabelas[nome], _values, tipo, problemas)
        _overlaps(pares, chave, nome.removeprefix("csv:"), problemas)
        campos[campo] = tuple(linha for _, linha in pares)
    verificacoes: dict[str, tuple[model.Verificacao, ...]] = {}
    for nome in sorted(n for n in tabelas if n.startswith("verificacao:")):
        check_id = nome.removeprefix("verificacao:")
        lidas = _rows(tabelas[nome], partial(_check_values, check_id, problemas), model.Verificacao, problemas)
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


def _values(bruto: Bruto) -> dict[str, Any]:
    return bruto.valores


def _rows(
    brutos: list[Bruto], valores: Callable[[Bruto], dict[str, Any]], tipo: type[T], problemas: list[Problema]
) -> list[tuple[Bruto, T]]:
    pares: list[tuple[Bruto, T]] = []
    for bruto in brutos:
        try:
            pares.append((bruto, tipo.model_validate(valores(bruto), strict=not bruto.texto)))
        except ValidationError as erro:
            for local, texto in explain_validation(erro):
                # A row that an override left inconsistent is the override's problem, not ours.
                lugar = local if local else next(iter(bruto.marcas), local)
                problemas.append(Problema(*bruto.where(lugar), texto))
    return pares


def _check_values(check_id: str, problemas: list[Problema], bruto: Bruto) -> dict[str, Any]:
    """The fields of a `Verificacao` from a raw block: what isn't a common field is a parameter."""
    valores = bruto.valores
    campos = {k: v for k, v in valores.items() if k in CAMPOS_VERIFICACAO}
    extras = {k: _freeze(v) for k, v in valores.items() if k not in CAMPOS_VERIFICACAO and k != "regra"}
    regras: list[model.Regra] = []
    for i, linha in enumerate(valores.get("regra", [])):
        filho = bruto.child("regra", i, dict(linha))
        reservados = {k: linha[k] for k in ("leitura", "alternativa") if k in linha}
        proprios = linha.keys() - {"ordem", "dispositivo", *reservados}
        try:
            regras.append(model.Regra(
                ordem=linha.get("ordem", i + 1),
                dispositivo=linha.get("dispositivo", valores.get("dispositivo", "")),
                parametros={k: _freeze(v) for k, v in linha.items() if k in proprios},
                origem=model.Origem(arquivo=bruto.arquivo, linha=filho.where()[1], campos=filho.places()),
                **reservados,
            ))  # fmt: skip
        except ValidationError as erro:
            problemas.extend(Problema(*filho.where(local), texto) for local, texto in explain_validation(erro))
    arquivo, numero = bruto.where()
    origem = model.Origem(arquivo=arquivo, linha=numero, campos=bruto.places())
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


def _overlaps(pares: list[tuple[Bruto, T]], chave: tuple[str, ...], tabela: str, problemas: list[Problema]) -> None:
    """Two rows for the same thing on the same day: nobody could say which one holds."""
    vistas: dict[tuple[Any, ...], list[tuple[Bruto, T]]] = {}
    for bruto, linha in pares:
        nome = tuple(getattr(linha, c) for c in chave)
        for outro_bruto, outra in vistas.get(nome, []):
            fim, outro_fim = linha.vigente_ate, outra.vigente_ate
            if (outro_fim is None or linha.vigente_de <= outro_fim) and (fim is None or outra.vigente_de <= fim):
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
            declaradas = ", ".join(sorted(unidades))
            aviso = f"unidade {unidade!r} desconhecida; a norma declara em [norma] unidades: {declaradas}"
            problemas.append(Problema(*bruto.where(("unidade",)), aviso))

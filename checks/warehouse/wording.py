"""How the gate's numbers read in Portuguese."""

from __future__ import annotations

from checks.warehouse.limits import CargaAnterior
from checks.warehouse.profile import Perfil
from checks.warehouse.suites import Expectativa
from reports.formats import date_br, int_br, number_br, percent_br

_ONE_MANY = {"linhas": ("linha", "linhas"), "dias": ("dia", "dias"), "casos": ("caso", "casos")}


def quantity(value: float, unidade: str) -> str:
    """A number with its unit: ``1 linha``, ``12 dias``, ``2,5 %``, ``3,2 vezes``."""
    if unidade == "parte":
        return percent_br(value)
    if unidade == "vezes":
        return f"{number_br(value, 1)} vezes"
    if unidade == "sim_nao":
        return "sim" if value else "não"
    one, many = _ONE_MANY[unidade]
    return f"{int_br(round(value))} {one if round(value) == 1 else many}"


def expected_text(x: Expectativa, low: float | None, high: float | None) -> str:
    """The bounds in words: ``no máximo 20 %``, ``nenhuma``, ``ao menos 1 linha``."""
    if high == 0 and low is None:
        return "nenhuma" if x.unidade == "linhas" else "nenhum"
    if x.unidade == "sim_nao":
        return "sim"
    parts = []
    if low is not None:
        parts.append(f"ao menos {quantity(low, x.unidade)}")
    if high is not None:
        parts.append(f"no máximo {quantity(high, x.unidade)}")
    return " e ".join(parts)


def observed_text(x: Expectativa, perfil: Perfil, value: float | None) -> str:
    """What was found: a share with its rows, an age with its date."""
    if value is None:
        return ""
    text = quantity(value, x.unidade)
    name = x.medida or x.id
    if x.unidade == "parte" and name in perfil.contagens:
        text += f" ({quantity(perfil.contagens[name], 'linhas')})"
    if name in {"frescor", "recuo"} and perfil.mais_novo:
        text += f" (o mais novo é de {date_br(perfil.mais_novo)})"
    return text


_AGAINST_LAST = {"encolhimento", "cauda_cortada", "perda_de_linhas", "crescimento"}


def describe_detail(x: Expectativa, perfil: Perfil, before: CargaAnterior | None, cases: str) -> str:
    """What helps to act on a failure: the comparison, the cases, the advice."""
    parts = []
    name = x.medida or x.id
    if before and name in _AGAINST_LAST and "quadro" in perfil.contagens:
        now = quantity(perfil.contagens["quadro"], "linhas")
        parts.append(f"{quantity(before.linhas, 'linhas')} em {date_br(before.as_of)}, {now} agora.")
    if before and name == "presente":
        parts.append(f"A última carga aceita é de {date_br(before.as_of)}.")
    if cases:
        parts.append(f"{cases}.")
    if x.dica:
        parts.append(x.dica.replace("{extrato}", perfil.extrato))
    return " ".join(parts)

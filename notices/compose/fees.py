"""What issuing or renewing a permit costs, from the norm's table of fees. No number is written here.

Which category of the table a vehicle falls in, and which fees follow the months of the year, is what the norm says to
the check `taxa_divergente`: the notice quotes what that check will later verify.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from data.model import Norm
from data.rows import Taxa

CHECK = "taxa_divergente"
CENT = Decimal("0.01")
FIRST, RENEWAL = "primeiro_ano", "renovacao"
ALL = "todas"


@dataclass(frozen=True)
class FeeLine:
    """One fee. `cheia` is the yearly amount where `valor` is only the part of it for `meses` of `meses_do_ano`."""

    descricao: str
    valor: Decimal
    dispositivo: str
    cheia: Decimal | None = None
    meses: int | None = None
    meses_do_ano: int | None = None
    por_pessoa: bool = False


@dataclass(frozen=True)
class Quote:
    """The fees of one moment (`primeiro_ano`, `renovacao`); `total` leaves out what is paid per person."""

    momento: str
    linhas: tuple[FeeLine, ...]

    @property
    def total(self) -> Decimal:
        """Sum in R$ of what is paid once."""
        return sum((x.valor for x in self.linhas if not x.por_pessoa), Decimal(0))


@dataclass(frozen=True)
class _Rules:
    taxas: tuple[Taxa, ...]
    categorias: Mapping[str, str]
    unica: str | None
    proporcionais: tuple[str, ...]
    meses_do_ano: int | None
    por_pessoa: tuple[str, ...]


class FeeTable:
    """The fees of every norm in force on a day."""

    def __init__(self, norms: Iterable[Norm], as_of: date) -> None:
        self.as_of = as_of
        self._rules = {n.id: rules for n in norms if (rules := _rules(n, as_of))}
        self._quotes: dict[tuple[str, str | None, str], Quote | None] = {}

    def quotes(self, norma: str, tipo_veiculo: str | None, ja_teve: bool, tem_vivo: bool) -> tuple[Quote, ...]:
        """What the permit costs now: the renewal where one is alive, the first year where there never was any.

        Where there was one and it is dead the norm doesn't say which table counts: both. Empty: no table, or the
        vehicle is in no category of it.
        """
        momentos = (RENEWAL,) if tem_vivo else (FIRST, RENEWAL) if ja_teve else (FIRST,)
        achados = (self._quote(norma, tipo_veiculo, m) for m in momentos)
        return tuple(q for q in achados if q)

    def _quote(self, norma: str, tipo_veiculo: str | None, momento: str) -> Quote | None:
        chave = (norma, tipo_veiculo, momento)
        if chave not in self._quotes:
            self._quotes[chave] = self._compute(*chave)
        return self._quotes[chave]

    def _compute(self, norma: str, tipo_veiculo: str | None, momento: str) -> Quote | None:
        regras = self._rules.get(norma)
        if regras is None:
            return None
        categoria = regras.unica or regras.categorias.get(tipo_veiculo or "")
        if categoria is None:
            return None
        linhas = [self._line(regras, t, momento) for t in regras.taxas
                  if t.momento == momento and t.categoria in (ALL, categoria)]  # fmt: skip
        return Quote(momento, tuple(linhas)) if linhas else None

    def _line(self, regras: _Rules, taxa: Taxa, momento: str) -> FeeLine:
        cheia = Decimal(taxa.valor or 0).quantize(CENT, rounding=ROUND_HALF_UP)
        por_pessoa = taxa.codigo in regras.por_pessoa
        ano = regras.meses_do_ano
        if momento == FIRST and taxa.codigo in regras.proporcionais and ano:
            meses = ano + 1 - self.as_of.month  # the month of issue counts whole
            valor = (cheia * meses / ano).quantize(CENT, rounding=ROUND_HALF_UP)
            return FeeLine(taxa.descricao, valor, taxa.dispositivo, cheia, meses, ano, por_pessoa)
        return FeeLine(taxa.descricao, cheia, taxa.dispositivo, por_pessoa=por_pessoa)


def _rules(norm: Norm, as_of: date) -> _Rules | None:
    dito = norm.check(CHECK, as_of)
    if dito is None:
        return None
    p = dito.parametros
    return _Rules(
        taxas=tuple(
            t for t in norm.taxas if t.in_force(as_of) and t.unidade == "BRL" and t.valor is not None
            and t.momento in (FIRST, RENEWAL)
        ),
        categorias={r.parametros["tipo_veiculo"]: r.parametros["categoria"]
                    for r in dito.regras if r.parametros.get("categoria")},
        unica=p.get("categoria_unica"),
        proporcionais=tuple(p.get("proporcionais") or ()),
        meses_do_ano=p.get("meses_do_ano"),
        por_pessoa=tuple(p.get("por_pessoa") or ()),
    )  # fmt: skip

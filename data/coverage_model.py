"""What the coverage of a norm is made of: rows, articles, and how a row's state is derived."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

ARTIGOS, OBRIGACOES = "artigos.csv", "cobertura.csv"

#: What a row may say of itself, and what `coverage` calls it.
SITUACOES = {
    "verificado": "verificado",
    "parcial": "verificado em parte",
    "fato": "fato usado pelas verificações",
    "parametro": "parâmetro das verificações",
    "pendente": "os dados provariam, falta a verificação",
    "nao_implementada": "há verificação para isto, ainda não implementada",
    "pessoas": "fica com as pessoas",
    "sem_regra": "sem regra para o programa",
}
#: Derived: never written in a file.
NAO_IMPLEMENTADA = "nao_implementada"
_PROPOSTA = re.compile(
    r"a (criar): ([a-z_]+)|a (estender) a esta norma: ([a-z_]+(?: [a-z]+_[a-z_]+)*)"
    r"|a (ampliar) nesta norma: ([a-z_]+(?: [a-z]+_[a-z_]+)*)"
)


@dataclass(frozen=True)
class Linha:
    """One row of either file. `situacao` is what the row says, `estado` what is true tonight."""

    dispositivo: str
    assunto: str
    regra: str
    situacao: str
    verificacoes: tuple[str, ...]
    motivo: str
    leitura: str
    #: Listed checks that don't run for this norm, with the reason.
    faltam: Mapping[str, str]

    @property
    def estado(self) -> str:
        """`situacao`, or `nao_implementada` (`parcial`) while none (only some) of its checks run."""
        if not self.faltam:
            return self.situacao
        if len(self.faltam) == len(self.verificacoes):
            return NAO_IMPLEMENTADA
        return "parcial" if self.situacao == "verificado" else self.situacao

    @property
    def propostas(self) -> dict[str, str]:
        """Checks that `motivo` asks for: to `criar`, to `estender` to this norm, or, running, to `ampliar`."""
        achados = (tuple(filter(None, grupos)) for grupos in _PROPOSTA.findall(self.motivo))
        return {check: verbo for verbo, ids in achados for check in ids.split()}


@dataclass(frozen=True)
class Artigo:
    """One article (or annex) with the rows below it."""

    nome: str
    linhas: tuple[Linha, ...]

    @property
    def estado(self) -> str:
        """What the article as a whole is: one word where its rules agree, else partly checked."""
        estados = {linha.estado for linha in self.linhas} - {"sem_regra"}
        if not estados:
            return "sem_regra"
        if len(estados) == 1:
            return estados.pop()
        return "verificado" if estados <= {"verificado", "fato", "parametro"} else "parcial"


@dataclass(frozen=True)
class Cobertura:
    """The coverage of one norm."""

    norma: str
    nome: str
    linhas: tuple[Linha, ...]
    obrigacoes: tuple[Linha, ...]

    @cached_property
    def artigos(self) -> tuple[Artigo, ...]:
        """The rows grouped by article and annex, in the order of the law."""
        grupos: dict[str, list[Linha]] = {}
        for linha in self.linhas:
            grupos.setdefault(article_name(linha.dispositivo), []).append(linha)
        return tuple(Artigo(nome, tuple(linhas)) for nome, linhas in grupos.items())

    @property
    def contagens(self) -> dict[str, dict[str, int]]:
        """Rows by state, for articles, provisions and obligations; states without rows are left out."""
        contas = {
            "artigos": Counter(a.estado for a in self.artigos),
            "dispositivos": Counter(linha.estado for linha in self.linhas),
            "obrigacoes": Counter(linha.estado for linha in self.obrigacoes),
        }
        return {nome: {s: c[s] for s in SITUACOES if c[s]} for nome, c in contas.items()}


def article_name(dispositivo: str) -> str:
    """The article or annex a provision belongs to: `art. 22, XV` → `art. 22`."""
    achado = re.match(r"(decreto, )?art\. \d+º?|[^,]+", dispositivo)
    return achado.group(0) if achado else dispositivo


def cited_articles(dispositivo: str) -> set[str]:
    """Every article a citation names: `art. 46-47`, `art. 19, §6º c/c 40, IV`, `art. 9º e 17`."""
    texto = re.sub(r"§\s*\d+º?(\s*-\s*\d+º?)?|\([^)]*\)", "", dispositivo)
    nomes: set[str] = set()
    for inicio, fim in re.findall(r"(\d+)º?(?:\s*-\s*(\d+)º?)?", texto):
        for numero in range(int(inicio), int(fim or inicio) + 1):
            nomes.add(f"art. {numero}º" if numero < 10 else f"art. {numero}")
    return nomes

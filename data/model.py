"""A norm as data: dated rows, each with its provision. Frozen; nothing here reads a file or a clock."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

Texto = Annotated[str, Field(min_length=1, pattern=r"\S")]
Lista = Annotated[tuple[str, ...], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)]
Inteiro = Annotated[int, Field(ge=0)]
Numero = Annotated[Decimal, BeforeValidator(lambda v: Decimal(v) if type(v) is int else v)]

Consequencia = Literal[
    "advertencia", "multa", "recolhimento", "retencao", "apreensao", "suspensao", "suspensao_matricula",
    "cassacao_matricula", "cassacao", "cancelamento", "impedimento", "regularizacao", "informacao",
]  # fmt: skip
Modalidade = Literal[
    "alvara", "permissao", "concessao", "autorizacao", "permissao_emergencial", "autorizacao_especial"
]
Servico = Literal[
    "urbano", "rodoviario", "municipal", "industrial", "especial", "escolar", "individual", "turistico"
]
Tracao = Literal["combustao", "eletrica", "via_fixa"]
UnidadePrazo = Literal["dias", "meses", "anos", "fim_do_ano", "indeterminado", "desconhecido"]
ContaDe = Literal["primeiro_uso_em", "nota_fiscal_em", "ano_fabricacao"]


def _tuple(valor: Any) -> Any:
    return tuple(valor) if isinstance(valor, list) else valor


class CheckSpec(Protocol):
    """What `validate_parameters` needs of a check.toml: the declared types of its parameters and rules."""

    @property
    def parametros(self) -> Mapping[str, Any]:
        """Name → type (see `data.parameters`), or a list of texts (an enumeration)."""

    @property
    def regra(self) -> Mapping[str, Any]:
        """The same for each `[[verificacao.<id>.regra]]` row."""


class Dado(BaseModel):
    """Base of every row: unknown fields are errors, values don't change after loading."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Vigente(Dado):
    """A row in force from `vigente_de` to `vigente_ate` (inclusive; open when empty)."""

    vigente_de: date
    vigente_ate: date | None = None
    leitura: Texto | None = None
    alternativa: Texto | None = None
    observacao: str | None = None

    @model_validator(mode="after")
    def _period(self) -> Vigente:
        if self.vigente_ate is not None and self.vigente_ate < self.vigente_de:
            raise ValueError("`vigente_ate` vem antes de `vigente_de`")
        if self.alternativa and not self.leitura:
            raise ValueError("`alternativa` só cabe onde há `leitura`")
        return self

    @property
    def e_leitura(self) -> bool:
        """True where the number is a reading of an open text and not its letter."""
        return self.leitura is not None

    def in_force(self, dia: date) -> bool:
        """Whether the row is in force on that day."""
        return self.vigente_de <= dia and (self.vigente_ate is None or dia <= self.vigente_ate)


class Cabecalho(Vigente):
    """Who and where: the `[norma]` table. `vigente_de` is the day from which the law has effects."""

    id: Annotated[str, Field(pattern=r"^\d+/\d{4}$")]
    nome: Texto
    apelido: Texto
    municipio: Texto
    uf: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    orgao: Texto
    mes_sem_dia: Literal["dia_seguinte", "ultimo_dia"]
    unidades: Lista = ()


class Outorga(Vigente):
    """Term of a permit that carries no end date of its own."""

    dispositivo: Texto
    modalidade: Modalidade
    quantidade: Inteiro | None = None
    unidade: UnidadePrazo

    @model_validator(mode="after")
    def _amount(self) -> Outorga:
        if (self.unidade in {"dias", "meses", "anos"}) != (self.quantidade is not None):
            raise ValueError("`quantidade` acompanha dias, meses ou anos, e só essas unidades")
        return self


class Processo(Vigente):
    """Terms of defence, payment and appeal, in days or business days; with both, the later end counts."""

    dispositivo: Texto
    fontes: dict[Literal["defesa", "decisao", "recurso", "transito", "vencimento"], Texto] = {}
    defesa_dias: Inteiro | None = None
    defesa_dias_uteis: Inteiro | None = None
    decisao_dias: Inteiro | None = None
    decisao_dias_uteis: Inteiro | None = None
    recurso_dias: Inteiro | None = None
    recurso_dias_uteis: Inteiro | None = None
    recurso_suspensivo: bool = False
    transito_dias: Inteiro | None = None
    exige_vence_em: bool = False


class IdadeMaxima(Vigente):
    """Age limit of a vehicle; all filled filters must hold. `ano_fabricacao` runs to 31 Dec of year + anos."""

    dispositivo: Texto
    ordem: Inteiro
    servicos: Annotated[tuple[Servico, ...] | None, BeforeValidator(_tuple)] = None
    servicos_exceto: Annotated[tuple[Servico, ...] | None, BeforeValidator(_tuple)] = None
    lugares_min: Inteiro | None = None
    lugares_max: Inteiro | None = None
    tracao_exceto: Annotated[tuple[Tracao, ...] | None, BeforeValidator(_tuple)] = None
    anos: Inteiro
    conta_de: Annotated[tuple[ContaDe, ...], BeforeValidator(_tuple), Field(min_length=1)]
    vencida: Literal["violacao", "para_decisao"]
    consequencia: Consequencia
    competente: Texto


class LimitePontos(Dado):
    """So many points within so many months."""

    meses: Annotated[int, Field(gt=0)]
    pontos: Annotated[int, Field(gt=0)]


class Pontuacao(Vigente):
    """The points system: doubling on recidivism and the thresholds."""

    dispositivo: Texto
    reincidencia_meses: Inteiro
    reincidencia_fator: Inteiro
    ato_que_zera: Texto
    limite: Annotated[tuple[LimitePontos, ...], BeforeValidator(_tuple), Field(min_length=1)]


class Infracao(Vigente):
    """An infraction. Amount in R$ = `valor` × the value of `unidade` on the day of the fact."""

    codigo: Texto
    dispositivo: Texto
    descricao: Texto
    grupo: str | None = None
    unidade: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None
    valor: Annotated[Numero, Field(ge=0)] | None = None
    pontos: Inteiro | None = None
    sujeito: Literal["operador", "veiculo", "condutor"]
    legivel: Literal["sim", "duvidoso", "nao"]

    @model_validator(mode="after")
    def _amount(self) -> Infracao:
        if self.valor is not None and (self.unidade is None or self.legivel == "nao"):
            raise ValueError("há `valor` sem `unidade` ou com `legivel` = nao")
        return self


class Conflito(Vigente):
    """The same conduct in a norm's articles and in its annex: where they differ, the milder is the reading."""

    conduta: Texto
    codigo_artigo: str | None = None
    grupo_artigo: str | None = None
    valor_artigo: Numero | None = None
    codigo_anexo: str | None = None
    grupo_anexo: str | None = None
    valor_anexo: Numero | None = None
    situacao: Literal["igual", "grupo_diverge", "so_no_artigo", "so_no_anexo"]
    grupo_adotado: Texto
    valor_adotado: Numero


class Taxa(Vigente):
    """A fee, price, guarantee or fare that the norm itself fixes."""

    dispositivo: Texto
    codigo: Texto
    natureza: Texto
    descricao: Texto
    categoria: Texto
    momento: str | None = None
    valor: Numero | None = None
    unidade: str | None = None


class Autoridade(Vigente):
    """Who decides what."""

    ato: Texto
    autoridade: Texto
    dispositivo: Texto


class Etapa(Vigente):
    """One step of the chain from the auto to the payment or the revocation."""

    ordem: Inteiro
    etapa: Texto
    regra: str | None = None
    prazo: str | None = None
    unidade: str | None = None
    inicio: str | None = None
    efeito_suspensivo: str | None = None
    efeito_do_silencio: str | None = None
    dispositivo: str | None = None


class Prazo(Vigente):
    """A term the norm gives to a permit, an inspection, a vehicle or an act."""

    dispositivo: Texto
    objeto: Texto
    duracao: str | None = None
    unidade: str | None = None
    inicio: str | None = None
    prorrogacao: str | None = None
    prazo_para_pedir: str | None = None
    efeito_do_vencimento: str | None = None


class Origem(Dado):
    """Where a row was written, for messages. Never part of a hash."""

    arquivo: str
    linha: int
    linhas: dict[str, int] = {}

    def line_of(self, campo: str) -> int:
        """Line of that field, else of its table."""
        return self.linhas.get(campo, self.linha)


class Regra(Dado):
    """A rule row of a check (`[[verificacao.<id>.regra]]`)."""

    ordem: Inteiro
    dispositivo: Texto
    leitura: Texto | None = None
    alternativa: Texto | None = None
    parametros: dict[str, Any]
    origem: Origem = Field(repr=False)


class Verificacao(Vigente):
    """What one norm says to one check: provision, consequence, authority and the check's own parameters."""

    verificacao: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    familia: str
    dispositivo: Texto
    consequencia: Consequencia
    competente: Texto
    regularizar: Texto
    aviso_dias: Inteiro | None = None
    exige: Lista = ()
    parametros: dict[str, Any]
    regras: tuple[Regra, ...] = ()
    origem: Origem = Field(repr=False)

    @field_validator("exige")
    @classmethod
    def _columns(cls, valor: tuple[str, ...]) -> tuple[str, ...]:
        ruins = [v for v in valor if v.count(".") > 1 or not v.replace(".", "").replace("_", "").isalnum()]
        if ruins:
            raise ValueError(
                f"`exige` pede `extrato` ou `extrato.coluna`, e não {', '.join(map(repr, ruins))}"
            )
        return valor


class Ajuste(Dado):
    """A municipality's own value in place of ours, grounded on an act."""

    norma: Texto
    verificacao: Texto | None = None
    tabela: Texto | None = None
    chave: str | int | None = None
    parametro: Texto
    valor: Any
    vigente_de: date
    vigente_ate: date | None = None
    ato: Texto
    motivo: Texto
    origem: Origem = Field(repr=False)


class Norm(Dado):
    """One norm, whole. Rows keep their periods: ask `in_force` views for a day."""

    slug: str
    cabecalhos: tuple[Cabecalho, ...]
    outorgas: tuple[Outorga, ...] = ()
    processos: tuple[Processo, ...] = ()
    idades_maximas: tuple[IdadeMaxima, ...] = ()
    pontuacoes: tuple[Pontuacao, ...] = ()
    infracoes: tuple[Infracao, ...] = ()
    conflitos: tuple[Conflito, ...] = ()
    taxas: tuple[Taxa, ...] = ()
    autoridades: tuple[Autoridade, ...] = ()
    etapas: tuple[Etapa, ...] = ()
    prazos: tuple[Prazo, ...] = ()
    verificacoes: dict[str, tuple[Verificacao, ...]] = {}
    ajustes: tuple[Ajuste, ...] = ()
    hash: str = ""

    @property
    def id(self) -> str:
        """Norm id, e.g. `825/2021`."""
        return self.cabecalhos[0].id

    @property
    def nome(self) -> str:
        """Full name."""
        return self.cabecalhos[0].nome

    @property
    def vigente_de(self) -> date:
        """First day on which the law has effects."""
        return min(c.vigente_de for c in self.cabecalhos)

    def header(self, dia: date) -> Cabecalho | None:
        """The `[norma]` values in force on that day; None before the law has effects."""
        return next((c for c in self.cabecalhos if c.in_force(dia)), None)

    def check(self, check_id: str, dia: date) -> Verificacao | None:
        """The parameter row of a check in force on that day, if this norm has the rule then."""
        if self.header(dia) is None:
            return None
        return next((v for v in self.verificacoes.get(check_id, ()) if v.in_force(dia)), None)

    def checks(self, dia: date) -> dict[str, Verificacao]:
        """Every check this norm has on that day."""
        return {c: v for c in self.verificacoes if (v := self.check(c, dia)) is not None}

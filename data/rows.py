"""The rows a norm is made of: dated, each with its provision. Nothing here reads a file or a clock."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Texto = Annotated[str, Field(min_length=1, pattern=r"\S")]
Lista = Annotated[tuple[str, ...], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)]
Inteiro = Annotated[int, Field(ge=0)]
Numero = Annotated[Decimal, BeforeValidator(lambda v: Decimal(v) if type(v) is int else v)]

Consequencia = Literal[
    "advertencia", "multa", "recolhimento", "retencao", "apreensao", "suspensao", "suspensao_matricula",
    "cassacao_matricula", "cassacao", "cancelamento", "impedimento", "regularizacao", "informacao",
]  # fmt: skip
Modalidade = Literal["alvara", "permissao", "concessao", "autorizacao", "permissao_emergencial", "autorizacao_especial"]
Servico = Literal["urbano", "rodoviario", "municipal", "industrial", "especial", "escolar", "individual", "turistico"]
Tracao = Literal["combustao", "eletrica", "via_fixa"]
UnidadePrazo = Literal["dias", "meses", "anos", "fim_do_ano", "indeterminado", "desconhecido"]
Passo = Literal["defesa", "decisao", "recurso", "transito", "vencimento"]
ContaDe = Literal["primeiro_uso_em", "nota_fiscal_em", "ano_fabricacao"]


def _tuple(valor: Any) -> Any:
    return tuple(valor) if isinstance(valor, list) else valor


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
    fontes: dict[Passo, Texto] = Field(default_factory=dict)
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
    """Age limit of a vehicle; all filled filters must hold. `ano_fabricacao` runs to 31 Dec of that year."""

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
    """The same conduct in a norm's articles and in its annex; where they differ, the milder is adopted."""

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
    """Who decides what. `papel` is `autua` for who draws up autos."""

    ato: Texto
    autoridade: Texto
    dispositivo: Texto
    papel: Literal["autua"] | None = None


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

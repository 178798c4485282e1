"""A municipality small enough to check by hand: two norms, four vehicles, a late fine."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from flows.noite import RunRequest
from flows.settings import load_settings

AS_OF = date(2026, 3, 16)

EXTRATOS = {
    "permissionarios": """\
permissionario_id;norma;nome;tipo_pessoa;documento
P1;825/2021;Ana de Teste;PF;529.982.247-25
P2;825/2021;Bento de Teste;PF;111.444.777-35
P3;408/2009;Viação de Teste;PJ;11.222.333/0001-81
""",
    "veiculos": """\
veiculo_id;permissionario_id;placa;tipo;ano_fabricacao;cilindradas;licenciamento_vence_em;baixado_em;\
declaracao_substituicao_em
V1;P1;ABC1D23;motocicleta;2024;150;31/10/2026;;
V2;P2;ABC-1234;motocicleta;2018;150;31/10/2026;;
V3;P3;XYZ1A11;van;2020;;31/10/2026;;
""",
    "alvaras": """\
alvara_id;permissionario_id;emitido_em;modalidade;veiculo_id;valido_ate;situacao
A1;P1;05/01/2026;permissao;;31/12/2026;vigente
A2;P2;05/01/2025;permissao;;31/12/2025;vigente
A3;P3;10/12/2025;alvara;V3;10/12/2026;vigente
""",
    "autos": """\
auto_id;permissionario_id;codigo;ocorrido_em;veiculo_id;lavrado_em;ciencia_em;valor;vence_em;defesa_em;decisao;\
decisao_em;ciencia_decisao_em;recurso_em;decisao_recurso;decisao_recurso_em;pago_em;valor_pago
N1;P1;26-II;02/02/2026 10:00;V1;02/02/2026;02/02/2026;100,00;;;;;;;;;;
N2;P1;26-II;03/02/2026 10:00;V1;03/02/2026;03/02/2026;100,00;;;;;;;;;10/02/2026;100,00
""",
}


def write_folder(pasta: Path, **trocas: str) -> Path:
    """The folder of extracts; `trocas` replaces an extract's text by name."""
    pasta.mkdir(parents=True, exist_ok=True)
    for nome, texto in {**EXTRATOS, **trocas}.items():
        (pasta / f"{nome}.csv").write_text(texto, encoding="utf-8")
    return pasta


def request(raiz: Path, extracts: Path, as_of: date = AS_OF, out: str = "saida") -> RunRequest:
    """A run of that folder, with its warehouse and results under `raiz`."""
    banco = raiz / "w.duckdb"
    return RunRequest(extracts, as_of, banco, raiz / out, load_settings(warehouse=banco))

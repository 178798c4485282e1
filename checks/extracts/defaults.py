"""What the contract assumes where a column or a value did not come (docs/extratos.md: "sem valor")."""

from __future__ import annotations

#: Extract → column → what is assumed, in words.
PADROES: dict[str, dict[str, str]] = {
    "permissionarios": {"situacao": "ativo"},
    "veiculos": {"tracao": "combustao", "funcao": "operacao"},
    "condutores": {"matricula_situacao": "ativa"},
    "alvaras": {"valido_ate": "o sistema conta o prazo da norma", "situacao": "vigente"},
    "autos": {
        "lavrado_em": "o dia do fato",
        "ciencia_em": "lavrado_em",
        "ciencia_decisao_em": "decisao_em",
        "ciencia_recurso_em": "decisao_recurso_em",
        "situacao": "ativo",
    },
}

"""`emdia doctor`: is this machine ready for tonight?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

MARCAS = {"ok": "  ok   ", "aviso": " AVISO ", "erro": " ERRO  "}


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(doctor)


def doctor(
    *,
    warehouse: Annotated[Path | None, Parameter(help="Arquivo do banco do município.")] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    overrides: Annotated[Path | None, Parameter(help="Arquivo TOML com parâmetros do município.")] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative=(), help="Escreve as respostas em JSON.")] = False,
) -> int:
    """Confere se esta máquina está pronta para a noite, e diz o que fazer quando não está.

    Termina com 0 se não há erro (avisos não contam) e com 1 se há.
    """
    import json
    from dataclasses import asdict

    from flows.relogio import today
    from flows.saude import examine
    from flows.settings import load_settings

    settings = load_settings(config, warehouse=warehouse, overrides=overrides)
    respostas = examine(settings, today(settings.fuso))
    if as_json:
        print(json.dumps([asdict(r) for r in respostas], ensure_ascii=False, indent=2))
    else:
        largura = max(len(r.nome) for r in respostas)
        for r in respostas:
            print(f"[{MARCAS[r.situacao]}] {r.nome.ljust(largura)}  {r.detalhe}")
    erros = sum(r.situacao == "erro" for r in respostas)
    problemas = "1 problema" if erros == 1 else f"{erros} problemas"
    if not as_json:
        print("Pronto para a noite." if not erros else f"{problemas} a resolver antes da noite.")
    return 1 if erros else 0

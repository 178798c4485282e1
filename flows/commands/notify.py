"""`emdia notify`: the notices to permissionarios, and what a person decides about them."""

from __future__ import annotations

import getpass
import json
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from notices.delivery.run import Report

app = App(name="notify", help="Compõe e envia os avisos aos permissionários. Sem --send, nada é enviado.")

Warehouse = Annotated[Path | None, Parameter(help="Arquivo do banco do município. Sem ele, var/emdia.duckdb.")]
Config = Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")]
Esperar = Annotated[float, Parameter(help="Segundos a esperar se outro envio estiver em curso.")]
Json = Annotated[bool, Parameter(name="--json", negative=(), help="Escreve o resultado em JSON na saída padrão.")]


def _tell(texto: str) -> None:
    print(texto, file=sys.stderr, flush=True)


@app.default
def notify(
    *,
    weekly: Annotated[bool, Parameter(negative=(), help="O aviso da semana, um por permissionário.")] = False,
    immediate: Annotated[bool, Parameter(negative=(), help="O que não pode esperar a semana.")] = False,
    as_of: Annotated[date | None, Parameter(help="Data de referência, AAAA-MM-DD. Sem ela, a da última noite.")] = None,
    warehouse: Warehouse = None,
    out: Annotated[
        Path | None, Parameter(help="Pasta dos resultados: os avisos vão para a subpasta avisos. Sem ela, saida.")
    ] = None,
    config: Config = None,
    send: Annotated[bool, Parameter(negative=(), help="Envia de verdade, pelo servidor de EMDIA_SMTP_HOST.")] = False,
    dry_run: Annotated[
        bool, Parameter(negative=(), help="Só mostra as contagens e uma mensagem; não escreve nada.")
    ] = False,
    esperar: Esperar = 0,
    as_json: Json = False,
) -> int:
    """Compõe e envia os avisos aos permissionários. Sem --send, só escreve os arquivos .eml para conferência.

    Termina com 1 quando alguém precisa agir: o envio parou, aguarda aprovação ou há mensagem incerta.
    """
    from flows.avisos import composer
    from flows.avisos import notify as run
    from flows.erros import ErroDeUso
    from flows.settings import load_settings
    from notices.model import IMEDIATO, SEMANAL

    if weekly == immediate:
        raise ErroDeUso("diga quais avisos: --weekly ou --immediate.")
    settings = load_settings(config, warehouse=warehouse, out=out)
    tipo = SEMANAL if weekly else IMEDIATO
    report = run(
        settings,
        tipo,
        composer(tipo, settings),
        as_of=as_of,
        send=send,
        dry_run=dry_run,
        esperar=esperar,
        dizer=_tell,
    )
    show(report, as_json=as_json, sample=dry_run)
    return report.codigo_saida


def show(report: Report, *, as_json: bool, sample: bool) -> None:
    """Print what a run did; `sample`: one message too."""
    from notices.delivery.status import render_report, report_as_dict, sample_text

    if as_json:
        print(json.dumps(report_as_dict(report), ensure_ascii=False, indent=2, default=str))
        return
    print("\n".join(render_report(report)))
    if sample and report.amostra:
        print("\nUma das mensagens:\n")
        print(sample_text(report.amostra))


@app.command
def status(*, warehouse: Warehouse = None, config: Config = None, as_json: Json = False) -> int:
    """Mostra as rodadas, o que espera decisão, os endereços a corrigir e o que está pausado."""
    from flows.avisos import has_ledger, open_ledger
    from flows.settings import load_settings
    from notices.delivery.status import NOTHING, read_status, render_status

    settings = load_settings(config, warehouse=warehouse)
    if not has_ledger(settings):  # composing without --send keeps no record: that is no failure, and nobody has to act
        print(
            json.dumps(NOTHING.as_dict(), indent=2) if as_json else "Nada foi enviado deste banco ainda; --send envia."
        )
        return 0
    with open_ledger(settings) as ledger:
        quadro = read_status(ledger)
    if as_json:
        print(json.dumps(quadro.as_dict(), ensure_ascii=False, indent=2))
    else:
        print("\n".join(render_status(quadro)))
    return 0


@app.command
def approve(
    rodada: Annotated[str, Parameter(help="A rodada, por exemplo semanal-20261130.")],
    /,
    *,
    send: Annotated[bool, Parameter(negative=(), help="Envia agora. Sem isso, sai no próximo envio.")] = False,
    warehouse: Warehouse = None,
    config: Config = None,
    esperar: Esperar = 0,
) -> int:
    """Libera uma rodada que parou à espera de alguém: o que ela já compôs, e só isso."""
    from flows.avisos import approve as run
    from flows.settings import load_settings
    from notices.delivery.status import sent_words
    from reports.formats import count_br

    settings = load_settings(config, warehouse=warehouse)
    liberadas, feito = run(settings, rodada, getpass.getuser(), send=send, esperar=esperar, dizer=_tell)
    print(f"{rodada}: {count_br(liberadas, 'mensagem liberada', 'mensagens liberadas')}.")
    if feito is None:
        print("Saem no próximo envio; com --send, sairiam agora.")
        return 0
    print("; ".join(sent_words(feito)))
    if feito.parada:
        print(f"O envio parou: {feito.parada}")
    return int(bool(feito.parada or feito.incertas))


@app.command
def reject(
    rodada: Annotated[str, Parameter(help="A rodada, por exemplo semanal-20261130.")],
    /,
    *,
    warehouse: Warehouse = None,
    config: Config = None,
) -> int:
    """Retira o que uma rodada ainda tem a enviar. Na próxima, os achados são compostos de novo."""
    from flows.avisos import open_ledger
    from flows.settings import load_settings
    from notices.delivery.brakes import cancel
    from reports.formats import count_br

    with open_ledger(load_settings(config, warehouse=warehouse)) as ledger:
        retiradas = cancel(ledger, rodada, getpass.getuser())
    print(f"{rodada}: {count_br(retiradas, 'mensagem retirada', 'mensagens retiradas')}.")
    return 0


@app.command
def resolve(
    chave: Annotated[str, Parameter(help="A chave da mensagem, como em emdia notify status.")],
    /,
    *,
    chegou: Annotated[bool, Parameter(negative=(), help="A mensagem chegou: nada mais a enviar.")] = False,
    reenviar: Annotated[bool, Parameter(negative=(), help="Não chegou: sai de novo no próximo envio.")] = False,
    warehouse: Warehouse = None,
    config: Config = None,
) -> int:
    """Decide o que fazer de uma mensagem incerta, que pode ter chegado ou não."""
    from flows.avisos import open_ledger
    from flows.erros import ErroDeUso
    from flows.settings import load_settings
    from notices.delivery.decisions import resolve as decide

    if chegou == reenviar:
        raise ErroDeUso("diga o que houve com a mensagem: --chegou ou --reenviar.")
    with open_ledger(load_settings(config, warehouse=warehouse)) as ledger:
        decide(ledger, chave, chegou=chegou, por=getpass.getuser())
    print(f"{chave}: {'dada por enviada' if chegou else 'sai de novo no próximo envio'}.")
    return 0


@app.command
def unblock(
    endereco: Annotated[str, Parameter(help="O endereço recusado que está bom; * para todos.")],
    /,
    *,
    warehouse: Warehouse = None,
    config: Config = None,
) -> int:
    """Volta a usar um endereço que o servidor recusou."""
    from flows.avisos import open_ledger
    from flows.settings import load_settings
    from notices.delivery.decisions import unblock as free

    with open_ledger(load_settings(config, warehouse=warehouse)) as ledger:
        print(f"{free(ledger, endereco, getpass.getuser())} endereço(s) de volta em uso.")
    return 0


@app.command
def pause(
    norma: Annotated[str, Parameter(help="A norma, por exemplo 825/2021; * para todas.")],
    /,
    *,
    motivo: Annotated[str, Parameter(help="Por quê.")] = "sem motivo informado",
    warehouse: Warehouse = None,
    config: Config = None,
) -> int:
    """Para na hora os avisos de uma norma, mesmo com um envio em curso."""
    from flows.avisos import check_norm, open_ledger
    from flows.settings import load_settings
    from notices.delivery.brakes import pause as stop

    settings = load_settings(config, warehouse=warehouse)
    check_norm(settings, norma)
    with open_ledger(settings, criar=True) as ledger:
        stop(ledger, norma, getpass.getuser(), motivo)
    print(f"{'todas as normas' if norma == '*' else norma}: nenhum aviso sai até `emdia notify resume {norma}`.")
    return 0


@app.command
def resume(
    norma: Annotated[str, Parameter(help="A norma pausada; * para a pausa de todas.")],
    /,
    *,
    warehouse: Warehouse = None,
    config: Config = None,
) -> int:
    """Desfaz a pausa de uma norma."""
    from flows.avisos import open_ledger
    from flows.settings import load_settings
    from notices.delivery.brakes import resume as go

    with open_ledger(load_settings(config, warehouse=warehouse)) as ledger:
        havia = go(ledger, norma)
    print(f"{norma}: {'os avisos voltam no próximo envio' if havia else 'não estava em pausa'}.")
    return 0


@app.command
def proof(
    chave: Annotated[str, Parameter(help="A chave da mensagem (o que vem antes da @ no Message-ID).")],
    /,
    *,
    out: Annotated[Path, Parameter(help="Pasta em que a mensagem guardada é escrita.")] = Path(),
    warehouse: Warehouse = None,
    config: Config = None,
) -> int:
    """Mostra tudo o que houve com uma mensagem e escreve a cópia exata do que passou pela linha."""
    from flows.avisos import open_ledger
    from flows.settings import load_settings
    from notices.delivery.status import render_proof

    with open_ledger(load_settings(config, warehouse=warehouse)) as ledger:
        print("\n".join(render_proof(ledger, chave)))
        conteudo = ledger.eml(chave)
    arquivo = out / f"{chave}.eml"
    out.mkdir(parents=True, exist_ok=True)
    arquivo.write_bytes(conteudo)
    print(f"cópia: {arquivo}")
    return 0

"""Autos with the whole life of their process, and the processes against holders."""

import numpy as np
import polars as pl

from data.exemplo.infracoes import amounts, codes
from data.exemplo.sorteio import NAT, Days, frame, ids, pick, spread, stream, text, where, words

DAY = np.timedelta64(1, "D")
# How long a defence is taken and a payment waited for, in days: draws, safely near what each norm asks.
PACE = {
    "825/2021": (13, 14),
    "408/2009": (4, 28),
    "1343/1994": (6, 9),
    "1854/1999": (5, 34),
    "30258/1983": (8, 9),
}
RATE = {"825/2021": 3.6, "408/2009": 3.0, "1343/1994": 4.5, "1854/1999": 3.6, "30258/1983": 4.0}
YEARS3 = 3 * 365


def autos(
    seed: int,
    operators: pl.DataFrame,
    fleet: pl.DataFrame,
    crew: pl.DataFrame,
    lines: pl.DataFrame,
    units: pl.DataFrame,
    as_of: np.datetime64,
) -> pl.DataFrame:
    """About four autos per operator in three years: most settled, a few unpaid, some holders chronic."""
    rng = stream(seed, "autos")
    who, moment = _facts(rng, operators, fleet, as_of)
    n = len(who)
    norm = operators["norma"].to_numpy()[who]
    day = moment.astype("datetime64[D]")
    codigo, descricao = np.full(n, None, dtype=object), np.full(n, None, dtype=object)
    for key in RATE:
        here = np.flatnonzero(norm == key)
        known = [c.codigo for c in codes(key)]
        # A few codes make most of the autos, as everywhere.
        codigo[here] = pick(rng, known, len(here), [1 / (1 + i) ** 0.8 for i in range(len(known))])
    words_of = {(key, c.codigo): c.descricao for key in RATE for c in codes(key)}
    descricao[:] = [words_of[key] for key in zip(norm.tolist(), codigo.tolist(), strict=True)]
    lavrado = np.minimum(day + spread(rng, 0, 3, n) * (rng.random(n) < 0.1), as_of)
    waited = np.where(lavrado < as_of - 30 * DAY, spread(rng, 0, 8, n), np.timedelta64(0, "D"))
    notified = lavrado + waited * (rng.random(n) < 0.5)
    valor = amounts(norm, codigo, day, units)
    life = _process(rng, norm, notified, valor, as_of)
    vehicle = _one_of(rng, operators, who, fleet, "veiculo_id", day)
    by_plate = rng.random(n) < 0.06
    plate_of = dict(zip(fleet["veiculo_id"].to_list(), fleet["placa"].to_list(), strict=True))
    drivers = crew.filter(pl.col("funcao") == "motorista")
    line = np.full(n, None, dtype=object)
    for key in lines["norma"].unique().sort().to_list():
        here = np.flatnonzero(norm == key)
        line[here] = pick(rng, lines.filter(pl.col("norma") == key)["linha_id"].to_list(), len(here))
    order = np.argsort(moment, kind="stable")
    out = frame(
        permissionario_id=operators["permissionario_id"].to_numpy()[who],
        codigo=codigo,
        ocorrido_em=moment.astype("datetime64[us]"),
        veiculo_id=text(~by_plate, vehicle),
        placa=text(by_plate, np.array([plate_of.get(v) for v in vehicle], dtype=object)),
        condutor_id=text(rng.random(n) < 0.97, _one_of(rng, operators, who, drivers, "condutor_id", day)),
        linha_id=line,
        local=pick(rng, words()["locais"], n),
        agente="AG" + rng.integers(11, 47, n).astype(str).astype(object),
        descricao=text(rng.random(n) < 0.97, descricao),
        lavrado_em=lavrado,
        ciencia_em=notified,
        **life,
    )
    return out[order.tolist()].select(pl.Series("auto_id", ids("", n, 8)), pl.all())


def _facts(
    rng: np.random.Generator, operators: pl.DataFrame, fleet: pl.DataFrame, as_of: np.datetime64
) -> tuple[np.ndarray, np.ndarray]:
    """Who was fined and when: gamma rates, and a few mototaxi holders chronic of late."""
    norm = operators["norma"].to_numpy()
    size = (
        operators.join(
            fleet.group_by("permissionario_id").len(),
            on="permissionario_id",
            how="left",
            maintain_order="left",
        )["len"]
        .fill_null(0)
        .to_numpy()
    )
    rate = np.array([RATE[x] for x in norm]) * rng.gamma(1.6, 1 / 1.6, len(norm)) * np.sqrt(np.maximum(size, 1))
    since = operators["cadastrado_em"].to_numpy().astype("datetime64[D]")
    window = np.clip((as_of - since).astype(int), 1, YEARS3)
    count = rng.poisson(rate * window / YEARS3)
    who = np.repeat(np.arange(len(norm)), count)
    ago = rng.random(len(who)) * window[who]
    chronic = rng.permutation(np.flatnonzero((norm == "825/2021") & (window > 360)))[:24]
    extra = np.repeat(chronic, rng.integers(6, 13, len(chronic)))
    who = np.concatenate([who, extra])
    # The chronic ones within the last five months, so that the windows of points fill.
    ago = np.concatenate([ago, rng.random(len(extra)) * 150])
    minutes = (ago * 24 * 60).astype(int)
    last_minute = (as_of + DAY).astype("datetime64[m]") - np.timedelta64(30, "m")
    return who, last_minute - (minutes // 5 * 5).astype("timedelta64[m]")


def _one_of(
    rng: np.random.Generator,
    operators: pl.DataFrame,
    who: np.ndarray,
    things: pl.DataFrame,
    column: str,
    day: Days,
) -> np.ndarray:
    """One of the operator's vehicles or drivers, registered by that day; none when there is none."""
    index = {p: i for i, p in enumerate(operators["permissionario_id"].to_list())}
    owner = np.array([index[p] for p in things["permissionario_id"].to_list()])
    order = np.argsort(owner, kind="stable")
    names = things[column].to_numpy()[order]
    gone = "baixado_em" if "baixado_em" in things.columns else "desligado_em"
    left = things[gone].to_numpy().astype("datetime64[D]")[order]
    since = things["cadastrado_em"].to_numpy().astype("datetime64[D]")[order]
    first = np.searchsorted(owner[order], np.arange(operators.height + 1))
    have = np.diff(first)[who]
    at = first[:-1][who] + (rng.random(len(who)) * np.maximum(have, 1)).astype(int)
    at = np.minimum(at, len(names) - 1)
    good = (have > 0) & (since[at] <= day) & ~(left[at] <= day)
    return text(good, names[at])


def _process(
    rng: np.random.Generator, norm: np.ndarray, notified: Days, valor: np.ndarray, as_of: np.datetime64
) -> dict[str, object]:
    """Defence, decision, appeal and payment; what falls after a night is cut when that night is written."""
    n = len(norm)
    defence_days = np.array([PACE[x][0] for x in norm])
    pay_days = np.array([PACE[x][1] for x in norm])
    fate = rng.random(n)
    defends, cancelled, unpaid = (
        fate < 0.18,
        (fate >= 0.18) & (fate < 0.205),
        (fate >= 0.205) & (fate < 0.245),
    )
    late_payer = (fate >= 0.245) & (fate < 0.30)
    defended = where(defends, notified + (rng.integers(1, defence_days + 1)).astype("timedelta64[D]"))
    decided = defended + spread(rng, 9, 45, n)
    decision = text(defends, pick(rng, ["procedente", "improcedente", "parcial"], n, [62, 23, 15]))
    told = np.where(rng.random(n) < 0.5, decided + spread(rng, 0, 8, n), NAT)
    known = np.where(np.isnat(told), decided, told)
    upheld = defends & (decision != "improcedente")
    appeals = upheld & (rng.random(n) < 0.25)
    appealed = where(appeals, known + spread(rng, 1, 4, n))
    ruled = appealed + spread(rng, 15, 60, n)
    ruling = text(appeals, pick(rng, ["negado", "provido"], n, [75, 25]))
    heard = np.where(rng.random(n) < 0.5, ruled + spread(rng, 0, 6, n), NAT)
    settled = np.select([appeals, upheld], [np.where(np.isnat(heard), ruled, heard), known], notified)
    soon = np.where(defends, np.minimum(pay_days, 4), pay_days)
    paid = settled + rng.integers(1, soon + 1).astype("timedelta64[D]")
    paid = np.where(late_payer, paid + spread(rng, 10, 120, n), paid)
    lost = (decision == "improcedente") | (ruling == "provido") | cancelled | unpaid
    old = paid < as_of - 400 * DAY
    # Old debts were nearly all collected; what is still open is mostly recent.
    paid = np.where((~lost) | (unpaid & old & (rng.random(n) < 0.8)), paid + spread(rng, 0, 200, n) * unpaid, NAT)
    reduced = np.where(decision == "parcial", valor // 2, 0)
    due = np.where(reduced > 0, reduced, valor)
    short = rng.random(n) < 0.01
    amount = np.where(short, due // 2, due)
    printed = norm == "408/2009"
    money = {
        k: pl.Series(v)
        for k, v in {
            "valor": valor,
            "reduced": reduced,
            "paid": np.where(np.isnat(paid) | (rng.random(n) < 0.05), 0, amount),
        }.items()
    }
    return {
        "valor": money["valor"].replace(0, None),
        "vence_em": where(printed & (rng.random(n) < 0.97), notified + 30 * DAY),
        "defesa_em": defended,
        "decisao": decision,
        "decisao_em": decided,
        "ciencia_decisao_em": told,
        "valor_decidido": money["reduced"].replace(0, None),
        "recurso_em": appealed,
        "decisao_recurso": ruling,
        "decisao_recurso_em": ruled,
        "ciencia_recurso_em": heard,
        "pago_em": paid,
        "valor_pago": money["paid"].replace(0, None),
        "situacao": np.where(cancelled, "cancelado", "ativo").astype(object),
        "cancelado_em": where(cancelled, notified + spread(rng, 2, 40, n)),
    }


def processes(seed: int, operators: pl.DataFrame, fined: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Processes: warnings, suspensions, and cassations of some of the holders most often fined."""
    rng = stream(seed, "processos")
    often = (
        fined.group_by("permissionario_id")
        .agg(pl.len().alias("k"))
        .sort(["k", "permissionario_id"], descending=[True, False])["permissionario_id"]
    )
    hot = often.head(60).to_numpy()
    others = pick(rng, operators["permissionario_id"].to_numpy(), 90)
    who = np.concatenate([hot, others])
    n = len(who)
    act = np.concatenate(
        [
            pick(rng, ["cassacao", "suspensao"], len(hot), [50, 50]),
            pick(
                rng,
                ["advertencia", "suspensao", "cassacao_matricula", "cancelamento"],
                len(others),
                [75, 18, 4, 3],
            ),
        ]
    )
    opened = as_of - spread(rng, 5, 700, n)
    told = opened + spread(rng, 1, 10, n)
    defended = where(rng.random(n) < 0.7, told + spread(rng, 1, 10, n))
    decided = told + spread(rng, 20, 70, n)
    decision = pick(rng, ["aplicada", "arquivada"], n, [55, 45])
    # A cassation applied would have closed the permit: those of the hot ones ended without it.
    decision[(act == "cassacao") & (decision == "aplicada")] = "arquivada"
    appealed = where((decision == "aplicada") & (rng.random(n) < 0.3), decided + spread(rng, 1, 10, n))
    return frame(
        processo_id=ids("PA", n, 5),
        permissionario_id=who,
        ato=act,
        fundamento=pick(rng, ["pontuação", "representação da fiscalização", "reincidência", "denúncia de usuário"], n),
        instaurado_em=opened,
        ciencia_em=told,
        defesa_em=defended,
        decisao=decision,
        decisao_em=decided,
        ciencia_decisao_em=decided + spread(rng, 0, 6, n),
        recurso_em=appealed,
        decisao_recurso=text(~np.isnat(appealed), pick(rng, ["negado", "provido"], n, [80, 20])),
        decisao_recurso_em=appealed + spread(rng, 15, 50, n),
    )

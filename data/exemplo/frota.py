"""Vehicles of the made-up registry."""

import numpy as np
import polars as pl

from data.exemplo.documentos import plates
from data.exemplo.sorteio import Days, frame, ids, pick, spread, stream, where, year_of, ymd

DAY = np.timedelta64(1, "D")
KINDS = {  # tipo, servico and seats by norm
    "825/2021": (["motocicleta"], ["individual"], [2]),
    "408/2009": (["kombi", "van", "micro_onibus", "onibus"], ["urbano", "turistico", "escolar"], [9, 12, 16, 24, 44]),
    "1854/1999": (
        ["onibus", "onibus_rodoviario"],
        ["urbano", "rodoviario", "municipal", "escolar", "especial"],
        [24, 36, 44],
    ),
    "30258/1983": (
        ["onibus", "micro_onibus", "onibus_rodoviario", "veiculo_medio_porte"],
        ["rodoviario", "especial", "turistico"],
        [9, 12, 16, 28, 44],
    ),
    "1343/1994": (["onibus_urbano", "onibus_misto", "onibus"], ["urbano", "especial", "escolar"], [24, 36, 44]),
}
# Useful life by norm in years, to draw a fleet that is mostly young enough.
LIFE = {"825/2021": 6, "408/2009": 18, "1854/1999": 15, "30258/1983": 6, "1343/1994": 12}


def vehicles(seed: int, operators: pl.DataFrame, as_of: np.datetime64, due: pl.DataFrame) -> pl.DataFrame:
    """One vehicle for a person, a small fleet for a company; some replaced. `due`: the DETRAN calendar."""
    rng = stream(seed, "veiculos")
    company = (operators["tipo_pessoa"] == "PJ").to_numpy()
    fleet = np.where(company, 1 + rng.poisson(3.6, operators.height), 1)
    owner = np.repeat(np.arange(operators.height), fleet)
    n = len(owner)
    norm = operators["norma"].to_numpy()[owner]
    since: Days = operators["cadastrado_em"].to_numpy().astype("datetime64[D]")[owner]
    this_year = year_of(as_of)
    life = np.array([LIFE[x] for x in norm])
    # Most of a fleet is inside its age limit; four in a hundred are in the last lawful year or past it.
    age = np.floor(rng.random(n) ** 0.9 * (life - 0.3)).astype(int)
    old = rng.random(n) < 0.035
    age = np.where(old, life + rng.integers(0, 3, n), age)
    built = this_year - age
    first_use = np.minimum(ymd(built, 1, 1) + spread(rng, 20, 364, n), as_of - 30 * DAY)
    registered = np.minimum(np.maximum(since, first_use) + spread(rng, 0, 25, n), as_of - spread(rng, 0, 30, n))
    tipo = np.empty(n, dtype=object)
    servico, seats = tipo.copy(), np.zeros(n, dtype=int)
    for key, (kinds, uses, places) in KINDS.items():
        here = norm == key
        tipo[here], servico[here] = pick(rng, kinds, here.sum()), pick(rng, uses, here.sum())
        seats[here] = pick(rng, places, here.sum()).astype(int)
    invoice = where((norm == "30258/1983") & (rng.random(n) < 0.97), first_use - spread(rng, 3, 40, n))
    plate = plates(rng, n)
    licensed_until, exercise = _licensing(rng, plate, due, as_of, norm)
    gone = rng.random(n) < 0.02
    document = operators["documento"].to_numpy()[owner]
    bike = tipo == "motocicleta"
    declared = (norm == "825/2021") & (age >= 6) & (rng.random(n) < 0.7)
    main = frame(
        veiculo_id=ids("V", n),
        permissionario_id=operators["permissionario_id"].to_numpy()[owner],
        placa=plate,
        tipo=tipo,
        ano_fabricacao=built,
        servico=servico,
        nota_fiscal_em=invoice,
        primeiro_uso_em=where(rng.random(n) < 0.8, first_use),
        lugares=seats,
        cilindradas=pl.Series(
            np.where(bike, pick(rng, [110, 125, 150, 160, 250], n, [1, 20, 40, 40, 10]), 0).astype(int)
        ).replace(0, None),
        tracao=np.where((rng.random(n) < 0.01) & ~bike, "eletrica", "combustao").astype(object),
        renavam=np.array([f"{v:011d}" for v in rng.integers(10**7, 10**10, n)], dtype=object),
        chassi=np.array([f"9BW{v:014d}" for v in rng.integers(0, 10**14, n)], dtype=object),
        numero_ordem=ids("", n, 4),
        proprietario_documento=np.where(rng.random(n) < 0.99, document, np.roll(document, 7)),
        licenciamento_vence_em=licensed_until,
        crlv_exercicio=exercise,
        seguro_vence_em=as_of + np.where(rng.random(n) < 0.97, spread(rng, 5, 365, n), -spread(rng, 1, 90, n)),
        funcao=np.where((rng.random(n) < 0.15) & company[owner] & (fleet[owner] > 2), "reserva", "operacao").astype(
            object
        ),
        cadastrado_em=registered,
        cadastro_atualizado_em=np.minimum(np.maximum(registered, as_of - spread(rng, 0, 380, n)), as_of),
        baixado_em=where(gone, np.maximum(registered, as_of - spread(rng, 1, 500, n))),
        substitui_veiculo_id=np.full(n, None, dtype=object),
        motivo_substituicao=np.full(n, None, dtype=object),
        declaracao_substituicao_em=where(declared, as_of - spread(rng, 1, 120, n)),
    )
    return _replaced(rng, main, as_of)


def _licensing(
    rng: np.random.Generator, plate: np.ndarray, due: pl.DataFrame, as_of: np.datetime64, norm: np.ndarray
) -> tuple[Days, np.ndarray]:
    """The next DETRAN due date of each vehicle: next year's once this year's is paid."""
    n, year = len(plate), year_of(as_of)
    digit = np.array([p[-1] for p in plate], dtype=object)
    table = {(e, f, u): d for u, e, f, d in due.iter_rows()}
    uf = np.where(norm == "1854/1999", "MG", "BA")
    this = np.array([table[year, f, u] for f, u in zip(digit, uf, strict=True)], dtype="datetime64[D]")
    following = np.array([table[year + 1, f, u] for f, u in zip(digit, uf, strict=True)], dtype="datetime64[D]")
    paid = np.where(this <= as_of, rng.random(n) < 0.975, rng.random(n) < 0.25)
    return where(rng.random(n) < 0.985, np.where(paid, following, this)), np.where(paid, year, year - 1)


def _replaced(rng: np.random.Generator, main: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Older vehicles written off on the day the one that replaced them was registered."""
    n = main.height
    heir = np.sort(rng.permutation(n)[: n // 20])
    new = main[heir.tolist()]
    k = new.height
    # One in ten is irregular: the replacement isn't newer.
    built = new["ano_fabricacao"].to_numpy() - np.where(rng.random(k) < 0.9, rng.integers(1, 6, k), 0)
    left = new["cadastrado_em"].to_numpy().astype("datetime64[D]")
    old = new.with_columns(
        pl.Series("veiculo_id", ids("V", k, start=n + 1).tolist()),
        pl.Series("placa", plates(rng, k).tolist()),
        pl.Series("ano_fabricacao", built),
        pl.Series("renavam", [f"{v:011d}" for v in rng.integers(10**7, 10**10, k)]),
        pl.Series("chassi", [f"9BW{v:014d}" for v in rng.integers(0, 10**14, k)]),
        pl.Series("numero_ordem", ids("", k, 4, start=n + 1).tolist()),
        pl.Series("cadastrado_em", left - spread(rng, 400, 1500, k)),
        pl.Series("cadastro_atualizado_em", left - spread(rng, 1, 300, k)),
        pl.Series("baixado_em", left),
        pl.Series("licenciamento_vence_em", left + spread(rng, 10, 200, k)),
        pl.lit(None, pl.Date).alias("primeiro_uso_em"),
        pl.lit(None, pl.Date).alias("nota_fiscal_em"),
        pl.lit(None, pl.Date).alias("declaracao_substituicao_em"),
    )
    swap = np.full(n, None, dtype=object)
    swap[heir] = old["veiculo_id"].to_numpy()
    why = np.full(n, None, dtype=object)
    why[heir] = pick(rng, ["idade", "roubo", "perda_total", "outro"], k, [75, 8, 7, 10])
    main = main.with_columns(
        pl.Series("substitui_veiculo_id", swap.tolist(), dtype=pl.String),
        pl.Series("motivo_substituicao", why.tolist(), dtype=pl.String),
    )
    return pl.concat([main, old])

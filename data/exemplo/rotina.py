"""The daily and yearly routine of operators: trips, fees, guarantees, communications, duties, waivers."""

import numpy as np
import polars as pl

from data.exemplo.sorteio import NAT, frame, ids, pick, spread, stream, text, where, year_of, ymd
from data.exemplo.tabela_de_taxas import renewal_fees

DAY = np.timedelta64(1, "D")


def trips(
    seed: int, operators: pl.DataFrame, fleet: pl.DataFrame, crew: pl.DataFrame, as_of: np.datetime64
) -> pl.DataFrame:
    """Sixty days of operation of the companies that send it: trips planned and made, the fullest one."""
    rng = stream(seed, "operacao")
    running = (
        fleet.filter(
            pl.col("baixado_em").is_null()
            & (pl.col("funcao") == "operacao")
            & (pl.col("cadastrado_em") <= pl.lit(as_of - 70 * DAY))
        )
        .join(
            operators.filter(
                (pl.col("tipo_pessoa") == "PJ") & pl.col("norma").is_in(["1343/1994", "1854/1999"])
            ).select("permissionario_id"),
            on="permissionario_id",
        )
        .head(250)
    )
    driver = crew.filter((pl.col("funcao") == "motorista") & pl.col("veiculo_id").is_not_null()).unique(
        "veiculo_id", keep="first", maintain_order=True
    )
    running = running.join(
        driver.select("veiculo_id", "condutor_id"), on="veiculo_id", how="left", maintain_order="left"
    )
    v = running.height
    n = v * 60
    row, back = np.tile(np.arange(v), 60), np.repeat(np.arange(60), v)
    planned = rng.integers(6, 15, v)[row]
    made = planned - (rng.random(n) < 0.06) * rng.integers(1, 4, n)
    seats = running["lugares"].to_numpy()[row]
    stopped = (rng.random(v) < 0.02)[row] & (back < 40) & (back % 5 == 0)
    by_plate = rng.random(n) < 0.05
    return frame(
        data=as_of - back.astype("timedelta64[D]"),
        veiculo_id=text(~by_plate, running["veiculo_id"].to_numpy()[row]),
        placa=text(by_plate, running["placa"].to_numpy()[row]),
        viagens_programadas=pl.Series(planned),
        viagens_realizadas=pl.Series(np.where(stopped, 0, made)),
        lotacao_maxima=pl.Series((seats * (0.8 + 1.75 * rng.beta(2, 3, n))).astype(int)),
        condutor_id=text(rng.random(n) < 0.9, running["condutor_id"].to_numpy()[row]),
    ).sort("data", maintain_order=True)


def fees(seed: int, operators: pl.DataFrame, fleet: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Yearly fees of the two norms of Mata de São João, from the second year on; a few unpaid."""
    rng = stream(seed, "taxas")
    this_year = year_of(as_of)
    holders = operators.select("permissionario_id", "norma", "cadastrado_em").with_columns(
        veiculo_id=pl.lit(None, pl.String), tipo=pl.lit("motocicleta")
    )
    cars = fleet.join(operators.select("permissionario_id", "norma"), on="permissionario_id").select(holders.columns)
    parts = []
    for year in (this_year - 2, this_year - 1, this_year):
        for norm, kind, base in [
            ("408/2009", "TVTM", cars),
            ("825/2021", "TVTI", cars),
            ("408/2009", "cracha_permissionario", holders),
            ("825/2021", "cracha_permissionario", holders),
            ("825/2021", "ISSQN", holders),
        ]:
            table = renewal_fees(norm)
            base = base.filter((pl.col("norma") == norm) & (pl.col("cadastrado_em").dt.year() < year))
            n = base.height
            due = ymd(np.full(n, year), 3, 31)
            amount = [table.get((kind, t), table.get((kind, "todas"), 0)) for t in base["tipo"].to_list()]
            parts.append(
                frame(
                    permissionario_id=base["permissionario_id"],
                    tipo=np.full(n, kind, dtype=object),
                    exercicio=pl.Series(np.full(n, year)),
                    veiculo_id=base["veiculo_id"],
                    vence_em=due,
                    valor=pl.Series(amount, dtype=pl.Int64),
                    pago_em=where(
                        rng.random(n) < (0.985 if year == this_year else 0.996), due + spread(rng, -60, 20, n)
                    ),
                )
            )
    out = pl.concat(parts)
    return out.with_columns(pl.when(pl.col("pago_em").is_not_null()).then("valor").alias("valor_pago"))


def guarantees(seed: int, operators: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Deposits of concessionaires, some drawn on and made good again."""
    rng = stream(seed, "garantias")
    firms = operators.filter(
        (pl.col("tipo_pessoa") == "PJ") & pl.col("norma").is_in(["1343/1994", "1854/1999", "30258/1983"])
    )
    n = firms.height
    paid = firms["cadastrado_em"].to_numpy().astype("datetime64[D]")
    amount = rng.integers(20, 400, n) * 50_000
    kind = pick(rng, ["dinheiro", "fianca"], n, [40, 60])
    base = {"permissionario_id": firms["permissionario_id"].to_numpy()}
    deposit = frame(
        **base,
        movimento=np.full(n, "deposito", dtype=object),
        data=paid,
        valor=pl.Series(amount),
        modalidade=kind,
        notificado_em=np.full(n, NAT),
    )
    hit = np.flatnonzero(rng.random(n) < 0.12)
    drawn = np.maximum(paid[hit] + 10 * DAY, as_of - spread(rng, 4, 600, len(hit)))
    taken = frame(
        permissionario_id=base["permissionario_id"][hit],
        movimento=np.full(len(hit), "execucao", dtype=object),
        data=drawn,
        valor=pl.Series(amount[hit] // 5),
        modalidade=kind[hit],
        notificado_em=drawn + spread(rng, 1, 4, len(hit)),
    )
    again = np.flatnonzero(rng.random(len(hit)) < 0.8)
    restored = frame(
        permissionario_id=base["permissionario_id"][hit][again],
        movimento=np.full(len(again), "reforco", dtype=object),
        data=drawn[again] + spread(rng, 3, 14, len(again)),
        valor=pl.Series(amount[hit][again] // 5),
        modalidade=kind[hit][again],
        notificado_em=np.full(len(again), NAT),
    )
    return pl.concat([deposit, taken, restored])


def communications(seed: int, operators: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Facts operators had to tell: most in time, some late, some never."""
    rng = stream(seed, "comunicacoes")
    n = operators.height // 8
    kinds = [
        "acidente",
        "endereco",
        "baixa_de_veiculo",
        "alteracao_social",
        "substituicao_de_veiculo",
        "viagem_especial",
        "interrupcao",
    ]
    happened = (as_of - spread(rng, 3, 500, n)).astype("datetime64[m]") + (rng.integers(5 * 12, 22 * 12, n) * 5).astype(
        "timedelta64[m]"
    )
    kind = pick(rng, kinds, n, [20, 20, 12, 8, 15, 20, 5])
    lag = np.where(kind == "viagem_especial", -spread(rng, 3, 10, n), spread(rng, 0, 2, n))
    lag = np.where(rng.random(n) < 0.08, spread(rng, 5, 60, n), lag)
    return frame(
        permissionario_id=pick(rng, operators["permissionario_id"].to_numpy(), n),
        tipo=kind,
        ocorrido_em=happened.astype("datetime64[us]"),
        comunicado_em=where(rng.random(n) < 0.97, happened.astype("datetime64[D]") + lag),
    ).sort("ocorrido_em", maintain_order=True)


def duties(seed: int, operators: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Yearly balances, two-monthly reports and cadastral updates of companies."""
    rng = stream(seed, "obrigacoes")
    this_year = year_of(as_of)
    firms = operators.filter(pl.col("tipo_pessoa") == "PJ")
    plan = [
        ("balanco", str(y), ymd(np.array([y + 1]), 3, 20)[0], ["1343/1994", "30258/1983"])
        for y in range(this_year - 3, this_year)
    ]
    plan += [
        (
            "relatorio_operacional",
            f"{this_year}-B{b}",
            ymd(np.array([this_year]), 2 * b + 1, 8)[0],
            ["1854/1999"],
        )
        for b in range(1, 6)
    ]
    plan += [("atualizacao_cadastral", str(this_year), ymd(np.array([this_year]), 6, 15)[0], ["30258/1983"])]
    parts = []
    for kind, reference, target, norms in plan:
        base = firms.filter(pl.col("norma").is_in(norms) & (pl.col("cadastrado_em") < target))
        n = base.height
        parts.append(
            frame(
                permissionario_id=base["permissionario_id"],
                tipo=np.full(n, kind, dtype=object),
                referencia=np.full(n, reference, dtype=object),
                entregue_em=where(rng.random(n) < 0.95, target + spread(rng, -25, 14, n)),
            )
        )
    return pl.concat(parts)


def waivers(seed: int, fined: pl.DataFrame, fleet: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Acts that suspend a finding: a court order over vehicles, instalments over autos; the last is new."""
    rng = stream(seed, "dispensas")
    bikes = (
        fleet.filter((pl.col("tipo") == "motocicleta") & pl.col("baixado_em").is_null())
        .sort(["ano_fabricacao", "veiculo_id"])
        .head(3)["veiculo_id"]
        .to_list()
    )
    # Debts of a season ago, still open: the kind an instalment plan covers.
    open_ = fined.filter(
        pl.col("pago_em").is_null()
        & pl.col("decisao").is_null()
        & (pl.col("situacao") == "ativo")
        & (pl.col("ciencia_em") < pl.lit(as_of - 90 * DAY))
    )
    debts = open_.sort("auto_id", descending=True).head(4)["auto_id"].to_list()
    rows = [
        (
            "veiculo_acima_da_idade",
            "veiculo",
            x,
            "Mandado de Segurança 8001234-56.2026",
            "Juízo da 1ª Vara",
            "liminar",
        )
        for x in bikes
    ]
    rows += [("multa_vencida", "auto", x, "PA 2026/0451", "Secretaria da Fazenda", "parcelamento") for x in debts]
    n = len(rows)
    # The last one is granted on the last night.
    since = as_of - np.append(spread(rng, 20, 200, n - 1), np.timedelta64(0, "D"))
    cols = list(zip(*rows, strict=True))
    names = ["verificacao", "sujeito_tipo", "sujeito_id", "processo", "autoridade", "motivo"]
    return frame(
        dispensa_id=ids("D", n, 3),
        **{k: np.array(v, dtype=object) for k, v in zip(names, cols, strict=True)},
        valida_de=since,
        valida_ate=as_of + spread(rng, 30, 200, n),
    )

"""Operators and crew of the made-up registry."""

import numpy as np
import polars as pl

from data.exemplo import documentos
from data.exemplo.sorteio import NAT, Days, frame, ids, pick, spread, stream, text, where, words, year_of, ymd

# Share of the operators, share of companies among them, first year of a registration.
PROFILE = {
    "825/2021": (0.45, 0.00, 2021),
    "408/2009": (0.25, 0.12, 2010),
    "1854/1999": (0.12, 0.25, 2008),
    "30258/1983": (0.10, 0.45, 2005),
    "1343/1994": (0.08, 0.30, 2007),
}
NORMS = list(PROFILE)


def person_names(rng: np.random.Generator, n: int) -> np.ndarray:
    """Full names: one first name and two surnames."""
    w = words()
    return pick(rng, w["prenomes"], n) + " " + pick(rng, w["sobrenomes"], n) + " " + pick(rng, w["sobrenomes"], n)


def company_names(rng: np.random.Generator, n: int) -> np.ndarray:
    """Company names as trade boards show them."""
    w = words()
    return pick(rng, w["empresas"], n) + " " + pick(rng, w["marcas"], n) + " " + pick(rng, w["sufixos"], n)


def operators(seed: int, n: int, as_of: np.datetime64) -> pl.DataFrame:
    """`n` holders over the five norms; one in a hundred also holds a permit under a second norm."""
    rng = stream(seed, "permissionarios")
    counts = [round(n * share) for share, _, _ in PROFILE.values()]
    counts[0] += n - sum(counts)
    norm = np.repeat(np.array(NORMS, dtype=object), counts)
    company = rng.random(n) < np.repeat([pj for _, pj, _ in PROFILE.values()], counts)
    name = np.where(company, company_names(rng, n), person_names(rng, n))
    document = np.where(company, documentos.cnpj(rng, n, alphanumeric=0.05), documentos.cpf(rng, n))
    # The same person under two norms: two rows, one document.
    mototaxi, other = np.flatnonzero(norm == NORMS[0]), np.flatnonzero((norm != NORMS[0]) & ~company)
    twin = rng.permutation(other)[: n // 100]
    source = rng.permutation(mototaxi)[: len(twin)]
    name[twin], document[twin] = name[source], document[source]

    first = ymd(np.repeat([y for _, _, y in PROFILE.values()], counts), 8, 1)
    span = (as_of - first).astype(int)
    registered: Days = as_of - (rng.random(n) ** 1.3 * span).astype("timedelta64[D]") - np.timedelta64(5, "D")
    updated = np.maximum(registered, as_of - spread(rng, 1, 900, n))
    # 30258 asks for a yearly update by June; most have made it.
    yearly = (norm == "30258/1983") & (rng.random(n) < 0.95)
    updated = np.where(
        yearly,
        np.maximum(registered, ymd(np.full(n, year_of(as_of)), 2, 1) + spread(rng, 0, 130, n)),
        updated,
    )
    updated = np.minimum(updated, as_of)

    fate = rng.random(n)
    cassado, closed, suspended = (
        fate < 0.008,
        (fate >= 0.008) & (fate < 0.025),
        (fate >= 0.025) & (fate < 0.035),
    )
    end = np.minimum(
        np.maximum(registered + spread(rng, 30, 800, n), as_of - spread(rng, 10, 700, n)),
        as_of - np.timedelta64(3, "D"),
    )
    situation = np.select([cassado, closed, suspended], ["cassado", "encerrado", "suspenso"], "ativo").astype(object)
    slug = np.array([f"op{i:05d}" for i in range(1, n + 1)], dtype=object)
    w = words()
    return frame(
        permissionario_id=ids("", n, 6),  # leading zeros: they must survive
        norma=norm,
        nome=name,
        tipo_pessoa=np.where(company, "PJ", "PF").astype(object),
        documento=document,
        email=text(rng.random(n) < 0.96, slug + "@correio.example"),
        telefone=text(
            rng.random(n) < 0.9,
            "(71) 9" + np.array([f"{v:08d}" for v in rng.integers(0, 10**8, n)], dtype=object),
        ),
        endereco=pick(rng, w["ruas"], n)
        + ", "
        + rng.integers(1, 999, n).astype(str).astype(object)
        + " - "
        + pick(rng, w["bairros"], n),
        cadastrado_em=registered,
        cadastro_atualizado_em=updated,
        situacao=situation,
        cassado_em=where(cassado, end),
        encerrado_em=where(closed, end),
        catracas_reserva=pl.Series(np.where((norm == "1343/1994") & company, rng.integers(0, 4, n), -1)).replace(
            -1, None
        ),
    )


def crew(seed: int, operators: pl.DataFrame, vehicles: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Drivers, conductors and helpers: a self-employed holder drives; a company hires by the vehicle."""
    rng = stream(seed, "condutores")
    own = operators.filter(pl.col("tipo_pessoa") == "PF")
    hired = vehicles.filter(pl.col("baixado_em").is_null()).join(
        operators.select("permissionario_id", "norma", "tipo_pessoa", pl.col("cadastrado_em").alias("_titular_em")),
        on="permissionario_id",
    )
    company = hired.filter(pl.col("tipo_pessoa") == "PJ")
    helper = hired.filter((pl.col("tipo_pessoa") == "PF") & pl.Series(rng.random(hired.height) < 0.15))
    extra = company.filter(pl.Series(rng.random(company.height) < 0.3))
    bus = company.filter((pl.col("tipo") != "van") & pl.Series(rng.random(company.height) < 0.5))
    desk = company.unique("permissionario_id", keep="first", maintain_order=True)
    groups = [
        (company, "motorista"),
        (helper, "motorista"),
        (extra, "motorista"),
        (bus, "cobrador"),
        (desk, "fiscal"),
    ]
    rest = pl.concat(
        [
            g.select("permissionario_id", "veiculo_id", pl.col("_titular_em"), pl.lit(role).alias("funcao"))
            for g, role in groups
        ]
    )
    m, k = own.height, rest.height
    n = m + k
    role = np.concatenate([np.full(m, "motorista", dtype=object), rest["funcao"].to_numpy()])
    driver = role == "motorista"
    born = as_of - spread(rng, 19 * 365, 66 * 365, n)
    born[m:][rng.random(k) < 0.004] = as_of - np.timedelta64(17 * 365, "D")
    since = np.concatenate([own["cadastrado_em"].to_numpy(), rest["_titular_em"].to_numpy()]).astype("datetime64[D]")
    # Hired some time between the holder's registration and today.
    since[m:] += (rng.random(k) * (as_of - since[m:]).astype(int)).astype("timedelta64[D]")
    left = rng.random(n) < np.concatenate([np.zeros(m), np.full(k, 0.05)])
    licence = as_of + spread(rng, 20, 3600, n)
    lapsed = rng.random(n) < 0.02
    licence = np.where(lapsed, as_of - spread(rng, 1, 300, n), licence)
    norm = rest.join(
        operators.select("permissionario_id", "norma"),
        on="permissionario_id",
        how="left",
        maintain_order="left",
    )["norma"]
    motorcycle = np.concatenate([own["norma"].to_numpy(), norm.to_numpy()]) == "825/2021"
    category = np.where(
        motorcycle,
        pick(rng, ["A", "AB", "AD"], n),
        pick(rng, ["D", "D", "E", "AD", "B"], n, [50, 20, 10, 19, 1]),
    )
    suspended = rng.random(n) < 0.006
    suspended_at = as_of - spread(rng, 2, 60, n)
    return frame(
        condutor_id=ids("C", n, 6),
        permissionario_id=np.concatenate([own["permissionario_id"].to_numpy(), rest["permissionario_id"].to_numpy()]),
        nome=np.concatenate([own["nome"].to_numpy(), person_names(rng, k)]),
        funcao=role,
        documento=np.concatenate([own["documento"].to_numpy(), documentos.cpf(rng, k)]),
        veiculo_id=np.concatenate([np.full(m, None, dtype=object), rest["veiculo_id"].to_numpy()]),
        nascido_em=born,
        residente=pl.Series(rng.random(n) < 0.97),
        cnh_categoria=text(driver, category),
        cnh_valida_ate=where(driver, licence),
        cnh_restricao=pl.Series(rng.random(n) < 0.005),
        matricula_situacao=np.where(suspended, "suspensa", "ativa").astype(object),
        suspenso_em=where(suspended, suspended_at),
        suspenso_ate=where(suspended & (rng.random(n) < 0.8), suspended_at + spread(rng, 9, 34, n)),
        cadastrado_em=since,
        desligado_em=np.where(left, np.maximum(since, as_of - spread(rng, 1, 400, n)), NAT),
    )

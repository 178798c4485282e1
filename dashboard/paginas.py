"""The pages. Each reads the address, asks `consultas`, and hands figures to a template."""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from dashboard import caso, consultas, entregas, exportar, manha, noite
from dashboard.acesso import Recusado
from dashboard.config import Painel
from dashboard.copia import Copia, Reading
from dashboard.filtros import Filtro, read_filter
from dashboard.graficos import NOMES, chart, label_of
from dashboard.recortes import COLUNAS, RECORTES, Recorte
from dashboard.valores import coverage_of_norms, morning_values, texts_of
from dashboard.visao import render, stamp

#: Views kept for the copy in force.
KEPT = 64
#: Seconds a spreadsheet may take.
EXPORT_SECONDS = 300
MENU = (
    ("/", "Manhã"),
    ("/lista/cassacoes", "Cassações"),
    ("/lista/a_vencer", "A vencer"),
    ("/lista/suspensoes", "Suspensões"),
    ("/lista/alvaras", "Alvarás"),
    ("/lista/multas", "Multas"),
    ("/lista/frota", "Frota"),
    ("/lista/encerrados", "Encerrados"),
    ("/cobertura", "Cobertura"),
    ("/avisos", "Avisos"),
    ("/fontes", "Fontes"),
)


class Paginas:
    """The pages of one dashboard."""

    def __init__(self, painel: Painel, copia: Copia) -> None:
        self._painel = painel
        self._copia = copia
        self._kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()

    def routes(self) -> list[Route]:
        """Address → page."""
        return [
            Route("/", self.inicio, name="inicio"),
            Route("/lista/{recorte}", self.lista, name="lista"),
            Route("/lista/{recorte}/planilha.csv", self.planilha_csv, name="csv"),
            Route("/lista/{recorte}/planilha.xlsx", self.planilha_xlsx, name="xlsx"),
            Route("/caso/{achado_id}", self.um_caso, name="caso"),
            Route("/cobertura", self.cobertura, name="cobertura"),
            Route("/avisos", self.avisos, name="avisos"),
            Route("/fontes", self.fontes, name="fontes"),
            Route("/versao", self.versao, name="versao"),
        ]

    def common(self, request: Request, reading: Reading | None = None) -> dict[str, Any]:
        """What every page is given."""
        visitor = request.scope.get("state", {}).get("visitante")
        settings = self._painel.settings
        frescor = None
        if reading is not None:
            frescor = manha.freshness(reading, self._painel.agora().date(), settings.tolerancia_dias)
        return {
            "menu": MENU,
            "aqui": request.url.path,
            "municipio": self._painel.municipio,
            "frescor": frescor,
            "execucao": reading.execucao if reading else None,
            "versao": reading.versao if reading else "",
            "nomes": bool(visitor and visitor.ve_nomes),
            "login": settings.login,
            "papel": visitor.papel if visitor else "",
            "aviso_segundos": settings.aviso_segundos,
            "css": f"/estatico/painel.css?v={stamp('painel.css')}",
            "js": f"/estatico/painel.js?v={stamp('painel.js')}",
            "arquivo": False,
        }

    def page(self, request: Request, reading: Reading, template: str, **values: Any) -> Response:
        """A rendered page."""
        return Response(render(template, {**self.common(request, reading), **values}), media_type="text/html")

    def inicio(self, request: Request) -> Response:
        """The morning view, of all norms or one."""
        with self._copia.read() as reading:
            norms = noite.norms(reading)
            asked = request.query_params.get("norma")
            norma = asked if asked in {n["norma"] for n in norms} else None
            view = self._keep(reading, ("manha", norma), lambda: manha.gather(reading, norma))
            values = morning_values(reading, view, norms, norma)
            values["norma_desconhecida"] = asked if asked and norma is None else None
            return self.page(request, reading, "manha.html.j2", **values)

    def lista(self, request: Request) -> Response:
        """One list: its figures, charts and the table behind them."""
        recorte, filtro = self._asked(request)
        names = request.scope["state"]["visitante"].ve_nomes
        with self._copia.read() as reading:
            total = consultas.total(reading, recorte, filtro)
            pages = max(1, -(-total.quantidade // filtro.por_pagina))
            filtro = Filtro(
                filtro.facetas, filtro.q, filtro.ordem, filtro.desc, min(filtro.pagina, pages), filtro.por_pagina
            )
            whole = self._keep(reading, ("facetas", recorte.id), lambda: consultas.facets(reading, recorte, Filtro()))
            now = consultas.facets(reading, recorte, filtro) if filtro.facetas or filtro.q else whole
            texts = self._keep(reading, ("textos",), lambda: texts_of(reading))
            trend = consultas.trend(reading, recorte, filtro) if recorte.tendencia else None
            return self.page(
                request,
                reading,
                "lista.html.j2",
                recorte=recorte,
                filtro=filtro,
                total=total,
                finais=sum(b.quantidade for b in now.get("etapa", ()) if b.chave == "final"),
                paginas=pages,
                graficos=[chart(n, now[n], texts, valor=recorte.valor) for n in recorte.facetas],
                escolhas={n: chart(n, whole[n], texts) for n in recorte.facetas},
                ativos=[(n, NOMES.get(n, n), label_of(n, v, texts)) for n, v in filtro.facetas.items()],
                linhas=consultas.page(reading, recorte, filtro) if names else [],
                colunas=[COLUNAS[c] for c in recorte.colunas],
                textos=texts,
                tendencia=trend,
                geometria=manha.trend_geometry(trend[1]) if trend else None,
                nomes_facetas=NOMES,
                exporta_ate=self._painel.settings.exporta_ate,
            )

    def um_caso(self, request: Request) -> Response:
        """One case, whole."""
        self._only_names(request)
        achado_id = request.path_params["achado_id"]
        with self._copia.read() as reading:
            found = caso.gather(reading, achado_id)
            if found is None:
                return self.missing(
                    request,
                    "Este caso não está na última noite",
                    "O achado não existe, ou foi encerrado há muito e saiu da cópia. Procure-o na lista de encerrados.",
                )
            return self.page(
                request,
                reading,
                "caso.html.j2",
                caso=found,
                a=found.achado,
                textos=self._keep(reading, ("textos",), lambda: texts_of(reading)),
                enviados=entregas.of_finding(self._painel.copia, achado_id),
                tem_prontuario=find_spec("reports.prontuario") is not None,
                norma=next((n for n in noite.norms(reading) if n["norma"] == found.achado["norma"]), None),
            )

    def cobertura(self, request: Request) -> Response:
        """What could not be judged, why and what that hides; how much of each norm is checked."""
        with self._copia.read() as reading:
            recorte = RECORTES["nao_avaliados"]
            texts = self._keep(reading, ("textos",), lambda: texts_of(reading))
            facets = self._keep(reading, ("facetas", recorte.id), lambda: consultas.facets(reading, recorte, Filtro()))
            return self.page(
                request,
                reading,
                "cobertura.html.j2",
                graficos=[chart(n, facets[n], texts) for n in ("falta", "norma", "verificacao", "consequencia")],
                faltas=noite.missing(reading),
                total=consultas.total(reading, recorte, Filtro()),
                normas=self._keep(reading, ("cobertura",), coverage_of_norms),
            )

    def avisos(self, request: Request) -> Response:
        """What became of the notices."""
        with self._copia.read() as reading:
            told = entregas.summary(self._painel.copia)
            return self.page(request, reading, "avisos.html.j2", entregas=told, estados=entregas.ESTADOS)

    def fontes(self, request: Request) -> Response:
        """Each source of the night and the gate's answers."""
        with self._copia.read() as reading:
            return self.page(request, reading, "fontes.html.j2", portao=noite.gate(reading))

    def versao(self, request: Request) -> Response:
        """Which copy lies there now: what open pages ask."""
        return JSONResponse({"versao": self._copia.version()})

    def planilha_csv(self, request: Request) -> Response:
        """The whole list under the filter, as CSV, written while it is read."""
        most = 1_000_000
        recorte, filtro = self._export_asked(request, most)

        def stream() -> Iterator[bytes]:
            with self._copia.read(EXPORT_SECONDS) as reading:
                yield from exportar.write_csv(
                    consultas.export_columns(recorte), consultas.export(reading, recorte, filtro, most)
                )

        return StreamingResponse(
            stream(), media_type="text/csv; charset=utf-8", headers=_attachment(f"{recorte.id}.csv")
        )

    def planilha_xlsx(self, request: Request) -> Response:
        """The whole list under the filter, as a workbook."""
        most = self._painel.settings.exporta_ate
        recorte, filtro = self._export_asked(request, most)
        folder = tempfile.TemporaryDirectory(prefix="emdia-planilha-")
        path = Path(folder.name) / "planilha.xlsx"
        try:
            with self._copia.read(EXPORT_SECONDS) as reading:
                texts = texts_of(reading)
                about = [("Dados de", f"{reading.as_of:%d/%m/%Y}"), ("Execução", reading.execucao["execucao_id"])]
                about += [(NOMES.get(n, n), label_of(n, v, texts)) for n, v in filtro.facetas.items()]
                about += [("Busca", filtro.q)] if filtro.q else []
                exportar.write_xlsx(
                    path, recorte.titulo, about, consultas.export_columns(recorte),
                    consultas.export(reading, recorte, filtro, most),
                )  # fmt: skip
        except BaseException:
            folder.cleanup()
            raise
        return FileResponse(
            path,
            media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            headers=_attachment(f"{recorte.id}.xlsx"),
            background=BackgroundTask(folder.cleanup),
        )

    def missing(self, request: Request, titulo: str, texto: str, status: int = 404) -> Response:
        """A page that says what is not there, and what to do."""
        values = {**self.common(request), "titulo": titulo, "texto": texto, "status": status}
        return Response(render("problema.html.j2", values), status_code=status, media_type="text/html")

    def _asked(self, request: Request) -> tuple[Recorte, Filtro]:
        recorte = RECORTES.get(request.path_params["recorte"])
        if recorte is None:
            raise Recusado(404, "Esta lista não existe.")
        names = request.scope["state"]["visitante"].ve_nomes
        return recorte, read_filter(request.query_params, recorte.facetas, recorte.colunas, names)

    def _export_asked(self, request: Request, most: int) -> tuple[Recorte, Filtro]:
        self._only_names(request)
        recorte, filtro = self._asked(request)
        with self._copia.read() as reading:
            total = consultas.total(reading, recorte, filtro).quantidade
        if total > most:
            raise Recusado(
                413,
                f"São {total} linhas, e a planilha vai até {most}. Filtre mais, leve em .csv, ou use achados.csv.",
            )
        return recorte, filtro

    def _only_names(self, request: Request) -> None:
        if not request.scope["state"]["visitante"].ve_nomes:
            raise Recusado(403, "Esta página traz dados de pessoas, e o seu acesso é só aos números.")

    def _keep(self, reading: Reading, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """A view of the copy in force, made once."""
        full = (reading.versao, *key)
        if full not in self._kept:
            self._kept[full] = make()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[full]


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="emdia-{name}"'}

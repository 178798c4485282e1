"""The files of a norm as raw rows: every value as written, every field with its file and line."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from data.errors import Problema
from data.positions import Caminho, Posicoes
from data.toml_errors import explain_toml


@dataclass
class Bruto:
    """One row before validation. `marcas`: paths inside it whose value came from elsewhere (an override)."""

    valores: dict[str, Any]
    arquivo: str
    caminho: Caminho
    posicoes: Posicoes | int
    texto: bool = False
    marcas: dict[Caminho, tuple[str, int]] = field(default_factory=dict)

    def where(self, campo: Caminho = ()) -> tuple[str, int]:
        """File and line of a field (a path inside the row), or of the row itself."""
        for n in range(len(campo), 0, -1):
            if campo[:n] in self.marcas:
                return self.marcas[campo[:n]]
        if isinstance(self.posicoes, int):
            return self.arquivo, self.posicoes
        return self.arquivo, self.posicoes.linha((*self.caminho, *campo))

    def places(self) -> dict[str, tuple[str, int]]:
        """File and line of each field of the row."""
        return {campo: self.where((campo,)) for campo in self.valores}

    def child(self, nome: str, indice: int, valores: dict[str, Any]) -> Bruto:
        """A nested row (`[[table.nome]]`) of this one."""
        marcas = {p[2:]: lugar for p, lugar in self.marcas.items() if p[:2] == (nome, indice)}
        return Bruto(valores, self.arquivo, (*self.caminho, nome, indice), self.posicoes, self.texto, marcas)


def show(caminho: Path) -> str:
    """The path as messages show it: relative to the working folder where it lies inside it."""
    try:
        return str(caminho.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(caminho)


def read_toml(caminho: Path, problemas: list[Problema]) -> tuple[dict[str, Any], Posicoes]:
    """A TOML file's content and positions; decimals are `Decimal`. Syntax errors go to `problemas`."""
    try:
        texto = caminho.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as erro:
        motivo = "não está em UTF-8" if isinstance(erro, UnicodeDecodeError) else f"não pôde ser lido ({erro.strerror})"
        problemas.append(Problema(show(caminho), 1, f"o arquivo {motivo}"))
        return {}, Posicoes("")
    try:
        return tomllib.loads(texto, parse_float=Decimal), Posicoes(texto)
    except tomllib.TOMLDecodeError as erro:
        linha, motivo = explain_toml(erro, texto)
        problemas.append(Problema(show(caminho), linha, f"TOML inválido, {motivo}"))
        return {}, Posicoes("")


def table_rows(
    conteudo: Mapping[str, Any], nome: str, arquivo: str, posicoes: Posicoes, problemas: list[Problema]
) -> list[Bruto]:
    """The rows of an array of tables `[[nome]]` (a single `[nome]` counts as one row)."""
    valor = conteudo.get(nome, [])
    if isinstance(valor, dict):
        return [Bruto(dict(valor), arquivo, (nome,), posicoes)]
    if not isinstance(valor, list) or not all(isinstance(v, dict) for v in valor):
        problemas.append(
            Problema(arquivo, posicoes.linha((nome,)), f"`{nome}` deve ser uma lista de tabelas [[{nome}]]")
        )
        return []
    return [Bruto(dict(v), arquivo, (nome, i), posicoes) for i, v in enumerate(valor)]


def read_csv(caminho: Path, problemas: list[Problema]) -> list[Bruto]:
    """The rows of a `;` CSV with a header line. Empty cells are absent; the two validity dates are dates."""
    if not caminho.exists():
        return []
    nome = show(caminho)
    brutos: list[Bruto] = []
    try:
        with caminho.open(encoding="utf-8-sig", newline="") as arquivo:
            leitor = csv.reader(arquivo, delimiter=";", strict=True)
            colunas = [c.strip() for c in next(leitor, [])]
            if not colunas:
                problemas.append(Problema(nome, 1, "falta a linha de cabeçalho"))
            anterior = leitor.line_num
            for celulas in leitor:
                linha, anterior = anterior + 1, leitor.line_num
                if not any(c.strip() for c in celulas):
                    continue
                if len(celulas) != len(colunas):
                    esperado = f"esperadas {len(colunas)} colunas separadas por `;`, há {len(celulas)}"
                    problemas.append(Problema(nome, linha, esperado))
                    continue
                valores = {k: _cell(k, v.strip()) for k, v in zip(colunas, celulas, strict=True) if v.strip()}
                brutos.append(Bruto(valores, nome, (), linha, texto=True))
    except UnicodeDecodeError:
        problemas.append(Problema(nome, 1, "o arquivo não está em UTF-8"))
    except csv.Error as erro:
        problemas.append(Problema(nome, leitor.line_num, f"CSV inválido: {erro}"))
    return brutos


def _cell(coluna: str, texto: str) -> Any:
    if coluna in {"vigente_de", "vigente_ate"}:
        try:
            return date.fromisoformat(texto)
        except ValueError:
            return texto
    return texto

"""Line numbers of the keys of a TOML file (tomllib reads values but keeps no positions)."""

from __future__ import annotations

import re
from collections.abc import Iterator

Caminho = tuple[str | int, ...]

_CABECALHO = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*(\]\]?)\s*(?:#.*)?$")
_NOME = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_CHAVE = re.compile(rf"^\s*({_NOME}(?:\s*\.\s*{_NOME})*)\s*=")
_TEXTO = re.compile(r'"""|\'\'\'|"(?:\\.|[^"\\])*"|\'[^\']*\'|#.*')


def _split(chave: str) -> list[str]:
    return [p.strip().strip("\"'") for p in re.findall(_NOME, chave)]


def _outside(linha: str, aberto: str) -> tuple[str, str]:
    """The line without its strings and comments, and the multi-line quote still open at its end."""
    resto = linha
    if aberto:
        fim = resto.find(aberto)
        if fim < 0:
            return "", aberto
        resto, aberto = resto[fim + 3 :], ""
    limpo = ""
    while (m := _TEXTO.search(resto)) is not None:
        limpo += resto[: m.start()]
        ficha, resto = m.group(), resto[m.end() :]
        if ficha in {'"""', "'''"}:
            fim = resto.find(ficha)
            if fim < 0:
                return limpo, ficha
            resto = resto[fim + 3 :]
    return limpo + resto, ""


class Posicoes:
    """Where each table and key of one TOML text stands.

    `linha(("outorga", 0, "unidade"))` is the line of that key; a path that isn't there falls back to the
    nearest enclosing table, and at last to line 1.
    """

    def __init__(self, texto: str) -> None:
        self._linhas: dict[Caminho, int] = {}
        for caminho, linha in self._scan(texto):
            self._linhas.setdefault(caminho, linha)

    def linha(self, caminho: Caminho) -> int:
        """Line (from 1) of the path or of the nearest table around it."""
        while caminho:
            if caminho in self._linhas:
                return self._linhas[caminho]
            caminho = caminho[:-1]
        return 1

    @staticmethod
    def _scan(texto: str) -> Iterator[tuple[Caminho, int]]:
        contagem: dict[Caminho, int] = {}
        atual: Caminho = ()
        aberto, fundo = "", 0
        for numero, linha in enumerate(texto.splitlines(), 1):
            livre = not aberto and fundo == 0
            limpo, aberto = _outside(linha, aberto)
            if livre and (m := _CABECALHO.match(linha)) and len(m[1]) == len(m[3]):
                atual = ()
                partes = _split(m[2])
                for i, parte in enumerate(partes):
                    atual = (*atual, parte)
                    if i == len(partes) - 1 and m[1] == "[[":
                        contagem[atual] = contagem.get(atual, -1) + 1
                    if atual in contagem:
                        atual = (*atual, contagem[atual])
                yield atual, numero
                if isinstance(atual[-1], int):
                    yield atual[:-1], numero
                continue
            if livre and (m := _CHAVE.match(linha)):
                caminho = atual
                for parte in _split(m[1]):
                    caminho = (*caminho, parte)
                    yield caminho, numero
            fundo = max(0, fundo + limpo.count("[") + limpo.count("{") - limpo.count("]") - limpo.count("}"))

"""Line numbers inside a TOML file, strings and nested tables included."""

from __future__ import annotations

from data.positions import Posicoes

TEXTO = '''\
# comentário = 1
titulo = "a # b [c"
longa = """
falsa = 1
[[falsa]]
"""
lista = [
  "x = 1",
  2,
]

[[a]]
um = 1
[[a.b]]
dois = 2
[a.c]
"tres" = 3

[[a]]
um = { x = 1,
  y = 2 }
[[a.b]]
dois = 4
'''


def test_lines() -> None:
    p = Posicoes(TEXTO)
    linhas = TEXTO.splitlines()
    casos = {
        ("titulo",): "titulo =",
        ("longa",): "longa =",
        ("lista",): "lista =",
        ("a", 0): "[[a]]",
        ("a", 0, "b", 0, "dois"): "dois = 2",
        ("a", 0, "c", "tres"): '"tres"',
        ("a", 1, "um"): "um = {",
        ("a", 1, "b", 0, "dois"): "dois = 4",
    }
    for caminho, comeco in casos.items():
        assert linhas[p.linha(caminho) - 1].startswith(comeco), caminho


def test_falls_back_to_the_table() -> None:
    p = Posicoes(TEXTO)
    assert p.linha(("a", 1, "nada")) == p.linha(("a", 1)) > p.linha(("a", 0))
    assert p.linha(("falsa",)) == 1
    assert p.linha(()) == 1

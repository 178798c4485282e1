"""Where and why a text is not TOML, in Portuguese: tomllib says it in English."""

from __future__ import annotations

import re
import tomllib

_LUGAR = re.compile(r"\(at line (\d+), column (\d+)\)")
#: Start of the library's message → what to say.
_MOTIVOS = (
    ("Expected '=' after a key", "falta o sinal de igual depois do nome"),
    (
        "Expected newline or end of document",
        "sobra texto depois do valor; decimais levam ponto (1.5), textos vão entre aspas",
    ),
    ("Invalid value", "falta o valor depois do igual, ou o texto não está entre aspas"),
    ("Invalid statement", "esperava-se `nome = valor` ou um cabeçalho entre colchetes"),
    ("Invalid initial character for a key", "falta o nome antes do sinal de igual, ou ele tem sinais que não pode"),
    ('Expected "\'"', "falta fechar as aspas"),
    ("Unterminated string", "falta fechar as aspas"),
    ("Illegal character '\\n'", "falta fechar as aspas nesta linha"),
    ("Illegal character", "há um caractere que não pode estar aqui"),
    ("Found invalid character", "há um caractere que não pode estar aqui"),
    ("Unescaped '\\' in a string", "a barra invertida no texto deve ser dobrada (\\\\), ou use aspas simples"),
    ("Unclosed array", "falta fechar o colchete da lista, ou a vírgula entre os itens"),
    ("Unclosed inline table", "falta fechar a chave, ou a vírgula entre os itens"),
    ("Expected ']]'", "falta fechar os colchetes duplos do cabeçalho"),
    ("Expected ']'", "falta fechar o colchete do cabeçalho"),
    ("Cannot overwrite a value", "o nome está repetido no mesmo bloco"),
    ("Cannot declare", "o cabeçalho está repetido; para mais um bloco, use colchetes duplos [[...]]"),
    ("Cannot mutate immutable namespace", "o nome está repetido no mesmo bloco"),
    ("Duplicate inline table key", "o nome está repetido no mesmo bloco"),
    ("Invalid date or datetime", "a data não existe"),
)


def explain_toml(erro: tomllib.TOMLDecodeError, texto: str) -> tuple[int, str]:
    """(line, what is wrong with the column it is at)."""
    mensagem = str(erro)
    motivo = next((m for inicio, m in _MOTIVOS if mensagem.startswith(inicio)), "confira aspas, colchetes e o igual")
    lugar = _LUGAR.search(mensagem)
    if lugar is None:
        return max(texto.rstrip().count("\n") + 1, 1), f"{motivo} (no fim do arquivo)"
    return int(lugar[1]), f"coluna {lugar[2]}: {motivo}"

"""Failures a person can do something about: shown as one Portuguese line, without a stack trace."""

from __future__ import annotations


class ErroConhecido(Exception):
    """A failure with a message for the person at the terminal; the command exits with `codigo`."""

    codigo = 1


class ErroDeUso(ErroConhecido):
    """The command line asks for something that can't be: exit code 2."""

    codigo = 2


class OutraExecucao(ErroConhecido):
    """Another run holds this warehouse."""

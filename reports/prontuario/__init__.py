"""One page per operator: permits, fleet, crew, autos, points, acts and terms (825/2021, arts. 18 and 30 par. 2)."""

from reports.prontuario.gather import Prontuario, ProntuarioError, Secao, prontuario
from reports.prontuario.render import render_html, render_text

__all__ = ["Prontuario", "ProntuarioError", "Secao", "prontuario", "render_html", "render_text"]

"""What a text reads is what it names and what that is made of, statement by statement."""

from __future__ import annotations

from sql.layers import ROOT
from sql.lineage import LAYERS, bare, files_read, layer_files, made, named, norm_tables


def test_comments_are_not_read() -> None:
    assert named("select 1 -- of registro.x\n{#- fatos.y -#} from Fatos.Z") == {"fatos.z"}
    assert bare("select '--', ';' -- fim") == "select '--', ';' "


def test_names_inside_quoted_text_are_read() -> None:
    assert named("from query_table('registro.x')") == {"registro.x"}


def test_what_a_text_makes() -> None:
    text = "create or replace temp table a as select 1;\nCREATE OR REPLACE VIEW fatos.b as from a -- create view c"
    assert made(text) == [("table", "a"), ("view", "fatos.b")]
    assert made(layer_files("pontos")["pontos/030_autos"])[-1] == ("table", "fatos.pontos_autos")  # a template


def test_every_file_of_the_layers_is_read() -> None:
    for layer in LAYERS:
        assert len(layer_files(layer)) == len(list((ROOT / layer).iterdir()))


def test_statements_of_one_file_are_told_apart() -> None:
    """registro/050 makes views of permits and views of vehicles alone."""
    assert norm_tables("from registro.alvaras_ativos") == {"normas", "outorgas"}
    assert norm_tables("from registro.veiculos_ativos") == {"normas"}


def test_what_is_behind_is_read() -> None:
    assert norm_tables("from fatos.limite_idade -- norma.taxas") == {"normas", "idade_maxima"}
    assert norm_tables("from calendario.dias") == {"normas"}
    assert norm_tables("from fatos.pontos_janelas") >= {"pontuacao", "pontuacao_limites", "infracoes", "processo"}
    assert norm_tables("from registro.nada") == frozenset()


def test_files_read() -> None:
    assert files_read(["from fatos.limite_idade"]) == {
        "macros/010_datas", "registro/000_normas", "registro/010_permissionarios", "registro/020_veiculos",
        "fatos/020_limite_idade",
    }  # fmt: skip

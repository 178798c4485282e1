"""What the coverage makes of its files: states while checks are missing, and errors that name the line."""

from __future__ import annotations

import pytest

from data.coverage import load_coverage
from data.errors import NormError

ARTIGOS = """ordem;dispositivo;assunto;situacao;verificacoes;motivo;leitura
1;art. 1º;objeto;sem_regra;;definição;
2;art. 2º;prazo;verificado;prazo_certo outra;;
3;art. 2º, §1º;multa;parametro;prazo_certo;;
4;art. 2º, §2º;conduta;pessoas;;constatação em campo;
5;art. 3º;catracas;pendente;;"a criar: catracas (dados); a ampliar nesta norma: prazo_certo outra_coisa, se der";
6;Anexo I, A;tabela;fato;outra;;
"""
OBRIGACOES = """dispositivo;tema;regra;situacao;verificacoes;motivo
art. 2º;prazo;entregar em dez dias;verificado;prazo_certo;
art. 3º;catracas;manter reserva;pendente;;a criar: catracas (dados)
"""


@pytest.fixture
def pasta(tmp_path):
    norma = tmp_path / "normas" / "7-2030"
    (norma / "verificacoes").mkdir(parents=True)
    (norma / "norma.toml").write_text('[norma]\nid = "7/2030"\nnome = "Lei inventada"\n')
    (norma / "artigos.csv").write_text(ARTIGOS)
    (norma / "cobertura.csv").write_text(OBRIGACOES)
    use(norma, "prazo_certo", "outra")
    return norma


def use(norma, *checks):
    texto = "".join(f'[[verificacao.{c}]]\ndispositivo = "art. 2º"\n' for c in checks)
    (norma / "verificacoes" / "todas.toml").write_text(texto)


def coverage(pasta, *checks):
    existentes = pasta.parent.parent / "checks"
    for check in checks:
        (existentes / check).mkdir(parents=True)
        (existentes / check / "check.toml").write_text("")
    (unica,) = load_coverage(pasta.parent, existentes)
    return unica


def states(cobertura):
    return {linha.dispositivo: linha.estado for linha in cobertura.linhas}


def test_with_every_check_running_a_row_is_what_it_says(pasta):
    cobertura = coverage(pasta, "prazo_certo", "outra")
    assert cobertura.norma == "7/2030"
    assert all(linha.estado == linha.situacao for linha in (*cobertura.linhas, *cobertura.obrigacoes))
    assert cobertura.contagens["obrigacoes"] == {"verificado": 1, "pendente": 1}


def test_a_check_without_folder_does_not_count(pasta):
    cobertura = coverage(pasta)
    assert states(cobertura)["art. 2º"] == "nao_implementada"
    assert states(cobertura)["Anexo I, A"] == "nao_implementada"
    assert "verificado" not in cobertura.contagens["dispositivos"]
    assert cobertura.obrigacoes[0].faltam == {"prazo_certo": "ainda não implementada"}


def test_a_row_with_only_some_of_its_checks_is_partly_verified(pasta):
    cobertura = coverage(pasta, "prazo_certo")
    assert states(cobertura)["art. 2º"] == "parcial"
    assert states(cobertura)["art. 2º, §1º"] == "parametro"


def test_a_check_the_norm_gives_no_parameters_to_does_not_count(pasta):
    use(pasta, "outra")
    cobertura = coverage(pasta, "prazo_certo", "outra")
    assert states(cobertura)["art. 2º, §1º"] == "nao_implementada"
    assert cobertura.obrigacoes[0].faltam == {"prazo_certo": "sem parâmetros nesta norma"}


def test_an_article_is_worth_what_its_rows_are_worth(pasta):
    artigos = {a.nome: a.estado for a in coverage(pasta, "prazo_certo", "outra").artigos}
    assert artigos == {"art. 1º": "sem_regra", "art. 2º": "parcial", "art. 3º": "pendente", "Anexo I": "fato"}


def test_facts_and_parameters_do_not_make_an_article_less_verified(pasta):
    texto = ARTIGOS.replace("4;art. 2º, §2º;conduta;pessoas;;constatação em campo;", "4;art. 2º, §2º;x;sem_regra;;y;")
    (pasta / "artigos.csv").write_text(texto)
    assert coverage(pasta, "prazo_certo", "outra").artigos[1].estado == "verificado"


def test_proposals_are_read_from_the_reason(pasta):
    assert coverage(pasta).linhas[4].propostas == {
        "catracas": "criar",
        "prazo_certo": "ampliar",
        "outra_coisa": "ampliar",
    }


def test_a_norm_nobody_covered_yet_is_empty_and_not_an_error(pasta):
    (pasta / "artigos.csv").unlink()
    (pasta / "cobertura.csv").unlink()
    assert coverage(pasta).linhas == ()


@pytest.mark.parametrize(
    ("arquivo", "de", "para", "linha", "trecho"),
    [
        ("artigos.csv", "sem_regra", "talvez", 2, "situação desconhecida `talvez`"),
        ("artigos.csv", "verificado", "nao_implementada", 3, "situação desconhecida"),
        ("artigos.csv", "prazo_certo outra", "prazo_certo,outra", 3, "não é o id de uma verificação"),
        ("artigos.csv", "prazo_certo outra", "outra outra", 3, "duas vezes"),
        ("artigos.csv", "parametro;prazo_certo", "parametro;", 4, "pede ao menos um id"),
        ("artigos.csv", "pessoas;;constatação em campo", "pessoas;;", 5, "pede o `motivo`"),
        ("artigos.csv", "pessoas;;", "pessoas;outra;", 5, "não leva ids"),
        ("artigos.csv", "fato;outra", "fato;", 7, "pede o `motivo`"),
        ("artigos.csv", "6;Anexo", "7;Anexo", 7, "`ordem` deve ser 6"),
        ("artigos.csv", "5;art. 3º", "5;art. 2º", 6, "já está na linha 3"),
        ("artigos.csv", "5;art. 3º", "5;art. 4º", 1, "falta a linha do art. 3"),
        ("artigos.csv", "1;art. 1º;objeto", "1;art. 1º;", 2, "falta preencher `assunto`"),
        ("artigos.csv", "definição;", "definição", 2, "esperadas 7 colunas"),
        ("cobertura.csv", "art. 3º", "art. 8º", 3, "sem linha em artigos.csv: art. 8º"),
        ("cobertura.csv", "art. 3º", "Anexo I", 3, "sem linha em artigos.csv: Anexo I"),
        ("cobertura.csv", "verificado;prazo_certo", "verificado;terceira", 2, "`terceira` não aparece"),
        ("cobertura.csv", "manter reserva", "", 3, "falta preencher `regra`"),
    ],
)
def test_a_broken_file_says_which_line(pasta, arquivo, de, para, linha, trecho):
    caminho = pasta / arquivo
    texto = caminho.read_text()
    assert de in texto
    caminho.write_text(texto.replace(de, para, 1))
    with pytest.raises(NormError) as erro:
        coverage(pasta, "prazo_certo", "outra")
    assert any(
        p.arquivo.endswith(arquivo) and p.linha == linha and trecho in p.mensagem for p in erro.value.problemas
    ), str(erro.value)

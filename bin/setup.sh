# Sourced by bin/emdia and bin/test (POSIX sh). Needs $raiz. Leaves $ambiente: a virtual environment that holds
# exactly what uv.lock says, and this project. Does nothing when it is already up to date, so a night needs no network.
ambiente=${UV_PROJECT_ENVIRONMENT:-.venv}
case $ambiente in /*) ;; *) ambiente=$raiz/$ambiente ;; esac

aviso() { printf '%s\n' "$*" >&2; }

em_dia() {
    [ -x "$ambiente/bin/python" ] && [ -x "$ambiente/bin/emdia" ] &&
        cmp -s "$raiz/uv.lock" "$ambiente/emdia-instalado/uv.lock" &&
        cmp -s "$raiz/pyproject.toml" "$ambiente/emdia-instalado/pyproject.toml" &&
        [ "$(cat "$ambiente/emdia-instalado/raiz" 2>/dev/null)" = "$raiz" ]
}

achar_python() {
    for candidato in ${EMDIA_PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidato" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            "$candidato" -c 'import sys; print(sys.executable)'
            return 0
        fi
    done
    aviso "emdia: é preciso Python 3.11 ou mais novo no PATH (ou em EMDIA_PYTHON)."
    return 1
}

# uv from the PATH when it runs; otherwise a copy inside the project, which needs neither venv nor a writable Python.
chamar_uv() {
    if uv --version >/dev/null 2>&1; then
        uv "$@"
        return
    fi
    if ! PYTHONPATH="$raiz/.tools" "$python" -m uv --version >/dev/null 2>&1; then
        aviso "emdia: obtendo o uv (instalador de pacotes) em $raiz/.tools ..."
        PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip install --quiet --upgrade --root-user-action=ignore --target "$raiz/.tools" uv >&2 || {
            aviso "emdia: o pip não conseguiu instalar o uv. Confira a rede e 'python3 -m pip --version'."
            return 1
        }
    fi
    PYTHONPATH="$raiz/.tools" "$python" -m uv "$@"
}

preparar() {
    em_dia && return 0
    python=$(achar_python) || return 1
    aviso "emdia: preparando o ambiente em $ambiente (só na primeira vez e quando uv.lock muda) ..."
    # System certificates: many town halls look into TLS with a certificate of their own.
    UV_PYTHON_DOWNLOADS=never UV_PYTHON=${UV_PYTHON:-$python} UV_PROJECT_ENVIRONMENT=$ambiente \
        UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-true} UV_NATIVE_TLS=${UV_NATIVE_TLS:-true} chamar_uv sync --quiet --frozen --project "$raiz" >&2 || {
        aviso "emdia: a instalação dos pacotes falhou; nada foi executado."
        return 1
    }
    mkdir -p "$ambiente/emdia-instalado"
    cp "$raiz/uv.lock" "$raiz/pyproject.toml" "$ambiente/emdia-instalado/"
    printf '%s\n' "$raiz" >"$ambiente/emdia-instalado/raiz"
}

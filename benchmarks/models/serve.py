"""
Serve a model by llama.cpp's server, until standard input closes.

`python -I serve.py FOLDER WEIGHTS PORT OPTIONS`: the folder of its package, a GGUF
file, a port of loopback, and fields of its parameters as JSON: `{"n_ctx": 2048}`.
"""

import json
import os
import sys
from typing import Any


def main(folder: str, weights: str, port: str, options: str) -> None:
    """Start the server in threads of its own, and wait."""
    sys.path.insert(0, folder)
    import xllamacpp  # type: ignore[import-not-found]  # noqa: PLC0415  in *folder*

    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = weights
    parameters.port, parameters.hostnames = int(port), ["127.0.0.1"]
    for name, value in json.loads(options).items():
        *owners, field = name.split(".")
        target = parameters
        for owner in owners:
            target = getattr(target, owner)
        setattr(target, field, _typed(xllamacpp, field, value))
    server = xllamacpp.Server(parameters)
    sys.stdin.buffer.read()
    del server
    os._exit(0)


def _typed(xllamacpp: Any, field: str, value: Any) -> Any:
    if field == "reasoning_format":
        return xllamacpp.common_reasoning_format(value)
    if field == "grammar":
        user = xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER
        return xllamacpp.CommonGrammar(user, value)
    return value


if __name__ == "__main__":
    main(*sys.argv[1:])

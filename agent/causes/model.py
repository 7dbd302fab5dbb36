"""The causes that a model, or its answer, fails for."""

from websearch.causes import AnyCause


class ModelState(AnyCause):
    """The state of the models, each with its advice for the user."""

    BUILT_IN = "model_built_in"
    OLLAMA_EMPTY = "model_ollama_empty"
    OLLAMA = "model_ollama"
    OLLAMA_OTHER = "model_ollama_other"
    READY = "model_ready"
    UNKNOWN = "model_unknown"
    REFUSED = "model_refused"
    NO_LIST = "model_no_list"
    UNREACHABLE = "model_unreachable"
    LOADING = "model_loading"
    SMALL_CONTEXT = "model_small_context"

    @property
    def is_harmless(self) -> bool:
        """True where questions are answered, also by the built-in answerer."""
        return self not in {
            ModelState.UNKNOWN,
            ModelState.REFUSED,
            ModelState.NO_LIST,
            ModelState.UNREACHABLE,
            ModelState.LOADING,
        }


class ModelProblem(AnyCause):
    """Why a model gave no answer, or no complete one."""

    WRONG_KEY = "wrong_key"
    NO_QUOTA = "no_quota"
    RATE_LIMIT = "rate_limit"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    CONTEXT_TOO_LONG = "context_too_long"
    UNKNOWN_MODEL = "unknown_model"
    NO_TOOLS = "no_tools"
    CUT_OFF = "cut_off"
    TOO_LONG_ANSWER = "too_long_answer"
    FILTERED = "filtered"
    SILENT = "silent"
    REFUSED = "refused"
    LOADING = "loading"
    SERVER = "server"
    UNKNOWN = "unknown"

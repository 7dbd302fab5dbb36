"""Short notices for the page, as Markdown."""

from ui.texts import text
from websearch.findings import Diagnosis


def search_state(diagnosis: Diagnosis, language: str) -> str:
    """What was found out about search, with the next steps where it does not work."""
    advice = diagnosis.main.advice(language)
    head = text("search_state", language).format(title=advice.title, cause=advice.cause)
    steps = [
        f"{number}. {step}".replace("\n", "\n   ")  # lines of code stay in their step
        for number, step in enumerate(advice.cure, start=1)
    ]
    return "\n\n".join([head, "\n".join(steps)]).strip()

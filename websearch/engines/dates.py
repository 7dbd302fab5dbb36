"""Read the date that an engine writes before a snippet."""

import re
from datetime import date, timedelta
from typing import Final

# Engines divide the date from the snippet; without that, it begins a sentence.
_END: Final = (
    r"(?:\s*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?"  # the time of the day
    r"(?:\s*(?:[\u2013\u2014\u00b7\u2026]|\.\.\.|$)|\s+-\s)\s*"
)
_NUMBERS: Final = tuple(
    re.compile(form + _END)
    for form in (
        r"(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?日",
        r"(?P<m>\d{1,2})月(?P<d>\d{1,2})日",
        r"(?P<y>\d{4})\s?년\s?(?P<m>\d{1,2})\s?월\s?(?P<d>\d{1,2})\s?일",
        r"(?P<y>\d{4})(?P<s>[-/.])\s?(?P<m>\d{1,2})(?P=s)\s?(?P<d>\d{1,2})\.?",
        # With slashes, day and month change places from country to country.
        r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})",
    )
)
_NAME: Final = r"(?P<name>[^\W\d_]{3,10})[.,]?"
_NAMES: Final = tuple(
    re.compile(form + _END)
    for form in (
        _NAME + r" (?P<d>\d{1,2}), (?P<y>\d{4})",
        r"(?P<d>\d{1,2})(?:er|\.)? (?:de )?"
        + _NAME
        + r" (?:de )?(?P<y>\d{4})(?: г\.)?",
    )
)
# The beginnings of the months in English, German, French, Spanish, Italian,
# Portuguese, Dutch, Swedish, Polish and Russian.
_MONTHS: Final = (
    ("jan", "ene", "gen", "sty", "янв"),
    ("feb", "fév", "fev", "lut", "фев"),
    ("mar", "mär", "maa", "mrt", "мар"),
    ("apr", "avr", "abr", "kwi", "апр"),
    ("may", "mai", "mag", "mei", "maj", "мая", "май"),
    ("jun", "juin", "giu", "cze", "июн"),
    ("jul", "juil", "lug", "lip", "июл"),
    ("aug", "aoû", "ago", "sie", "авг"),
    ("sep", "set", "wrz", "сен"),
    ("oct", "okt", "ott", "out", "paź", "окт"),
    ("nov", "lis", "ноя"),
    ("dec", "déc", "dez", "dic", "gru", "дек"),
)
# Weeks and more are rounded: they say no day.
_AGES: Final = tuple(
    (re.compile(form + _END, re.IGNORECASE), unit, None)  # the text has the number
    for form, unit in (
        (r"(\d{1,2})\s?秒钟?前", "seconds"),
        (r"(\d{1,2})\s?(?:分钟|分鐘|分)前", "minutes"),
        (r"(\d{1,2})\s?个?(?:小时|小時|時間)前", "hours"),
        (r"(\d{1,3})\s?(?:天|日)前", "days"),
        (r"(\d{1,2}) min(?:ute)?s? ago", "minutes"),
        (r"(\d{1,2}) hours? ago", "hours"),
        (r"(\d{1,2}) days? ago", "days"),
        (r"vor (\d{1,2}) Minuten?", "minutes"),
        (r"vor (\d{1,2}) Stunden?", "hours"),
        (r"vor (\d{1,2}) Tag(?:en)?", "days"),
        (r"il y a (\d{1,2}) minutes?", "minutes"),
        (r"il y a (\d{1,2}) heures?", "hours"),
        (r"il y a (\d{1,2}) jours?", "days"),
    )
) + tuple(
    (re.compile(form + _END, re.IGNORECASE), "days", count)
    for form, count in (
        (r"(?:刚刚|今天|今日)", 0),
        (r"(?:昨天|昨日|yesterday)", 1),
        (r"前天", 2),
    )
)


def leading_date(text: str, today: date) -> tuple[str | None, str]:
    """
    Split the date off the beginning of *text*: ISO date or None, and the rest.

    A date that is not understood, or in the future, stays in the text. *today* is when
    the text was written; hours count only from a `datetime`.
    """
    now = date(today.year, today.month, today.day)
    for form in (*_NUMBERS, *_NAMES):
        if match := form.match(text):
            parts = match.groupdict()
            if "name" in parts:
                name, numbers = parts["name"].lower(), enumerate(_MONTHS, start=1)
                month = next((n for n, begins in numbers if name.startswith(begins)), 0)
            else:
                month = int(parts["m"])
            try:
                day = date(int(parts.get("y") or now.year), month, int(parts["d"]))
                if "y" not in parts and day > now:  # the last one of that name
                    day = day.replace(year=now.year - 1)
            except ValueError:  # no such day, or no name of a month
                break
            return (None, text) if day > now else (day.isoformat(), text[match.end() :])
    for form, unit, count in _AGES:
        if match := form.match(text):
            age = {unit: int(match[1]) if count is None else count}
            moment = today - timedelta(**age)
            day = date(moment.year, moment.month, moment.day)
            return day.isoformat(), text[match.end() :]
    return None, text

"""All benchmarks, in the order of the table; add a line for a new one."""

from typing import Final

from benchmarks import (
    agent,
    chat,
    first_run,
    imports,
    linker,
    memory,
    quotes,
    search,
    sessions,
)
from benchmarks.evidence import public, quality, speed
from benchmarks.follow_ups import quality as follow_ups
from benchmarks.pages import browser, passages, reading, report, results
from benchmarks.result import Benchmark, Goal

BENCHMARKS: Final = (
    Benchmark("search-cpu", "x httpx", Goal("<=", 2.5), search.cpu),
    Benchmark("search-concurrent", "lost + clients", Goal("=", 0), search.concurrent),
    Benchmark("import-light", "modules", Goal("=", 0), imports.light),
    Benchmark("memory-hostile", "MB", Goal("<=", 20), memory.hostile),
    Benchmark("memory-page", "MB", Goal("<=", 60), results.memory),
    Benchmark("linker-growth", "x for double", Goal("<=", 2.3), linker.growth),
    Benchmark("quote-first", "x BM25", Goal(">=", 1.05), quotes.first),
    Benchmark("quote-any", "x BM25", Goal(">=", 1), quotes.any_of_three),
    Benchmark("quote-refusal", "% lost", Goal("<=", 3), quotes.refusal),
    Benchmark("quote-pages", "ms", Goal("<=", 50), quotes.pages),
    Benchmark("evidence-false", "% flagged", Goal("<=", 3), quality.false_alarms),
    Benchmark("evidence-caught", "% flagged", Goal(">=", 85), quality.caught),
    Benchmark("evidence-public", "% flagged", Goal("<=", 3), public.false_alarms),
    Benchmark("evidence-changed", "% flagged", Goal(">=", 85), public.caught),
    Benchmark("evidence-quoted", "% of sentences", None, quality.quoted),
    Benchmark("evidence-sentence", "ms", Goal("<=", 2), speed.sentence),
    Benchmark("evidence-index", "ms", Goal("<=", 300), speed.page),
    Benchmark("evidence-growth", "x for double", Goal("<=", 2.3), speed.growth),
    Benchmark("follow-up-cast", "% of terms", Goal(">=", 80), follow_ups.found("cast")),
    Benchmark(
        "follow-up-tuned", "% of terms", Goal(">=", 80), follow_ups.found("tuned")
    ),
    Benchmark("follow-up-held", "% of terms", Goal(">=", 80), follow_ups.found("held")),
    Benchmark(
        "follow-up-precision", "% of terms", Goal(">=", 80), follow_ups.precision
    ),
    Benchmark("follow-up-changed", "% changed", Goal("<=", 3), follow_ups.changed),
    Benchmark("follow-up-alone", "% changed", Goal("<=", 3), follow_ups.unrelated),
    Benchmark("follow-up-rule", "ms", Goal("<=", 2), follow_ups.rule_speed),
    Benchmark("follow-up-model", "s", Goal("<=", 1.55), follow_ups.slow_model),
    Benchmark("fetch-page", "x GET, thread", Goal("<=", 1.3), reading.page),
    Benchmark("fetch-loop", "ms blocked", Goal("<=", 50), reading.loop),
    Benchmark("fetch-memory", "MB", None, reading.memory),
    Benchmark("google-first", "s", Goal("<=", 1.5), browser.first),
    Benchmark("google-later", "s", Goal("<=", 0.5), browser.later),
    Benchmark("browser-memory", "MB", None, browser.memory),
    Benchmark("browser-left", "s after SIGKILL", Goal("<=", 5), browser.left),
    Benchmark("read-quality", "x the better", Goal(">=", 1), passages.quality),
    Benchmark("report-quoted", "x slowest page", Goal("<=", 2), report.quoted),
    Benchmark("report-section", "s", Goal("<=", 1.5), report.section),
    Benchmark("report-loop", "ms blocked", Goal("<=", 50), report.loop),
    Benchmark("report-memory", "MB", None, report.memory),
    Benchmark("report-memory-back", "MB", Goal("<=", 0.5), report.left),
    Benchmark("first-token", "x bare Chainlit", Goal("<=", 1.5), chat.first_token),
    Benchmark("stream-rate", "x bare astream", Goal(">=", 0.6), chat.stream_rate),
    Benchmark("settings-confirm", "ms", Goal("<=", 300), chat.settings_confirm),
    Benchmark("cold-start", "x empty app", Goal("<=", 1.25), chat.cold_start),
    Benchmark("first-run", "x bare install", Goal("<=", 1.3), first_run.first_run),
    Benchmark("agent-turn", "x plain loop", Goal("<=", 3), agent.turn),
    Benchmark("agent-concurrent", "x plain loop", Goal(">=", 0.7), agent.concurrent),
    Benchmark("agent-parallel", "ms", Goal("<=", 260), agent.parallel),
    Benchmark("agent-memory", "x empty app", Goal("<=", 1.6), sessions.idle),
    Benchmark("agent-memory-back", "x first wave", Goal("<=", 0.25), sessions.returned),
)

"""All benchmarks, in the order of the table; add a line for a new one."""

from typing import Final

from benchmarks import (
    agent,
    chat,
    first_run,
    imports,
    linker,
    load,
    memory,
    quotes,
    search,
    sessions,
)
from benchmarks.evidence import cost, public, quality, rewritings, speed
from benchmarks.follow_ups import quality as follow_ups
from benchmarks.models import citing
from benchmarks.pages import answers, browser, passages, reading, report, results
from benchmarks.result import Benchmark

BENCHMARKS: Final = (
    Benchmark("search-cpu", "x httpx", "<= 2.5", search.cpu),
    Benchmark("search-concurrent", "lost + clients", "= 0", search.concurrent),
    Benchmark("import-light", "modules", "= 0", imports.light),
    Benchmark("memory-hostile", "MB", "<= 20", memory.hostile),
    Benchmark("memory-page", "MB", "<= 60", results.memory),
    Benchmark("linker-growth", "x for double", "<= 2.3", linker.growth),
    Benchmark("cleaning-growth", "x a letter", "<= 3", linker.cleaning),
    Benchmark("quote-first", "x BM25", ">= 1.05", quotes.first),
    Benchmark("quote-any", "x BM25", ">= 1", quotes.any_of_three),
    Benchmark("quote-refusal", "% lost", "<= 3", quotes.refusal),
    Benchmark("quote-sure", "% at most", "", quotes.sure),
    Benchmark("quote-pages", "ms", "<= 50", quotes.pages),
    Benchmark("evidence-false", "% flagged", "<= 3", quality.false_alarms),
    Benchmark("evidence-caught", "% flagged", ">= 85", quality.caught),
    Benchmark("evidence-reckoned", "% flagged", "<= 5", quality.reckoned_false_alarms),
    Benchmark(
        "evidence-reckoned-caught", "% flagged", ">= 80", quality.reckoned_caught
    ),
    Benchmark("evidence-public", "% flagged", "<= 3", public.false_alarms),
    Benchmark("evidence-changed", "% flagged", ">= 85", public.caught),
    Benchmark("evidence-quoted", "% of sentences", "", quality.quoted),
    Benchmark("evidence-numbers", "% of numbers", ">= 73", quality.numbers),
    Benchmark("evidence-sentence", "ms", "<= 2", speed.sentence),
    Benchmark("evidence-cpu", "x of off", "<= 1.15", cost.answer),
    Benchmark("evidence-index", "ms", "<= 300", speed.page),
    Benchmark("evidence-growth", "x for double", "<= 2.3", speed.growth),
    Benchmark("follow-up-cast", "% of terms", ">= 65", follow_ups.found("cast")),
    Benchmark("follow-up-tuned", "% of terms", ">= 65", follow_ups.found("tuned")),
    Benchmark("follow-up-held", "% of terms", "", follow_ups.found("held")),
    Benchmark("follow-up-precision", "% of terms", ">= 85", follow_ups.precision),
    Benchmark("follow-up-changed", "% changed", "<= 1", follow_ups.changed),
    Benchmark("follow-up-alone", "% changed", "<= 1", follow_ups.unrelated),
    Benchmark("follow-up-rule", "ms", "<= 2", follow_ups.rule_speed),
    Benchmark("follow-up-written", "% of terms", ">= 80", follow_ups.written),
    Benchmark("follow-up-sound", "% of terms", ">= 85", follow_ups.written_precision),
    Benchmark("follow-up-model", "s", "<= 2.05", follow_ups.slow_model),
    Benchmark("model-cites", "% of answers", "", citing.sound),
    Benchmark("fetch-page", "x GET, thread", "<= 1.3", reading.page),
    Benchmark("fetch-loop", "ms blocked", "<= 50", reading.loop),
    Benchmark("fetch-memory", "MB", "", reading.memory),
    Benchmark("google-first", "s", "<= 1.5", browser.first),
    Benchmark("google-later", "s", "<= 0.5", browser.later),
    Benchmark("browser-memory", "MB", "", browser.memory),
    Benchmark("browser-left", "s after SIGKILL", "<= 5", browser.left),
    Benchmark("read-quality", "x the better", ">= 1", passages.quality),
    Benchmark(
        "report-answers-clapnq", "x quotes", ">= 1", answers.alone("clapnq page")
    ),
    Benchmark("report-answers-cmrc", "x quotes", ">= 1", answers.alone("cmrc page")),
    Benchmark(
        "report-answers-near", "x quotes", ">= 1", answers.alone("cmrc 5 near pages")
    ),
    Benchmark("report-answers-parts", "x quotes", ">= 0.95", answers.parts),
    Benchmark("report-refused", "% of sound", "<= 15", rewritings.refused),
    Benchmark("report-quoted", "x slowest page", "<= 2", report.quoted),
    Benchmark("report-section", "s", "<= 1.5", report.section),
    Benchmark("report-loop", "ms blocked", "<= 50", report.loop),
    Benchmark("report-memory", "MB", "", report.memory),
    Benchmark("report-memory-back", "MB", "<= 0.5", report.left),
    Benchmark("load-gap", "x of 2 users", "<= 2", load.gap),
    Benchmark("load-first", "x of 2 users", "<= 3", load.first),
    Benchmark("load-burst", "silent of 40", "= 0", load.burst),
    Benchmark("first-token", "x bare Chainlit", "<= 1.5", chat.first_token),
    Benchmark("stream-rate", "x bare astream", ">= 0.6", chat.stream_rate),
    Benchmark("settings-confirm", "ms", "<= 300", chat.settings_confirm),
    Benchmark("first-paint", "x a line of text", "<= 2", chat.first_paint),
    Benchmark("cold-start", "x empty app", "<= 1.25", chat.cold_start),
    Benchmark("first-run", "x bare install", "<= 1.3", first_run.first_run),
    Benchmark("agent-turn", "x plain loop", "<= 3", agent.turn),
    Benchmark("agent-concurrent", "x plain loop", ">= 0.7", agent.concurrent),
    Benchmark("agent-parallel", "ms", "<= 260", agent.parallel),
    Benchmark("agent-memory", "x empty app", "<= 1.6", sessions.idle),
    Benchmark("agent-memory-back", "x first wave", "<= 0.25", sessions.returned),
)

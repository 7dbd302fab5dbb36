"""Made-up pages of results, in the shape and size that DuckDuckGo sends."""

from typing import Final
from urllib.parse import quote

from benchmarks.page import COUNT

_REGIONS: Final = 70  # the form offers that many, each an element of the page
_SNIPPET: Final = (
    "Made-up text about <b>bridges</b>, <b>clocks</b> and rivers, long enough for a "
    "snippet. Nobody wrote it, and it says nothing; a <b>bench</b> wants its length "
    "only. It ends where a snippet of DuckDuckGo ends, after some 300 characters, and "
    "there is one more marked <b>word</b> before it does so ..."
)


def page(number: int = 0) -> bytes:
    """Ten results in 24 kB of HTML; no page shares an address with another."""
    options = "\n".join(
        f'            <option value="r{region}-en">Region {region}</option>'
        for region in range(_REGIONS)
    )
    rows = "\n".join(_row(number, place) for place in range(1, COUNT + 1))
    return f"""<!DOCTYPE html>
<html>
<head>
  <meta http-equiv="content-type" content="text/html; charset=UTF-8" />
  <title>bridges and clocks at DuckDuckGo</title>
  <link rel="stylesheet" href="//duckduckgo.com/h.css" type="text/css" />
</head>
<body class="body--html">
  <form name="x" class="header__form" action="/html/" method="post">
    <div class="search search--header">
      <input name="q" class="search__input" type="text" value="bridges and clocks" />
      <input name="b" class="search__button" type="submit" value="" />
    </div>
    <div class="frm__select">
      <select name="kl">
{options}
      </select>
    </div>
  </form>
  <div class="serp__results">
    <div id="links" class="results">
{rows}
      <div class="nav-link">
        <form action="/html/" method="post">
          <input type="submit" class="btn btn--alt" value="Next" />
          <input type="hidden" name="q" value="bridges and clocks" />
        </form>
      </div>
    </div>
  </div>
</body>
</html>
""".encode()


def _row(page_number: int, place: int) -> str:
    host = f"site{place}.example.org"
    url = f"https://{host}/articles/{page_number}/bridges-and-clocks?part={place}"
    href = f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&amp;rut={'0a' * 32}"
    return f"""
      <div class="result results_links results_links_deep web-result ">
        <div class="links_main links_deep result__body">
          <h2 class="result__title">
            <a rel="nofollow" class="result__a" href="{href}">Clock {place} 桥与钟</a>
          </h2>
          <div class="result__extras">
            <div class="result__extras__url">
              <span class="result__icon">
                <a rel="nofollow" href="{href}">
                  <img class="result__icon__img" width="16" height="16" alt=""
                    src="//external-content.duckduckgo.com/ip3/{host}.ico" name="i15" />
                </a>
              </span>
              <a class="result__url" href="{href}">
                {host}/articles/{page_number}/bridges-and-clocks
              </a>
            </div>
          </div>
          <a class="result__snippet" href="{href}">{_SNIPPET}</a>
          <div class="clear"></div>
        </div>
      </div>"""

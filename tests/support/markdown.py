"""Markdown as the page's parser reads it, and addresses that only it would find."""

from typing import Final

from markdown_it import MarkdownIt

PARSER: Final = MarkdownIt("commonmark", {"maxNesting": 1000}).enable(
    ["table", "strikethrough"]
)

# Words that a model may write; to SOURCES with `https://one.example/a?id=1` as 1.
HIDDEN_ADDRESSES: Final = rf"""
www&#46;evil.example www&period;evil.example ww&#119;.evil.example www\.evil.example
https&#58;//evil.example https&colon;//evil.example https:/&#47;evil.example
&#104;ttps://evil.example http&#115;://evil.example https:\//evil.example
https:/\/evil.example http\://evil.example http\:\/\/evil.example
https://\-evil.example https://evil.example www.evil.example WWW.evil.example
\www.evil.example \https://evil.example \admin@evil.example _www.evil.example_
admin@evil.example admin&#64;evil.example admin\@evil.example admin@\-evil.example
{"a" * 70}@evil.example _admin@evil.example_
mailto&#58;x@evil.example xmpp:x@evil.example mailto:x@evil.example
1https://evil.example 中admin@evil.example (www.evil.example) <x:www.evil.example>
![www](x).evil.example ![admin](x)@evil.example ![www&](x)#46;evil.example
![www&#46](x);evil.example www&#[46;evil.example](http://x.example)
w[ww.evil.example](http://x.example) https:[//evil.example](http://x.example)
[1](www.evil.example) [1](//evil.example) www.evil.example``b`` ``b``www.evil.example
``b``[`c`](http://evil.example) www.x/?a=[``c``](http://evil.example)
[www&#46;evil.example](https://one.example/a?id=1)
[看www.evil.example](https://one.example/a?id=1&utm_source=secret)
http://www.one.example/a?id=1&spm=secret <https://one.example/a?id=1#secret>
<b>www.evil.example</b> <!--a--b--www.evil.example--> <?www.evil.example?>
<b/title="www.evil.example"> <!--->www.evil.example-->
""".split()

# The forms in which models cite source 1, and those that name none of our sources.
FORMS: Final = (
    *("[citation:1]", "[[citation:1]]", "[^1^]", "【1†source】", "[cite: 1]"),
    *("[cite: 1, 2]", "[ref_1]", "[webpage 1]", "[来源1]", "【来源1】", "[Source 1]"),
    *("[source: 1]", "【4:1†source】", "【1†L5-L9】"),
)

"""Read inline Markdown: markers, links, code, formulas, addresses."""

"""Read text in Chinese and English: sentences, terms, ranks, passages."""

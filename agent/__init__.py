"""Make answers with a language model; the only package that knows LangChain."""

"""Language models: settings, lists of models, clients for odd servers, errors."""

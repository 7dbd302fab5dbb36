"""Mode, search switch, agent and model: the panel, typed commands, preferences."""

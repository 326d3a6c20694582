"""Where the shipped folders are, and files of settings read strictly.

``resources`` finds a data folder however the package was installed, ``config`` reads TOML into
records that refuse unknown keys, ``yamlfile`` changes single values of YAML and leaves comments
alone, ``journal`` changes several files all or none, ``offline`` keeps libraries from reporting.
"""

from thunder.settings import messages


def _language() -> tuple[messages.Language, bool]:
    """Return the language that the settings want; not sure where something is wrong with them."""
    from thunder.settings import user
    from thunder.settings.config import ConfigError

    try:
        return user.read().settings.language, True
    except ConfigError:  # the command says what is wrong with the settings, in a moment
        return user.likely_language(), False


messages.ask_settings(_language)

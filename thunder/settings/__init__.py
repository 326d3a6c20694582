"""Where the shipped folders are, and files of settings read strictly.

``resources`` finds a data folder however the package was installed, ``config`` reads TOML into
records that refuse unknown keys, ``yamlfile`` changes single values of YAML and leaves comments
alone, ``journal`` changes several files all or none, ``offline`` keeps libraries from reporting.
"""

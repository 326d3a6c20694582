"""What every room reads: shipped folders, strict TOML and YAML, files changed all or none."""

def merge_settings(base: dict, extra: dict) -> dict:
    """Return base updated with extra, section by section."""
    merged = dict(base)
    for key, value in extra.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = merge_settings(value, merged[key])
        else:
            merged[key] = value
    return merged


def load_settings(defaults: dict, *layers: dict) -> dict:
    """Apply the layers to the defaults, later layers taking precedence."""
    settings = defaults
    for layer in layers:
        settings = merge_settings(settings, layer)
    return settings

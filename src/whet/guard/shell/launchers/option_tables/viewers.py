"""Players and converters of sound and pictures: plugins that they load."""

from whet.guard.shell.launchers.option_tables.model import Starts, pattern

_FILTER_LIBRARY = Starts(
    settings=pattern(r"\b(?:ladspa|lv2|frei0r)=(?:f(?:ile)?=|filter_name=|p=)?'?([^:,'\s]*/[^:,'\s]*)")
)

TABLE: dict[str, Starts] = {
    **dict.fromkeys(("ffmpeg", "ffplay", "ffprobe", "mplayer", "mencoder"), _FILTER_LIBRARY),
    "mpv": Starts(plugins="--script --scripts"),
    "sox": Starts(libraries="ladspa"),
    **dict.fromkeys(("gst-launch-1.0", "gst-inspect-1.0"), Starts(libraries="--gst-plugin-path --gst-plugin-load")),
}

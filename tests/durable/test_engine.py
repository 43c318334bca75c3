"""What whet relies on in the durable engine beyond its documented interface."""

from pathlib import Path

from dbos import DBOS

from whet.durable import engine


def test_what_was_cut_off_is_looked_for_often(tmp_path: Path) -> None:
    running = engine.Engine(tmp_path)
    try:
        instance = DBOS(config={"name": "whet"})
        assert engine.look_for_work(instance, every_seconds=0.05)
        assert instance._registry.get_internal_queue().polling_interval_sec < 0.2
    finally:
        running.close()

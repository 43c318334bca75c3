"""Files of other systems are read once, within limits, and never from outside the repository."""

import json
import os
import resource
from pathlib import Path

import pytest

from whet.files import MB
from whet.intake.skips import Skips
from whet.intake.watched_files import LONGEST_LINE, NewLines, new_content, watched_files
from whet.store.events import Cursor

MOST = 64 * MB


def look(folder: Path, cursor: Cursor, most_bytes: int = MOST) -> tuple[list[bytes], Cursor, tuple[str, ...]]:
    skips = Skips()
    [file] = watched_files(folder, ["*.jsonl"], skips)
    lines = NewLines(file, cursor, most_bytes, skips)
    return list(lines), lines.cursor, skips.sentences()


def test_a_second_look_reads_only_new_lines(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(b'{"a":1}\n{"a":2}\n')
    first, cursor, _ = look(tmp_path, Cursor())
    assert first == [b'{"a":1}', b'{"a":2}']
    assert look(tmp_path, cursor)[0] == []
    with log.open("ab") as stream:
        stream.write(b'{"a":3}\n')
    assert look(tmp_path, cursor)[0] == [b'{"a":3}']


def test_a_half_written_line_waits_for_its_end(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(b'{"a":1}\n{"a":')
    first, cursor, _ = look(tmp_path, Cursor())
    assert first == [b'{"a":1}']
    with log.open("ab") as stream:
        stream.write(b"2}\n")
    assert look(tmp_path, cursor)[0] == [b'{"a":2}']


def test_a_whole_last_line_without_a_line_end_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"a":1}')
    assert look(tmp_path, Cursor())[0] == [b'{"a":1}']


@pytest.mark.parametrize("content", [b'{"b":1}\n{"b":2}\n', b'{"b":1}\n'])
def test_a_file_that_was_replaced_is_read_from_its_beginning(tmp_path: Path, content: bytes) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(b'{"a":1}\n{"a":2}\n')
    cursor = look(tmp_path, Cursor())[1]
    log.unlink()
    log.write_bytes(content)
    assert b"".join(look(tmp_path, cursor)[0]) == content.replace(b"\n", b"")


def test_a_line_of_100_mb_is_skipped_without_being_held_in_memory(tmp_path: Path) -> None:
    with (tmp_path / "a.jsonl").open("wb") as stream:
        stream.write(b'{"a":1}\n{"a":"')
        for _ in range(100):
            stream.write(b"x" * MB)
        stream.write(b'"}\n{"a":2}\n')
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines, _, skipped = look(tmp_path, Cursor(), 256 * MB)
    assert lines == [b'{"a":1}', b'{"a":2}']
    assert skipped == ("a.jsonl: 1 line skipped: longer than 1 MB",)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30 * 1024  # in kB


def test_a_line_of_just_over_the_limit_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"x" * (LONGEST_LINE + 1) + b"\n" + b"y" * LONGEST_LINE + b"\n")
    lines, _, skipped = look(tmp_path, Cursor())
    assert [line[:1] for line in lines] == [b"y"]
    assert len(skipped) == 1


def test_a_look_at_a_large_file_reads_the_newest_part_and_says_so(tmp_path: Path) -> None:
    lines = [json.dumps({"number": number, "text": "x" * 1000}) for number in range(3000)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    read, cursor, skipped = look(tmp_path, Cursor(), MB)
    assert json.loads(read[-1])["number"] == 2999
    assert 900 < len(read) < 1100
    assert json.loads(read[0])["number"] == 3000 - len(read)
    assert skipped == ("a.jsonl: 2 megabytes skipped: a look reads only the newest part (sources.look_mb)",)
    assert look(tmp_path, cursor)[0] == []


def test_a_utf_16_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a":1}\n', encoding="utf-16")
    lines, _, skipped = look(tmp_path, Cursor())
    assert lines == []
    assert skipped == ("a.jsonl: 1 file skipped: it is UTF-16; convert it to UTF-8",)


def test_links_out_of_the_repository_pipes_and_folders_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text('{"secret":1}\n')
    root = tmp_path / "root"
    (root / "folder.jsonl").mkdir(parents=True)
    (root / "link.jsonl").symlink_to(outside)
    (root / "loop.jsonl").symlink_to("loop.jsonl")
    os.mkfifo(root / "pipe.jsonl")
    skips = Skips()
    assert watched_files(root, ["*.jsonl"], skips) == []
    assert "link.jsonl: 1 file skipped: it is outside the repository" in skips.sentences()


def test_a_whole_file_is_read_again_only_if_its_content_changed(tmp_path: Path) -> None:
    report = tmp_path / "a.xml"
    report.write_bytes(b"<a/>")

    def read(cursor: Cursor) -> tuple[bytes, Cursor] | None:
        [file] = watched_files(tmp_path, ["*.xml"], Skips())
        return new_content(file, cursor, Skips())

    first = read(Cursor())
    assert first
    assert first[0] == b"<a/>"
    assert read(first[1]) is None
    os.utime(report, (1, 1))
    touched = read(first[1])
    assert touched
    assert touched[0] == b""

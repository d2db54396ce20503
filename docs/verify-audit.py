#!/usr/bin/env python3
"""Checks an exported audit log of Hearth. It needs only Python and the key. docs/audit.md describes what it checks.

    hearth audit export --out log.jsonl
    python3 verify-audit.py log.jsonl keys/audit.key [heads.json ...]

It also checks a file of rows that `[audit.targets]` forwarded.
Each heads.json is an anchor: the home's audit/heads.json, or an earlier copy of it. Exits with 0 if everything matches, otherwise with 1.
"""
import hashlib
import hmac
import json
import sys
from pathlib import Path


def seal(key, fields):
    """HMAC-SHA-256 over the fields, each as a netstring; null is `-,`."""
    text = b""
    for field in fields:
        raw = str(field).encode("utf-8", "surrogatepass")
        text += b"-," if field is None else b"%d:%s," % (len(raw), raw)
    return hmac.new(key, text, hashlib.sha256).hexdigest()


SHAPES = {
    "begin": {"house": str, "after": int, "seal": (str, type(None))},
    "row": dict.fromkeys(("body", "blob", "labels", "seal"), (str, type(None)))
    | dict.fromkeys(("stream", "id", "type"), str) | dict.fromkeys(("offset", "at"), int),
    "end": {"house": str, "after": int, "offset": int, "seal": str, "at": int, "mark": str},
}


def read(line):
    """The line as an object with exactly the fields of its kind, or None."""
    try:
        value = json.loads(line)
        shape = SHAPES[value["kind"]]
        whole = value.keys() == shape.keys() | {"kind"}
        return value if whole and all(isinstance(value[name], kind) for name, kind in shape.items()) else None
    except (ValueError, TypeError, KeyError):
        return None


def check(lines, anchors, key):
    """Yields what is wrong with an export, a sentence each."""
    lines = [read(line) for line in lines if line.strip()]
    if [line and line["kind"] for line in (lines[:1] + lines[-1:])] != ["begin", "end"] or len(lines) < 2:
        yield "The export is cut, or was changed: it begins with a line `begin` and ends with a line `end`."
        return
    begin, end = lines[0], lines[-1]
    house = begin["house"]
    last, seals = yield from check_rows(lines[1:-1], house, begin["after"], begin["seal"], key)
    fields = [end[name] for name in ("house", "after", "offset", "seal", "at")]
    if end["mark"] != seal(key, ["export"] + fields) or fields[:2] != [house, begin["after"]]:
        yield "The last line was not made with this key, or was changed."
    elif (end["offset"], end["seal"]) != (last, seals[last] or ""):
        yield f"The export ends at row {last}; it was made to end at row {end['offset']}."
    yield from check_anchors([head for head in anchors if head["house"] == house], begin["after"], last, seals, key)


def check_copy(lines, anchors, key):
    """Yields what is wrong with a forwarded copy: rows of all houses, in which the same row may come again."""
    rows = {}
    for line in lines:
        row = read(line)
        if row and row["kind"] == "row" and row["stream"].startswith("audit:"):
            known = rows.setdefault(row["stream"][len("audit:"):], {})
            if known.setdefault(row["offset"], row) != row:
                yield f"Row {row['offset']} of {row['stream']} occurs with two contents."
        elif line.strip():
            yield f"A line is not a row: {line[:60]}"
    for house, known in rows.items():
        last, seals = yield from check_rows([known[offset] for offset in sorted(known)], house, 0, None, key)
        yield from check_anchors([head for head in anchors if head["house"] == house], 0, last, seals, key)
    for house in {head["house"] for head in anchors} - rows.keys():
        yield f"The log of {house} is missing."


def check_rows(rows, house, last, before, key):
    """Yields what is wrong with the rows after this one. Returns the last row, and the seal of each."""
    known, seals = True, {last: before}
    for row in rows:
        if row is None or row["kind"] != "row":
            yield f"A line after row {last} is not a row."
            continue
        offset = row["offset"]
        if offset <= last:
            yield f"Row {offset} is out of order or occurs more than once."
            continue
        if offset > last + 1:
            yield f"{name_rows(last + 1, offset - 1)} missing."
            known = False
        names = ("stream", "offset", "id", "type", "at", "body", "blob", "labels")
        fields = ["event", before or ""] + [row[name] for name in names]
        is_own = row["stream"] == "audit:" + house and row["seal"] is not None
        if not is_own or (known and row["seal"] != seal(key, fields)):
            yield f"Row {offset} is different from what was sealed."
        if row["type"] == "log" and row["body"] == '{"change":"anchor-gone"}':
            yield f"Before row {offset} the anchor was missing: rows may have been removed there."
        before, known, last = row["seal"], True, offset
        seals[offset] = before
    return last, seals


def check_anchors(anchors, after, last, seals, key):
    for head in anchors:
        fields = [head.get(name) for name in ("house", "offset", "seal", "at")]
        if head.get("mark") != seal(key, ["head"] + fields):
            yield f"The anchor for row {head['offset']} has an invalid mark: it was changed or made with another key."
        elif head["offset"] > last:
            yield f"{name_rows(last + 1, head['offset'])} missing at the end."
        elif head["offset"] >= after and seals.get(head["offset"]) != head["seal"]:
            yield f"Row {head['offset']} differs from the one that the anchor was written for."


def name_rows(first, last):
    return f"Row {first} is" if first == last else f"Rows {first} to {last} are"


def main(log, key_file, *anchor_files):
    key = bytes.fromhex(Path(key_file).read_text("ascii").strip())
    anchors = [head for name in anchor_files for head in json.loads(Path(name).read_text("utf-8"))]
    lines = Path(log).read_text("utf-8", "surrogateescape").split("\n")
    is_copy = (read(lines[0]) or {}).get("kind") == "row"
    wrong = list((check_copy if is_copy else check)(lines, anchors, key))
    print("\n".join(wrong) or "All rows are as they were sealed.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else __doc__)

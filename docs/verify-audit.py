#!/usr/bin/env python3
"""Checks an exported audit log of Hearth. It needs only Python and the key. docs/audit.md describes what it checks.

    hearth audit export --out log.jsonl
    python3 verify-audit.py log.jsonl keys/audit.key [heads.json ...]

It also checks a file of rows that `[audit.targets]` forwarded.
Each heads.json is an anchor: the home's audit/heads.json, or an earlier copy of it. Exits with 0 if everything matches, otherwise with 1.
The key file has the present key first, and then the keys that it replaced. A holder of a replaced key can make rows and anchors with it, so the last
row must have the present key. For a segment or an export from before a rotation, add --allow-replaced-key.
"""
import hashlib
import hmac
import json
import re
import sys
from pathlib import Path


def mac(key, fields):
    """HMAC-SHA-256 over the fields, each as a netstring; null is `-,`."""
    text = b""
    for field in fields:
        raw = str(field).encode("utf-8", "surrogatepass")
        text += b"-," if field is None else b"%d:%s," % (len(raw), raw)
    return hmac.new(key, text, hashlib.sha256).hexdigest()


class Keys:
    """The keys of a key file, oldest first. `next` is the key of a rotation that is not complete."""

    def __init__(self, text):
        lines = text.strip().split("\n")
        later = [line[len("next "):] for line in lines if line.startswith("next ")]
        used = [line for line in lines if not line.startswith("next ")][::-1]
        self.keys = [bytes.fromhex(line) for line in used + later]
        self.ids = [mac(key, ["key"])[:16] for key in self.keys]
        self.required = len(used) - 1

    def position(self, seal):
        """The position of the key that the seal names: seals of the first key name none. -1: an unknown key."""
        named = re.fullmatch(r"([0-9a-f]{16})\.[0-9a-f]{64}", seal or "")
        if not named:
            return 0
        return self.ids.index(named[1]) if named[1] in self.ids else -1

    def mac(self, seal, fields):
        """The HMAC with the key that the seal names, or None for an unknown key."""
        at = self.position(seal)
        return None if at < 0 else mac(self.keys[at], fields)

    def is_sealed(self, row, before):
        """Whether the key that may follow the seal `before` sealed this row. Only the row that records a key changes to it."""
        fields = [row[name] for name in ("stream", "offset", "id", "type", "at", "body", "blob", "labels")]
        value, at = self.mac(row["seal"], ["event", before or ""] + fields), self.position(row["seal"])
        if value is None or row["seal"] != (value if at == 0 else self.ids[at] + "." + value):
            return False
        last = at if before is None else self.position(before)
        return at == last or (at == last + 1 and recorded_key(row) == self.ids[at])


def recorded_key(row):
    """The id of the new key that a row records, or None."""
    try:
        facts = json.loads(row["body"]) if row["type"] == "log" else {}
        return facts["audit_key"] if facts["change"] == "key-rotated" else None
    except (ValueError, TypeError, KeyError):
        return None


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


def check(lines, anchors, keys):
    """Yields what is wrong with an export, a sentence each."""
    lines = [read(line) for line in lines if line.strip()]
    if [line and line["kind"] for line in (lines[:1] + lines[-1:])] != ["begin", "end"] or len(lines) < 2:
        yield "The export is cut, or was changed: it begins with a line `begin` and ends with a line `end`."
        return
    begin, end = lines[0], lines[-1]
    house = begin["house"]
    last, seals = yield from check_rows(lines[1:-1], house, begin["after"], begin["seal"], keys)
    fields = [end[name] for name in ("house", "after", "offset", "seal", "at")]
    if end["mark"] != keys.mac(end["seal"], ["export"] + fields) or fields[:2] != [house, begin["after"]]:
        yield "The last line was not made with this key, or was changed."
    elif (end["offset"], end["seal"]) != (last, seals[last] or ""):
        yield f"The export ends at row {last}; it was made to end at row {end['offset']}."
    yield from check_anchors([head for head in anchors if head["house"] == house], begin["after"], last, seals, keys)


def check_copy(lines, anchors, keys):
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
        last, seals = yield from check_rows([known[offset] for offset in sorted(known)], house, 0, None, keys)
        yield from check_anchors([head for head in anchors if head["house"] == house], 0, last, seals, keys)
    for house in {head["house"] for head in anchors} - rows.keys():
        yield f"The log of {house} is missing."


def check_rows(rows, house, last, before, keys):
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
        is_own = row["stream"] == "audit:" + house and row["seal"] is not None
        if not is_own or (known and not keys.is_sealed(row, before)):
            yield f"Row {offset} is different from what was sealed."
        if row["type"] == "log" and row["body"] == '{"change":"anchor-gone"}':
            yield f"Before row {offset} the anchor was missing: rows may have been removed there."
        before, known, last = row["seal"], True, offset
        seals[offset] = before
    if before is not None and keys.position(before) < keys.required:
        yield (f"Row {last}, the last one, was sealed with a key that was replaced since: "
               "the row that records the present key is missing.")
    return last, seals


def check_anchors(anchors, after, last, seals, keys):
    if anchors and all(keys.position(head.get("seal")) < keys.required for head in anchors):
        yield ("The anchor was made with a key that was replaced since, "
               "so missing rows at the end cannot be detected.")
    for head in anchors:
        fields = [head.get(name) for name in ("house", "offset", "seal", "at")]
        if head.get("mark") is None or head["mark"] != keys.mac(head.get("seal"), ["head"] + fields):
            yield f"The anchor for row {head['offset']} has an invalid mark: it was changed or made with another key."
        elif head["offset"] > last:
            yield f"{name_rows(last + 1, head['offset'])} missing at the end."
        elif head["offset"] >= after and seals.get(head["offset"]) != head["seal"]:
            yield f"Row {head['offset']} differs from the one that the anchor was written for."


def name_rows(first, last):
    return f"Row {first} is" if first == last else f"Rows {first} to {last} are"


def main(log, key_file, *anchor_files):
    keys = Keys(Path(key_file).read_text("ascii"))
    if "--allow-replaced-key" in anchor_files:
        anchor_files = [name for name in anchor_files if name != "--allow-replaced-key"]
        keys.required = 0
    anchors = [head for name in anchor_files for head in json.loads(Path(name).read_text("utf-8"))]
    lines = Path(log).read_text("utf-8", "surrogateescape").split("\n")
    is_copy = (read(lines[0]) or {}).get("kind") == "row"
    wrong = list((check_copy if is_copy else check)(lines, anchors, keys))
    print("\n".join(wrong) or "All rows are as they were sealed.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else __doc__)

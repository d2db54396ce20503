"""echo-agent.ts in plain Python: follows, by long polling, the rooms that it sees when it starts."""

import json, os, pathlib, threading, time, urllib.request

URL = os.environ.get("HEARTH_URL", "http://127.0.0.1:18789")
STATE = pathlib.Path(os.environ.get("ECHO_STATE", "echo-agent.json"))
HEADERS = {"authorization": "Bearer " + os.environ["HEARTH_KEY"], "content-type": "application/json"}


def ask(path, body=None):
    request = urllib.request.Request(URL + path, body and json.dumps(body).encode(), HEADERS)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def keep(room, offset):
    with lock:
        offsets[room] = offset
        STATE.with_suffix(".new").write_text(json.dumps(offsets))
        STATE.with_suffix(".new").replace(STATE)


def follow(room):
    while True:
        try:
            if room not in offsets:
                keep(room, ask(f"/api/rooms/{room}/events?before=end&limit=1")["head"])
            for event in ask(f"/api/rooms/{room}/events?after={offsets[room]}&wait=30000")["events"]:
                if event["type"] == "message" and event["author"] != me and me in event["mentions"]:
                    answer = {"text": "You said: " + event["body"]["text"][:1000], "replyTo": event["id"]}
                    ask(f"/api/rooms/{room}/messages", {**answer, "idempotencyKey": "echo:" + event["id"]})
                keep(room, event["offset"])
        except (OSError, ValueError) as error:
            print(error, flush=True)
            time.sleep(1)


me = ask("/api/me")["agent"]["id"]
offsets, lock = json.loads(STATE.read_text()) if STATE.exists() else {}, threading.Lock()
for seen in ask("/api/rooms"):
    threading.Thread(target=follow, args=[seen["id"]]).start()

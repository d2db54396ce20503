/** The requests and the output of `hearth tunnel`. */
import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";
import { localTime } from "../show/time.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;

const URL = "https://house.example";
const OPEN = { state: "open", kind: "cloudflared", url: URL };
const STARTING = { state: "starting", kind: "cloudflared" };

/** A terminal whose clock passes only while the command sleeps. Calls `onSleep` before each sleep. */
const sleeping = (onSleep: () => void = () => {}) => {
  const slept: number[] = [];
  let now = 0;
  return {
    slept,
    now: () => now,
    sleep: async (ms: number) => {
      slept.push(ms);
      now += ms;
      onSleep();
    },
  };
};

describe("tunnel show", () => {
  const checkedAt = 5_000;
  const shown: readonly (readonly [info: object, out: string])[] = [
    [{ state: "off" }, "There is no tunnel. Open one: hearth tunnel open KIND\n"],
    [OPEN, `state  open\nkind   cloudflared\nurl    ${URL}\n`],
    [
      { ...OPEN, route: { isReached: true, checkedAt } },
      [
        "state               open",
        "kind                cloudflared",
        `url                 ${URL}`,
        `reaches this house  yes, checked ${localTime(checkedAt)}`,
        "",
      ].join("\n"),
    ],
    [
      { state: "open", route: { isReached: false, checkedAt, problem: "No answer." } },
      `state               open\nreaches this house  no, checked ${localTime(checkedAt)}: No answer.\n`,
    ],
    [
      {
        ...{ state: "waiting", kind: "ssh", nextTryAt: 9_000 },
        error: { code: "tunnel.failed", message: "It ended.", hint: "Sign in." },
      },
      `state     waiting\nkind      ssh\nerror     It ended.\nhint      Sign in.\nnext try  ${localTime(9_000)}\n`,
    ],
  ];
  test.each(shown)("prints %j", async (info, out) => {
    own.house.answer("GET /api/tunnel", info);
    expect(await hearth("tunnel", "show")).toEqual({ code: 0, out, err: "" });
    expect(await json("tunnel", "show")).toEqual(info);
  });
});

describe("tunnel open", () => {
  test("sends the settings, and waits until the tunnel is open", async () => {
    own.house.answer("PUT /api/tunnel", STARTING);
    own.house.answer("GET /api/tunnel", STARTING);
    const terminal = sleeping(() => {
      if (terminal.slept.length === 3) own.house.answer("GET /api/tunnel", OPEN);
    });
    expect(await hearthAt(terminal, "tunnel", "open", "cloudflared")).toEqual({
      code: 0,
      out: `state  open\nkind   cloudflared\nurl    ${URL}\n`,
      err: "Starting cloudflared…\n",
    });
    expect(terminal.slept).toEqual([250, 250, 250]);
    expect(own.house.requests[0]).toBe('PUT /api/tunnel {"kind":"cloudflared"}');
  });

  test("sends each flag that was given", async () => {
    own.house.answer("PUT /api/tunnel", OPEN);
    const flags = ["--to", "me@server.example", "--remote-port", "8080", "--url", URL, "--forwarded"];
    expect(await json("tunnel", "open", "ssh", ...flags)).toEqual(OPEN);
    expect(own.house.requests).toEqual([
      `PUT /api/tunnel {"kind":"ssh","to":"me@server.example","remotePort":8080,"url":"${URL}","forwarded":true}`,
    ]);
  });

  test("exits with 1 at once if the program failed, and names the command that ends the attempts", async () => {
    const waiting = { state: "waiting", kind: "ngrok" };
    own.house.answer("PUT /api/tunnel", waiting);
    const terminal = sleeping();
    expect(await hearthAt(terminal, "tunnel", "open", "ngrok")).toEqual({
      code: 1,
      out: "state  waiting\nkind   ngrok\n",
      err: "Starting ngrok…\nThe house keeps trying. To stop that: hearth tunnel close\n",
    });
    expect(terminal.slept).toEqual([]);
  });

  test("exits with 1 after a minute without an address", async () => {
    own.house.answer("PUT /api/tunnel", STARTING);
    own.house.answer("GET /api/tunnel", STARTING);
    const terminal = sleeping();
    const { code, out } = await hearthAt(terminal, "tunnel", "open", "cloudflared");
    expect([code, out]).toEqual([1, "state  starting\nkind   cloudflared\n"]);
    expect(terminal.now()).toBe(60_000);
  });

  test.each(["carrier", "command"])("refuses the kind %s, and lists the kinds", async (kind) => {
    const { code, err } = await hearth("tunnel", "open", kind);
    expect([code, err]).toEqual([
      2,
      `hearth: Unknown kind of tunnel: "${kind}".\n  There is: cloudflared, tailscale, tailscale-funnel, ngrok, ssh.\n`,
    ]);
    expect(own.house.requests).toEqual([]);
  });

  test.each(["0", "65536", "http"])("refuses the port %s", async (port) => {
    expect((await hearth("tunnel", "open", "ssh", "--remote-port", port)).code).toBe(2);
    expect(own.house.requests).toEqual([]);
  });
});

test("tunnel close removes the tunnel", async () => {
  own.house.answer("DELETE /api/tunnel", {});
  expect(await hearth("tunnel", "close")).toEqual({ code: 0, out: "closed the tunnel\n", err: "" });
  expect(await json("tunnel", "close")).toEqual({ state: "off" });
  own.house.refuse("DELETE /api/tunnel", { code: "tunnel.none", message: "There is no tunnel." });
  expect(await hearth("tunnel", "close")).toEqual({ code: 1, out: "", err: "hearth: There is no tunnel.\n" });
});

import { expect, test } from "bun:test";
import { createFakeLog } from "../kernel/log/log.ts";
import type { Caller, Http, HttpOptions, SocketPeer } from "./http.ts";
import { createLazyHttp } from "./lazy-http.ts";

/** A port that loads after `fails` failures, with a record of its calls. */
const open = (fails = 0) => {
  const seen: string[] = [];
  const log = createFakeLog();
  const http: Http = {
    handle: async (request, connection) => new Response(`${new URL(request.url).pathname} of ${connection?.address}`),
    admit: async () => ({ caller: {} as Caller }),
    connect: () => ({ onMessage: () => {}, onDrain: () => {}, onClose: () => {} }),
    close: () => void seen.push("closes"),
  };
  const late = createLazyHttp({ kernel: { log } } as unknown as HttpOptions, async () => {
    seen.push("reads");
    if (fails-- > 0) throw new Error("the disk is gone");
    return http;
  });
  return { seen, log, late };
};
const request = () => new Request("http://127.0.0.1/login");
const peer: SocketPeer = { send: () => "gone", close: () => {} };

test("nothing is loaded until the first request, and then once", async () => {
  const { seen, late } = open();
  expect(seen).toEqual([]);
  const answers = await Promise.all([
    late.handle(request(), { address: "me" }),
    late.handle(request(), { address: "you" }),
  ]);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["/login of me", "/login of you"]);
  await late.warm();
  expect(seen).toEqual(["reads"]);
});

test("a preloaded port is ready for a request", async () => {
  const { seen, late } = open();
  await late.warm();
  expect(seen).toEqual(["reads"]);
  expect((await late.handle(request())).status).toBe(200);
  expect(seen).toEqual(["reads"]);
});

test("a failed load answers 500, is logged, and is tried again at the next request", async () => {
  const { seen, log, late } = open(3);
  await late.warm();
  expect(log.lines).toEqual([]);
  expect((await late.handle(request())).status).toBe(500);
  expect(await late.admit(request())).toMatchObject({ refusal: { status: 500 } });
  expect(log.lines).toHaveLength(2);
  expect((await late.handle(request())).status).toBe(200);
  expect(seen).toEqual(["reads", "reads", "reads", "reads"]);
});

test("a socket needs an admitted caller", async () => {
  const { late } = open();
  expect(() => late.connect({} as Caller, peer)).toThrow("admitted");
  const admitted = await late.admit(request());
  expect("caller" in admitted && late.connect(admitted.caller, peer)).toBeTruthy();
});

test("a port closed before it was loaded is closed when it loads", async () => {
  const { seen, late } = open();
  late.close();
  expect(seen).toEqual([]);
  await late.handle(request());
  expect(seen).toEqual(["reads", "closes"]);
  late.close();
  expect(seen).toEqual(["reads", "closes", "closes"]);
});

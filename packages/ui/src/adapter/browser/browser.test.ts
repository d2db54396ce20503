import { expect, test } from "bun:test";
import type { SocketEvents } from "@hearth/client";
import { createBrowserClock } from "./clock.ts";
import { createBrowserPage, createLanguageCookie } from "./page.ts";
import { createBrowserStorage, type TextStorage } from "./storage.ts";
import { connectWire } from "./wire.ts";

const createTextStorage = (): TextStorage => {
  const texts = new Map<string, string>();
  return {
    get length() {
      return texts.size;
    },
    key: (index) => [...texts.keys()][index] ?? null,
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  };
};

test("values have Hearth's own prefix, and values of other programs are ignored", () => {
  const kept = createTextStorage();
  kept.setItem("theirs", "x");
  const storage = createBrowserStorage({ open: () => kept, onChangeInOtherTab: () => () => {} });
  storage.set("draft:a", "Hello");
  expect(kept.getItem("hearth:draft:a")).toBe("Hello");
  expect([storage.names(), storage.get("draft:a"), storage.get("theirs")]).toEqual([["draft:a"], "Hello", undefined]);
  storage.remove("draft:a");
  expect(storage.names()).toEqual([]);
});

test("changes of other tabs are reported, those of other programs are not", () => {
  let notify: (name: string | null) => void = () => {};
  let isOver = false;
  const storage = createBrowserStorage({
    open: createTextStorage,
    onChangeInOtherTab(listener) {
      notify = listener;
      return () => {
        isOver = true;
      };
    },
  });
  let calls = 0;
  const stop = storage.onChange(() => (calls += 1));
  notify("hearth:theme");
  notify("theirs");
  notify(null);
  expect(calls).toBe(2);
  stop();
  expect(isOver).toBe(true);
});

test("without browser storage, values last until the page closes", () => {
  const refusals: (() => TextStorage)[] = [
    () => {
      throw new DOMException("denied", "SecurityError");
    },
    () => ({
      ...createTextStorage(),
      getItem: () => {
        throw new DOMException("denied", "SecurityError");
      },
    }),
  ];
  for (const open of refusals) {
    const storage = createBrowserStorage({ open, onChangeInOtherTab: () => () => {} });
    storage.set("a", "b");
    expect(storage.get("a")).toBe("b");
  }
});

test("full storage throws, so that callers can report a lost draft", () => {
  const full: TextStorage = {
    ...createTextStorage(),
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  const storage = createBrowserStorage({ open: () => full, onChangeInOtherTab: () => () => {} });
  expect(() => storage.set("a", "b")).toThrow("full");
});

test("the clock wakes after the given time, and immediately on abort", async () => {
  const clock = createBrowserClock();
  await clock.sleep(1);
  await clock.turn();
  await clock.sleep(60_000, AbortSignal.abort());
  const stop = new AbortController();
  const sleep = clock.sleep(60_000, stop.signal);
  stop.abort();
  await sleep;
  expect(clock.monotonic()).toBeGreaterThan(0);
  expect(clock.now()).toBeGreaterThan(Date.UTC(2026, 0, 1));
});

/** Records the events of a wire, and resolves when it closes. */
const listen = () => {
  const received: string[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const events: SocketEvents = {
    open: () => received.push("open"),
    message: (text) => received.push(text),
    closed(code) {
      received.push(`closed ${code}`);
      resolve();
    },
  };
  return { received, closed, events };
};

test("a wire reports open, messages, and its end once", async () => {
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, own) => (own.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      message(socket, text) {
        socket.send(`heard ${String(text)}`);
        socket.close(1013);
      },
    },
  });
  const { received, closed, events } = listen();
  const wire = connectWire(`ws://127.0.0.1:${server.port}/ws`)({
    ...events,
    open() {
      events.open();
      wire.send("hello");
    },
  });
  await closed;
  wire.send("too late");
  wire.close();
  expect(received).toEqual(["open", "heard hello", "closed 1013"]);
});

test("a wire blocked by the page's policy closes immediately, without an exception", async () => {
  const { received, closed, events } = listen();
  const wire = connectWire("ws://nowhere", () => {
    throw new DOMException("denied", "SecurityError");
  })(events);
  wire.send("x");
  wire.close();
  expect(received).toEqual([]);
  await closed;
  expect(received).toEqual(["closed 1006"]);
});

test("the cookie of the language lasts for a year, reaches only the UI, and is removed by the automatic choice", () => {
  const page = { cookie: "" };
  const send = createLanguageCookie(page);
  send("de");
  expect(page.cookie).toBe("hearth_language=de; Path=/ui/; Max-Age=31536000; SameSite=Lax");
  send(undefined);
  expect(page.cookie).toBe("hearth_language=; Path=/ui/; Max-Age=0; SameSite=Lax");
});

test("the page reports that a person returns: by the focus, by visibility and by the network", () => {
  const document = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  const window = Object.assign(new EventTarget(), { document, navigator: {} });
  let count = 0;
  const stop = createBrowserPage(window as unknown as Window & typeof globalThis).onAttention(() => {
    count += 1;
  });
  window.dispatchEvent(new Event("focus"));
  window.dispatchEvent(new Event("online"));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(count).toBe(2);
  document.visibilityState = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  expect(count).toBe(3);
  stop();
  window.dispatchEvent(new Event("focus"));
  expect(count).toBe(3);
});

test("a page reports errors that no code handled, but no warnings and no aborted requests", () => {
  const window = new EventTarget() as Window & typeof globalThis;
  const page = createBrowserPage(window);
  const seen: unknown[] = [];
  const stop = page.onFailure((error) => seen.push(error));
  const dispatch = (type: string, fields: object): boolean =>
    window.dispatchEvent(Object.assign(new Event(type), fields));
  const [uncaught, unhandled] = [new Error("uncaught"), new Error("unhandled")];
  dispatch("error", { error: uncaught });
  dispatch("unhandledrejection", { reason: unhandled });
  dispatch("error", { error: null, message: "ResizeObserver loop completed with undelivered notifications." });
  dispatch("unhandledrejection", { reason: new DOMException("left", "AbortError") });
  stop();
  dispatch("error", { error: new Error("later") });
  expect(seen).toEqual([uncaught, unhandled]);
});

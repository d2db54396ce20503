import { expect, test } from "bun:test";
import { createSecretPrompt } from "./secret-prompt.ts";

const setUp = () => {
  let written = "";
  let isRaw = false;
  let isRunning = false;
  const listeners = new Set<(data: Uint8Array) => void>();
  const ask = createSecretPrompt(
    {
      setRawMode: (raw) => {
        isRaw = raw;
      },
      resume: () => {
        isRunning = true;
      },
      pause: () => {
        isRunning = false;
      },
      on: (_, listener) => listeners.add(listener),
      off: (_, listener) => listeners.delete(listener),
    },
    (text) => {
      written += text;
    },
  );
  return {
    ask,
    type: (text: string | Uint8Array) => {
      const data = typeof text === "string" ? new TextEncoder().encode(text) : text;
      for (const listener of listeners) listener(data);
    },
    written: () => written,
    state: () => ({ isRaw, isRunning, listeners: listeners.size }),
  };
};

test("a secret is read to the end of the line without echo", async () => {
  const { ask, type, written, state } = setUp();
  const asked = ask("Password: ");
  expect(state()).toEqual({ isRaw: true, isRunning: true, listeners: 1 });
  for (const key of ["c", "o", "x", "\u007f", "r", "r", "e", "c", "t", " ", "\u001b", "ä", "\r"]) type(key);
  expect(await asked).toBe("correct ä");
  expect(written()).toBe("Password: \n");
  expect(state()).toEqual({ isRaw: false, isRunning: false, listeners: 0 });
});

test.each(["\r", "\n", "\u0004"])("the key %j ends the secret, and the rest answers the next question", async (key) => {
  const { ask, type } = setUp();
  const first = ask("");
  type(`one${key}two${key}`);
  expect(await first).toBe("one");
  expect(await ask("")).toBe("two");
});

test.each(["\u007f", "\b"])("the key %j removes the last character, and nothing from an empty line", async (key) => {
  const { ask, type } = setUp();
  const asked = ask("");
  type(`${key}aä🐎${key}${key}b\r`);
  expect(await asked).toBe("ab");
});

test("a character split over two reads is decoded", async () => {
  const { ask, type } = setUp();
  const asked = ask("");
  const bytes = new TextEncoder().encode("🐎\n");
  type(bytes.slice(0, 2));
  type(bytes.slice(2));
  expect(await asked).toBe("🐎");
});

test("the second of two pasted lines answers the next question", async () => {
  const { ask, type } = setUp();
  const first = ask("Password: ");
  type("one\ntwo\n");
  expect([await first, await ask("Again: ")]).toEqual(["one", "two"]);
});

test("Ctrl-C cancels the question and restores the terminal", async () => {
  const { ask, type, state } = setUp();
  const asked = ask("Password: ");
  type("half\u0003");
  await expect(asked).rejects.toThrow("Cancelled with Ctrl-C. Nothing was changed.");
  expect(state()).toEqual({ isRaw: false, isRunning: false, listeners: 0 });
});

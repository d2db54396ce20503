import { expect, test } from "bun:test";
import { createLoginConfirmation } from "./login-confirmation.ts";

test("requests that ask at the same time share one question and its answer", async () => {
  const confirmation = createLoginConfirmation();
  const states: boolean[] = [];
  confirmation.onChange(() => states.push(confirmation.isOpen()));
  const asked = [confirmation.ask(), confirmation.ask()];
  expect(confirmation.isOpen()).toBe(true);
  confirmation.resolve(true);
  expect(await Promise.all(asked)).toEqual([true, true]);
  expect(states).toEqual([true, false]);
});

test("a question that the user closed is answered with no, and the next request asks again", async () => {
  const confirmation = createLoginConfirmation();
  confirmation.resolve(true);
  const first = confirmation.ask();
  confirmation.resolve(false);
  const second = confirmation.ask();
  confirmation.resolve(true);
  expect([await first, await second]).toEqual([false, true]);
});

import { expect, test } from "bun:test";
import { createSemaphore } from "./semaphore.ts";

/** Work that the test completes. */
const pending = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  return {
    begun: () => begun,
    resolve,
    reject,
    work: () => {
      begun = true;
      return promise;
    },
  };
};
const turn = async (): Promise<void> => {
  for (let index = 0; index < 10; index += 1) await Promise.resolve();
};

test("a limited number run at once, the others in order of arrival", async () => {
  const line = createSemaphore({ maxConcurrent: 2, maxQueued: 2 });
  const works = [pending(), pending(), pending(), pending()];
  const passed = works.map(({ work }) => line.pass(work));
  expect(works.map(({ begun }) => begun())).toEqual([true, true, false, false]);
  works[1]?.resolve("second");
  await passed[1];
  await turn();
  expect(works.map(({ begun }) => begun())).toEqual([true, true, true, false]);
  for (const [index, { resolve }] of works.entries()) resolve(`${index}`);
  expect(await Promise.all(passed)).toEqual(["0", "second", "2", "3"]);
});

test("when the queue is full, a request is refused at once with the time to retry", async () => {
  const line = createSemaphore({ maxConcurrent: 1, maxQueued: 1 });
  const [one, two, three] = [pending(), pending(), pending()];
  const passed = [line.pass(one.work), line.pass(two.work)];
  await expect(line.pass(three.work)).rejects.toMatchObject({ code: "auth.limited", retryAfterMs: 1000 });
  expect(three.begun()).toBe(false);
  one.resolve("");
  two.resolve("");
  await Promise.all(passed);
  expect(await line.pass(async () => "again")).toBe("again");
});

test("failed work frees its place like any other", async () => {
  const line = createSemaphore({ maxConcurrent: 1, maxQueued: 1 });
  const broken = pending();
  const failing = line.pass(broken.work);
  const next = line.pass(async () => "next");
  broken.reject(new Error("no"));
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});

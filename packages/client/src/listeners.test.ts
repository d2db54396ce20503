import { expect, test } from "bun:test";
import { createListeners } from "./listeners.ts";

test("each listener hears the news in the order of adding, until it leaves or all are removed", () => {
  const heard: string[] = [];
  const listeners = createListeners<[string]>();
  const leave = listeners.add((news) => heard.push(`one ${news}`));
  listeners.add((news) => heard.push(`two ${news}`));
  listeners.call("a");
  leave();
  listeners.call("b");
  listeners.clear();
  listeners.call("c");
  expect(heard).toEqual(["one a", "two a", "two b"]);
});

test("a listener that is added or removed during a call takes effect with the next one", () => {
  const heard: string[] = [];
  const listeners = createListeners();
  const leave = listeners.add(() => {
    heard.push("first");
    leave();
    listeners.add(() => heard.push("late"));
  });
  listeners.call();
  expect(heard).toEqual(["first"]);
  listeners.call();
  expect(heard).toEqual(["first", "late"]);
});

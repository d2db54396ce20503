import { setDefaultTimeout, test } from "bun:test";
import { inBrowser } from "./browser.ts";
import { keepChats } from "./chat-list.ts";

setDefaultTimeout(170_000);

inBrowser("several chats with one agent", ({ visit }) => {
  test("a person begins, renames, pins, archives and finds chats on a phone", () =>
    keepChats(visit, { width: 390, height: 844, isPhone: true }));
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import { toReturnPath } from "./return-path.ts";

const ORIGIN = "https://house.example";

test("a path of the UI stays as it is", () => {
  for (const path of ["/ui/", "/ui/rooms/den", "/ui/rooms/den?at=7#end", "/ui/settings/account"])
    expect(toReturnPath(path, ORIGIN)).toBe(path);
});

test("A49: everything else is the first page", () => {
  const others = [
    ...[undefined, "", "/", "/uix", "/login", "ui/", "//evil.example/ui/", "https://evil.example/ui/", `${ORIGIN}/ui/`],
    ...["/ui/..//evil.example", "/ui/%2e%2e//evil.example", "/ui/../api/me", "\\\\evil.example/ui/", "javascript:1"],
    ...["/\t/evil.example", "/ui/..\\\\evil.example", " /ui/", "/ui"],
  ];
  for (const to of others) expect([to, toReturnPath(to, ORIGIN)]).toEqual([to, "/ui/"]);
});

test("A49: every answer is a page of this origin's UI, as a browser reads it", () => {
  const part = fc.constantFrom(
    "/ui/",
    "..",
    "/",
    "\\",
    "%2e%2e",
    "%2f",
    "//",
    "evil.example",
    "@",
    ":",
    "#",
    "?",
    "\t",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 6 })), { maxLength: 12 }), (parts) => {
      const url = new URL(toReturnPath(`/ui/${parts.join("")}`, ORIGIN), ORIGIN);
      expect([url.origin, url.pathname.startsWith("/ui/")]).toEqual([ORIGIN, true]);
    }),
  );
});

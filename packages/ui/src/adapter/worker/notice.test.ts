import { expect, test } from "bun:test";
import { pageOf, readNotice } from "./notice.ts";

test("A60: a notification opens pages of the UI at the house's own address only", () => {
  const origin = "https://house.test";
  expect(pageOf("/rooms/main", origin)).toBe("https://house.test/ui/rooms/main");
  for (const path of ["/../../api/keys", "/../../../login", undefined, 7, "//evil.test/", "https://evil.test/"])
    expect([path, pageOf(path, origin)]).toEqual([path, expect.stringMatching(/^https:\/\/house\.test\/ui\//)]);
  expect(pageOf("/../api/keys", origin)).toBe("https://house.test/ui/");
});

test("a text that is no notification of this version still gives one", () => {
  for (const text of ["", "null", "7", "{", `{"title":1}`])
    expect([text, readNotice(text)]).toEqual([
      text,
      { title: "Hearth", body: "", path: "/", tag: "hearth", pending: undefined },
    ]);
  expect(readNotice(`{"title":"Main","body":"x","path":"/inbox","tag":"t","pending":2}`)).toEqual({
    ...{ title: "Main", body: "x", path: "/inbox", tag: "t", pending: 2 },
  });
});

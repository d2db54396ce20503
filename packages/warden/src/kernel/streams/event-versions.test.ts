import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createVersions } from "../store/versions.ts";
import { readEvent } from "./event-versions.ts";

const table = { message: createVersions("A message", [({ text, ...rest }) => ({ ...rest, body: { text } })]) };

test("an event of an older version is read in the present shape, and others are unchanged", () => {
  expect(readEvent("message", '{"type":"message","text":"hi"}', table)).toEqual({
    type: "message",
    body: { text: "hi" },
  } as never);
  expect(readEvent("typing", '{"type":"typing","text":"hi"}', table)).toEqual({ type: "typing", text: "hi" } as never);
});

test("an event of a newer version is refused with a hint", () => {
  for (const type of ["message", "typing"])
    try {
      readEvent(type, `{"type":"${type}","v":3}`, table);
      expect.unreachable();
    } catch (error) {
      expect(isHearthError(error, "store.foreign")).toBe(true);
    }
});

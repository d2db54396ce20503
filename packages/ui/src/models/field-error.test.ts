import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { errorOfField, omitFieldErrors } from "./field-error.ts";

const pinned = new HearthError("record.pinned", `"prompt" of agent main is set in hearth.toml line 12.`, {
  hint: "Change it there.",
});
const invalid = new HearthError("record.invalid", "agent: name must contain a visible character", {
  hint: "See /docs.",
});
const taken = new HearthError("record.handle-taken", `There is already an agent with the handle "main".`);
const elsewhere = new HearthError("house.unreachable", "Hearth does not answer.");

test("a pinned field shows where it is set", () => {
  expect(errorOfField(pinned, "prompt")).toBe(`"prompt" of agent main is set in hearth.toml line 12. Change it there.`);
  expect(errorOfField(pinned, "name")).toBeUndefined();
});

test("a validation error becomes a sentence", () => {
  expect(errorOfField(invalid, "name")).toBe("Name must contain a visible character. See /docs.");
  expect(errorOfField(new HearthError("record.invalid", "agent: name is long"), "name")).toBe("Name is long.");
});

test("a taken handle is shown as a taken name", () => {
  expect(errorOfField(taken, "name")).toBe("This name is taken, or too similar to another one. Choose another name.");
});

test("errors of other fields are shown elsewhere", () => {
  expect(omitFieldErrors(pinned, ["name", "prompt"])).toBeUndefined();
  expect(omitFieldErrors(pinned, ["name"])).toBe(pinned);
  expect(omitFieldErrors(elsewhere, ["name"])).toBe(elsewhere);
  expect(omitFieldErrors(new TypeError("x"), ["name"])).toBeInstanceOf(TypeError);
  expect(omitFieldErrors(undefined, ["name"])).toBeUndefined();
});

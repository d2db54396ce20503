import { describe, expect, test } from "bun:test";
import { boundFields, canonicalJson, isWithin } from "./frozen-call.ts";

type Fields = Readonly<Record<string, unknown>>;

describe("a call is within an approval", () => {
  test.each<[string, Fields, Fields, Fields]>([
    ["with the approved values", { to: "ana", at: 1 }, { to: "ana", at: 1 }, { to: "ana" }],
    ["with other fields beside them", { to: "ana" }, { to: "ana", text: "hi" }, { to: "ana" }],
    ["whatever the order of nested fields", { to: { a: 1, b: 2 } }, { to: { b: 2, a: 1 } }, { to: {} }],
    ["that binds nothing, if nothing is needed", {}, { text: "hi" }, {}],
    ["with a value that is empty in both", { to: null }, { to: null }, {}],
  ])("%s", (_title, bound, input, needed) => expect(isWithin(bound, input, needed)).toBe(true));

  test.each<[string, Fields, Fields, Fields]>([
    ["with another value", { to: "ana" }, { to: "ben" }, { to: "ben" }],
    ["with a value of another type", { to: "1" }, { to: 1 }, {}],
    ["with -0 for 0", { at: 0 }, { at: -0 }, {}],
    ["without a bound field", { to: "ana" }, {}, {}],
    ["without a bound field that is empty", { to: null }, {}, {}],
    ["without a bound field that every object inherits", JSON.parse('{"__proto__":{}}') as Fields, {}, {}],
    ["with a needed field that the approval does not bind", { to: "ana" }, { to: "ana", cc: "ben" }, { cc: "ben" }],
  ])("but not %s", (_title, bound, input, needed) => expect(isWithin(bound, input, needed)).toBe(false));
});

test("the bound fields are sinks and fields that a stage named, or all of them", () => {
  const input = { to: "ana", text: "hi", cc: "ben" };
  const ask = { stage: "labels", text: "A stranger named it.", fields: ["cc"] } as const;
  expect(boundFields(input, { sinks: ["to"] }, [ask])).toEqual({ to: "ana", cc: "ben" });
  expect(boundFields(input, { sinks: ["to"] }, [])).toEqual({ to: "ana" });
  expect(boundFields(input, { sinks: [] }, [])).toEqual(input);
});

test("equal values have one canonical form, and different values have different ones", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
  const forms = [{}, [], null, "", 0, -0, false, "0", [0], { 0: 0 }].map(canonicalJson);
  expect(new Set(forms).size).toBe(forms.length);
});

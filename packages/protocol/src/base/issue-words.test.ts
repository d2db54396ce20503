import { expect, test } from "bun:test";
import { ApprovalRuleId, SessionId } from "./ids.ts";
import { z } from "zod";
import { describeIssue } from "./issue-words.ts";

const tell = (schema: z.ZodType, value: unknown): string | undefined => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue === undefined ? undefined : describeIssue(issue);
};

test("a missing field is reported as missing, and a wrong type with the expected one", () => {
  expect(tell(z.string(), undefined)).toBe("is missing");
  expect(tell(z.string(), 5)).toBe("takes text, not a number");
  expect(tell(z.strictObject({}), [])).toBe("takes an object, not a list");
  expect(tell(z.strictObject({}), null)).toBe("takes an object, not null");
  expect(tell(z.coerce.number(), "x")).toBe("takes a number");
  expect(tell(z.int(), 1.5)).toBe("takes a whole number, not a number");
});

test("a limit is reported with its unit", () => {
  expect(tell(z.string().min(1), "")).toBe("takes at least 1 character");
  expect(tell(z.string().max(2), "abc")).toBe("takes at most 2 characters");
  expect(tell(z.number().min(0), -1)).toBe("takes at least 0");
  expect(tell(z.array(z.string()).max(1), ["a", "b"])).toBe("takes at most 1 item");
});

test("a choice lists its values, and an unknown field is named", () => {
  expect(tell(z.enum(["human", "bot"]), "robot")).toBe('takes "human" or "bot"');
  const either = z.discriminatedUnion("op", [z.object({ op: z.literal("post") }), z.object({ op: z.literal("stop") })]);
  for (const value of [{}, { op: "walk" }]) expect(tell(either, value)).toBe('takes "post" or "stop"');
  expect(tell(z.strictObject({}), { bogus: 1 })).toBe('takes no "bogus"');
});

test("an id is described by its kind", () => {
  expect(tell(SessionId, "x")).toBe("is not the id of a session");
  expect(tell(ApprovalRuleId, "x")).toBe("is not the id of an approval rule");
});

test("a schema's own message is unchanged", () => {
  expect(tell(z.string().regex(/a/, "has no a in it"), "b")).toBe("has no a in it");
});

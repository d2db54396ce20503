import { expect, test } from "bun:test";
import type { AgentId, KeyId, SessionId } from "@hearth/protocol";
import { actorOf, isLimited, type Principal, requireNoExpiry, requireUnlimited } from "./principal.ts";

const agent = `agent_${"1".repeat(26)}` as AgentId;

test("an actor names the credential of its principal, and nothing else of it", () => {
  const [key, session] = [`key_${"1".repeat(26)}` as KeyId, `ses_${"1".repeat(26)}` as SessionId];
  expect(actorOf({ agent, via: "key", key, until: 5 })).toEqual({ agent, via: "key", key });
  expect(actorOf({ agent, via: "login", session })).toEqual({ agent, via: "login", session });
  expect(actorOf({ agent, via: "run-token" })).toEqual({ agent, via: "run-token" });
});

test.each([
  [{}, false, true, true],
  [{ scope: { level: "x" } }, true, false, true],
  [{ until: 0 }, true, false, false],
  [{ scope: { level: "r" }, until: 5 }, true, false, false],
] as const)("a principal with %j: limited %p, whole %p, lasting %p", (limits, limited, whole, lasting) => {
  const passes = (check: (principal: Pick<Principal, "scope" | "until">) => void): boolean => {
    try {
      check(limits);
      return true;
    } catch {
      return false;
    }
  };
  expect([isLimited(limits), passes(requireUnlimited), passes(requireNoExpiry)]).toEqual([limited, whole, lasting]);
});

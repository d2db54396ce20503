import { expect, test } from "bun:test";
import type { ActivationId, AgentId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createEgressTokens } from "./tokens.ts";

const AGENT = `agent_${"0".repeat(26)}` as AgentId;
const [TURN, OTHER] = [`act_${"1".repeat(26)}`, `act_${"2".repeat(26)}`] as [ActivationId, ActivationId];
const create = () => createEgressTokens(createFakeWorld({ hash: (data) => `hash of ${String(data)}` }));

test("an activation has one token, until it is revoked", () => {
  const tokens = create();
  const token = tokens.issue(TURN, AGENT);
  const other = tokens.issue(OTHER, AGENT);
  expect([tokens.issue(TURN, AGENT), token === other]).toEqual([token, false]);
  const caller = tokens.find(token);
  expect(caller).toMatchObject({ activation: TURN, agent: AGENT });
  tokens.revoke(TURN);
  expect([caller?.signal.aborted, tokens.find(token), tokens.find(other)?.signal.aborted]).toEqual([
    ...[true, undefined, false],
  ]);
  tokens.revoke(TURN);
});

test("a token that is issued after a revocation is another one, and valid", () => {
  const tokens = create();
  const first = tokens.issue(TURN, AGENT);
  tokens.revoke(TURN);
  const second = tokens.issue(TURN, AGENT);
  expect(second).not.toBe(first);
  expect([tokens.find(first), tokens.find(second)?.signal.aborted]).toEqual([undefined, false]);
});

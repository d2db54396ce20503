import type { ErrorBody } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { type Admission, createCircuit } from "./circuit.ts";

const down: ErrorBody = { code: "provider.overloaded", message: "No." };

const open = () => {
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const circuit = createCircuit(clock);
  const admitted = (): Admission => {
    const admission = circuit.admit();
    if (admission === undefined) throw new Error("It rests.");
    return admission;
  };
  const fail = (times: number, retryAfterMs?: number): void => {
    for (let count = 0; count < times; count += 1) admitted().failed(down, retryAfterMs);
  };
  return { circuit, admitted, fail, advance };
};

describe("a circuit", () => {
  test("lets calls through until three have failed within a minute, then none", () => {
    const { circuit, fail } = open();
    fail(2);
    expect(circuit.rest()).toBeUndefined();
    fail(1);
    expect(circuit.rest()).toEqual({ ms: 30_000, failures: 3, error: down });
    expect(circuit.admit()).toBeUndefined();
  });

  test("forgets failures of more than a minute ago", async () => {
    const { circuit, fail, advance } = open();
    fail(2);
    await advance(60_000);
    fail(2);
    expect(circuit.rest()).toBeUndefined();
  });

  test("forgets failures when a call is answered", () => {
    const { circuit, admitted, fail } = open();
    fail(2);
    admitted().answered();
    fail(2);
    expect(circuit.rest()).toBeUndefined();
  });

  test("lets one call through after its rest, and others only when that one was answered", async () => {
    const { circuit, admitted, fail, advance } = open();
    fail(3);
    await advance(29_999);
    expect(circuit.admit()).toBeUndefined();
    await advance(1);
    const probe = admitted();
    expect(circuit.admit()).toBeUndefined();
    expect(circuit.rest()).toMatchObject({ ms: 0 });
    probe.answered();
    expect(circuit.rest()).toBeUndefined();
    fail(2);
    expect(circuit.rest()).toBeUndefined();
  });

  test("rests again when that one fails", async () => {
    const { circuit, fail, advance } = open();
    fail(3);
    await advance(30_000);
    fail(1);
    expect(circuit.admit()).toBeUndefined();
    expect(circuit.rest()).toMatchObject({ ms: 30_000 });
  });

  test("rests again when that one fails long after the others", async () => {
    const { circuit, fail, advance } = open();
    fail(1, 120_000);
    await advance(120_000);
    fail(1);
    expect(circuit.rest()).toMatchObject({ ms: 30_000, failures: 1 });
  });

  test("lets another one through when nobody waited for that one", async () => {
    const { circuit, admitted, fail, advance } = open();
    fail(3);
    await advance(30_000);
    admitted().left();
    expect(circuit.admit()).toBeDefined();
  });

  test("is not taken for whole because of a call that began before it opened and that nobody waited for", async () => {
    const { circuit, admitted, fail, advance } = open();
    const early = admitted();
    fail(3);
    await advance(30_000);
    admitted();
    early.left();
    expect(circuit.admit()).toBeUndefined();
  });

  test("hears the first word about a call and no second one", () => {
    const { circuit, admitted, fail } = open();
    fail(2);
    const call = admitted();
    call.left();
    call.failed(down);
    expect(circuit.rest()).toBeUndefined();
  });

  test("opens at once for as long as it is asked to, up to ten minutes", () => {
    const one = open();
    one.fail(1, 45_000);
    expect(one.circuit.rest()).toMatchObject({ ms: 45_000, failures: 1 });
    const two = open();
    two.fail(1, 86_400_000);
    expect(two.circuit.rest()).toMatchObject({ ms: 600_000 });
    const three = open();
    three.fail(1, 2_000);
    expect(three.circuit.rest()).toBeUndefined();
  });

  test("is whole again when somebody has seen that it answers", () => {
    const { circuit, fail } = open();
    fail(3);
    circuit.mend();
    expect(circuit.rest()).toBeUndefined();
    expect(circuit.admit()).toBeDefined();
  });
});

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
    for (let count = 0; count < times; count += 1) admitted().reportFailure(down, retryAfterMs);
  };
  return { circuit, admitted, fail, advance };
};

describe("a circuit", () => {
  test("allows calls until three have failed within a minute, then none", () => {
    const { circuit, fail } = open();
    fail(2);
    expect(circuit.remainingPause()).toBeUndefined();
    fail(1);
    expect(circuit.remainingPause()).toEqual({ ms: 30_000, failures: 3, error: down });
    expect(circuit.admit()).toBeUndefined();
  });

  test("forgets failures of more than a minute ago", async () => {
    const { circuit, fail, advance } = open();
    fail(2);
    await advance(60_000);
    fail(2);
    expect(circuit.remainingPause()).toBeUndefined();
  });

  test("forgets failures when a call succeeds", () => {
    const { circuit, admitted, fail } = open();
    fail(2);
    admitted().reportAnswer();
    fail(2);
    expect(circuit.remainingPause()).toBeUndefined();
  });

  test("allows one call after its pause, and others only when that one succeeded", async () => {
    const { circuit, admitted, fail, advance } = open();
    fail(3);
    await advance(29_999);
    expect(circuit.admit()).toBeUndefined();
    await advance(1);
    const probe = admitted();
    expect(circuit.admit()).toBeUndefined();
    expect(circuit.remainingPause()).toMatchObject({ ms: 0 });
    probe.reportAnswer();
    expect(circuit.remainingPause()).toBeUndefined();
    fail(2);
    expect(circuit.remainingPause()).toBeUndefined();
  });

  test("opens again when that call fails", async () => {
    const { circuit, fail, advance } = open();
    fail(3);
    await advance(30_000);
    fail(1);
    expect(circuit.admit()).toBeUndefined();
    expect(circuit.remainingPause()).toMatchObject({ ms: 30_000 });
  });

  test("opens again when that call fails long after the others", async () => {
    const { circuit, fail, advance } = open();
    fail(1, 120_000);
    await advance(120_000);
    fail(1);
    expect(circuit.remainingPause()).toMatchObject({ ms: 30_000, failures: 1 });
  });

  test("allows another call when the result of that call is unknown", async () => {
    const { circuit, admitted, fail, advance } = open();
    fail(3);
    await advance(30_000);
    admitted().reportUnknown();
    expect(circuit.admit()).toBeDefined();
  });

  test("does not close because of a call that began before it opened and has no result", async () => {
    const { circuit, admitted, fail, advance } = open();
    const early = admitted();
    fail(3);
    await advance(30_000);
    admitted();
    early.reportUnknown();
    expect(circuit.admit()).toBeUndefined();
  });

  test("uses the first result of a call and ignores later ones", () => {
    const { circuit, admitted, fail } = open();
    fail(2);
    const call = admitted();
    call.reportUnknown();
    call.reportFailure(down);
    expect(circuit.remainingPause()).toBeUndefined();
  });

  test("opens at once for as long as the vendor requests, up to ten minutes", () => {
    const one = open();
    one.fail(1, 45_000);
    expect(one.circuit.remainingPause()).toMatchObject({ ms: 45_000, failures: 1 });
    const two = open();
    two.fail(1, 86_400_000);
    expect(two.circuit.remainingPause()).toMatchObject({ ms: 600_000 });
    const three = open();
    three.fail(1, 2_000);
    expect(three.circuit.remainingPause()).toBeUndefined();
  });

  test("closes when a test shows that the model answers", () => {
    const { circuit, fail } = open();
    fail(3);
    circuit.close();
    expect(circuit.remainingPause()).toBeUndefined();
    expect(circuit.admit()).toBeDefined();
  });
});

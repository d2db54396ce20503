/** How chat shows the approvals that an agent asks for. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Approval, ApprovalId } from "@hearth/protocol";
import { createFakeHouse, type FakeActivation, type FakeHouse } from "../fakes/fake-house.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { run } from "../run.ts";
import { addPendingApproval } from "./fake-approval.ts";
import { readAnswer, describeApproval } from "./pending-approvals.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-chat-")));
});
afterEach(() => house.close());

const ID = ApprovalId.parse(`apr_${"0".repeat(26)}`);
const makeApproval = (activation: Pick<FakeActivation, "id">, more: Partial<Approval> = {}): Approval => ({
  id: ID,
  house: house.main.house,
  agent: house.main.id,
  activation: activation.id,
  step: 1,
  room: house.directRoom(house.main).id,
  state: "pending",
  createdAt: 1,
  expiresAt: 2,
  what: { kind: "tool", name: "write", input: "{}", hash: "0" },
  asks: [{ stage: "approval", text: "It writes\u001b[2J.", fields: [] }],
  display: 'write\n  path: "a.txt"',
  offers: [
    { scope: "once", text: "This call, once." },
    { scope: "session", text: "@main may call write." },
  ],
  ...more,
});

/** The activation asks for an approval once the message exists. */
const asking = (more: Partial<Approval> = {}): Promise<FakeActivation> => {
  const { promise, resolve } = Promise.withResolvers<FakeActivation>();
  house.onPost = (message) => {
    const activation = house.wake(message, house.main);
    addPendingApproval(house, makeApproval(activation, more));
    resolve(activation);
  };
  return promise;
};

describe("with -m", () => {
  test("chat shows the call and the commands to decide it, and waits for the reply", async () => {
    const asked = asking();
    const terminal = createFakeTerminal({ home: house.home });
    const code = run(["chat", "-m", "hi"], terminal);
    await terminal.whenWritten(`hearth approval deny ${ID}\n`);
    const [who, ...lines] = terminal.written.err.split("\n");
    expect(who).toBe("Main asks for approval of this call:");
    expect(lines.slice(0, 2)).toEqual(["  write", '    path: "a.txt"']);
    expect(lines.slice(3)).toEqual([
      "To answer:",
      `  hearth approval allow ${ID}  # This call, once.`,
      `  hearth approval allow ${ID} --session  # @main may call write.`,
      `  hearth approval deny ${ID}`,
      "",
    ]);
    expect(terminal.written.err).not.toContain("\u001b[2J");
    (await asked).reply("Written.");
    expect([await code, terminal.written.out]).toEqual([0, "Written.\n"]);
  });

  test("approvals that the caller may not see are not shown", async () => {
    house.refuse(`GET /api/approvals/${ID}`, { code: "approval.not-found", message: "There is no approval." });
    const asked = asking();
    const terminal = createFakeTerminal({ home: house.home });
    const code = run(["chat", "-m", "hi"], terminal);
    await house.whenRequested(`GET /api/approvals/${ID}`);
    (await asked).reply("Written.");
    expect([await code, terminal.written]).toEqual([0, { out: "Written.\n", err: "" }]);
  });
});

test("y, n or s alone is an answer, n may have a reason, and any other line is a message", () => {
  const read = (line: string, offers: Approval["offers"] = [{ scope: "session", text: "more" }]) =>
    readAnswer(line, { offers });
  expect(read("y")).toEqual({ decision: "allow", scope: "once" });
  expect(read(" S ")).toEqual({ decision: "allow", scope: "session" });
  expect(read("s", [])).toBeUndefined();
  expect(read("n")).toEqual({ decision: "deny", scope: "once" });
  expect(read("n not into that file")).toEqual({ decision: "deny", scope: "once", reason: "not into that file" });
  for (const line of ["", "yes", "y please", "s please", "no", "yn", "why?"]) expect(read(line)).toBeUndefined();
});

test("the agent name and the reasons are escaped for the terminal", () => {
  const lines = describeApproval(
    makeApproval({ id: `act_${"0".repeat(26)}` as FakeActivation["id"] }),
    "M\u001b[2Jain",
  );
  expect(lines.join("")).not.toContain("\u001b");
});

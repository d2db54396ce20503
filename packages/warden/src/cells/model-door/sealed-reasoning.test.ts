import { createHash } from "node:crypto";
import { expect, test } from "bun:test";
import { type AssistantMessage, MAX_VENDOR_DATA } from "@hearth/protocol";
import { createSealedReasoning } from "./sealed-reasoning.ts";

const hash = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const calling = (id: string): AssistantMessage => ({
  ...{ role: "assistant", text: "" },
  toolCalls: [{ id, name: "look", input: {} }],
});
const sealed = (id: string, data: string): AssistantMessage => ({ ...calling(id), vendor: { wire: "test", data } });

test("sealed reasoning is kept up to a limit, and the oldest is dropped first", () => {
  const thoughts = createSealedReasoning({ hash });
  const large = "x".repeat(MAX_VENDOR_DATA);
  for (let count = 0; count < 33; count += 1) thoughts.store(sealed(`call-${count}`, large));
  // A repeated message takes no further room.
  for (let count = 0; count < 40; count += 1) thoughts.store(sealed("call-32", large));
  const found = Array.from({ length: 33 }, (_, count) => thoughts.restore([calling(`call-${count}`)])[0]);
  expect(found.map((message) => message?.role === "assistant" && message.vendor !== undefined)).toEqual([
    ...[false, ...Array<boolean>(32).fill(true)],
  ]);
});

test("a message without sealed reasoning stays unchanged", () => {
  const thoughts = createSealedReasoning({ hash });
  thoughts.store(calling("call"));
  thoughts.store(sealed("other", "data"));
  const messages = [{ role: "user", text: "hi" } as const, calling("call"), { ...calling("other"), toolCalls: [] }];
  expect(thoughts.restore(messages)).toEqual(messages);
});

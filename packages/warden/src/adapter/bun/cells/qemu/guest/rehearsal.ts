/**
 * Rehearses one activation against a fake warden, so that a real activation does not run code for
 * the first time. Draws no random number.
 */
import { bootInmate } from "@hearth/inmate/bun/boot";
import {
  type ActivationInput,
  ActivationId,
  AgentId,
  type Clock,
  createByteLink,
  type FrameScope,
  InmateFrame,
  RoomId,
  SessionId,
  type WardenFrame,
} from "@hearth/protocol";
import { createPipePair } from "./pipe-pair.ts";

const ID = "00000000000000000000000000";
const scope: FrameScope = {
  agent: AgentId.parse(`agent_${ID}`),
  room: RoomId.parse(`room_${ID}`),
  person: AgentId.parse(`agent_${ID}`),
  session: SessionId.parse(`ses_${ID}`),
  activation: ActivationId.parse(`act_${ID}`),
};

const input: ActivationInput = {
  agent: { name: "-", handle: "nobody" },
  room: { name: "-", kind: "direct" },
  house: { name: "-" },
  parts: [],
  history: [{ role: "user", text: "-" }],
  tools: [],
  maxRounds: 1,
};

export const rehearse = async (options: { readonly clock: Clock; readonly workspace: string }): Promise<void> => {
  const [wardenPipe, inmatePipe] = createPipePair();
  const link = createByteLink<WardenFrame>(wardenPipe, "warden");
  const inmateEnd = bootInmate({ ...options, link: createByteLink(inmatePipe, "inmate") });
  for await (const value of link.frames) {
    const frame = InmateFrame.parse(value);
    if (frame.type === "hello") link.send({ type: "activate", ...scope, id: 1, at: 0, input });
    const message = { role: "assistant", text: "-", toolCalls: [] } as const;
    if (frame.type === "model-request")
      link.send({
        type: "model-result",
        ...scope,
        id: 2,
        at: 0,
        step: 0,
        result: { message: { ...message, toolCalls: [] } },
      });
    if (frame.type === "finish") link.close();
  }
  await inmateEnd;
};

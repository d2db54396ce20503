/** Helpers for tests of byte streams. */
import { AgentId, HouseId } from "@hearth/protocol";
import type { Address, ByteStreams, Content, NewByteStream } from "./byte-streams.ts";

export const HOME = HouseId.parse("house_00000000000000000000000001");
export const OWNER = AgentId.parse("agent_00000000000000000000000001");

export const at = (path: string): Address => ({ house: HOME, path });
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export const plain = (text: string): NewByteStream => ({
  owner: OWNER,
  contentType: "text/plain",
  isClosed: false,
  content: bytesOf(text),
});
export const json = (text: string): NewByteStream => ({ ...plain(text), contentType: "application/json" });
export const content = (text: string): Content => ({
  bytes: bytesOf(text),
  contentType: "text/plain",
  closes: false,
});

/** Returns everything in a stream, as text, or its state if it has no content. */
export const wholeOf = async (streams: ByteStreams, address: Address): Promise<string> => {
  const stream = await streams.find(address);
  if (typeof stream !== "object") return stream;
  let text = "";
  for (let lastOffset = 0; ;) {
    const page = await streams.read(stream.id, lastOffset);
    if (page.length === 0) return text;
    text += page.map(({ bytes }) => textOf(bytes)).join("");
    lastOffset = page.at(-1)?.offset ?? lastOffset;
  }
};

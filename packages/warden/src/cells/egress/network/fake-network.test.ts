import { HearthError } from "@hearth/protocol";
import { createFakeNetwork } from "./fake-network.ts";
import { networkConformance } from "./network.conformance.ts";
import type { Connection } from "./network.ts";

networkConformance("fake", async () => {
  const waiting = new Map<number, (far: Connection) => void>();
  let ports = 0;
  return {
    network: createFakeNetwork((far, { address, port }) => {
      const take = waiting.get(port);
      if (take === undefined) throw new HearthError("egress.failed", `No server listens at ${address}.`);
      take(far);
    }),
    addressWithoutPeer: { address: "1.1.1.1", port: 9999 },
    async listen() {
      const far = Promise.withResolvers<Connection>();
      ports += 1;
      waiting.set(ports, far.resolve);
      return { at: { address: "1.1.1.1", port: ports }, far: far.promise };
    },
    [Symbol.asyncDispose]: async () => {},
  };
});

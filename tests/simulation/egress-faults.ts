/** The network of one daemon's agents: one host with small pages. */
import {
  createFakeNetwork,
  createFakeResolver,
  createFakeTls,
  createFakeUpstream,
  type EgressParts,
  type MemoryDisk,
} from "@hearth/warden/memory-warden";
import type { Complain } from "./far-side.ts";
import type { Life } from "./life.ts";
import { PAGE_HOST } from "./plan.ts";

const ADDRESS = "93.184.216.34";

/** I3: every request that arrives has an entry in the ledger. */
export const createEgressParts = (life: Life, disk: MemoryDisk, complain: Complain): EgressParts => {
  const upstream = createFakeUpstream(({ head }) => {
    const path = head.split(" ")[1] ?? "";
    void disk.store.select({ table: "egress", where: { host: PAGE_HOST } }).then((rows) => {
      if (!rows.some((row) => row.path?.includes(path) === true))
        complain("I3", `the request for ${path} crossed before its entry in the ledger`);
    });
    return `HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`;
  });
  const network = createFakeNetwork((far) => void upstream.serve(far));
  const resolver = createFakeResolver({ [PAGE_HOST]: [[ADDRESS]] });
  return {
    network: { dial: (request, signal) => life.cross("egress.dial", () => network.dial(request, signal)) },
    resolver: { resolve: (name) => life.cross("egress.resolve", () => resolver.resolve(name)) },
    tls: createFakeTls(),
  };
};

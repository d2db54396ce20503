import { createFakeTunnelParts } from "./fake-tunnel-parts.ts";
import { tunnelProgramsConformance } from "./tunnel-parts.conformance.ts";

tunnelProgramsConformance("the fake", () => {
  const { run, programs } = createFakeTunnelParts(new Set(["no-such-program"]));
  return {
    run,
    talkingCommand: ["talks"],
    endlessCommand: ["stays"],
    play() {
      programs[0]?.say("one");
      programs[0]?.say("two");
      programs[0]?.end(3);
    },
  };
});

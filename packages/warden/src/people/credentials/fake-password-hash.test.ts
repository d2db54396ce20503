import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakePasswordHash } from "./fake-password-hash.ts";
import { passwordHashConformance } from "./password-hash.conformance.ts";

passwordHashConformance("fake", () => createFakePasswordHash(createBunWorld()));

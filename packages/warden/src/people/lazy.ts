/**
 * The second entry of the area `people`: parts that are loaded on demand, so that a start does not
 * wait for them.
 */
export { actorOf, isLimited, requireNoExpiry, requireUnlimited } from "./permissions/principal.ts";
export { newSecret } from "./credentials/secret.ts";
export { createSecondSteps } from "./credentials/second-steps.ts";
export { detectMedia, MAX_DETECTION_BYTES } from "./uploads/media-type.ts";
export { strippers } from "./uploads/picture-metadata.ts";
export { requireVisible } from "./records/plain-name.ts";
export { copyId } from "./rooms/branch.ts";
export { createCatchUp } from "./rooms/catch-up.ts";
export { toExcerpt, withoutMarks } from "./rooms/message-search.ts";
export { createOversight } from "./records/oversight.ts";

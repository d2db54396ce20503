/** Loaded before every test file; see bunfig.toml. */
import { configureGlobal } from "fast-check";

/**
 * A generator that names its longest length also generates that length. By default fast-check
 * stops at about `minLength + 10`, so a test of a limit of 200 would never come near the limit.
 */
configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });

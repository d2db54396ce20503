/** API types of the health checks for monitors. */
import { z } from "zod";

export const Health = z.object({ status: z.string() });

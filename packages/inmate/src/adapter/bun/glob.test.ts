import { globConformance } from "../../tools/glob.conformance.ts";
import { compileBunGlob } from "./glob.ts";

globConformance("Bun", compileBunGlob);

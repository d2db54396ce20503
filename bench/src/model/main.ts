/** The entry of the instant model's process. */
import { endWithParent } from "../child.ts";
import { serveModel } from "./serve.ts";

const server = serveModel();
console.log(`listening ${server.port}`);
await endWithParent();

/** The instant model as a process of its own. */
import { endWithParent } from "../child.ts";
import { serveModel } from "./serve.ts";

const server = serveModel();
console.log(`listening ${server.port}`);
await endWithParent();

// Ask Perfetto's trace_processor about a trace: node ask.mjs FOLDER TRACE, with a JSON list of SQL queries on standard
// input; prints a JSON list of answers, each a list of rows. FOLDER has trace_processor as WebAssembly
// (trace_processor.wasm), what runs it in a worker of a browser (engine_bundle.node.js) and the client that speaks to
// it (engine.mjs); here both sides are in one thread.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import path from "node:path";
import vm from "node:vm";

const [folder, trace] = process.argv.slice(2);
const queries = JSON.parse(readFileSync(0, "utf8"));

// What the bundle takes from a browser's worker.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = class {};
globalThis.location = { href: pathToFileURL(folder).href + "/" };
globalThis.wasmBytes = new Uint8Array(readFileSync(path.join(folder, "trace_processor.wasm")));

// Three places of it are meant for a browser. Each must be there once.
const changes = [
    ["this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;"],
    ["locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,"],
    ["const wasmBridge = new wasm_bridge_1.WasmBridge();",
     "const wasmBridge = globalThis.bridge = new wasm_bridge_1.WasmBridge();"],
];
let bundle = readFileSync(path.join(folder, "engine_bundle.node.js"), "utf8");
for (const [from, to] of changes) {
    if (bundle.split(from).length !== 2) throw new Error(`the bundle is another than the one known: ${from}`);
    bundle = bundle.replace(from, to);
}
vm.runInThisContext(bundle, { filename: "engine_bundle.node.js" });

const { EngineBase } = await import(pathToFileURL(path.join(folder, "engine.mjs")).href);

class Engine extends EngineBase {
    mode = "WASM";
    id = "trace";
    constructor(port) {
        super();
        this.port = port;
        port.onmessage = (message) => message.data instanceof Uint8Array && this.onRpcResponseBytes(message.data);
    }
    rpcSendRequestBytes(bytes) {
        this.port.postMessage(bytes);
    }
}

const { port1, port2 } = new MessageChannel();
console.warn = () => {}; // it warns of fields that are newer than it is
await globalThis.bridge.initialize(port1);
const engine = new Engine(port2);
await engine.parse(new Uint8Array(readFileSync(trace)));
await engine.notifyEof();

const plain = (value) => (typeof value === "bigint" ? Number(value) : value);
const answers = [];
for (const query of queries) {
    const result = await engine.query(query);
    if (result.error()) throw new Error(`${query}: ${result.error()}`);
    const rows = [];
    for (const row = result.iter({}); row.valid(); row.next())
        rows.push(Object.fromEntries(result.columns().map((name) => [name, plain(row.get(name))])));
    answers.push(rows);
}
console.log(JSON.stringify(answers));
process.exit(0);

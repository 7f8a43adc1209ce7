// Runs verify of the module at argv[2] on the cases of standard input (six fields each, ended by NUL) and prints verdicts.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { verify } = await import(pathToFileURL(process.argv[2]));
const clock = Date.now;

function verdict(now, secret, id, timestamp, signatures, file) {
  Date.now = now === "" ? clock : () => Number(now) * 1000;
  const headers = Object.entries({ "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures });
  try {
    return verify(secret, Object.fromEntries(headers.filter(([, value]) => value !== "")), readFileSync(file)) ? "accepted" : "refused";
  } catch (error) {
    console.error(error.message);
    return "error";
  }
}

const fields = readFileSync(0, "utf8").split("\0");
while (fields.length > 6) {
  console.log(verdict(...fields.splice(0, 6)));
}

// Answers questions with the npm package standardwebhooks: JSON values on standard input, one a line, and as many back.
const readline = require("node:readline");
const { Webhook, WebhookVerificationError } = require("standardwebhooks");

// The library is given secrets as the documents say: a plain text as bytes.
function webhook(secret) {
  return secret.startsWith("whsec_") ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: "raw" });
}

const answers = {
  sign({ secret, id, timestamp, body }) {
    return { signature: webhook(secret).sign(id, new Date(timestamp * 1000), Buffer.from(body)) };
  },
  verify({ secret, id, timestamp, signature, body }) {
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    try {
      webhook(secret).verify(Buffer.from(body), headers, { jsonParse: false });
      return { accepted: true };
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return { accepted: false };
    }
  },
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const question = JSON.parse(line);
  process.stdout.write(JSON.stringify(answers[question.op](question)) + "\n");
});

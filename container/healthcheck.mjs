/**
 * The image's HEALTHCHECK: ends with 0 if the server of this container answers /healthz. It connects from inside, so a
 * certificate for the public name is not checked.
 */
import { request as overHttp } from 'node:http';
import { request as overTls } from 'node:https';

const { HOST = '0.0.0.0', PORT = '8080', ROWPRESS_TLS_CERT, ROWPRESS_TLS_CERT_FILE } = process.env;
const everywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const request = ROWPRESS_TLS_CERT || ROWPRESS_TLS_CERT_FILE ? overTls : overHttp;
const asked = request(
  { host: everywhere[HOST] ?? HOST, port: PORT, path: '/healthz', rejectUnauthorized: false, timeout: 4_000 },
  (answer) => {
    if (answer.statusCode !== 200) fail(`status ${answer.statusCode}`);
    answer.resume();
  },
);
asked.on('timeout', () => fail('no answer in 4 seconds')).on('error', (error) => fail(error.message));
asked.end();

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`rowpress: not healthy: ${reason}\n`);
  process.exit(1);
}

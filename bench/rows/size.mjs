import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { site } from '../host.mjs';

/** What a page has to download. */
export async function size(_host, report) {
  const wasm = await readFile(join(site, 'taskyon.wasm'));
  const packed = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length } });
  report.row('wasm-brotli-mb', packed.length / 1e6, 1.5, `${(wasm.length / 1e6).toFixed(2)} MB raw`);
}

import { mkdir, writeFile } from 'node:fs/promises';

const folder = 'bench/samples';

/** Prints rows, counts misses and keeps raw samples. */
export class Report {
  #missed = 0;

  get missed() {
    return this.#missed;
  }

  row(name, value, limit, note) {
    const ok = value <= limit; // NaN is a miss
    if (!ok) this.#missed++;
    console.log(`${name} ${value.toFixed(2)} ${limit} ${ok ? 'ok' : 'MISSED'}  (${note})`);
  }

  async keep(name, samples) {
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/${name}.json`, JSON.stringify(samples, null, 1));
    return samples;
  }
}

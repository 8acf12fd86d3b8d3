// What is made of samples.

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
export const quantile = (numbers, q) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * q))];

/** The best round: what the machine can do when it does nothing else. */
export const least = (numbers) => Math.min(...numbers);
export const median = (numbers) => quantile(numbers, 0.5);
/** The mean without the quarter of the smallest and of the largest: what else this machine does falls out, garbage collection stays in. */
export const midmean = (numbers) => mean(sorted(numbers).slice(Math.floor(numbers.length / 4), Math.ceil((numbers.length * 3) / 4)));
export const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

/** A ratio with its spread: pairs of the same round divided, 10th to 90th percentile. */
export function ratio(ours, baseline, middle) {
  const pairs = ours.map((value, i) => value / baseline[i]);
  return { value: middle(ours) / middle(baseline), low: quantile(pairs, 0.1), high: quantile(pairs, 0.9) };
}

export const spread = (r) => `10-90 %: ${r.low.toFixed(2)} to ${r.high.toFixed(2)}`;
export const ms = (n) => `${n.toFixed(2)} ms`;
export const us = (n) => `${(n * 1000).toFixed(0)} µs`;

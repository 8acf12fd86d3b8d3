export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Measures the longest time in which the page could not run a timer, in milliseconds, until the function that it gives is called. */
export function watch() {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

/** Waits until a warm sandbox is there. */
export async function warmed(ty) {
  while ((await ty.sandboxes.warm()) === 0) await wait(5);
}

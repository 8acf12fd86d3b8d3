import { bomb } from '/bombs.js';
import { kills } from '/kills.js';
import { disposable } from '/places.js';
import { stalls } from '/stalls.js';

const subjects = { disposable, stalls, kills, bomb };
const tell = (word) => fetch('/tell', { method: 'POST', body: JSON.stringify(word) });

const query = new URLSearchParams(location.search);
try {
  await tell({ found: await subjects[query.get('subject')](JSON.parse(query.get('options'))) });
} catch (error) {
  await tell({ error: `${error} ${error?.stack ?? ''}` });
}

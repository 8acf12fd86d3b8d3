// Starts the console program. What goes wrong before it can speak is said here.
(() => {
  'use strict';
  const fault = (text) => {
    document.getElementById('fault').textContent = text;
  };

  const start = async () => {
    const go = new Go();
    const answer = await fetch('console.wasm');
    if (!answer.ok) throw new Error(`console.wasm: the server answered ${answer.status}`);
    const { instance } = await WebAssembly.instantiateStreaming(answer, go.importObject);
    await go.run(instance);
    if (document.getElementById('fault').textContent === '') fault('The console stopped. Reload the page.');
  };

  if (typeof WebAssembly !== 'object') fault('This browser has no WebAssembly. Open the console in a current one.');
  else start().catch((error) => fault(`The console did not start: ${error.message}. Reload the page, or build it again with make run.`));
})();

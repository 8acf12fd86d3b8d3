// Starts the console program. What goes wrong before it can speak is said here.
(() => {
  'use strict';
  const fault = (text) => {
    document.getElementById('fault').textContent = text;
  };

  const stopped = () => {
    if (document.getElementById('fault').textContent === '') fault('The console stopped. Reload the page.');
  };

  // An error that leaves the program by another way than its end leaves it for good, and the page would only look idle.
  const heedErrors = (go) => {
    const resume = go._resume.bind(go);
    go._resume = () => {
      try {
        resume();
      } catch (error) {
        go._resume = () => {};
        stopped();
        throw error;
      }
    };
  };

  const start = async () => {
    const go = new Go();
    heedErrors(go);
    const answer = await fetch('console.wasm');
    if (!answer.ok) throw new Error(`console.wasm: the server answered ${answer.status}`);
    const { instance } = await WebAssembly.instantiateStreaming(answer, go.importObject);
    await go.run(instance);
    stopped();
  };

  if (typeof WebAssembly !== 'object') fault('This browser has no WebAssembly. Open the console in a current one.');
  else start().catch((error) => fault(`The console did not start: ${error.message}. Reload the page, or build it again with make run.`));
})();

// Measures jobs of the fleet page in two workers, as the page runs them: the page's own worker script
// and the built module, handed over by message.
const begin = (module, script) => {
  const worker = new Worker(script);
  let id = 0;
  // Resolves when the job's last row is there; how many rows had numbers, and the last of them.
  const run = (job, file) => new Promise((done, fail) => {
    id += 1;
    const rows = [];
    worker.onmessage = ({ data }) => {
      if (data.failed) return fail(new Error(data.failed));
      rows.push(...data.rows.filter((row) => row.length));
      if (data.done) done(rows);
    };
    worker.onerror = (event) => fail(new Error(event.message));
    const message = { id, module, job, from: 0, count: 0xffffffff };
    worker.postMessage(file ? { ...message, file, number: 1 } : message);
  });
  return { run, end: () => worker.terminate() };
};

// `shares` holds the jobs of each worker, in order; `small` is a job that starts an instance.
export const measure = async (small, shares, fileName, rounds) => {
  const module = await WebAssembly.compileStreaming(fetch("module.wasm"));
  const script = URL.createObjectURL(await (await fetch("worker.js")).blob());
  const file = fileName ? new Uint8Array(await (await fetch(fileName)).arrayBuffer()) : undefined;
  const answer = { ms: [], rows: [] };
  for (let round = 0; round < rounds; round++) {
    const workers = shares.map(() => begin(module, script));
    await Promise.all(workers.map((worker) => worker.run(small)));
    const start = performance.now();
    const rows = await Promise.all(shares.map(async (jobs, at) => {
      const all = [];
      for (const job of jobs) all.push(...await workers[at].run(job, file));
      return all;
    }));
    answer.ms.push(performance.now() - start);
    answer.rows = rows.flat().map((row) => [...row.slice(0, 7)]);
    workers.forEach((worker) => worker.end());
  }
  return answer;
};

// Precision, recall, MRR and nDCG against the marks: the formulas of memoryapp/domain/ranking.py, once more.
(() => {
  const lab = (window.lab ??= {});
  const discount = (rank) => 1 / Math.log2(rank + 1);

  // `ranked`: ids, best first; `relevant`: a Set of ids; `k`: of precision, recall and nDCG.
  lab.measures = (ranked, relevant, k) => {
    const first = ranked.slice(0, k);
    const right = first.filter((id) => relevant.has(id)).length;
    const at = ranked.findIndex((id) => relevant.has(id));
    const gained = first.reduce((sum, id, n) => sum + (relevant.has(id) ? discount(n + 1) : 0), 0);
    const best = Array.from({ length: Math.min(k, relevant.size) }, (_, n) => discount(n + 1)).reduce(
      (a, b) => a + b,
      0,
    );
    return [
      k ? right / k : 0,
      relevant.size ? right / relevant.size : 0,
      at < 0 ? 0 : 1 / (at + 1),
      best ? gained / best : 0,
    ];
  };

  // Writes them into the table, one row a column; `ranked` gives a column's ids.
  lab.measure = (relevant, ranked, k) => {
    const table = document.querySelector("#measured");
    table.querySelector("[data-marked]").textContent = `${relevant.size} right answer${relevant.size === 1 ? "" : "s"}`;
    table.querySelector("[data-figures]").hidden = relevant.size === 0;
    document.querySelectorAll("[data-unmarked]").forEach((told) => {
      told.hidden = relevant.size > 0;
    });
    document.querySelectorAll("[data-needs-marks]").forEach((button) => {
      button.disabled = relevant.size === 0;
    });
    table.querySelectorAll("[data-measured]").forEach((row) => {
      const figures = lab.measures(ranked(row.dataset.measured), relevant, k);
      row.querySelectorAll("td").forEach((cell, n) => {
        cell.textContent = figures[n].toFixed(2);
      });
    });
  };
})();

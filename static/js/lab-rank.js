// Ranks a column anew from its bare numbers (memoryapp/interfaces/lab/hits.py) while a dial moves. What the browser
// cannot know, such as what an arm of weight 0 would have found, the server's own answer brings a moment later.
(() => {
  const lab = (window.lab ??= {});
  const SAID = ["vector", "keyword"]; // the arms that the named speaker's increment is a share of

  const scaled = (share, now, was) => (was ? (share * now) / was : 0);

  const ofArm = (column, row, plan, name, n) => {
    if (column.fusion === "single") return row.shares[n];
    if (column.fusion === "rrf") return row.ranks[n] ? plan.weights[name] / (plan.k + row.ranks[n]) : 0;
    return scaled(row.shares[n], plan.weights[name], column.weights[name]);
  };

  const shares = (column, row, plan) => {
    const now = column.parts.map((name, n) => (name in column.weights ? ofArm(column, row, plan, name, n) : 0));
    const said = (some) => column.parts.reduce((sum, name, n) => (SAID.includes(name) ? sum + some[n] : sum), 0);
    return column.parts.map((name, n) => {
      if (name === "speaker")
        return scaled(
          scaled(row.shares[n], plan.numbers.speaker_boost, column.numbers.speaker_boost),
          said(now),
          said(row.shares),
        );
      if (name === "date") return scaled(row.shares[n], plan.numbers.date_weight, column.numbers.date_weight);
      return name in column.weights ? now[n] : row.shares[n]; // a part that no dial is for stays as it is
    });
  };

  // What the page carries of a column, its rows by name.
  lab.column = (told) => ({
    ...told,
    rows: told.rows.map(([id, shares, ranks, factors]) => ({ id, shares, ranks, factors })),
  });

  // The rows by a plan {weights, k, numbers, factors}, best first: [{id, shares, sum, factors, score}].
  lab.ranked = (column, plan) =>
    column.rows
      .map((row) => {
        const parts = shares(column, row, plan);
        const sum = parts.reduce((all, share) => all + share, 0);
        const factors = column.known
          .map((name, n) => [name, row.factors[n]])
          .filter(([name]) => plan.factors.includes(name));
        return {
          ...row,
          shares: parts,
          sum,
          factors,
          score: factors.reduce((score, [, factor]) => score * factor, sum),
        };
      })
      .filter((row) => row.score > 0)
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));

  // The sum in words, as memoryapp/interfaces/search/presenter.py prints it, up to the "=" before the score.
  lab.formula = (column, plan, row) => {
    const parts = column.parts.map((name, n) => [name, n]).filter(([, n]) => row.shares[n]);
    const told =
      column.fusion === "rrf"
        ? parts.map(([name, n]) => `${plan.weights[name]}/${plan.k + row.ranks[n]}`)
        : column.fusion === "single"
          ? [column.raw]
          : parts.map(([name, n]) => `${name} ${row.shares[n].toFixed(5)}`);
    const factors = row.factors.filter(([, factor]) => Math.abs(factor - 1) > 5e-6);
    const times = factors.length
      ? ` = ${row.sum.toFixed(5)} ${factors.map(([name, factor]) => `× ${name} ${factor.toFixed(5)}`).join(" ")}`
      : "";
    return `${told.join(" + ") || "0"}${times} = `;
  };
})();

// Takes the drawing away as a file: a picture at twice the size, or an SVG with words that stay words.
(() => {
  const parts = (window.explorer ??= {});

  const named = (kind) => {
    const about = document.querySelector("[data-about]")?.textContent ?? "graph";
    const plain =
      about
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, 48) || "graph";
    return `${plain}.${kind}`;
  };

  const hand = (blob, kind) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = named(kind);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  const TIMES = 2;
  parts.savePng = (view, inks) =>
    new Promise((done) => {
      const { width, height } = view.size;
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [width * TIMES, height * TIMES];
      const context = canvas.getContext("2d");
      context.scale(TIMES, TIMES);
      context.fillStyle = inks.sheet;
      context.fillRect(0, 0, width, height);
      parts.paint(parts.canvasPen(context, inks), view);
      canvas.toBlob((blob) => {
        hand(blob, "png");
        done(blob.size);
      }, "image/png");
    });

  parts.svgOf = (view, inks) => {
    const pen = parts.svgPen(
      view.size.width,
      view.size.height,
      inks,
      document.querySelector("#around")?.textContent.trim() ?? "Graph",
    );
    parts.paint(pen, view);
    return pen.file();
  };
  parts.saveSvg = (view, inks) => hand(new Blob([parts.svgOf(view, inks)], { type: "image/svg+xml" }), "svg");
})();

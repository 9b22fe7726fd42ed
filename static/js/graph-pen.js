// What the graph is drawn with: the colours as they are now, the shapes of the types, two pens that make the same
// marks, one on a canvas and one in an SVG file that can be taken away; and how much room words need.
(() => {
  const parts = (window.explorer ??= {});
  const NAMES = [
    "sheet",
    "under",
    "well",
    "rule",
    "rule-2",
    "ink",
    "ink-2",
    "ink-3",
    "ghost",
    "accent",
    "accent-tint",
    "conflict",
    "trust-1",
    "trust-2",
    "trust-3",
    "trust-4",
    "trust-5",
    "data-1",
    "data-2",
    "data-3",
    "data-4",
    "data-5",
    "data-6",
  ];

  // A custom property says light-dark(…); only a property that takes colours says which of the two it is. A pixel then
  // gives it in hexadecimal digits, which every program that opens an SVG file can read.
  parts.inks = () => {
    const probe = document.createElement("i");
    const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const root = getComputedStyle(document.documentElement);
    const inks = { sans: root.getPropertyValue("--sans").trim(), serif: root.getPropertyValue("--serif").trim() };
    document.body.append(probe);
    for (const name of NAMES) {
      probe.style.color = `var(--${name})`;
      pixel.clearRect(0, 0, 1, 1);
      pixel.fillStyle = getComputedStyle(probe).color;
      pixel.fillRect(0, 0, 1, 1);
      const [r, g, b] = pixel.getImageData(0, 0, 1, 1).data;
      inks[name] = `#${[r, g, b].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
    }
    probe.remove();
    return inks;
  };

  // Hue by type; types of a space's own are grey circles with their name in the legend.
  const HUES = { person: 1, tool: 2, concept: 3, place: 4, organization: 5, project: 6, product: 2, event: 5 };
  parts.hueOf = (type, inks) => (HUES[type] ? inks[`data-${HUES[type]}`] : inks["ink-3"]);

  // Corners on the 14-unit grid of the icons, whose circle has a radius of 6.
  const CORNERS = {
    tool: [
      [1.7, 1.7],
      [12.3, 1.7],
      [12.3, 12.3],
      [1.7, 12.3],
    ],
    concept: [
      [7, 0.1],
      [13.9, 7],
      [7, 13.9],
      [0.1, 7],
    ],
    place: [
      [7, 0.4],
      [13.6, 12.4],
      [0.4, 12.4],
    ],
    organization: [
      [1, 7],
      [4, 1.6],
      [10, 1.6],
      [13, 7],
      [10, 12.4],
      [4, 12.4],
    ],
    project: [
      [1, 2.5],
      [8.2, 2.5],
      [13, 7],
      [8.2, 11.5],
      [1, 11.5],
    ],
    product: [
      [0.4, 1.6],
      [13.6, 1.6],
      [7, 13.4],
    ],
    event: [
      [7, 0.6],
      [13.6, 5.4],
      [11.1, 13.2],
      [2.9, 13.2],
      [0.4, 5.4],
    ],
  };
  const at = (value) => Math.round(value * 10) / 10;
  const font = (parts.font = ({ size = 12, weight = 400, serif = false }, inks) =>
    `${weight} ${size}px ${serif ? inks.serif : inks.sans}`);

  // Both pens know the same marks, in pixels. A look is {fill, stroke, width, dash, alpha}.
  //   shape(type, x, y, r, look)  a node        circle(x, y, r, look)      arc(x, y, r, from, to, look)
  //   line(points, look)          [x, y, x, y], or with a point that bends it [x, y, cx, cy, x, y]
  //   area(points, look)          closed, straight        blob(points, look)  closed, rounded
  //   text(words, x, y, {fill, halo, align, alpha, size, weight, serif, spacing})
  const cornersOf = (type, x, y, r) =>
    CORNERS[type].flatMap(([dx, dy]) => [x + ((dx - 7) * r) / 6, y + ((dy - 7) * r) / 6]);

  parts.canvasPen = (context, inks) => {
    const finish = ({ fill, stroke, width = 1, dash, alpha = 1 }) => {
      pen.marks += 1;
      context.globalAlpha = alpha;
      if (fill) {
        context.fillStyle = fill;
        context.fill();
      }
      if (!stroke) return;
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.lineJoin = "round";
      context.setLineDash(dash ?? []);
      context.stroke();
    };
    const pen = {
      marks: 0, // made so far: the work of a frame
      shape: (type, x, y, r, look) =>
        CORNERS[type] ? pen.area(cornersOf(type, x, y, r), look) : pen.circle(x, y, r, look),
      circle: (x, y, r, look) => pen.arc(x, y, r, 0, 2 * Math.PI, look),
      arc(x, y, r, from, to, look) {
        context.beginPath();
        context.arc(x, y, r, from, to);
        finish(look);
      },
      line(points, look) {
        context.beginPath();
        context.moveTo(points[0], points[1]);
        if (points.length > 4) context.quadraticCurveTo(points[2], points[3], points[4], points[5]);
        else context.lineTo(points[2], points[3]);
        finish(look);
      },
      area(points, look) {
        context.beginPath();
        context.moveTo(points[0], points[1]);
        for (let n = 2; n < points.length; n += 2) context.lineTo(points[n], points[n + 1]);
        context.closePath();
        finish(look);
      },
      blob(points, look) {
        context.beginPath();
        rounded(
          points,
          (x, y) => context.moveTo(x, y),
          (...given) => context.quadraticCurveTo(...given),
        );
        context.closePath();
        finish(look);
      },
      text(words, x, y, { fill, halo, align = "center", alpha = 1, spacing, ...face }) {
        pen.marks += 1;
        context.globalAlpha = alpha;
        context.font = font(face, inks);
        context.textAlign = align;
        context.textBaseline = "alphabetic";
        context.letterSpacing = spacing ? `${spacing}px` : "0px";
        if (halo) {
          context.setLineDash([]);
          context.lineJoin = "round";
          context.lineWidth = 4;
          context.strokeStyle = halo;
          context.strokeText(words, x, y);
        }
        context.fillStyle = fill;
        context.fillText(words, x, y);
      },
    };
    return pen;
  };

  // Through the middles of the sides, bent at the corners.
  const rounded = (points, begin, bend) => {
    const count = points.length;
    const middle = (n) => [(points[n] + points[(n + 2) % count]) / 2, (points[n + 1] + points[(n + 3) % count]) / 2];
    begin(...middle(count - 2));
    for (let n = 0; n < count; n += 2) bend(points[n], points[n + 1], ...middle(n));
  };

  // Control characters are no part of XML 1.0.
  const escaped = (text) =>
    String(text)
      .replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one])
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");

  parts.svgPen = (width, height, inks, title) => {
    const marks = [];
    const said = (values) =>
      Object.entries(values)
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => ` ${name}="${escaped(value)}"`)
        .join("");
    const path = (d, { fill, stroke, width: wide = 1, dash, alpha = 1 }) =>
      marks.push(
        `<path${said({
          d,
          fill: fill ?? "none",
          stroke,
          "stroke-width": stroke && wide,
          "stroke-linejoin": stroke && "round",
          "stroke-dasharray": dash?.join(" "),
          opacity: alpha < 1 ? at(alpha * 10) / 10 : null,
        })}/>`,
      );
    const places = (points) =>
      points.map((value, n) => `${n && n % 2 === 0 ? "L" : n ? " " : ""}${at(value)}`).join("");
    const pen = {
      shape: (type, x, y, r, look) =>
        CORNERS[type] ? pen.area(cornersOf(type, x, y, r), look) : pen.circle(x, y, r, look),
      circle(x, y, radius, look) {
        const r = at(radius); // rounded once: two half circles only close where the chord is the diameter
        path(`M${at(x - r)} ${at(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`, look);
      },
      arc(x, y, r, from, to, look) {
        if (to - from > 6.28) return pen.circle(x, y, r, look);
        const point = (angle) => `${at(x + r * Math.cos(angle))} ${at(y + r * Math.sin(angle))}`;
        return path(`M${point(from)}A${at(r)} ${at(r)} 0 ${to - from > Math.PI ? 1 : 0} 1 ${point(to)}`, look);
      },
      line(points, look) {
        const [a, b, c, d, e, f] = points.map(at);
        path(points.length > 4 ? `M${a} ${b}Q${c} ${d} ${e} ${f}` : `M${a} ${b}L${c} ${d}`, look);
      },
      area: (points, look) => path(`M${places(points)}z`, look),
      blob(points, look) {
        let d = "";
        rounded(
          points,
          (x, y) => (d += `M${at(x)} ${at(y)}`),
          (...given) => (d += `Q${given.map(at).join(" ")}`),
        );
        path(`${d}z`, look);
      },
      text(words, x, y, { fill, halo, align = "center", alpha = 1, size = 12, weight = 400, serif = false, spacing }) {
        marks.push(
          `<text${said({
            x: at(x),
            y: at(y),
            fill,
            "font-family": serif ? inks.serif : inks.sans,
            "font-size": size,
            "font-weight": weight,
            "text-anchor": { center: "middle", left: "start", right: "end" }[align],
            "letter-spacing": spacing,
            opacity: alpha < 1 ? at(alpha * 10) / 10 : null,
            stroke: halo,
            "stroke-width": halo && 4,
            "stroke-linejoin": halo && "round",
            "paint-order": halo && "stroke",
          })}>${escaped(words)}</text>`,
        );
      },
      file: () => {
        const namespace = document.querySelector("svg").namespaceURI;
        const size = `width="${width}" height="${height}"`;
        return [
          `<?xml version="1.0" encoding="UTF-8"?>`,
          `<svg xmlns="${namespace}" ${size} viewBox="0 0 ${width} ${height}" role="img">` +
            `<title>${escaped(title)}</title><rect ${size} fill="${inks.sheet}"/>`,
          marks.join("\n"),
          "</svg>\n",
        ].join("\n");
      },
    };
    return pen;
  };

  // Widths of words, measured once each.
  const ruler = document.createElement("canvas").getContext("2d");
  let known = new Map();
  parts.measure = (words, face, inks) => {
    const set = parts.font(face, inks);
    const key = `${set}|${words}`;
    let width = known.get(key);
    if (width === undefined) {
      if (known.size > 6000) known = new Map();
      ruler.font = set;
      width = ruler.measureText(words).width;
      known.set(key, width);
    }
    return width;
  };

  // Long names are cut where they would run over their neighbours; the panel has them whole.
  parts.cut = (words, most, face, inks) => {
    if (parts.measure(words, face, inks) <= most) return words;
    const letters = [...words];
    let low = 1;
    let high = letters.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (parts.measure(`${letters.slice(0, middle).join("").trimEnd()}…`, face, inks) <= most) low = middle;
      else high = middle - 1;
    }
    return `${letters.slice(0, low).join("").trimEnd()}…`;
  };

  // Rectangles that are taken already; what has no room is left out.
  parts.room = (width, height) => {
    const taken = new Map();
    const CELL = 64;
    const cells = ([left, top, right, bottom]) => {
      const found = [];
      for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++) {
        for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y++) found.push(x * 4096 + y);
      }
      return found;
    };
    return {
      take: (box) => {
        for (const cell of cells(box)) {
          if (!taken.has(cell)) taken.set(cell, []);
          taken.get(cell).push(box);
        }
      },
      free: (box) =>
        box[0] >= 2 &&
        box[1] >= 2 &&
        box[2] <= width - 2 &&
        box[3] <= height - 2 &&
        !cells(box).some((cell) =>
          (taken.get(cell) ?? []).some(
            (other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3],
          ),
        ),
    };
  };

  // ── the drawing as a file: a picture at twice the size, or an SVG with words that stay words

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

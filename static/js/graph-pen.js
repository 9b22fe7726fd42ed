// What the graph is drawn with: the look's colours as they are now, the shapes of the types, and two pens that take the
// same strokes, one for a canvas and one for an SVG file.
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
  const HUES = { person: 1, tool: 2, concept: 3, place: 4, organization: 5, project: 6 };
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
  };
  const at = (value) => Math.round(value * 10) / 10;

  parts.circle = (x, y, radius) => {
    const r = at(radius); // rounded once: two half circles only close where the chord is the diameter
    return `M${at(x - r)} ${at(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  };

  // The outline of a type's shape around a point, as an SVG path.
  parts.outline = (type, x, y, r) => {
    const corners = CORNERS[type];
    if (!corners) return parts.circle(x, y, r);
    return `M${corners.map(([dx, dy]) => `${at(x + ((dx - 7) * r) / 6)} ${at(y + ((dy - 7) * r) / 6)}`).join("L")}z`;
  };

  const font = (parts.font = ({ size = 12, weight = 400, serif = false }, inks) =>
    `${weight} ${size}px ${serif ? inks.serif : inks.sans}`);

  parts.canvasPen = (context, inks) => ({
    path(d, { fill, stroke, width = 1, dash, alpha = 1 }) {
      const path = new Path2D(d);
      context.globalAlpha = alpha;
      if (fill) {
        context.fillStyle = fill;
        context.fill(path);
      }
      if (!stroke) return;
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.lineJoin = "round";
      context.setLineDash(dash ?? []);
      context.stroke(path);
    },
    text(words, x, y, { fill, halo, align = "center", alpha = 1, ...face }) {
      context.globalAlpha = alpha;
      context.font = font(face, inks);
      context.textAlign = align;
      context.textBaseline = "alphabetic";
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
  });

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
    return {
      path(d, { fill, stroke, width: wide = 1, dash, alpha = 1 }) {
        marks.push(
          `<path${said({
            d,
            fill: fill ?? "none",
            stroke,
            "stroke-width": stroke && wide,
            "stroke-linejoin": stroke && "round",
            "stroke-dasharray": dash?.join(" "),
            opacity: alpha < 1 ? alpha : null,
          })}/>`,
        );
      },
      text(words, x, y, { fill, halo, align = "center", alpha = 1, size = 12, weight = 400, serif = false }) {
        marks.push(
          `<text${said({
            x: at(x),
            y: at(y),
            fill,
            "font-family": serif ? inks.serif : inks.sans,
            "font-size": size,
            "font-weight": weight,
            "text-anchor": { center: "middle", left: "start", right: "end" }[align],
            opacity: alpha < 1 ? alpha : null,
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
  };
})();

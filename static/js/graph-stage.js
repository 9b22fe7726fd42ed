// What one moves over the drawing: zoom, pan, press. With WebGL it is sigma's camera and its picking; without, a plain
// canvas that does the same with the pointer. Both hand the drawing itself to `on.draw`.
(() => {
  const parts = (window.explorer ??= {});
  parts.CLOSEST = 12; // times the size at which the labels of the scene have room
  const STEP = (parts.STEP = 1.5);
  const calm = (parts.calm = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 220));

  // Nodes grow a little as one comes closer, and never vanish.
  parts.growth = (unit, natural) => Math.min(1.7, Math.max(0.7, Math.sqrt(unit / natural)));

  const webgl = () => {
    try {
      const probe = document.createElement("canvas");
      const found = probe.getContext("webgl2") ?? probe.getContext("webgl");
      found?.getExtension("WEBGL_lose_context")?.loseContext();
      return Boolean(found);
    } catch {
      return false;
    }
  };

  const script = (src) =>
    new Promise((done, failed) => {
      const tag = document.createElement("script");
      Object.assign(tag, { src, onload: done, onerror: failed });
      document.head.append(tag);
    });

  // Fetches sigma where it can draw: without WebGL it fails as soon as it is loaded.
  parts.engine = async ({ graphology, sigma }) => {
    if (!webgl()) return;
    try {
      await script(graphology);
      await script(sigma);
    } catch {
      /* the plain stage does it */
    }
  };

  // on: draw(context), press(x, y, id), twice(x, y, id), move(x, y), leave(). Sizes in CSS pixels.
  parts.stage = (element, on) => {
    const stage = window.Sigma && window.graphology ? parts.sigmaStage(element, on) : parts.plainStage(element, on);
    stage.natural = 500; // pixels a unit where the labels have room; the page says it with each scene

    // The whole of `bounds`, or on a narrow screen as much of it around `near` as can still be read.
    stage.fit = (bounds, near) => {
      const { width, height } = stage.size();
      const [padX, padTop, padBottom] = [Math.min(72, width * 0.14), 36, 48];
      const wide = Math.max(bounds.right - bounds.left, 1e-6);
      const high = Math.max(bounds.bottom - bounds.top, 1e-6);
      let unit = Math.min((width - 2 * padX) / wide, (height - padTop - padBottom) / high, stage.natural * 1.35);
      let [x, y] = [
        (bounds.left + bounds.right) / 2,
        (bounds.top + bounds.bottom) / 2 + (padBottom - padTop) / 2 / unit,
      ];
      const readable = stage.natural * 0.62;
      if (width < 600 && unit < readable && near) [unit, x, y] = [readable, near.x, near.y];
      stage.look(x, y, unit);
    };
    stage.closer = () => stage.zoom(STEP);
    stage.further = () => stage.zoom(1 / STEP);

    // Brings a point into sight, where it is not.
    stage.reveal = (x, y) => {
      const { width, height } = stage.size();
      const [px, py] = stage.project(x, y);
      const edge = Math.min(56, width / 6, height / 6);
      if (px >= edge && py >= edge && px <= width - edge && py <= height - edge) return;
      stage.look(x, y, stage.unit(), calm());
    };
    return stage;
  };
})();

// What one moves over the drawing: zoom, pan, press. With WebGL it is sigma's camera and its gestures; without, a plain
// canvas that does the same with the pointer. Both hand the drawing itself to `on.draw`.
(() => {
  const parts = (window.explorer ??= {});
  const WIDE = 1.6;
  const STEP = 1.5;
  const CLOSEST = 14; // times the size at which the labels of the scene have room
  const calm = (parts.calm = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 220));

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

  // on: draw(context), press(x, y), twice(x, y), move(x, y), leave(). Sizes in CSS pixels.
  parts.stage = (element, on) => {
    const stage = window.Sigma && window.graphology ? sigmaStage(element, on) : plainStage(element, on);
    stage.natural = 500; // pixels a unit where the labels have room; the page says it with each scene

    // Pixels a unit at which `bounds` fill the drawing, and its middle.
    const filling = (bounds, most) => {
      const { width, height } = stage.size();
      const [padX, padTop, padBottom] = [Math.min(72, width * 0.12), 52, 48];
      const wide = Math.max(bounds.right - bounds.left, 1e-6);
      const high = Math.max(bounds.bottom - bounds.top, 1e-6);
      const unit = Math.min((width - 2 * padX) / wide, (height - padTop - padBottom) / high, most);
      return {
        unit,
        x: (bounds.left + bounds.right) / 2,
        y: (bounds.top + bounds.bottom) / 2 + (padBottom - padTop) / 2 / unit,
      };
    };

    // The whole of `bounds`, or on a narrow screen as much of it around `near` as can still be read.
    stage.fit = (bounds, near) => {
      let { unit, x, y } = filling(bounds, stage.natural * 1.35);
      const readable = stage.natural * 0.62;
      if (stage.size().width < 600 && unit < readable && near) [unit, x, y] = [readable, near.x, near.y];
      stage.look(x, y, unit);
    };
    stage.closer = () => stage.zoom(STEP);
    stage.further = () => stage.zoom(1 / STEP);

    // Moves there: at once, where one wants no motion.
    let flight = 0;
    stage.fly = (x, y, unit) => {
      cancelAnimationFrame(flight);
      if (!calm()) return stage.look(x, y, unit);
      const from = { ...stage.middle(), unit: stage.unit() };
      const begun = performance.now();
      const step = (now) => {
        const share = Math.min(1, Math.max(0, now - begun) / (calm() * 1.8));
        const eased = 1 - (1 - share) ** 3;
        // The scale goes by even factors, the place by how far the scale has come: it looks like one movement.
        const at = from.unit * (unit / from.unit) ** eased;
        const way =
          Math.abs(unit / from.unit - 1) < 0.02 ? eased : (1 / from.unit - 1 / at) / (1 / from.unit - 1 / unit);
        stage.look(from.x + (x - from.x) * way, from.y + (y - from.y) * way, at);
        if (share < 1) flight = requestAnimationFrame(step);
      };
      flight = requestAnimationFrame(step);
      return undefined;
    };
    stage.flyTo = (bounds, least) => {
      const { unit, x, y } = filling(bounds, Infinity);
      stage.fly(x, y, Math.max(unit, least));
    };

    // Brings a point into sight, where it is not.
    stage.reveal = (x, y, unit = stage.unit()) => {
      const { width, height } = stage.size();
      const [px, py] = stage.project(x, y);
      const edge = Math.min(56, width / 6, height / 6);
      const near = px >= edge && py >= edge && px <= width - edge && py <= height - edge;
      if (!near || unit > stage.unit() * 1.01) stage.fly(x, y, Math.max(unit, stage.unit()));
    };
    element.addEventListener("pointerdown", () => cancelAnimationFrame(flight));
    element.addEventListener("wheel", () => cancelAnimationFrame(flight), { passive: true });
    return stage;
  };

  const sigmaStage = (element, on) => {
    let natural = 500;
    const graph = new graphology.Graph();
    graph.addNode("camera", { x: 0, y: 0, hidden: true }); // without any node sigma does not move
    const renderer = new Sigma(graph, element, {
      renderLabels: false,
      renderEdgeLabels: false,
      enableCameraRotation: false,
      stagePadding: 0,
      zoomingRatio: STEP,
      allowInvalidContainer: true,
      zoomDuration: calm() || 1,
      minCameraRatio: 0.02,
      maxCameraRatio: 40,
      inertiaDuration: calm() || 1,
    });
    renderer.setCustomBBox({ x: [0, WIDE], y: [-1, 0] });
    renderer.refresh();
    renderer.createCanvasContext("drawing", { beforeLayer: "mouse" });
    renderer.resize(true);
    const canvas = renderer.getCanvases().drawing;
    const context = canvas.getContext("2d");
    renderer.on("afterRender", () => {
      const { width, height } = renderer.getDimensions();
      context.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
      context.clearRect(0, 0, width, height);
      on.draw(context);
    });
    let last = { x: -99, y: -99 };
    const press = ({ event }) => {
      last = event;
      on.press(event.x, event.y);
    };
    renderer.on("clickStage", press);
    // Two quick presses in two places are two presses, which sigma takes for a double one.
    renderer.on("doubleClickStage", (pressed) => {
      const { event } = pressed;
      const apart = Math.hypot(event.x - last.x, event.y - last.y) > 8;
      if (apart) press(pressed);
      if (apart || on.twice(event.x, event.y)) event.preventSigmaDefault();
    });
    renderer.getMouseCaptor().on("mousemovebody", (event) => on.move(event.x, event.y));
    element.addEventListener("pointerleave", () => on.leave());
    new ResizeObserver(() => {
      renderer.resize();
      renderer.scheduleRender();
    }).observe(element);

    const whole = { cameraState: { x: 0.5, y: 0.5, angle: 0, ratio: 1 } };
    const apart = (options) => {
      const [one, other] = [0, 1].map((x) => renderer.graphToViewport({ x, y: 0 }, options));
      return Math.hypot(other.x - one.x, other.y - one.y);
    };
    return {
      renderer,
      set natural(value) {
        natural = value;
        const most = apart(whole) / value;
        renderer.setSettings({ minCameraRatio: most / CLOSEST, maxCameraRatio: Math.max(most * 12, 3) });
      },
      get natural() {
        return natural;
      },
      size: () => renderer.getDimensions(),
      unit: () => apart(),
      middle: () => {
        const { width, height } = renderer.getDimensions();
        const { x, y } = renderer.viewportToGraph({ x: width / 2, y: height / 2 });
        return { x, y: -y };
      },
      project: (x, y) => {
        const at = renderer.graphToViewport({ x, y: -y });
        return [at.x, at.y];
      },
      draw: () => renderer.scheduleRender(),
      zoom: (factor) => {
        const camera = renderer.getCamera();
        camera.animate({ ratio: camera.getBoundedRatio(camera.getState().ratio / factor) }, { duration: calm() || 1 });
      },
      look: (x, y, unit) => {
        const spot = renderer.viewportToFramedGraph(renderer.graphToViewport({ x, y: -y }));
        const camera = renderer.getCamera();
        camera.setState({ x: spot.x, y: spot.y, ratio: camera.getBoundedRatio(apart(whole) / unit) });
      },
    };
  };

  const plainStage = (element, on) => {
    const canvas = document.createElement("canvas");
    canvas.className = "plain-stage";
    element.append(canvas);
    const context = canvas.getContext("2d");
    const view = { x: WIDE / 2, y: 0.5, unit: 500 };
    let [waiting, moved, last] = [0, 0, null];
    const fingers = new Map();

    const size = () => ({ width: element.clientWidth || 1, height: element.clientHeight || 1 });
    const draw = () => {
      waiting ||= requestAnimationFrame(() => {
        waiting = 0;
        const [{ width, height }, dots] = [size(), devicePixelRatio || 1];
        if (canvas.width !== Math.round(width * dots)) canvas.width = Math.round(width * dots);
        if (canvas.height !== Math.round(height * dots)) canvas.height = Math.round(height * dots);
        context.setTransform(dots, 0, 0, dots, 0, 0);
        context.clearRect(0, 0, width, height);
        on.draw(context);
      });
    };
    const here = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const bounded = (unit) => Math.min(stage.natural * CLOSEST, Math.max(stage.natural / 12, unit));
    const zoomAt = (px, py, factor) => {
      const { width, height } = size();
      const unit = bounded(view.unit * factor);
      view.x += (px - width / 2) * (1 / view.unit - 1 / unit);
      view.y += (py - height / 2) * (1 / view.unit - 1 / unit);
      view.unit = unit;
      draw();
    };

    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        zoomAt(...here(event), event.deltaY < 0 ? STEP : 1 / STEP);
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, here(event));
      moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const to = here(event);
      const from = fingers.get(event.pointerId);
      if (!from) {
        on.move(...to);
        return;
      }
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      fingers.set(event.pointerId, to);
      moved += Math.hypot(to[0] - from[0], to[1] - from[1]);
      if (other) {
        const was = Math.hypot(from[0] - other[0], from[1] - other[1]) || 1;
        zoomAt((to[0] + other[0]) / 2, (to[1] + other[1]) / 2, Math.hypot(to[0] - other[0], to[1] - other[1]) / was);
      } else if (moved > 3) {
        view.x -= (to[0] - from[0]) / view.unit;
        view.y -= (to[1] - from[1]) / view.unit;
        draw();
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      const at = here(event);
      const alone = fingers.size === 1;
      fingers.delete(event.pointerId);
      if (!alone || moved > 3) return;
      const second =
        last && event.timeStamp - last.time < 300 && Math.hypot(at[0] - last.at[0], at[1] - last.at[1]) < 8;
      last = second ? null : { time: event.timeStamp, at };
      if (!second) on.press(...at);
      else if (!on.twice(...at)) zoomAt(...at, STEP);
    });
    canvas.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
    element.addEventListener("pointerleave", () => on.leave());
    new ResizeObserver(draw).observe(element);

    const stage = {
      natural: 500,
      size,
      project: (x, y) => {
        const { width, height } = size();
        return [(x - view.x) * view.unit + width / 2, (y - view.y) * view.unit + height / 2];
      },
      draw,
      unit: () => view.unit,
      middle: () => ({ x: view.x, y: view.y }),
      zoom: (factor) => {
        const { width, height } = size();
        zoomAt(width / 2, height / 2, factor);
      },
      look: (x, y, unit) => {
        Object.assign(view, { x, y, unit: bounded(unit) });
        draw();
      },
    };
    return stage;
  };
})();

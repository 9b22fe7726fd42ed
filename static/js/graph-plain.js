// The stage where there is no WebGL: a plain canvas that zooms and pans with the pointer.
(() => {
  const parts = (window.explorer ??= {});
  const WIDE = 1.6;

  parts.plainStage = (element, on) => {
    const canvas = document.createElement("canvas");
    canvas.className = "plain-stage";
    element.append(canvas);
    const context = canvas.getContext("2d");
    const view = { x: WIDE / 2, y: 0.5, unit: 500 };
    let [waiting, nodes, moved, last] = [0, [], 0, null];
    const fingers = new Map();

    const size = () => ({ width: element.clientWidth || 1, height: element.clientHeight || 1 });
    const project = (x, y) => {
      const { width, height } = size();
      return [(x - view.x) * view.unit + width / 2, (y - view.y) * view.unit + height / 2];
    };
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
    const under = (x, y) =>
      nodes.findLast((node) => {
        const [px, py] = project(node.x, node.y);
        return Math.hypot(px - x, py - y) <= node.size * stage.growth() + 2;
      })?.id ?? null;
    const here = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const zoomAt = (px, py, factor) => {
      const { width, height } = size();
      const unit = Math.min(stage.natural * parts.CLOSEST, Math.max(stage.natural / 12, view.unit * factor));
      view.x += (px - width / 2) * (1 / view.unit - 1 / unit);
      view.y += (py - height / 2) * (1 / view.unit - 1 / unit);
      view.unit = unit;
      draw();
    };

    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        zoomAt(...here(event), event.deltaY < 0 ? parts.STEP : 1 / parts.STEP);
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
      if (!second) on.press(...at, under(...at));
      else if (!on.twice(...at, under(...at))) zoomAt(...at, parts.STEP);
    });
    canvas.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
    element.addEventListener("pointerleave", () => on.leave());
    new ResizeObserver(draw).observe(element);

    const stage = {
      natural: 500,
      size,
      project,
      draw,
      unit: () => view.unit,
      growth: () => parts.growth(view.unit, stage.natural),
      take: (given) => {
        nodes = given;
        draw();
      },
      zoom: (factor) => {
        const { width, height } = size();
        zoomAt(width / 2, height / 2, factor);
      },
      look: (x, y, unit) => {
        Object.assign(view, { x, y, unit });
        draw();
      },
    };
    return stage;
  };
})();

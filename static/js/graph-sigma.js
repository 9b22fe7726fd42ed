// The stage where there is WebGL: sigma's camera, its gestures and its picking, over nodes that nobody sees. The
// drawing lies on a layer of its own.
(() => {
  const parts = (window.explorer ??= {});
  const WIDE = 1.6;

  parts.sigmaStage = (element, on) => {
    const graph = new graphology.Graph();
    let natural = 500;
    const renderer = new Sigma(graph, element, {
      renderLabels: false,
      renderEdgeLabels: false,
      enableCameraRotation: false,
      stagePadding: 0,
      zoomingRatio: parts.STEP,
      defaultNodeColor: "rgba(0,0,0,0)",
      defaultDrawNodeHover: () => {},
      allowInvalidContainer: true,
      zoomDuration: parts.calm() || 1,
      minCameraRatio: 0.02,
      maxCameraRatio: 40,
      inertiaDuration: parts.calm() || 1,
      zoomToSizeRatioFunction: () => 1 / parts.growth(stage.unit(), natural),
    });
    renderer.setCustomBBox({ x: [0, WIDE], y: [-1, 0] });
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
    const press = ({ node, event }) => {
      last = event;
      on.press(event.x, event.y, node ?? null);
    };
    // Two quick presses in two places are two presses, which sigma takes for a double one.
    const twice = (found) => {
      const { node, event } = found;
      const apart = Math.hypot(event.x - last.x, event.y - last.y) > 8;
      if (apart) press(found);
      if (apart || on.twice(event.x, event.y, node ?? null)) event.preventSigmaDefault();
    };
    for (const over of ["Node", "Stage"]) {
      renderer.on(`click${over}`, press);
      renderer.on(`doubleClick${over}`, twice);
    }
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
    const stage = {
      renderer,
      graph,
      set natural(value) {
        natural = value;
        const most = apart(whole) / value;
        renderer.setSettings({ minCameraRatio: most / parts.CLOSEST, maxCameraRatio: Math.max(most * 12, 3) });
      },
      get natural() {
        return natural;
      },
      size: () => renderer.getDimensions(),
      unit: () => apart(),
      growth: () => parts.growth(apart(), natural),
      project: (x, y) => {
        const at = renderer.graphToViewport({ x, y: -y });
        return [at.x, at.y];
      },
      draw: () => renderer.scheduleRender(),
      // Nodes for the picking: what can be pressed, and how large.
      take: (nodes) => {
        graph.clear();
        for (const { id, x, y, size } of nodes) graph.addNode(id, { x, y: -y, size });
        renderer.refresh();
      },
      zoom: (factor) => {
        const camera = renderer.getCamera();
        camera.animate(
          { ratio: camera.getBoundedRatio(camera.getState().ratio / factor) },
          { duration: parts.calm() || 1 },
        );
      },
      look: (x, y, unit, within = 0) => {
        const spot = renderer.viewportToFramedGraph(renderer.graphToViewport({ x, y: -y }));
        const state = { x: spot.x, y: spot.y, ratio: renderer.getCamera().getBoundedRatio(apart(whole) / unit) };
        if (within) renderer.getCamera().animate(state, { duration: within });
        else renderer.getCamera().setState(state);
      },
    };
    return stage;
  };
})();

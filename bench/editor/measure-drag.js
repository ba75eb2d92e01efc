async (moves) => {
  // Runs in the page: drags the selected field and times each move, including React's work after it.
  const scroller = document.querySelector('[data-tool]');
  const field = document.querySelector('[data-overlay][aria-pressed="true"]');
  scroller.setPointerCapture = () => {};
  const { left, top } = field.getBoundingClientRect();
  const send = (target, type, x, y) =>
    target.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        cancelable: true,
        clientX: left + 3 + x,
        clientY: top + 3 + y,
        button: 0,
        pointerId: 1,
      }),
    );
  const times = [];
  send(field, 'pointerdown', 0, 0);
  for (let move = 0; move < moves; move += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const started = performance.now();
    send(scroller, 'pointermove', 10 + (move % 50), 10 + (move % 37));
    await Promise.resolve();
    await Promise.resolve();
    times.push(performance.now() - started);
  }
  const gesture = scroller.dataset.gesture;
  send(scroller, 'pointerup', 60, 60);
  times.sort((a, b) => a - b);
  const at = (share) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2));
  return { gesture, median: at(0.5), p95: at(0.95), max: at(0.999) };
};

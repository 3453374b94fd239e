// The panels on a narrow page: a sheet at the lower edge that is dragged by its upper edge, and closes when it is dragged down.

/** Heights of the sheet in pixels: the least open one, that of the closed one, and what stays free above the sheet. */
const least = 120, closed = 52, free = 76;

/** Makes a list of panels a sheet on narrow pages. tell hears how many pixels of the page the sheet covers, 0 on wide pages. */
export function sheet(root: HTMLElement, side: HTMLDetailsElement, tell: (covered: number) => void): void {
  const grip = side.querySelector("summary")!;
  const narrow = matchMedia("(max-width: 700px)");
  let wanted = 0; // 0 before anybody has dragged
  let held: { pointer: number; y: number; height: number; moved: boolean } | null = null;
  const fit = () => {
    const most = Math.max(least, root.clientHeight - free);
    const height = Math.min(most, Math.max(least, wanted || Math.round(0.42 * root.clientHeight)));
    const covered = side.open ? height : closed;
    root.style.setProperty("--sheet", `${covered}px`);
    tell(narrow.matches ? covered : 0);
    return height;
  };
  grip.addEventListener("pointerdown", (e) => {
    if (!narrow.matches || !e.isPrimary || e.button !== 0) return;
    held = { pointer: e.pointerId, y: e.clientY, height: side.open ? fit() : closed, moved: false };
    grip.setPointerCapture(e.pointerId);
  });
  grip.addEventListener("pointermove", (e) => {
    if (held?.pointer !== e.pointerId) return;
    const up = held.y - e.clientY;
    if (!held.moved && Math.abs(up) < 6) return;
    held.moved = true;
    const height = held.height + up;
    side.open = height > least - 40;
    wanted = Math.max(least, height);
    fit();
  });
  const release = (e: PointerEvent) => {
    if (held?.pointer !== e.pointerId) return;
    // The click that follows a drag opens and closes nothing.
    if (held.moved) setTimeout(() => (held = null));
    else held = null;
  };
  grip.addEventListener("pointerup", release);
  grip.addEventListener("pointercancel", release);
  grip.addEventListener("click", (e) => held?.moved && e.preventDefault());
  grip.addEventListener("keydown", (e) => {
    const step = e.key === "ArrowUp" ? 60 : e.key === "ArrowDown" ? -60 : 0;
    if (!step || !narrow.matches) return;
    const height = side.open ? fit() + step : least;
    side.open = height >= least;
    wanted = Math.max(least, height);
    fit();
    e.preventDefault();
    e.stopPropagation();
  });
  side.addEventListener("toggle", fit);
  narrow.addEventListener("change", fit);
  new ResizeObserver(fit).observe(root);
  fit();
}

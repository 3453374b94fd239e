// Elements of the page.

export type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export function button(text: string, label: string, run: () => void, key = ""): HTMLButtonElement {
  const b = el("button", { type: "button", "aria-label": label, title: key ? `${label} (${key})` : label }, text);
  if (key) b.setAttribute("aria-keyshortcuts", key);
  b.addEventListener("click", run);
  return b;
}

export interface Slider {
  input: HTMLInputElement;
  /** Does what the slider says. */
  update(): void;
}

/** A slider with its name and value; change returns the words for the value. */
export function slider(into: HTMLElement, id: string, text: string, range: { min: number; max: number; step: number; at: number }, change: (v: number) => string): Slider {
  const input = el("input", { type: "range", id: `slider-${id}`, min: String(range.min), max: String(range.max), step: String(range.step), value: String(range.at) });
  const out = el("output", { for: input.id });
  const update = () => {
    out.textContent = change(Number(input.value));
    input.setAttribute("aria-valuetext", out.textContent);
  };
  input.addEventListener("input", update);
  into.append(el("label", { for: input.id }, el("span", {}, text), out), input);
  return { input, update };
}

/** A choice of one of many. */
export function choice(into: HTMLElement, id: string, text: string, options: readonly (readonly [string, string])[], at: string, change: (v: string) => void): HTMLSelectElement {
  const select = el("select", { id: `choice-${id}` }, ...options.map(([value, name]) => el("option", { value }, name)));
  select.value = at;
  select.addEventListener("change", () => change(select.value));
  into.append(el("label", { for: select.id }, el("span", {}, text)), select);
  return select;
}

export function box(into: HTMLElement, id: string, text: string, on: boolean, change: (on: boolean) => void): HTMLInputElement {
  const input = el("input", { type: "checkbox", id: `box-${id}` });
  input.checked = on;
  input.addEventListener("change", () => change(input.checked));
  into.append(el("label", { class: "layer" }, input, el("span", {}, text)));
  return input;
}

/** A group of fields with a title. */
export function group(title: string): HTMLFieldSetElement {
  return el("fieldset", {}, el("legend", {}, title));
}

// What the pages gain by JavaScript: suggestions while typing, keys, and a map that shows who is
// near. Everything works without it. Text is only ever set as text.
"use strict";

const PAUSE = 120; // milliseconds without a key before suggestions are asked for
const MOST = 7;

document.querySelectorAll("input[data-suggest]").forEach(suggest);
document.querySelectorAll("svg.map").forEach(light);
document.querySelectorAll("textarea[data-ask]").forEach(sendByKey);
document.addEventListener("keydown", keys);

/** Suggestions under a box: a listbox that follows the arrow keys. The page that is chosen is gone
 *  to, or its address is filled in. */
function suggest(input) {
  const name = `${input.id}-suggestions`;
  const list = make("div", { id: name, role: "listbox", "aria-label": "Pages", hidden: "", class: "suggestions" });
  input.parentElement.append(list);
  for (const [key, value] of Object.entries({
    role: "combobox", autocomplete: "off", "aria-autocomplete": "list", "aria-controls": name, "aria-expanded": "false",
  })) input.setAttribute(key, value);
  let timer = 0;
  let asked = null;

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
  input.addEventListener("keydown", move);
  input.addEventListener("blur", close);

  async function ask() {
    asked?.abort();
    const words = input.value.trim();
    if (!words) return close();
    asked = new AbortController();
    try {
      const address = `${input.dataset.suggest}?${new URLSearchParams({ q: words, k: MOST })}`;
      const answer = await fetch(address, { signal: asked.signal });
      if (answer.ok) show((await answer.json()).hits);
      else close();
    } catch (error) {
      if (error.name !== "AbortError") close();
    }
  }

  function show(pages) {
    list.replaceChildren(...pages.map((page, number) => {
      const option = make("div", { role: "option", id: `${name}-${number}`, "data-url": page.url });
      const url = make("small", {});
      url.textContent = page.url;
      option.append(page.title ?? page.url, url);
      option.addEventListener("mousedown", (event) => {
        event.preventDefault();
        choose(option);
      });
      return option;
    }));
    list.hidden = pages.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    input.removeAttribute("aria-activedescendant");
  }

  function choose(option) {
    close();
    if (input.dataset.go) location.assign(`${input.dataset.go}?${new URLSearchParams({ url: option.dataset.url })}`);
    else input.value = option.dataset.url;
  }

  function close() {
    clearTimeout(timer);
    asked?.abort();
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function move(event) {
    const options = [...list.children];
    const at = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
    if (list.hidden) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && at >= 0) choose(options[at]);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      const next = at < 0 && step < 0 ? options.length - 1 : (at + step + options.length) % options.length;
      options.forEach((option, number) => option.setAttribute("aria-selected", String(number === next)));
      input.setAttribute("aria-activedescendant", options[next].id);
    } else return;
    event.preventDefault();
  }
}

/** On the map, the page that is pointed at and what it is related to stand out. */
function light(map) {
  const spots = [...map.querySelectorAll("a[data-place]")];
  const lines = [...map.querySelectorAll("path[data-ends]")];

  function look(spot) {
    const near = new Set([spot.dataset.place, ...spot.dataset.near.split(" ")]);
    spots.forEach((each) => each.classList.toggle("near", near.has(each.dataset.place)));
    lines.forEach((line) => line.classList.toggle("near", line.dataset.ends.split(" ").includes(spot.dataset.place)));
    map.classList.add("looking");
  }

  for (const spot of spots) {
    for (const kind of ["mouseenter", "focus"]) spot.addEventListener(kind, () => look(spot));
    for (const kind of ["mouseleave", "blur"]) spot.addEventListener(kind, () => map.classList.remove("looking"));
  }
}

/** Enter sends what fits one line; Shift and Enter begins another. */
function sendByKey(box) {
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && !box.value.includes("\n")) {
      event.preventDefault();
      box.form.requestSubmit();
    }
  });
}

/** j and k go from hit to hit, / goes to the search box. */
function keys(event) {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    document.getElementById("find").focus();
  } else if (event.key === "j" || event.key === "k") {
    const hits = [...document.querySelectorAll(".hits .title a")];
    const at = hits.findIndex((hit) => hit.closest("li").contains(document.activeElement));
    const next = event.key === "j" ? Math.min(at + 1, hits.length - 1) : Math.max(at - 1, 0);
    hits[next]?.focus();
  }
}

function make(name, attributes) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

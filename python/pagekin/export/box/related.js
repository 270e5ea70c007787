// Shows a box of related pages, from the files that `pagekin export` wrote beside this script.
//
//   <script src="/related/related.js" defer></script>
//
// data-url      the page, if it is neither in <link rel="canonical"> nor the address
// data-origin   where the site was crawled, if it is looked at elsewhere: https://docs.example
// data-into     a selector of the element to put the box into; else it follows the script
// data-heading  "Related pages" in another language
// data-most     how many pages to show
// data-style    "none" leaves related.css out
//
// Nothing is shown for a page that has no file. Titles are only ever set as text, and only http and
// https addresses become links.
"use strict";

(() => {
  const script = document.currentScript;
  const home = new URL(".", script.src);
  const wanted = script.dataset;

  show().catch((error) => console.warn(`related pages: ${error.message}`));

  async function show() {
    const manifest = await json("related.json", { cache: "no-cache" });
    if (!manifest || manifest.format !== 1) return;
    for (const page of spellings(canonical(current()))) {
      const answers = await json(`${manifest.folder}/${fileName(page)}`);
      if (answers?.[page]) return place(answers[page].related);
    }
  }

  async function json(name, options) {
    const answer = await fetch(new URL(name, home), options);
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${answer.url} was answered with ${answer.status}`);
    return answer.json();
  }

  /** The page that the visitor looks at. */
  function current() {
    if (wanted.url) return wanted.url;
    const link = document.querySelector("link[rel=canonical]");
    if (link) return link.href;
    return wanted.origin ? new URL(location.pathname + location.search, wanted.origin).href : location.href;
  }

  /** The form in which pagekin knows an address: no user, no fragment, escapes in one spelling. */
  function canonical(address) {
    const url = new URL(address, location.href);
    url.hash = url.username = url.password = "";
    let guarded = 0; // characters from here on that could complete a lone % to an escape
    let end = 0;
    return url.href.replace(/%([0-9a-f]{2})?/gi, (found, digits, at) => {
      guarded = Math.max(guarded - (at - end), 0);
      end = at + found.length;
      if (!digits) {
        guarded = 2;
        return found;
      }
      const letter = String.fromCharCode(parseInt(digits, 16));
      const bare = guarded === 0 && /[A-Za-z0-9._~-]/.test(letter);
      guarded = Math.max(guarded - 1, 0);
      return bare ? letter : found.toUpperCase();
    });
  }

  /** The same page as other servers would name it. */
  function* spellings(page) {
    yield page;
    const [, path, query] = page.match(/^([^?]*)(.*)$/);
    if (path.endsWith("/")) yield `${path}index.html${query}`;
    else if (path.endsWith("/index.html")) yield path.slice(0, -10) + query;
    else if (path.endsWith(".html")) yield path.slice(0, -5) + query;
    else yield `${path}.html${query}`;
  }

  /** The file of an address, named by its hash (FNV-1a, 64 bits). */
  function fileName(page) {
    let hash = 0xcbf29ce484222325n;
    for (const byte of new TextEncoder().encode(page)) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
    const digits = hash.toString(16).padStart(16, "0");
    return `${digits.slice(0, 2)}/${digits.slice(2)}.json`;
  }

  function place(related) {
    const shown = related.map(link).filter(Boolean).slice(0, Number(wanted.most) || related.length);
    if (shown.length === 0) return;
    const box = make("nav", { class: "related-pages" });
    const heading = make("h2", {}, wanted.heading ?? "Related pages");
    box.setAttribute("aria-label", heading.textContent);
    const list = make("ul", {});
    list.append(...shown);
    box.append(heading, list);
    const target = wanted.into && document.querySelector(wanted.into);
    if (target) target.append(box);
    else script.after(box);
    style();
  }

  function link(page) {
    const url = new URL(page.url);
    if (!["http:", "https:"].includes(url.protocol)) return null;
    const own = url.origin === new URL(wanted.origin ?? location.href).origin;
    const item = make("li", {});
    const target = own
      ? { href: location.origin + url.pathname + url.search }
      : { href: url.href, rel: "noopener noreferrer nofollow" };
    item.append(make("a", target, page.title));
    if (page.terms.length) item.append(make("small", {}, page.terms.join(", ")));
    return item;
  }

  function style() {
    const href = new URL("related.css", home).href;
    const known = [...document.querySelectorAll("link[rel=stylesheet]")].some((link) => link.href === href);
    if (wanted.style !== "none" && !known) document.head.append(make("link", { rel: "stylesheet", href }));
  }

  function make(name, attributes, text = "") {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  }
})();

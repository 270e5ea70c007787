// Shows a box of related pages, from the files that `pagekin export` wrote beside this script.
//
//   <script src="/related/related.js" defer></script>
//
// data-url      the page, if it is neither in <link rel="canonical"> nor the address
// data-origin   where the site was crawled, if it is looked at elsewhere: https://docs.example
// data-into     a selector of the element to put the box into; else it follows the script
// data-heading  "Related pages" in another language
// data-reason   "Both mention {words}" in another language; empty shows no reasons
// data-linked   "{title} links to both" in another language
// data-most     how many pages to show
//
// Nothing is shown for a page that has no file. The box has no style of its own: it is a nav with
// the class pagekin-related. Titles are only ever set as text, and only http and https addresses
// become links.
"use strict";

(() => {
  const script = document.currentScript;
  const home = new URL(".", script.src);
  const wanted = script.dataset;

  show().catch((error) => console.warn(`related pages: ${error.message}`));

  async function show() {
    const manifest = await json("related.json", { cache: "no-cache" });
    if (!manifest || manifest.format !== 1) return;
    for (const page of candidates(manifest.origins ?? [])) {
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

  /** The addresses that the page of the visitor may have in the crawl, the likeliest first. A page
      may name as canonical what was not crawled, so its own address is tried as well. */
  function candidates(origins) {
    const named = wanted.url ?? document.querySelector("link[rel=canonical]")?.href;
    const pages = named === undefined ? [] : [moved(named, variant(named, origins))];
    if (wanted.url === undefined) {
      const own = wanted.origin ?? variant(location.href, origins) ?? (origins.length === 1 ? origins[0] : null);
      pages.push(moved(location.href, own));
    }
    return new Set(pages.flatMap((page) => [...spellings(page)]));
  }

  /** The crawled origin that differs at most in its scheme and `www.`. */
  function variant(address, origins) {
    const bare = (url) => new URL(url, location.href).host.replace(/^www\./, "");
    const exact = origins.includes(new URL(address, location.href).origin);
    return exact ? null : origins.find((origin) => bare(origin) === bare(address));
  }

  /** An address on another origin, or as it is. */
  function moved(address, origin) {
    const url = new URL(address, location.href);
    const page = canonical(url.href);
    return origin ? canonical(new URL(origin).origin + page.slice(url.origin.length)) : page;
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
    if (path.endsWith("/")) {
      yield `${path}index.html${query}`;
      if (new URL(page).pathname !== "/") yield path.slice(0, -1) + query;
    }
    else if (path.endsWith("/index.html")) yield path.slice(0, -10) + query;
    else if (path.endsWith(".html")) yield path.slice(0, -5) + query;
    else yield* [`${path}.html${query}`, `${path}/${query}`];
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
    const box = make("nav", { class: "pagekin-related" });
    const heading = make("h2", {}, wanted.heading ?? "Related pages");
    box.setAttribute("aria-label", heading.textContent);
    const list = make("ul", {});
    list.append(...shown);
    box.append(heading, list);
    const target = wanted.into && document.querySelector(wanted.into);
    if (target) target.append(box);
    else script.after(box);
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
    const why = reason(page);
    if (why) item.append(make("br", {}), make("small", {}, why));
    return item;
  }

  function reason({ terms, linked_by: title }) {
    if (terms.length) return (wanted.reason ?? "Both mention {words}").replace("{words}", () => terms.join(", "));
    return title && (wanted.linked ?? "{title} links to both").replace("{title}", () => title);
  }

  function make(name, attributes, text = "") {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  }
})();

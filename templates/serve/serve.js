// What changes at the table: a stream of events says which part of the page to ask for again.
// While it is silent, the page says so and takes no taps.
"use strict";
(() => {
  const SILENCE = 2500; // milliseconds without a sign of life
  const WAITS = { others: 1000, any: 200 }; // milliseconds: what changes often is asked for at most so often
  const { seat, page } = document.body.dataset;
  const notice = document.getElementById("connection");
  const main = document.getElementById("main");
  let source, last = Date.now(), connected = true, closed = false;

  const waiting = {};
  const tell = (name) => htmx.trigger(document.body, name);

  function changed(what) {
    waiting[what] ??= setTimeout(() => {
      delete waiting[what];
      tell(`changed-${what}`);
    }, WAITS[what] ?? 0);
  }

  function listen() {
    if (source) source.close();
    source = new EventSource(`/events/${seat}?page=${page}`);
    source.addEventListener("open", () => tell("refresh")); // what changed while nobody listened
    source.addEventListener("beat", alive);
    source.addEventListener("closed", () => {
      source.close();
      closed = true;
      document.getElementById("closed").hidden = false;
      main.inert = true;
    });
    source.addEventListener("changed", (event) => {
      alive();
      changed(event.data);
      if (event.data !== "table") changed("any");
    });
    last = Date.now();
  }

  function alive() {
    last = Date.now();
    if (connected) return;
    connected = true;
    notice.hidden = true;
    main.inert = false;
    tell("refresh");
  }

  function check() {
    if (closed) return;
    if (Date.now() - last < SILENCE) return;
    if (connected) {
      connected = false;
      notice.hidden = false;
      main.inert = true;
    }
    listen();
  }

  listen();
  setInterval(check, 500);
  document.getElementById("use-here").addEventListener("click", () => location.reload());
  // An answer that is older than what a tap has shown since would take its place, and an error
  // would hide what is there: the part is asked for again.
  let swaps = 0;
  const counted = ({ detail }) => { if (detail.target.id === "live") swaps += 1; };
  document.body.addEventListener("htmx:afterSwap", counted);
  document.body.addEventListener("htmx:oobAfterSwap", counted);
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    event.detail.requestConfig.swaps = swaps;
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr, requestConfig } = event.detail;
    const failed = xhr.status >= 400 && !target.matches("#result, #sheet-dialog, #odds");
    const late = requestConfig.elt.id === "live" && requestConfig.swaps !== swaps;
    if (!failed && !late) return;
    event.detail.shouldSwap = false;
    setTimeout(() => tell("refresh"), failed ? WAITS.others : 0);
  });
  // Who closes a panel goes on at the button that opened it; the page may have been drawn anew.
  let opener;
  const same = (one) => ["hx-get", "hx-post", "hx-vals"].every(
    (name) => one.getAttribute(name) === opener.getAttribute(name));
  document.body.addEventListener("htmx:beforeRequest", ({ detail: { elt, target } }) => {
    if (target.id === "sheet-dialog" && !target.contains(elt)) opener = elt;
  });
  document.addEventListener("close", () => {
    if (opener) [...main.querySelectorAll("button")].find(same)?.focus();
  }, true); // it does not bubble
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.querySelector("dialog[open]")?.close();
  });
  document.addEventListener("visibilitychange", () => document.hidden || check());
  document.body.addEventListener("htmx:sendError", () => { last = 0; check(); });
})();

// What changes at the table: a stream of events says which part of the page to ask for again.
// While it is silent, the page says so and takes no taps.
"use strict";
(() => {
  const SILENCE = 2500; // milliseconds without a sign of life
  const WAITS = { others: 1000, any: 200 }; // milliseconds: what changes often is asked for at most so often
  const { seat, page } = document.body.dataset;
  const notice = document.getElementById("connection");
  const main = document.getElementById("main");
  let source, last = Date.now(), connected = true;

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
  // An error in place of a part of the page would hide what is there: it is asked for again.
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr } = event.detail;
    if (xhr.status < 400 || target.matches("#result, #sheet-dialog, #odds")) return;
    event.detail.shouldSwap = false;
    setTimeout(() => tell("refresh"), WAITS.others);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.querySelector("dialog[open]")?.close();
  });
  document.addEventListener("visibilitychange", () => document.hidden || check());
  document.body.addEventListener("htmx:sendError", () => { last = 0; check(); });
})();

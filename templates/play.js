"use strict";
/* The trackers of a sheet.

   What happens on this page is kept as the play events of the character's own
   log, in this browser, under the character's id; what a tracker shows is
   where it started and every event since. The download is just these events. */
(() => {
  const panel = document.getElementById("play");
  const part = (name) => document.getElementById(`play-${name}`);
  const id = panel.dataset.id;
  const n = Number(panel.dataset.n);
  const place = `charforge.${id}`;

  /** What a change of an event's tracker is called: the event without its amount. */
  const key = ({ do: kind, unit, holding, value, condition, ability, about }) =>
    JSON.stringify([kind, unit, holding, value, condition, ability, about]);

  /** How much an event changes its tracker by. */
  const amount = (event) => event.by ?? (event.off ? -1 : 1) * (event.amount ?? 1);

  const trackers = new Map(
    [...panel.querySelectorAll("[data-event]")].map((box) => {
      const event = JSON.parse(box.dataset.event);
      const input = box.querySelector("input");
      const { start, low, high = "Infinity" } = box.dataset;
      const name = panel.querySelector(`label[for="${input.id}"]`).textContent.trim();
      const bounds = { start: Number(start), low: Number(low), high: Number(high) };
      const names = JSON.parse(box.dataset.names ?? "[]");
      return [key(event), { box, event, input, name, names, ...bounds }];
    }),
  );

  let events = [];
  let sealed = 0; // so many are in a download, and are not changed any more
  let older = null; // what another sheet of this character left here
  let keeps = true; // whether this browser can keep anything

  // ---------------------------------------------------------------- what there is

  const now = (tracker) =>
    events.reduce(
      (sum, event) => (key(event) === key(tracker.event) ? sum + amount(event) : sum),
      tracker.start,
    );

  /** What the figure of a track is called; nothing elsewhere. */
  const named = (tracker) => tracker.names[now(tracker) - tracker.low] ?? "";

  /** Return the event that changes a tracker by so much. */
  const changed = ({ event }, by) => {
    if (event.do === "change") return { ...event, by };
    const { amount: counts, ...plain } = event;
    const much = counts ? { amount: Math.abs(by) } : {};
    return { ...plain, ...much, ...(by < 0 ? { off: true } : {}) };
  };

  /** Let something happen: more of what happened last is one event with it. */
  const happen = (tracker, wanted) => {
    const before = now(tracker);
    const after = Math.min(Math.max(wanted, tracker.low), tracker.high);
    let by = after - before;
    if (by !== 0) {
      const last = events.length > sealed ? events.at(-1) : null;
      if (last && key(last) === key(tracker.event)) by += amount(events.pop());
      if (by !== 0) events.push(changed(tracker, by));
      keep();
    }
    show();
    if (tracker.input.type === "number") {
      say([tracker.name, after, named(tracker)].filter((part) => part !== "").join(" "));
    }
  };

  const back = () => {
    if (events.length === 0) return say("Nothing to take back.");
    const gone = events.pop();
    sealed = Math.min(sealed, events.length);
    keep();
    show();
    const tracker = trackers.get(key(gone));
    say(`Taken back: ${tracker ? tracker.name : gone.do}.`);
  };

  // ---------------------------------------------------------------- what is seen

  const counted = (list) => (list.length === 1 ? "1 change" : `${list.length} changes`);

  const say = (text) => {
    const kept = keeps ? "kept in this browser" : "not kept by this browser: download them";
    const rest = events.length ? `${counted(events)}, ${kept}.` : "";
    part("status").textContent = [text, rest].filter(Boolean).join(" ");
  };

  const show = () => {
    for (const tracker of trackers.values()) {
      const { input, box } = tracker;
      if (input.type === "checkbox") input.checked = now(tracker) > 0;
      else input.value = now(tracker);
      const step = box.querySelector(".step-of");
      if (step) step.textContent = named(tracker);
    }
    part("notice").hidden = older === null;
    for (const each of panel.querySelectorAll("fieldset")) each.disabled = older !== null;
    part("download").disabled = part("back").disabled = older !== null;
    if (older === null) return;
    part("message").textContent =
      `This browser keeps ${counted(older.events)} from another sheet of this character ` +
      `(made after event ${older.n}, this one after ${n}). If they are in the character's file ` +
      "already, drop them; if not, download and import them first.";
  };

  // ---------------------------------------------------------------- what is kept

  const keep = () => {
    try {
      localStorage.setItem(place, JSON.stringify({ id, n, events, sealed }));
      keeps = true;
    } catch {
      keeps = false;
    }
  };

  const whole = (found) =>
    found !== null && typeof found === "object" && Array.isArray(found.events) &&
    found.events.every((event) => event !== null && typeof event === "object");

  /** Read what is kept. What this sheet does not know of is set aside, never lost. */
  const restore = () => {
    let found = null;
    try {
      found = JSON.parse(localStorage.getItem(place));
    } catch (error) {
      keeps = error instanceof SyntaxError;
    }
    if (!whole(found)) found = { n, events: [] };
    const mine = found.n === n && found.events.every((event) => trackers.has(key(event)));
    older = mine || found.events.length === 0 ? null : { n: found.n, events: found.events };
    events = mine ? found.events : [];
    sealed = mine ? Math.min(Number(found.sealed) || 0, events.length) : 0;
    show();
    say("");
  };

  const download = (found) => {
    const text = `${JSON.stringify({ id, ...found }, null, 1)}\n`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `${panel.dataset.name.replace(/[^\p{L}\p{N}]+/gu, "-")}.played.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  // ---------------------------------------------------------------- what is done

  panel.addEventListener("click", ({ target }) => {
    const button = target.closest("button[data-by]");
    if (!button) return;
    const tracker = trackers.get(key(JSON.parse(button.closest("[data-event]").dataset.event)));
    happen(tracker, now(tracker) + Number(button.dataset.by));
  });
  for (const tracker of trackers.values()) {
    const { input } = tracker;
    input.addEventListener("change", () => {
      const number = input.type === "checkbox" ? Number(input.checked) : input.valueAsNumber;
      happen(tracker, Number.isFinite(number) ? Math.trunc(number) : now(tracker));
    });
  }
  part("back").addEventListener("click", back);
  part("download").addEventListener("click", () => {
    if (events.length === 0) return say("Nothing has happened yet.");
    download({ n, events });
    sealed = events.length;
    keep();
    return say("Downloaded. Now: charforge import FILE --into CHARACTER.");
  });
  part("keep").addEventListener("click", () => download(older));
  part("drop").addEventListener("click", () => {
    older = null;
    keep();
    show();
    say("");
  });
  addEventListener("storage", ({ key: changedPlace }) => {
    if (changedPlace === place) restore(); // another window of this sheet
  });

  document.documentElement.classList.add("playing");
  panel.hidden = false;
  restore();
})();

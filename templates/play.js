"use strict";
/* Playing on the page of a sheet, or of several in one file.

   Each tap is a play event of the character's own log, kept in this browser under
   the character's id. A tracker shows where it started and every event since, in the
   panel, in the bar at the top and in the boxes of the sheet. The download is these
   events. Dice are rolled as the page says. No rules are known here: what other values
   of a tracker make different is on the page, in words. */
(() => {
  const KEPT_ROLLS = 10;
  const SHOWN_FOR = 10_000; // milliseconds that a result stays open
  const MOST_CAUSES = 2; // so many changes of a figure are each listed beside it
  const FEW = 12; // so many boxes are each large enough for a finger
  const LONG = 3; // screens of a phone: the groups of a longer sheet are folded
  const HIGH = 160; // pixels: lower groups are not
  const NARROW = matchMedia("(max-width: 46em)");
  const TOUCH = matchMedia("(pointer: coarse), (max-width: 46em)");
  // The parts of a sheet in each tab; what is in none of them is in the first.
  const TABS = {
    Fight: ".fight, .abilities, .units",
    Gear: ".gear",
    Story: ".story, .notes, .allowed",
    Rules: ".tables, .reference, .odds, .audit",
  };

  // The texts of the page's language by their English originals; an English page has none.
  const TEXTS = JSON.parse(document.querySelector("[data-texts]")?.dataset.texts ?? "{}");

  /** A text in the language of the page, with its placeholders filled in. */
  const t = (text, values = {}) =>
    (TEXTS[text] ?? text).replace(/\{(\w+)\}/g, (_found, name) => values[name]);

  // ---------------------------------------------------------------- events and elements

  /** What a change of an event's tracker is called: the event without its amount. */
  const key = ({ do: kind, unit, holding, value, condition, ability, about }) =>
    JSON.stringify([kind, unit, holding, value, condition, ability, about]);

  /** How much an event changes its tracker by. */
  const amount = (event) =>
    event.by ?? (event.off || event.how === "take-off" ? -1 : 1) * (event.amount ?? 1);

  const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);

  /** Return a new element; properties such as className are given by name. */
  const made = (tag, properties = {}, ...inside) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...inside);
    return element;
  };

  /** Return the event that changes a tracker by so much; what is worn changes piece by piece. */
  const changed = (event, by) => {
    if (event.do === "change") return { ...event, by };
    if (event.do === "carry") return { ...event, how: by < 0 ? "take-off" : "wear" };
    const { amount: counts, off: _off, ...plain } = event;
    const much = counts ? { amount: Math.abs(by) } : {};
    return { ...plain, ...much, ...(by < 0 ? { off: true } : {}) };
  };

  // ---------------------------------------------------------------- dice

  const below = (limit) => {
    const box = new Uint32Array(1);
    do crypto.getRandomValues(box); while (box[0] >= 2 ** 32 - (2 ** 32 % limit));
    return box[0] % limit;
  };

  /** Roll an expression such as 2d6+3 or (1d4)*(1d6+2): its total, and its parts in words. */
  const rollDice = (text) => {
    const tokens = text.match(/\d*d\d+(?:k[hl]?\d+)?|\d+|[-+*()]/g) ?? [];
    const single = () => {
      const token = tokens.shift();
      if (token === "(") {
        const inner = sum();
        tokens.shift();
        return { ...inner, words: /[+−×]/.test(inner.words) ? `(${inner.words})` : inner.words };
      }
      const [, number, sides, which, keep] = token.match(/^(\d*)d(\d+)(?:k([hl]?)(\d+))?$/) ?? [];
      if (sides === undefined) return { total: Number(token), words: token };
      const shown = Array.from({ length: Number(number || 1) }, () => 1 + below(Number(sides)));
      const ordered = [...shown].sort((one, other) => (which === "l" ? one - other : other - one));
      const total = ordered.slice(0, keep && Number(keep)).reduce((one, other) => one + other);
      return { total, words: `${token.replace("d", t("d"))} [${shown.join(" ")}]` };
    };
    const chain = (next, signs) => () => {
      const first = tokens[0] === "-" && "-" in signs ? { total: 0, words: "" } : next();
      while (tokens[0] in signs) {
        const [sign, apply] = signs[tokens.shift()];
        const other = next();
        first.total = apply(first.total, other.total);
        first.words = `${first.words} ${sign} ${other.words}`.trim();
      }
      return first;
    };
    const product = chain(single, { "*": ["×", (one, other) => one * other] });
    const sum = chain(product, {
      "+": ["+", (one, other) => one + other],
      "-": ["−", (one, other) => one - other],
    });
    return sum();
  };

  /** How many dice of a roll show one of these faces, in place of its total. */
  const counted = ({ words }, faces) => {
    const shown = words.match(/\[(.*)\]/)[1].split(" ");
    return { words, total: shown.filter((face) => faces.includes(face)).length };
  };

  /** Roll dice with symbols, such as "2 ability,1 difficulty": how often each symbol shows. */
  const rollPool = (text, faces) => {
    const shown = text.split(",").flatMap((die) => {
      const [number, name] = die.split(" ");
      const { label, faces: sides } = faces[name];
      return Array.from({ length: Number(number) }, () => ({ label, symbols: sides[below(sides.length)] }));
    });
    const symbols = new Map();
    for (const symbol of shown.flatMap((die) => die.symbols)) {
      symbols.set(symbol, (symbols.get(symbol) ?? 0) + 1);
    }
    const total = [...symbols].map(([symbol, times]) => `${times} ${symbol}`).join(", ");
    const words = shown.map(({ label, symbols: on }) => `${label} [${on.join(" ") || t("blank")}]`);
    return { total: total || t("nothing"), words: words.join(", ") };
  };

  /** A roll as a line: what it is for, its parts, its total, and what it leaves out. */
  const line = ({ what, words, total, note }) => [
    made("span", {}, words === String(total) ? `${what}: ` : `${what}: ${words} = `),
    made("b", {}, String(total)),
    ...(note ? [made("span", { className: "stale" }, ` ${note}`)] : []),
  ];

  // ---------------------------------------------------------------- a sheet

  const sheets = []; // when each of its changes was made, and how to undo the last, sheet by sheet

  /** Make a sheet live, by the bar at its top. */
  const play = (bar) => {
    const root = bar.closest(".theme") ?? document.documentElement;
    const part = (name) => document.getElementById(`${bar.id}-${name}`);
    const id = bar.dataset.id;
    const n = Number(bar.dataset.n);
    const place = `charforge.${id}`;
    const faces = JSON.parse(bar.dataset.faces);

    const units = part("panel").querySelectorAll("fieldset");
    const all = [...part("panel").querySelectorAll("[data-event]")].map((box) => {
      const event = JSON.parse(box.dataset.event);
      const input = box.querySelector("input");
      const { start, low, high = "Infinity" } = box.dataset;
      const owner = box.closest("fieldset").querySelector("legend").textContent;
      const unit = units.length > 1 ? `${owner}: ` : "";
      const label = document.querySelector(`label[for="${input.id}"]`).textContent.trim();
      const name = `${unit}${label}`;
      const bounds = { start: Number(start), low: Number(low), high: Number(high) };
      const names = JSON.parse(box.dataset.names ?? "[]");
      const worn = JSON.parse(box.dataset.places ?? "[]"); // places with the limit of each
      return { key: box.dataset.key, box, event, input, owner, label, name, names, worn, ...bounds };
    });
    const trackers = new Map(all.map((tracker) => [key(tracker.event), tracker]));
    const byKey = new Map(all.map((tracker) => [tracker.key, tracker]));

    const changes = JSON.parse(part("changes")?.content.textContent ?? "{}");
    // What several conditions make different together, by their keys: most of them first.
    const together = JSON.parse(part("together")?.content.textContent ?? "[]");

    let events = [];
    let times = []; // of the events
    let sealed = 0; // so many are in a download, and are not changed any more
    let older = null; // what another sheet of this character left here
    let keeps = true; // whether this browser can keep anything
    let open = null; // the tracker in the pad
    const controls = []; // on the sheet

    // ---------------------------------------------------------------- what there is

    const now = (tracker) =>
      events.filter((event) => key(event) === key(tracker.event)).reduce(
        (sum, event) => Math.min(Math.max(sum + amount(event), tracker.low), tracker.high),
        tracker.start,
      );

    /** What a changed tracker is called with the name of its unit, and without it. */
    const causes = (tracker) =>
      [tracker.name, tracker.label].map((name) => {
        const value = now(tracker);
        if (tracker.input.type !== "checkbox") return `${name} ${value}`.replace("-", "−");
        return value ? name : t("no longer {name}", { name });
      });

    /** What the present values make different from the page: each with its tracker, in words.

        Conditions that are known together are one cause. Nothing is known of values far from those
        that were printed. */
    const different = () => {
      let rest = all.filter((tracker) => now(tracker) !== tracker.start);
      const found = [];
      for (const [keys, change] of together) {
        const several = rest.filter((tracker) => keys.includes(tracker.key));
        if (several.length < keys.length) continue;
        rest = rest.filter((tracker) => !several.includes(tracker));
        const [first, ...others] = several.map(causes);
        const [cause, short] = first.map((name) => [name, ...others.map(([, label]) => label)].join(", "));
        found.push({ tracker: several[0], cause, short, ...change });
      }
      for (const tracker of rest.filter((one) => changes[one.key])) {
        const { start } = tracker;
        const value = now(tracker);
        const known = changes[tracker.key];
        const [cause, short] = causes(tracker);
        const beyond = Object.keys(known).every((other) => Math.abs(other - start) < Math.abs(value - start));
        if (beyond) found.push({ tracker, cause, short, texts: [t("calculated by charforge import")], ...unknown(known) });
        else {
          const { texts = [], rolls = {}, figures = {} } = known[value] ?? {};
          found.push({ tracker, cause, short, texts, rolls, figures });
        }
      }
      return found;
    };

    /** What any known value makes different: it is by a value that is too far away, nobody knows how. */
    const unknown = (known) =>
      Object.fromEntries(["rolls", "figures"].map((kind) => [
        kind,
        Object.fromEntries(Object.values(known).flatMap((one) => Object.keys(one[kind])).map((place) => [place, "?"])),
      ]));

    /** The limited place where another piece of worn gear is in the way, in words. */
    const inTheWay = (tracker) => {
      for (const [place, most] of tracker.worn) {
        const others = all.filter((other) => other.worn.some(([where]) => where === place) && now(other) > 0);
        if (others.reduce((sum, other) => sum + now(other), 0) < most) continue;
        const names = others.map(({ label }) => label).join(", ") || t("nothing");
        return t("{place}: you wear {names}; take that off first", { place, names });
      }
      return "";
    };

    /** Record an event. */
    const add = (event) => {
      events.push(event);
      times.push(Date.now());
      keep();
    };

    /** What the number of a track is called; nothing elsewhere. */
    const named = (tracker) => tracker.names[now(tracker) - tracker.low] ?? "";

    /** On a narrow screen the bar has the values of one unit: show those of this one. */
    const shownUnits = [...bar.querySelectorAll(".gauges")];
    const showUnit = (shown) => {
      for (const unit of shownUnits) unit.classList.toggle("shown", unit === shown);
    };
    /** Show all of them where there is room. */
    const fitUnits = () => {
      const units = bar.querySelector(".bar-units");
      bar.classList.remove("turning");
      bar.classList.toggle("turning", units.scrollWidth > units.clientWidth + 1);
    };
    const unitOf = (tracker) =>
      shownUnits.find((unit) => unit.querySelector(`[data-open="${CSS.escape(tracker.key)}"]`));

    /** Let something happen: one event for each tap, so that each can be undone. */
    const happen = (tracker, wanted) => {
      if (older !== null) return;
      const before = now(tracker);
      const after = Math.min(Math.max(wanted, tracker.low), tracker.high);
      const pieces = tracker.event.do === "carry" ? Math.abs(after - before) : Number(after !== before);
      for (let piece = 0; piece < pieces; piece += 1) {
        const obstacle = after > before ? inTheWay(tracker) : "";
        if (obstacle) {
          show();
          return say(obstacle);
        }
        add(changed(tracker.event, after - before));
      }
      const unit = unitOf(tracker);
      if (unit) showUnit(unit);
      show();
      const words = [tracker.name, tracker.input.type === "number" ? after : after ? t("on") : t("off"), named(tracker)]
        .filter((word) => word !== "").join(" ");
      return say(words);
    };

    /** The present conditions of a unit, in words; the character's own have no unit. */
    const conditions = (unit) =>
      all.filter(({ event }) => event.do === "condition" && (event.unit ?? "") === unit)
        .filter((tracker) => now(tracker) > 0)
        .map((tracker) => (now(tracker) > 1 ? `${tracker.label} ${now(tracker)}` : tracker.label))
        .join(", ");

    const back = () => {
      if (events.length === 0) return say(t("Nothing to undo."));
      const gone = events.pop();
      times.pop();
      sealed = Math.min(sealed, events.length);
      keep();
      const tracker = trackers.get(key(gone));
      if (unitOf(tracker)) showUnit(unitOf(tracker));
      show();
      const by = amount(gone);
      const what = tracker.input.type === "number" ? signed(by) : by > 0 ? t("on") : t("off");
      const change = `${tracker.name} ${what}`;
      return say(t("Undone: {change}.", { change }));
    };

    /** Changes of the same tracker in a row as one event; nothing if they cancel each other. */
    const joined = (list) =>
      list.reduce((rest, event) => {
        const last = rest.at(-1);
        if (!last || key(last) !== key(event)) return [...rest, event];
        const by = amount(last) + amount(event);
        if (by !== 0 && trackers.get(key(event)).event.do === "carry") return [...rest, event];
        return [...rest.slice(0, -1), ...(by === 0 ? [] : [changed(trackers.get(key(event)).event, by)])];
      }, []);

    // ---------------------------------------------------------------- the boxes of the sheet

    /** Make a drawing of boxes live: a box for each finger, and the drawing itself for paper. */
    const drawing = (svg, tracker) => {
      const { what, fills } = svg.dataset;
      const [boxes, worth, half] = ["boxes", "worth", "half"].map((name) => Number(svg.dataset[name] ?? 0));
      const same = [...svg.parentElement.querySelectorAll("svg[data-tracker]")];
      const alike = same.filter((other) => other.dataset.tracker === tracker.key);
      const first = alike.indexOf(svg) * boxes; // of several equal pieces, the first is used first
      const figures = svg.querySelector("path").getAttribute("d").split(/(?=M)/);
      const filled = svg.querySelector(".filled") ?? svg.appendChild(
        document.createElementNS("http://www.w3.org/2000/svg", "path"),
      );
      filled.setAttribute("class", "filled");
      const row = made("span", { className: boxes > FEW ? "pips dense" : "pips", role: "img" });
      const pips = Array.from({ length: boxes }, () => made("i"));
      const group = boxes > FEW ? 5 : 6;
      for (let start = 0; start < boxes; start += group) {
        row.append(made("span", {}, ...pips.slice(start, start + group)));
      }
      pips[Math.ceil(half / worth) - 1]?.classList.add("half");
      svg.after(row);
      // What is gone is filled, as on paper; of what has no maximum, what there is. Of a vital that is not
      // a whole number of boxes, a box is gone when nothing of it is left.
      const marked = {
        has: (value) => Math.ceil(value / worth),
        left: (value) => boxes - Math.ceil(value / worth),
        used: (value) => Math.floor((tracker.high - value) / worth) - first,
      }[fills];
      const count = (value) => Math.min(Math.max(marked(value), 0), boxes);
      const wanted = {
        has: (number) => number * worth,
        left: (number) => (boxes - number) * worth,
        used: (number) => tracker.high - (first + number) * worth,
      }[fills];
      // Many boxes are too small for a finger, and so are those of a vital, which are beside their
      // number: touched anywhere, they open the pad.
      const small = boxes > FEW || svg.closest(".now");
      row.addEventListener("click", ({ target }) => {
        if (small && TOUCH.matches) return openPad(tracker);
        const box = pips.indexOf(target) + 1;
        if (box === 0) return;
        happen(tracker, wanted(count(now(tracker)) === box ? box - 1 : box));
      });
      return (value) => {
        const number = count(value);
        pips.forEach((pip, index) => pip.classList.toggle("on", index < number));
        filled.setAttribute("d", figures.slice(0, number).join(""));
        const state = {
          has: t("{number} of {boxes} filled", { number, boxes }),
          left: t("{number} of {boxes} left", { number: boxes - number, boxes }),
          used: t("{number} of {boxes} used", { number, boxes }),
        }[fills];
        row.setAttribute("aria-label", `${what}: ${state}`);
        svg.querySelector("title").textContent = row.getAttribute("aria-label");
      };
    };

    /** Make a box to tick live: of a track, each number has one. */
    const tick = (box, tracker) => {
      const number = box.dataset.number === undefined ? null : Number(box.dataset.number);
      const input = made("input", { className: "tap", type: number === null ? "checkbox" : "radio" });
      input.name = `${bar.id} ${tracker.key}`;
      input.autocomplete = "off";
      const plain = tracker.event.do === "carry" ? t("{name}, worn", tracker) : tracker.name;
      input.setAttribute("aria-label", number === null ? plain : box.dataset.what);
      box.after(input);
      controls.push(input);
      input.addEventListener("change", () => happen(tracker, number ?? Number(input.checked)));
      return (value) => {
        input.checked = number === null ? value > 0 : value === number;
        box.classList.toggle("on", input.checked);
      };
    };

    /** Make a box to write in live: it shows the number and opens the pad. */
    const figure = (box, tracker) => {
      const owner = root.contains(box) ? "" : `${bar.dataset.name}: `;
      const printed = box.querySelector(".present");
      const number = printed ?? made("b", { className: "present" });
      const button = made("button", { type: "button", className: "figure" }, number);
      const step = box.querySelector(".step-name");
      button.addEventListener("click", () => openPad(tracker));
      controls.push(button);
      if (printed) box.insertBefore(button, box.querySelector(":scope > .step-name"));
      else box.append(button);
      return (value) => {
        number.textContent = String(value).replace("-", "−");
        button.classList.toggle("unfilled", !printed && value === tracker.start);
        button.setAttribute("aria-label", `${owner}${tracker.name} ${value}: ${t("change")}`);
        if (step) step.textContent = named(tracker);
      };
    };

    // Where figures and rolls say what they are by now, if it is not what is printed.
    const marks = [...root.querySelectorAll(".differs")].map((place) => {
      const unit = place.closest("[data-unit]")?.dataset.unit ?? "";
      const { figure: printed, rolled } = place.dataset;
      return { place, unit, printed: `${unit}|${printed}`, rolled: `${unit}|${rolled}` };
    });

    /** Mark each figure that is not as printed with what it is by now, a line for each change. */
    const mark = (found) => {
      for (const { place, unit, printed, rolled } of marks) {
        const figures = found.filter((one) => one.figures[printed] !== undefined);
        const rolls = figures.length ? [] : found.filter((one) => one.rolls[rolled]);
        const lines = [
          ...figures.map((one) => [one, `→ ${one.figures[printed]}`]),
          ...rolls.map((one) => [one, one.rolls[rolled]]),
        ];
        // Nobody knows here what many make together, and a line for each says nothing.
        if (lines.length > MOST_CAUSES) {
          place.replaceChildren(made("span", {}, made("b", {}, "→ ?"), ` ${counted(lines)}`));
          continue;
        }
        place.replaceChildren(...lines.map(([{ tracker, cause, short }, text]) => {
          const own = (tracker.event.unit ? tracker.owner : "") === unit;
          return made("span", {}, made("b", {}, text), ` ${own ? short : cause}`);
        }));
      }
    };

    // Its own boxes, and those for it on the GM's page.
    const summary = `[data-sheet="${bar.id}"]`;
    const boxes = [
      ...root.querySelectorAll("[data-tracker]"),
      ...document.querySelectorAll(`${summary} [data-tracker]`),
    ];
    const places = boxes.flatMap((box) => {
      const tracker = byKey.get(box.dataset.tracker);
      if (!tracker) return [];
      box.classList.add("live");
      const live = box.matches("svg") ? drawing : box.matches(".tick") ? tick : figure;
      return [{ tracker, update: live(box, tracker) }];
    });

    // ---------------------------------------------------------------- what is seen

    const counted = (list) => (list.length === 1 ? t("1 change") : t("{count} changes", { count: list.length }));

    const say = (text) => {
      const kept = keeps ? t("kept in this browser") : t("not kept by this browser: download them");
      const rest = events.length ? `${counted(events)}, ${kept}.` : "";
      const end = text && !/[.!?]$/.test(text) ? `${text}.` : text;
      part("status").textContent = [end, rest].filter(Boolean).join(" ");
      for (const place of document.querySelectorAll(".party-undo [role=status]")) {
        place.textContent = text && `${bar.dataset.name}: ${end}`;
      }
    };

    const show = () => {
      for (const tracker of all) {
        const { input, box } = tracker;
        const value = now(tracker);
        if (input.type === "checkbox") input.checked = value > 0;
        else input.value = value;
        const step = box.querySelector(".current-step");
        if (step) step.textContent = named(tracker);
      }
      for (const { tracker, update } of places) update(now(tracker));
      for (const gauge of bar.querySelectorAll(".gauge")) {
        const tracker = byKey.get(gauge.dataset.open);
        gauge.querySelector("b").textContent = String(now(tracker)).replace("-", "−");
        gauge.disabled = older !== null;
      }
      fitUnits();
      if (open) showPad();
      part("notice").hidden = older === null;
      const ids = ["panel fieldset", "back", "download", "apply button"].map((name) => `#${bar.id}-${name}`);
      for (const control of [...document.querySelectorAll(ids), ...controls]) {
        control.disabled = older !== null;
      }
      const changed = part("changed");
      const found = different();
      mark(found);
      if (changed) {
        const lines = found.filter(({ texts }) => texts.length > 0);
        changed.hidden = lines.length === 0;
        changed.tabIndex = 0; // it may be scrolled
        changed.replaceChildren(made("h2", {}, t("Different from what is printed")),
          ...lines.map(({ cause, texts }) => made("p", {}, made("b", {}, cause), ` ${texts.join(" · ")}`)),
          ...(lines.some(({ figures }) => Object.keys(figures).length) ? [made("p", { className: "limit" }, t("Figures in the texts of rules and abilities are as printed."))] : []),
          ...(lines.length > 1 ? [made("p", { className: "limit" }, t("Each line is for one change alone. charforge import calculates them together."))] : []));
      }
      for (const place of document.querySelectorAll(`${summary} [data-conditions]`)) {
        place.textContent = conditions(place.dataset.conditions);
      }
      if (older === null) return;
      part("message").textContent = t(
        "This browser keeps {changes} from another sheet of this character (made after event " +
        "{older}, this one after {n}). If they are in the character's file already, drop them; " +
        "if not, download and import them first.",
        { changes: counted(older.events), older: older.n, n },
      );
    };

    const openPad = (tracker) => {
      if (older !== null) return;
      open = tracker;
      showPad();
      part("amount").value = "";
      part("pad").showModal();
    };

    const showPad = () => {
      const most = open.high === Infinity ? "" : ` ${t("of {maximum}", { maximum: open.high })}`;
      const health = bar.querySelector(`.gauge[data-health][data-open="${CSS.escape(open.key)}"]`);
      part("pad-title").textContent = `${open.name}${most}`;
      part("pad-now").textContent = String(now(open)).replace("-", "−");
      part("pad-step").textContent = named(open);
      part("less").textContent = t(health ? "Damage" : "Less");
      part("more").textContent = t(health ? "Heal" : "More");
    };

    // ---------------------------------------------------------------- what is kept

    const keep = () => {
      try {
        localStorage.setItem(place, JSON.stringify({ id, n, events, sealed, times }));
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
      times = events.map((_event, index) => Number(found.times?.[index]) || 0);
      show();
      say("");
    };

    const download = (found) => {
      const text = `${JSON.stringify({ id, ...found }, null, 1)}\n`;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      link.download = `${bar.dataset.name.replace(/[^\p{L}\p{N}]+/gu, "-")}.played.json`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    };

    // ---------------------------------------------------------------- rolls

    const rollPlace = `${place}.rolls`;
    let rolls = [];
    try {
      const kept = JSON.parse(sessionStorage.getItem(rollPlace));
      if (Array.isArray(kept)) rolls = kept.filter((one) => typeof one?.what === "string").slice(0, KEPT_ROLLS);
    } catch {
      // After a reload there are no earlier rolls.
    }
    let closing = 0; // the timer that closes the last result

    /** Close the last result after a while, unless somebody reads the earlier ones. */
    const closeRollsSoon = () => {
      clearTimeout(closing);
      closing = setTimeout(() => {
        const panel = part("rolls");
        if (panel.matches(":hover, :focus-within") || panel.querySelector("details[open]")) closeRollsSoon();
        else panel.hidden = true;
      }, SHOWN_FOR);
    };

    const showRolls = () => {
      const [latest] = rolls;
      if (!latest) return;
      part("rolls").hidden = false;
      closeRollsSoon();
      part("rolled").replaceChildren(...line(latest));
      part("log").replaceChildren(...rolls.map((roll) => made("li", {}, ...line(roll))));
      const healths = latest.damage ? [...bar.querySelectorAll(".gauge[data-health]")] : [];
      part("apply").replaceChildren(made("span", {}, t("If it hits you or one of your units:")), ...healths.flatMap((gauge) => {
        const tracker = byKey.get(gauge.dataset.open);
        return [-latest.total, latest.total].map((by) => {
          const label = `${tracker.name} ${signed(by)}`;
          const button = made("button", { type: "button", disabled: older !== null }, label);
          button.addEventListener("click", () => happen(tracker, now(tracker) + by));
          return button;
        });
      }));
      part("apply").hidden = healths.length === 0;
    };

    /** What a button rolls differently by now, in words: each change by itself, for the rules decide
        what several make together. */
    const outdated = (button) => {
      const { of, what, damage } = button.dataset;
      const rolled = `${of ?? what}${damage === undefined ? "" : "|damage"}`;
      const roll = `${button.closest("[data-unit]")?.dataset.unit ?? ""}|${rolled}`;
      const found = different().filter(({ rolls }) => rolls[roll]);
      const list = found.map(({ cause, rolls }) => `${cause}: ${rolls[roll]}`).join("; ");
      if (found.length > 1) return t("Printed before {list}. Together: charforge import calculates it.", { list });
      return list && t("Printed before {list}", { list });
    };

    const roll = (button) => {
      const { dice, bonus = "0", pool, what, damage, against, counts } = button.dataset;
      const extra = Number(bonus) ? signed(Number(bonus)).replace("−", "-") : "";
      const rolled = pool ? rollPool(pool, faces) : rollDice(`${dice}${extra}`);
      const result = counts ? counted(rolled, counts.split(" ")) : rolled;
      rolls = [{ what: against ? `${what} (${against})` : what, damage: damage !== undefined, note: outdated(button), ...result }, ...rolls].slice(0, KEPT_ROLLS);
      try {
        sessionStorage.setItem(rollPlace, JSON.stringify(rolls));
      } catch {
        // This browser keeps nothing.
      }
      showRolls();
    };

    // ---------------------------------------------------------------- tabs

    const buttons = new Map();
    const choose = (name) => {
      root.dataset.tab = name;
      for (const [tab, button] of buttons) {
        if (tab === name) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      }
    };
    const parts = [...root.querySelectorAll(".part:not(.room)")]; // which is for paper
    const [home] = Object.keys(TABS);
    for (const section of parts) {
      section.dataset.in = Object.keys(TABS).find((name) => section.matches(TABS[name])) ?? home;
    }
    for (const name of Object.keys(TABS)) {
      if (!parts.some((section) => section.dataset.in === name)) continue;
      const button = made("button", { type: "button" }, t(name));
      button.addEventListener("click", () => {
        choose(name);
        fold();
        scrollTo(0, 0);
        try {
          sessionStorage.setItem(place, name);
        } catch {
          // After a reload the first tab is shown.
        }
      });
      buttons.set(name, button);
    }
    if (buttons.size > 1) {
      part("tabs").append(...buttons.values());
      let last = null;
      try {
        last = sessionStorage.getItem(place);
      } catch {
        // This browser keeps nothing.
      }
      choose(buttons.has(last) ? last : [...buttons.keys()][0]);
    } else part("tabs").hidden = true;

    // ---------------------------------------------------------------- groups that fold

    /** On a phone, fold the groups of a long sheet, but for tracks and what has boxes that are marked. */
    const fold = () => {
      const tall = root.querySelector(".part.fight")?.offsetHeight > LONG * innerHeight;
      for (const heading of root.querySelectorAll(".fight .keep-together > .section:first-child, .abilities > .section:first-child")) {
        const group = heading.parentElement;
        const button = heading.querySelector(".fold");
        if (button && !NARROW.matches) {
          button.replaceWith(...button.childNodes);
          group.classList.remove("folded");
        }
        if (button || !NARROW.matches || !tall || group.offsetHeight < HIGH) continue;
        const folded = !group.querySelector(".step, .tick.on, .pips i.on");
        const toggle = made("button", { type: "button", className: "fold" }, ...heading.childNodes);
        toggle.setAttribute("aria-expanded", String(!folded));
        group.classList.toggle("folded", folded);
        toggle.addEventListener("click", () => {
          toggle.setAttribute("aria-expanded", String(!group.classList.toggle("folded")));
        });
        heading.append(toggle);
      }
    };

    // ---------------------------------------------------------------- what is done

    root.addEventListener("click", ({ target }) => {
      const button = target.closest("button, dialog");
      if (!button) return;
      const { by, open: wanted, close, step, turn } = button.dataset;
      if (by !== undefined) {
        const tracker = byKey.get(button.closest("[data-key]").dataset.key);
        happen(tracker, now(tracker) + Number(by));
      } else if (wanted !== undefined) openPad(byKey.get(wanted));
      else if (step !== undefined) happen(open, now(open) + Number(step));
      else if (turn !== undefined) {
        const next = shownUnits[(Number(turn) + 1) % shownUnits.length];
        showUnit(next);
        next.querySelector(".turn").focus();
      } else if (close !== undefined) button.closest("dialog").close();
      else if (button.matches(".roll-it")) roll(button);
      else if (target.matches("dialog[open]")) target.close(); // beside the pad
    });
    const give = (sign) => {
      const given = part("amount").valueAsNumber;
      if (!Number.isFinite(given)) return part("amount").focus();
      part("pad").close();
      return happen(open, now(open) + sign * Math.trunc(Math.abs(given)));
    };
    part("less").addEventListener("click", () => give(-1));
    part("more").addEventListener("click", () => give(1));
    // Enter is the first button: in a fight, damage.
    part("amount").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      give(-1);
    });
    for (const tracker of all) {
      const { input } = tracker;
      input.addEventListener("change", () => {
        const number = input.type === "checkbox" ? Number(input.checked) : input.valueAsNumber;
        happen(tracker, Number.isFinite(number) ? Math.trunc(number) : now(tracker));
      });
    }
    part("all").addEventListener("click", () => part("panel").showModal());
    part("back").addEventListener("click", back);
    part("rolls-close").addEventListener("click", () => {
      part("rolls").hidden = true;
    });
    part("download").addEventListener("click", () => {
      if (events.length === 0) return say(t("Nothing has happened yet."));
      events = [...events.slice(0, sealed), ...joined(events.slice(sealed))];
      sealed = events.length;
      times = events.map(() => Date.now());
      download({ n, events });
      keep();
      return say(t("Downloaded. Now: charforge import FILE --into CHARACTER."));
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

    root.classList.add("playing");
    bar.hidden = false;
    restore();
    fold();
    NARROW.addEventListener("change", fold);
    addEventListener("resize", fitUnits);
    document.fonts.ready.then(fitUnits);
    sheets.push({ back, last: () => (events.length && older === null ? times.at(-1) : -1) });
  };

  for (const bar of document.querySelectorAll(".play.bar")) play(bar);

  // The GM's page undoes the latest change of any sheet.
  for (const line of document.querySelectorAll(".party-undo")) {
    line.hidden = false;
    line.querySelector("button").addEventListener("click", () => {
      sheets.reduce((one, other) => (other.last() > one.last() ? other : one)).back();
    });
  }
})();

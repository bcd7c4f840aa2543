"use strict";
/* A party's page: its parts one by one, and the GM's page to type in.

   Present values that are on a sheet to play from are that sheet's (play.js).

   Each box to write in becomes a field. What is typed is kept in this browser, under
   the title of the page and the row and column of the box. */
(() => {
  const place = `charforge.party.${document.title}`;
  const kept = (() => {
    try {
      return JSON.parse(localStorage.getItem(place)) ?? {};
    } catch {
      return {};
    }
  })();
  const text = (element) => element?.textContent.trim() ?? "";

  /** The text of a heading, without that of its drawings. */
  const words = (heading) =>
    [...heading.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map(text).join("");

  const keep = () => {
    try {
      localStorage.setItem(place, JSON.stringify(kept));
    } catch { /* what is typed stays on the page until it is closed */ }
  };

  /** Put a field into a box; ``printed`` is what the box shows, until something else is typed. */
  const type = (box, name, printed, what) => {
    const field = document.createElement(box.matches(".note") ? "textarea" : "input");
    field.className = "typed";
    field.autocomplete = "off";
    field.setAttribute("aria-label", what);
    field.value = kept[name] ?? printed;
    field.addEventListener("input", () => {
      if (field.value === printed) delete kept[name];
      else kept[name] = field.value;
      keep();
    });
    return field;
  };

  document.querySelectorAll(".party table").forEach((table, number) => {
    const columns = [...table.querySelectorAll("thead th")].map(words);
    [...table.querySelectorAll("tbody tr")].forEach((row, line) => {
      const who = text(row.querySelector("th b")) || `${columns[0]} ${line + 1}`;
      [...row.children].forEach((cell, column) => {
        const what = `${who}: ${columns[column]}`;
        const name = `${number} ${who} ${columns[column]}`;
        const box = cell.querySelector(".write:not(.live) b");
        const conditions = cell.querySelector("[data-conditions]");
        if (box) box.replaceWith(type(box, name, text(box), what));
        else if (conditions) cell.append(type(cell, name, "", what));
        else if (cell.matches(".note, .turn-order td:empty")) {
          const printed = text(cell);
          cell.replaceChildren(type(cell, name, printed, what));
        }
      });
    });
  });

  // ---------------------------------------------------------------- one part at a time

  const links = [...document.querySelectorAll(".contents a")];
  const choose = () => {
    const chosen = links.find((link) => link.hash === location.hash) ?? links[0];
    for (const link of links) {
      const here = link === chosen;
      document.querySelector(link.hash).classList.toggle("chosen", here);
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
    scrollTo(0, 0);
  };
  if (links.length > 1) {
    document.documentElement.classList.add("choosing");
    addEventListener("hashchange", choose);
    choose();
  }
})();
